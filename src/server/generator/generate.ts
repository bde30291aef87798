import { hash } from '@node-rs/argon2';
import type pg from 'pg';
import { copyRows } from '#server/platform/database/copy.ts';
import { ITEM_COLUMNS, itemRows, ORDER_COLUMNS, orderRows, USER_COLUMNS, userRows } from './orders.ts';
import {
  DIMENSION_COLUMNS,
  dimensionRows,
  inOneLook,
  type Pictured,
  type PicturePool,
  PRODUCT_COLUMNS,
  poolKey,
  productRows,
  SIZE_COLUMNS,
  sizeRows,
} from './products.ts';

export interface Plan {
  products: number;
  orders: number;
  seed: number;
}

export const GENERATED_PASSWORD = 'Customer123!';
/** From this number of products on, indexes are built afterwards, which is faster. */
const MANY = 5_000;
/** Take pictures from at most this many products, the oldest. */
const MOST_PICTURED = 500;

/** Pictures of existing products, for generated ones to reuse. */
async function picturePool(client: pg.PoolClient): Promise<PicturePool> {
  const { rows } = await client.query<Pictured & { category: string; subCategory: string }>(
    `select category, sub_category as "subCategory", images, colors, shown from products where images <> '{}' and deleted_at is null
     order by id limit ${MOST_PICTURED}`,
  );
  const pool = new Map<string, Pictured[]>();
  for (const { category, subCategory, ...pictured } of rows)
    for (const key of [category, poolKey(category, subCategory)]) pool.set(key, [...(pool.get(key) ?? []), inOneLook(pictured)]);
  return pool;
}

/** Drops the table's indexes without a constraint, runs `work`, and rebuilds them. */
export async function withoutIndexes(client: pg.PoolClient, table: string, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  for (const { definition } of rows) await client.query(definition);
}

/** Writes plausible products, customers and orders straight into the database. Deterministic per plan; all or nothing. */
export async function generate(pool: pg.Pool, plan: Plan, onProgress: (text: string) => void = () => undefined): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query("set local statement_timeout = 0; set local maintenance_work_mem = '256MB'; set local synchronous_commit = off");
    await copyAll(client, plan, onProgress);
    await client.query('commit');
    onProgress('Counting, so that PostgreSQL plans well');
    await client.query('set statement_timeout = 0');
    await client.query('vacuum (analyze) products, product_sizes, product_dimensions, catalogue_words, users, orders, order_items');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    // Closes the connection, which has no statement timeout any more.
    client.release(true);
  }
}

async function copyAll(client: pg.PoolClient, { products, orders, seed }: Plan, onProgress: (text: string) => void): Promise<void> {
  const pictures = await picturePool(client);
  const copyProducts = async () => {
    onProgress(`Writing ${products} products`);
    await copyRows(client, 'products', PRODUCT_COLUMNS, productRows(seed, products, pictures));
    // Their sizes change the prices that products are found by.
    await copyRows(client, 'product_sizes', SIZE_COLUMNS, sizeRows(seed, products));
    await copyRows(client, 'product_dimensions', DIMENSION_COLUMNS, dimensionRows(seed, products));
    onProgress('Making indexes');
  };
  if (products >= MANY) await withoutIndexes(client, 'products', copyProducts);
  else await copyProducts();
  if (orders === 0) return;
  onProgress(`Writing ${orders} orders`);
  // With the costs of `hashPassword`. A fixed salt keeps the rows identical between runs.
  const passwordHash = await hash(GENERATED_PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1, salt: Buffer.alloc(16, seed) });
  await copyRows(client, 'users', USER_COLUMNS, userRows(seed, orders, passwordHash));
  await copyRows(client, 'orders', ORDER_COLUMNS, orderRows(seed, orders, products));
  await copyRows(client, 'order_items', ITEM_COLUMNS, itemRows(seed, orders, products, pictures));
}
