import { sql } from 'kysely';
import type { EditedProductForm, NewProductForm, OfficeProduct, QuickEditBody } from '#contract/catalogue/catalogue.ts';
import { columnsOf } from '#contract/catalogue/product-fields.ts';
import { MAX_PIECES } from '#contract/platform/limits.ts';
import type { Change } from '#contract/platform/lists.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import { deriveAttributes } from '#server/catalogue/attributes/derive.service.ts';
import { listChanges, recordChange, refuseStale } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { setStockCause } from '#server/context/stock-cause.ts';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { readOfficeProduct } from './office-product.service.ts';
import { queueWidths } from './pictures.jobs.ts';
import { changesBetween } from './product-changes.ts';
import { checkSizeModels, shownBy, storeModel, storePictures } from './product-files.ts';
import { flawOfState, queueGoingLive, stateColumns } from './product-state.service.ts';
import { lockParts, ownStock } from './set-parts.service.ts';
import { insertProducts, usualPriceOf, writeSizes } from './write-products.service.ts';

type Needs = Pick<Services, 'db' | 'pictures'>;

const SET_STOCK = 'The stock of a set follows its parts. Change theirs.';
const MOST_PIECES = MAX_PIECES.toLocaleString('en-GB');

/** Throws 400 for a scheduled product without its moment. */
function refuseState(form: Parameters<typeof flawOfState>[0]): void {
  const flaw = flawOfState(form);
  if (flaw) throw new Problem(400, flaw, { liveFrom: flaw });
}

/** Creates a product. Throws 400 for an invalid form, 413 or 415 for a picture or the 3D model. */
export async function createProduct({ db, pictures }: Needs, who: Admin, form: NewProductForm): Promise<OfficeProduct> {
  refuseState(form);
  const images = await storePictures(pictures, form.images ?? [], []);
  const shown = shownBy(images, form.pictures ?? [], form);
  const model = await storeModel(pictures, form.model, null, form.anyModelSize ? undefined : form);
  await checkSizeModels(pictures, form, []);
  const id = newId();
  await transactionOf(db, who, async (tx) => {
    await lockParts(tx, form);
    await setStockCause(tx, { reason: 'created', actor: who.name });
    await insertProducts(tx, who, [{ id, form, images, shown, model }], 'Created the product');
    await deriveAttributes(tx, [id]);
    await queueWidths(tx, images);
    await productsChanged(tx, [id]);
  });
  return readOfficeProduct(db, who, id);
}

/**
 * Changes a product. Fields that the form leaves out stay unchanged. Throws 404, 400, and 409 if the form was filled from an older version.
 */
export async function editProduct({ db, pictures }: Needs, who: Admin, id: string, typed: EditedProductForm): Promise<OfficeProduct> {
  const before = await readOfficeProduct(db, who, id);
  refuseState(typed);
  const uploaded = typed.images && (await storePictures(pictures, typed.images, before.images));
  const images = uploaded && [...new Set(uploaded)];
  const choices = { sizes: typed.sizes ?? before.sizes, colors: typed.colors ?? before.colors };
  const shown = typed.pictures && shownBy(uploaded ?? before.images, typed.pictures, choices);
  const measured = { sizes: typed.sizes ?? before.sizes, measurements: typed.measurements ?? before.measurements };
  const model = await storeModel(pictures, typed.model, before.model, typed.anyModelSize ? undefined : measured);
  await checkSizeModels(pictures, { ...measured, sizes: typed.sizes ?? [] }, before.sizes);
  await transactionOf(db, who, async (tx) => {
    await lockParts(tx, { id, setParts: typed.setParts ?? before.setParts, ...choices }, before);
    const { version, hasSaleEnded, ...prices } = await tx
      .selectFrom('products')
      .select(['version', 'price', 'regularPrice', 'salePrice'])
      .select(sql<boolean>`coalesce(sale_to between now() - interval '1 hour' and now(), false)`.as('hasSaleEnded'))
      .where('id', '=', id)
      .where('state', '<>', 'deleted')
      .forUpdate()
      .executeTakeFirstOrThrow(() => new Problem(404, 'Product not found'));
    if (typed.version !== undefined && typed.version !== version) await refuseStale(tx, 'product', id);
    // A form with a version shows the usual price.
    const hasSaleJustEnded = hasSaleEnded && typed.version === undefined;
    const current = await readOfficeProduct(tx, who, id);
    const form = await withStockMoves(tx, id, typed);
    const { price, ...columns } = columnsOf(form);
    await setStockCause(tx, { reason: 'edited', actor: who.name, note: typed.stockNote ?? '' });
    await tx
      .updateTable('products')
      .set({
        ...columns,
        regularPrice: usualPriceOf(price, prices, hasSaleJustEnded),
        ...stateColumns(form),
        ...(form.colors && { colors: JSON.stringify(form.colors) }),
        ...(images && { images }),
        ...(shown && { shown: JSON.stringify(shown) }),
        ...(model !== undefined && { model }),
        ...(form.measurements && { measurements: JSON.stringify(form.measurements) }),
        version: version + 1,
        updatedAt: new Date().toISOString(),
      })
      .where('id', '=', id)
      .execute();
    if (form.sizes) {
      await writeSizes(tx, [{ productId: id, sizes: form.sizes }], { isEcho: true, hasSaleJustEnded });
      await sql`select refresh_prices(array[${id}::uuid])`.execute(tx);
    }
    await queueGoingLive(tx, id, form);
    await deriveAttributes(tx, [id]);
    const added = images?.filter((image) => !before.images.includes(image)) ?? [];
    await queueWidths(tx, added);
    const { sizes, colors, measurements } = form;
    const changes = changesBetween(current, { ...columnsOf(form), ...stateColumns(form), sizes, colors, measurements, images });
    if (model !== undefined && model !== before.model) changes.push('3D model');
    await recordChange(tx, who, 'product', id, `Changed: ${changes.join(', ') || 'nothing'}`);
    await productsChanged(tx, [id]);
  });
  return readOfficeProduct(db, who, id);
}

/** Changes price, stock and flags of a product and of the given sizes, like an edit of the whole form. Throws like `editProduct`. */
export async function quickEdit(services: Needs, who: Admin, id: string, { sizes, ...typed }: QuickEditBody): Promise<OfficeProduct> {
  const before = await readOfficeProduct(services.db, who, id);
  if (before.setParts && typed.countInStock !== (typed.stockBefore ?? before).countInStock)
    throw new Problem(400, SET_STOCK, { countInStock: SET_STOCK });
  const changed = new Map(sizes.map((size) => [size.size, size]));
  const { countInStock, sizes: stockOfSizes } = typed.stockBefore ?? { ...before, sizes: {} };
  return editProduct(services, who, id, {
    name: before.name,
    description: before.description,
    category: before.category,
    subCategory: before.subCategory,
    brand: before.brand,
    ...typed,
    // A change since this was read is not written back.
    version: typed.version ?? before.version,
    // The stock of all sizes as staff saw it, so that pieces sold meanwhile stay sold.
    stockBefore: {
      countInStock,
      sizes: { ...Object.fromEntries(before.sizes.map(({ size, quantity }) => [size, quantity])), ...stockOfSizes },
    },
    // A quick edit sends no model.
    anyModelSize: true,
    sizes: before.sizes.map((size) => ({ ...size, ...changed.get(size.size) })),
  });
}

/**
 * Applies the stock movements since the form was filled, such as sales, to the typed stock. A product that is no longer a set begins without stock
 * (`ownStock`). Needs the product's lock. Throws 409 if the stock would become negative.
 */
async function withStockMoves(tx: Tx, id: string, { stockBefore, stockNote: _, ...form }: EditedProductForm): Promise<EditedProductForm> {
  const { countInStock, setParts } = await tx
    .selectFrom('products')
    .select(['countInStock', 'setParts'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (setParts !== '' && form.setParts === '')
    return { ...form, countInStock: ownStock(form.countInStock, (stockBefore ?? { countInStock }).countInStock) };
  if (!stockBefore) return form;
  const sizes = await tx.selectFrom('productSizes').select(['size', 'quantity']).where('productId', '=', id).execute();
  const adjusted = (now: number | undefined, typed: number, before: number | undefined) => {
    const pieces = now === undefined || before === undefined ? typed : typed + now - before;
    if (pieces < 0)
      throw new Problem(409, `Pieces were sold while you edited: only ${now} are left. Reload the product to see the current stock.`);
    if (pieces > MAX_PIECES)
      throw new Problem(400, `Together with the ${now} in stock now, this would be more than ${MOST_PIECES} pieces.`);
    return pieces;
  };
  const nowOf = (size: string) => sizes.find((entry) => entry.size === size)?.quantity;
  // A Map, since a size may be called "constructor".
  const quantitiesBefore = new Map(Object.entries(stockBefore.sizes));
  return {
    ...form,
    countInStock: adjusted(countInStock, form.countInStock, stockBefore.countInStock),
    sizes: form.sizes?.map((size) => ({ ...size, quantity: adjusted(nowOf(size.size), size.quantity, quantitiesBefore.get(size.size)) })),
  };
}

/**
 * Removes products for good; no order may name them. The nightly job removes their pictures. The caller's transaction holds the locks.
 */
export async function removeProducts(tx: Tx, who: Admin, ids: string[], change: string): Promise<void> {
  if (ids.length === 0) return;
  await tx.deleteFrom('products').where(isOneOf(ids)).execute();
  await recordChange(tx, who, 'product', ids, change);
  await productsChanged(tx, ids);
}

/** The audit log of a product, also of a deleted one. Throws 404. */
export async function listProductChanges(db: Db, who: Admin, id: string): Promise<Change[]> {
  const changes = await listChanges(db, 'product', id);
  if (changes.length === 0) await readOfficeProduct(db, who, id);
  return changes;
}
