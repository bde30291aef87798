import { type Expression, type SqlBool, sql } from 'kysely';
import { NIL } from 'uuid';
import { MAX_SALE_PRODUCTS } from '#contract/catalogue/sale.ts';
import { Problem } from '#contract/platform/problem.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { LOCK_ORDER } from './lock-order.ts';
import { inBatch } from './write-products.service.ts';

/** Products of one transaction. */
const BATCH = 200;

/** The fields of a product that a change of many needs. Prices are those outside sales. */
export interface Selected {
  id: string;
  name: string;
  category: string;
  isNewArrival: boolean;
  isRecommend: boolean;
  state: string;
  liveFrom: string | null;
  price: number;
  sizes: { size: string; price: number }[];
}

/** The next products of a condition by id, after the given one. */
export async function readSelected(db: Db, where: Expression<SqlBool>, after: string, limit: number): Promise<Selected[]> {
  const { rows } = await sql<Selected>`
    select id, name, category, is_new_arrival, is_recommend, state, live_from, coalesce(regular_price, price) as price, array(
      select json_build_object('size', size, 'price', coalesce(regular_price, price)) from product_sizes
      where product_id = products.id order by position) as sizes
    from products where ${where} and id > ${after}::uuid order by id limit ${limit}`.execute(db);
  return rows;
}

/** The ids of the next batch, locked with its sets and parts, all in one order against deadlocks. They may have left the condition by then. */
async function lockBatch(tx: Tx, where: Expression<SqlBool>, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products where ${where} and id > ${after}::uuid order by id limit ${BATCH}`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await sql`select from products where id = any(with_sets(${ids}::uuid[])) order by ${LOCK_ORDER} for update`.execute(tx);
  return ids;
}

/** Counts a selection. Throws 400 for an empty one, with the message `empty`, and for one that is too large. */
export async function countSelected(db: Db, where: Expression<SqlBool>, empty: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (select from products where ${where} limit ${MAX_SALE_PRODUCTS + 1}) as selected`.execute(db);
  const total = rows[0]?.total ?? 0;
  if (total === 0) throw new Problem(400, empty);
  if (total > MAX_SALE_PRODUCTS)
    throw new Problem(400, `That is more than ${MAX_SALE_PRODUCTS.toLocaleString('en-GB')} pieces. Choose fewer at a time.`);
  return total;
}

/** Reads the products of a condition in batches, without locks. */
export async function* eachBatch(db: Db, where: Expression<SqlBool>): AsyncGenerator<Selected[]> {
  for (let after: string = NIL, isMore = true; isMore; ) {
    const products = await readSelected(db, where, after, BATCH);
    if (products.length > 0) yield products;
    after = products.at(-1)?.id ?? after;
    isMore = products.length === BATCH;
  }
}

/** Changes the products of a condition, in batches under their locks. `change` returns the number of a batch that it changed. Returns the sum. */
export async function changeSelected(
  db: Db,
  who: Admin,
  where: Expression<SqlBool>,
  change: (tx: Tx, products: Selected[]) => Promise<number>,
): Promise<number> {
  let changed = 0;
  for (let after: string | undefined = NIL; after; ) {
    const last: string = after;
    after = await transactionOf(db, who, async (tx) => {
      const ids = await lockBatch(tx, where, last);
      const batch = await readSelected(tx, sql<SqlBool>`${where} and id = any(${ids}::uuid[])`, NIL, BATCH);
      const found = batch.map(({ id }) => id);
      if (found.length > 0) {
        await inBatch(tx, found, async () => {
          changed += await change(tx, batch);
        });
        await productsChanged(tx, found);
      }
      return ids.at(-1);
    });
  }
  return changed;
}
