import { type SqlBool, sql } from 'kysely';
import { BRING_BACK_DAYS, type OfficeProduct, type Successor } from '#contract/catalogue/catalogue.ts';
import { Problem } from '#contract/platform/problem.ts';
import { cut } from '#contract/platform/text.ts';
import { deriveAttributes } from '#server/catalogue/attributes/derive.service.ts';
import { catalogueJobs } from '#server/catalogue/jobs.ts';
import { recordChange, THE_SHOP } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { storedColumns } from '#server/platform/database/rows-of.ts';
import { isId, newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { readOfficeProduct } from './office-product.service.ts';

/** The state in a form; what the form leaves out stays unchanged. */
interface ProductState {
  state?: string | undefined;
  liveFrom?: string | null | undefined;
}

/** The message for a form that schedules a product without saying when. */
export const flawOfState = ({ state, liveFrom }: ProductState): string | undefined =>
  state === 'scheduled' && !liveFrom ? 'Enter the day and time when the product goes live.' : undefined;

/** The columns of a state. A schedule whose moment has passed is live. `deletedAt` is written too: a trigger waits for its update (decision 117). */
export function stateColumns({ state, liveFrom }: ProductState): { state?: string; deletedAt?: string | null } {
  if (state === undefined) return {};
  const now = new Date().toISOString();
  const isLive = state === 'live' || (state === 'scheduled' && liveFrom !== null && liveFrom !== undefined && liveFrom <= now);
  return isLive ? { state: 'live', deletedAt: null } : { state, deletedAt: now };
}

/** Queues the job that puts a scheduled product into the shop. */
export async function queueGoingLive(tx: Tx, id: string, { state, liveFrom }: ProductState): Promise<void> {
  if (state !== 'scheduled' && !liveFrom) return;
  const product = await tx
    .selectFrom('products')
    .select('liveFrom')
    .where('id', '=', id)
    .where('state', '=', 'scheduled')
    .executeTakeFirst();
  if (product?.liveFrom) await enqueue(tx, catalogueJobs.showProduct, { productId: id }, { key: `show ${id}`, runAt: product.liveFrom });
}

/** Puts a scheduled product into the shop, unless it is no longer due. */
export async function showProduct({ db }: Pick<Services, 'db'>, { productId }: { productId: string }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('products')
      .set((eb) => ({ state: 'live', deletedAt: null, version: eb('version', '+', 1) }))
      .where('id', '=', productId)
      .where('state', '=', 'scheduled')
      .where(sql<SqlBool>`live_from <= now()`)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await deriveAttributes(tx, [productId]);
    await recordChange(tx, THE_SHOP, 'product', productId, 'Live, as scheduled');
    await productsChanged(tx, [productId]);
  });
}

/** Takes a product out of the shop; orders keep it and its pictures, and it can be brought back. Throws 404. */
export async function deleteProduct(db: Db, who: Admin, id: string): Promise<void> {
  await transactionOf(db, who, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('products')
      .set({ state: 'deleted', deletedAt: new Date().toISOString() })
      .where('id', '=', id)
      .where('state', '<>', 'deleted')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new Problem(404, 'Product not found');
    await recordChange(tx, who, 'product', id, 'Deleted the product');
    await productsChanged(tx, [id]);
  });
}

/** Gives a deleted product the state that it had. Throws 404 if it is not among the deleted ones of the last days. */
export async function bringProductBack(db: Db, who: Admin, id: string): Promise<OfficeProduct> {
  await transactionOf(db, who, async (tx) => {
    const deleted = await tx
      .selectFrom('products')
      .select(['stateBefore', 'liveFrom'])
      .where('id', '=', id)
      .where('state', '=', 'deleted')
      .where(sql<SqlBool>`deleted_at > now() - make_interval(days => ${BRING_BACK_DAYS})`)
      .forUpdate()
      .executeTakeFirstOrThrow(
        () => new Problem(404, `Only products that were deleted in the last ${BRING_BACK_DAYS} days can be brought back.`),
      );
    // Null for a product that was deleted before there were other states.
    const life = { state: deleted.stateBefore ?? 'live', liveFrom: deleted.liveFrom };
    await tx
      .updateTable('products')
      .set((eb) => ({ ...stateColumns(life), successorId: null, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute();
    await queueGoingLive(tx, id, life);
    await deriveAttributes(tx, [id]);
    await recordChange(tx, who, 'product', id, 'Brought the product back');
    await productsChanged(tx, [id]);
  });
  return readOfficeProduct(db, who, id);
}

/** The id in the URL of a product's page, or what was typed instead. */
const idTyped = (text: string) => /\/product\/([\w-]+)/.exec(text)?.[1] ?? text;

/** Sets or clears the successor of a deleted product. Throws 404 for a product that is not deleted, 400 for a wrong successor. */
export async function chooseSuccessor(db: Db, who: Admin, id: string, typed: string): Promise<Successor> {
  const wanted = idTyped(typed);
  const successor = isId(wanted)
    ? await db
        .selectFrom('products')
        .select(['id as _id', 'name'])
        .where('id', '=', wanted)
        .where('deletedAt', 'is', null)
        .executeTakeFirst()
    : undefined;
  const message = 'Enter the address of a product page in the shop, or leave it empty.';
  if (typed !== '' && !successor) throw new Problem(400, message, { product: message });
  await transactionOf(db, who, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('products')
      .set({ successorId: successor?._id ?? null })
      .where('id', '=', id)
      .where('state', '=', 'deleted')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new Problem(404, 'Only a deleted product can have a successor.');
    await recordChange(
      tx,
      who,
      'product',
      id,
      successor ? `Its address redirects to “${successor.name}”` : 'Its address no longer redirects',
    );
    await productsChanged(tx, [id]);
  });
  return { successor: successor ?? null };
}

/** Columns that a copy does not take from its original. */
const NOT_COPIED = new Set([
  'id',
  'name',
  'state',
  'live_from',
  'count_in_stock',
  'rating',
  'version',
  'created_at',
  'updated_at',
  'deleted_at',
  'state_before',
  'successor_id',
  // What is being fetched comes to the original only.
  'picture_sources',
]);

const COPY = ' (copy)';
const LONGEST_NAME = 200;

/** Copies a product as a draft that has no stock, no reviews and no rating. Throws 404. */
export async function duplicateProduct(db: Db, who: Admin, id: string): Promise<OfficeProduct> {
  const original = await readOfficeProduct(db, who, id);
  const copy = newId();
  await transactionOf(db, who, async (tx) => {
    const columns = (await storedColumns(tx, 'products')).filter((name) => !NOT_COPIED.has(name)).map((name) => sql.ref(name));
    await sql`
      insert into products (id, name, state, deleted_at, count_in_stock, ${sql.join(columns)})
      select ${copy}, ${cut(original.name, LONGEST_NAME - COPY.length) + COPY}, 'draft', now(), 0, ${sql.join(columns)}
      from products where id = ${id}`.execute(tx);
    const sizeColumns = (await storedColumns(tx, 'product_sizes'))
      .filter((name) => !['product_id', 'quantity'].includes(name))
      .map((name) => sql.ref(name));
    await sql`
      insert into product_sizes (product_id, quantity, ${sql.join(sizeColumns)})
      select ${copy}, 0, ${sql.join(sizeColumns)} from product_sizes where product_id = ${id}`.execute(tx);
    await deriveAttributes(tx, [copy]);
    await recordChange(tx, who, 'product', copy, `Copied from “${original.name}”`);
    await productsChanged(tx, [copy]);
  });
  return readOfficeProduct(db, who, copy);
}
