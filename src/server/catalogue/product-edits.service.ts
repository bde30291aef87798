import { type SqlBool, sql } from 'kysely';
import type {
  EditedProductForm,
  Measurement,
  NewProductForm,
  OfficeProduct,
  Product,
  ProductFields,
  Size,
} from '#contract/catalogue/catalogue.ts';
import { columnsOf } from '#contract/catalogue/product-fields.ts';
import type { Shown } from '#contract/catalogue/shown-picture.ts';
import { MAX_PIECES } from '#contract/platform/limits.ts';
import type { Change } from '#contract/platform/lists.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import { deriveAttributes } from '#server/catalogue/attributes/derive.service.ts';
import { listChanges, recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { setStockCause } from '#server/context/stock-cause.ts';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import { arrayOf, isOneOf } from '#server/platform/database/arrays.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { isId, newId } from '#server/platform/ids.ts';
import { readOfficeProduct } from './office-product.service.ts';
import { queueWidths } from './pictures.jobs.ts';
import { changesBetween } from './product-changes.ts';
import { addressesOf, modelOf, shownBy } from './product-files.ts';
import { flawOfLife, lifeOf, queueLife } from './product-life.service.ts';

type Needs = Pick<Services, 'db' | 'pictures'>;

const MOST_PIECES = MAX_PIECES.toLocaleString('en-GB');

/** A price of a form that shows what is paid now, as the specified edit does: sent back during a sale, it is no change of the usual price. */
const usualOf = (typed: number, now: { price: number; regularPrice: number | null } | undefined) =>
  now?.regularPrice != null && typed === now.price ? now.regularPrice : typed;

/** Writes the sizes of a product, which keep their sale prices by name. `isEcho`: the form may show the prices that are paid now (`usualOf`). */
async function writeSizes(tx: Tx, productId: string, sizes: Size[], isEcho = false): Promise<void> {
  if (new Set(sizes.map(({ size }) => size)).size < sizes.length)
    throw new Problem(400, 'Two sizes have the same name.', { sizes: 'Two sizes have the same name.' });
  const had = await tx
    .selectFrom('productSizes')
    .select(['size', 'price', 'regularPrice', 'salePrice', 'sku', 'barcode', 'weight', 'costPrice'])
    .where('productId', '=', productId)
    .execute();
  const names = sizes.map(({ size }) => size);
  await tx
    .deleteFrom('productSizes')
    .where('productId', '=', productId)
    .where(sql<SqlBool>`size <> all(${arrayOf(names, 'text')})`)
    .execute();
  if (sizes.length === 0) return;
  // Aside, so that sizes may change places. They are kept, so that the ledger of stock has only what moved.
  await tx.updateTable('productSizes').set({ position: sql`-1 - position` }).where('productId', '=', productId).execute();
  const before = new Map(had.map((size) => [size.size, size]));
  const rows = sizes.map(({ measurements, price, sku, barcode, weight, costPrice, ...size }, position) => {
    const kept = before.get(size.size);
    return {
      productId,
      position,
      ...size,
      price: isEcho ? usualOf(price, kept) : price,
      regularPrice: null,
      salePrice: kept?.salePrice ?? null,
      sku: sku ?? kept?.sku ?? '',
      barcode: barcode ?? kept?.barcode ?? '',
      weight: weight === undefined ? (kept?.weight ?? null) : weight,
      costPrice: costPrice === undefined ? (kept?.costPrice ?? null) : costPrice,
      measurements: JSON.stringify(measurements),
    };
  });
  const columns = ['position', 'quantity', 'price', 'regularPrice', 'measurements', 'sku', 'barcode', 'weight', 'costPrice'] as const;
  await tx
    .insertInto('productSizes')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['productId', 'size'])
        .doUpdateSet((eb) => Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)]))),
    )
    .execute();
  // Sizes that were there have their usual price now, also while a sale is on.
  await sql`select refresh_prices(array[${productId}::uuid])`.execute(tx);
}

/** Throws 400 for a scheduled product without its moment. */
function refuseLife(form: Parameters<typeof flawOfLife>[0]): void {
  const flaw = flawOfLife(form);
  if (flaw) throw new Problem(400, flaw, { liveFrom: flaw });
}

/** Creates a product. Throws 400 for an invalid form, 413 or 415 for a picture or the 3D model. */
export async function createProduct({ db, pictures }: Needs, who: Admin, form: NewProductForm): Promise<OfficeProduct> {
  refuseLife(form);
  const images = await addressesOf(pictures, form.images ?? [], []);
  const shown = shownBy(images, form.pictures ?? [], form);
  const model = await modelOf(pictures, form.model, null, form.anyModelSize ? undefined : form);
  const id = await transactionOf(db, who, async (tx) => {
    await setStockCause(tx, { reason: 'created', actor: who.name });
    const made = await insertProduct(tx, who, form, { images, shown, model }, 'Created the product');
    await deriveAttributes(tx, [made]);
    await queueWidths(tx, images);
    await productsChanged(tx, [made]);
    return made;
  });
  return readOfficeProduct(db, who, id);
}

/** Values of a new product that its form does not set. */
interface Made {
  images: string[];
  shown?: Record<string, Shown>;
  model?: Product['model'];
  measurements?: Measurement[];
}

/** Inserts a product and returns its id. The caller's transaction also derives its attributes and records the change of the catalogue. */
export async function insertProduct(
  tx: Tx,
  who: Admin,
  form: ProductFields,
  { images, shown = {}, model, measurements = [] }: Made,
  change: string,
): Promise<string> {
  const id = newId();
  await tx
    .insertInto('products')
    .values({
      id,
      ...columnsOf(form),
      ...lifeOf(form),
      colors: JSON.stringify(form.colors),
      measurements: JSON.stringify(measurements),
      images: [...new Set(images)],
      shown: JSON.stringify(shown),
      model,
    })
    .execute();
  await writeSizes(tx, id, form.sizes);
  await queueLife(tx, id, form);
  await recordChange(tx, who, 'product', id, change);
  return id;
}

/** Writes all fields of a locked product. The caller's transaction also derives its attributes and records the change of the catalogue. */
export async function overwriteProduct(
  tx: Tx,
  who: Admin,
  id: string,
  { measurements, images, ...form }: ProductFields & Pick<Product, 'measurements' | 'images'>,
  change: string,
): Promise<void> {
  const { price, ...columns } = columnsOf(form);
  await tx
    .updateTable('products')
    .set((eb) => ({
      ...columns,
      regularPrice: price,
      ...lifeOf(form),
      colors: JSON.stringify(form.colors),
      measurements: JSON.stringify(measurements),
      images,
      version: eb('version', '+', 1),
      updatedAt: new Date().toISOString(),
    }))
    .where('id', '=', id)
    .execute();
  await writeSizes(tx, id, form.sizes);
  await queueLife(tx, id, form);
  await recordChange(tx, who, 'product', id, change);
}

/**
 * Changes a product. What the form leaves out stays. Throws 404, 400, and 409 if the form was filled from an older version.
 */
export async function editProduct({ db, pictures }: Needs, who: Admin, id: string, typed: EditedProductForm): Promise<OfficeProduct> {
  const before = await readOfficeProduct(db, who, id);
  refuseLife(typed);
  const parts = typed.images && (await addressesOf(pictures, typed.images, before.images));
  const images = parts && [...new Set(parts)];
  const offered = { sizes: typed.sizes ?? before.sizes, colors: typed.colors ?? before.colors };
  const shown = typed.pictures && shownBy(parts ?? before.images, typed.pictures, offered);
  const measured = { sizes: typed.sizes ?? before.sizes, measurements: typed.measurements ?? before.measurements };
  const model = await modelOf(pictures, typed.model, before.model, typed.anyModelSize ? undefined : measured);
  await transactionOf(db, who, async (tx) => {
    const { version, ...now } = await tx
      .selectFrom('products')
      .select(['version', 'price', 'regularPrice'])
      .where('id', '=', id)
      .where('state', '<>', 'deleted')
      .forUpdate()
      .executeTakeFirstOrThrow(() => new Problem(404, 'Product not found'));
    if (typed.version !== undefined && typed.version !== version) await refuseStale(tx, id);
    const told = await readOfficeProduct(tx, who, id);
    const form = await keepSold(tx, id, typed);
    const { price, ...columns } = columnsOf(form);
    await setStockCause(tx, { reason: 'edited', actor: who.name, note: typed.stockNote ?? '' });
    await tx
      .updateTable('products')
      .set({
        ...columns,
        regularPrice: usualOf(price, now),
        ...lifeOf(form),
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
    if (form.sizes) await writeSizes(tx, id, form.sizes, true);
    await queueLife(tx, id, form);
    await deriveAttributes(tx, [id]);
    const added = images?.filter((image) => !before.images.includes(image)) ?? [];
    await queueWidths(tx, added);
    const { sizes, colors, measurements } = form;
    const changes = changesBetween(told, { ...columnsOf(form), ...lifeOf(form), sizes, colors, measurements, images });
    if (model !== undefined && model !== before.model) changes.push('3D model');
    await recordChange(tx, who, 'product', id, `Changed: ${changes.join(', ') || 'nothing'}`);
    await productsChanged(tx, [id]);
  });
  return readOfficeProduct(db, who, id);
}

/**
 * Applies the stock movements since the form was filled, such as sales, to the typed stock. Needs the product's lock. Throws 409 if the stock would become
 * negative.
 */
async function keepSold(tx: Tx, id: string, { stockBefore, stockNote: _, ...form }: EditedProductForm): Promise<EditedProductForm> {
  if (!stockBefore) return form;
  const sizes = await tx.selectFrom('productSizes').select(['size', 'quantity']).where('productId', '=', id).execute();
  const { countInStock } = await tx.selectFrom('products').select('countInStock').where('id', '=', id).executeTakeFirstOrThrow();
  const left = (now: number | undefined, typed: number, before: number | undefined) => {
    const pieces = now === undefined || before === undefined ? typed : typed + now - before;
    if (pieces < 0)
      throw new Problem(409, `Pieces were sold while you edited: only ${now} are left. Reload the product to see the current stock.`);
    if (pieces > MAX_PIECES)
      throw new Problem(400, `Together with the ${now} in stock now, this would be more than ${MOST_PIECES} pieces.`);
    return pieces;
  };
  const nowOf = (size: string) => sizes.find((entry) => entry.size === size)?.quantity;
  // A Map, since a size may be called "constructor".
  const before = new Map(Object.entries(stockBefore.sizes));
  return {
    ...form,
    countInStock: left(countInStock, form.countInStock, stockBefore.countInStock),
    sizes: form.sizes?.map((size) => ({ ...size, quantity: left(nowOf(size.size), size.quantity, before.get(size.size)) })),
  };
}

async function refuseStale(db: Db, id: string): Promise<never> {
  const [last] = await listChanges(db, 'product', id, 1);
  throw new Problem(
    409,
    `This product was changed while you edited it${last ? ` (${last.actor}: ${last.change})` : ''}. Reload it to see the new values. What you typed is still here.`,
  );
}

/**
 * Removes locked products with everything that is kept of them, for those that no order names; the nightly job removes their pictures. The
 * caller's transaction holds their locks.
 */
export async function removeProducts(tx: Tx, who: Admin, ids: string[], change: string): Promise<void> {
  if (ids.length === 0) return;
  await tx.deleteFrom('products').where(isOneOf(ids)).execute();
  for (const id of ids) await recordChange(tx, who, 'product', id, change);
  await productsChanged(tx, ids);
}

/** The audit log of a product, also of a deleted one. Throws 404. */
export async function listProductChanges(db: Db, who: Admin, id: string): Promise<Change[]> {
  if (!isId(id)) throw new Problem(404, 'Product not found');
  const changes = await listChanges(db, 'product', id);
  if (changes.length === 0) await readOfficeProduct(db, who, id);
  return changes;
}
