import { sql } from 'kysely';
import { deriveAttributes } from '#server/catalogue/attributes/derive.service.ts';
import { COMMAND_LINE, recordChange } from '#server/context/audit.ts';
import { setStockCause } from '#server/context/stock-cause.ts';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { storedColumns } from '#server/platform/database/rows-of.ts';
import { inBatches } from '#server/platform/in-batches.ts';

/** Columns of products that are not restored: stock and ratings stay current, the others are derived. */
const NOT_RESTORED = [
  'id',
  'count_in_stock',
  'version',
  'created_at',
  'updated_at',
  'rating',
  'is_available',
  'stock_level',
  'from_price',
  'to_price',
  'sale_since',
  'was_price',
  'price_changes_at',
  'attributes_version',
  'materials',
  'colour_families',
  'fit_key',
  'label_words',
  'seats',
  'least_width',
  'most_width',
  'least_height',
  'most_height',
];
const BATCH = 500;
const MOST_NAMED = 20;

type Row = Record<string, unknown> & { id: string; name: string; sizes: { size: string; quantity?: number }[] };

export interface Differences {
  /** Products that differ from the copy, with the columns that differ, and whether they left the shop or came into it since. */
  products: { id: string; name: string; columns: string[]; move: string }[];
  /** The orders that were placed since, which stay. */
  orders: { reference: string; total: number }[];
}

/** The columns of prices as they are without a sale, whose prices are derived from them. */
const usualPrices = (table: string) =>
  sql.raw(`jsonb_build_object('price', coalesce(${table}.regular_price, ${table}.price), 'regular_price', null, 'was_price', null)`);

/** One batch of products with their sizes, ordered by id. */
async function readProducts(db: Db, where: ReturnType<typeof sql>): Promise<Row[]> {
  const { rows } = await sql<{ row: Row }>`
    select to_jsonb(p) || ${usualPrices('p')} || jsonb_build_object('sizes', coalesce((
      select jsonb_agg(to_jsonb(s) || ${usualPrices('s')} order by position) from product_sizes s where s.product_id = p.id), '[]')) as row
    from products p where ${where} order by id limit ${BATCH}`.execute(db);
  return rows.map(({ row }) => row);
}

const withoutStock = (row: Row): Row => ({ ...row, sizes: row.sizes.map(({ quantity: _, ...size }) => size) });

function differingColumns(before: Row, after: Row): string[] {
  const [earlier, later] = [withoutStock(before), withoutStock(after)];
  return Object.keys(earlier).filter((column) => JSON.stringify(earlier[column]) !== JSON.stringify(later[column]));
}

const restoredColumns = async (db: Db): Promise<string[]> =>
  (await storedColumns(db, 'products')).filter((name) => !NOT_RESTORED.includes(name));

/** Compares a shop with an earlier copy of it. `onProduct` gets each product that differs, as the copy has it and as it is now. */
async function compareProducts(live: Db, copy: Db, onProduct: (row: Row, columns: string[], current: Row) => Promise<void>): Promise<void> {
  const comparedColumns = [...(await restoredColumns(live)), 'sizes'];
  const batches = inBatches((last: Row | undefined) => readProducts(copy, last ? sql`id > ${last.id}::uuid` : sql`true`), BATCH);
  for await (const rows of batches) {
    const ids = rows.map(({ id }) => id);
    const current = new Map((await readProducts(live, sql`id = any(${ids}::uuid[])`)).map((row) => [row.id, row]));
    for (const row of rows) {
      // A product that was removed for good does not come back.
      const now = current.get(row.id) ?? row;
      const columns = differingColumns(row, now).filter((column) => comparedColumns.includes(column));
      if (columns.length > 0) await onProduct(row, columns, now);
    }
  }
}

/** Whether a product was taken out of the shop or brought into it; empty for neither. */
function moveOf(before: Row, now: Row): string {
  const [wasInShop, isInShop] = [before.deleted_at === null, now.deleted_at === null];
  return wasInShop === isInShop ? '' : `${isInShop ? 'brought into' : 'taken out of'} the shop since`;
}

/** The differences of a shop from an earlier copy of it, without products that were created or removed for good since. */
export async function differencesOf(live: Db, copy: Db): Promise<Differences> {
  const products: Differences['products'] = [];
  await compareProducts(live, copy, async (row, columns, now) => {
    products.push({ id: row.id, name: row.name, columns, move: moveOf(row, now) });
  });
  const { rows } = await sql<{ lastOrderAt: string | null }>`select max(created_at) as "lastOrderAt" from orders`.execute(copy);
  const orders = await live
    .selectFrom('orders')
    .select(['reference', 'totalPrice as total'])
    .where('createdAt', '>', rows[0]?.lastOrderAt ?? new Date(0).toISOString())
    .where('orderState', 'not in', ['awaiting_payment', 'expired'])
    .orderBy('createdAt')
    .execute();
  return { products, orders };
}

/** Restores a product. A size that was removed since comes back with the stock it had; the others keep their current stock. */
async function takeBackOne(
  tx: Tx,
  { productColumns, sizeColumns }: Record<'productColumns' | 'sizeColumns', string[]>,
  row: Row,
  columns: string[],
): Promise<void> {
  const set = sql.join(productColumns.map((column) => sql`${sql.ref(column)} = r.${sql.ref(column)}`));
  await sql`update products p set ${set}, version = p.version + 1, updated_at = now()
    from jsonb_populate_record(null::products, ${JSON.stringify(row)}::jsonb) r where p.id = ${row.id}::uuid`.execute(tx);
  if (columns.includes('sizes')) {
    const sizes = JSON.stringify(row.sizes);
    const copiedSizes = sql`jsonb_populate_recordset(null::product_sizes, ${sizes}::jsonb)`;
    await sql`delete from product_sizes where product_id = ${row.id}::uuid and size not in (select size from ${copiedSizes})`.execute(tx);
    // Frees the positions first, so that sizes can swap places.
    await sql`update product_sizes set position = -1 - position where product_id = ${row.id}::uuid`.execute(tx);
    const setSize = sizeColumns.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`);
    await sql`insert into product_sizes
      select (jsonb_populate_record(null::product_sizes, s || jsonb_build_object('quantity', coalesce((s ->> 'quantity')::int, 0)))).*
      from jsonb_array_elements(${sizes}::jsonb) s
      on conflict (product_id, size) do update set ${sql.join(setSize)}`.execute(tx);
  }
  await recordChange(tx, COMMAND_LINE, 'product', row.id, `Restored from a backup: ${columns.join(', ')}`);
}

/** Restores a shop's products from an earlier copy, deleted ones included: all or nothing. Returns how many were restored. */
export async function takeBackProducts(live: Db, copy: Db): Promise<number> {
  return live.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await setStockCause(tx, { reason: 'restored', actor: COMMAND_LINE.name });
    const productColumns = await restoredColumns(tx);
    const sizeColumns = (await storedColumns(tx, 'product_sizes')).filter((name) => !['product_id', 'size', 'quantity'].includes(name));
    const ids: string[] = [];
    await compareProducts(tx, copy, async (row, columns) => {
      await takeBackOne(tx, { productColumns, sizeColumns }, row, columns);
      ids.push(row.id);
    });
    for (let start = 0; start < ids.length; start += BATCH) {
      const batch = ids.slice(start, start + BATCH);
      await deriveAttributes(tx, batch);
      await productsChanged(tx, batch);
    }
    return ids.length;
  });
}

/** The differences in words for the operator. */
export function differencesText({ products, orders }: Differences): string {
  const firstOf = (lines: string[], noun: string) => [
    ...lines.slice(0, MOST_NAMED),
    ...(lines.length > MOST_NAMED ? [`  … and ${lines.length - MOST_NAMED} more ${noun}`] : []),
  ];
  return [
    `${products.length} products differ from the copy${products.length > 0 ? ':' : '.'}`,
    ...firstOf(
      products.map(({ name, columns, move }) => `  ${name}: ${move || columns.join(', ')}`),
      'products',
    ),
    `${orders.length} orders were placed since. They stay${orders.length > 0 ? ':' : '.'}`,
    ...firstOf(
      orders.map(({ reference, total }) => `  ${reference}  £${(total / 100).toFixed(2)}`),
      'orders',
    ),
  ].join('\n');
}
