import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { PAGE_SIZE } from '#contract/platform/lists.ts';
import { SHEET_COLUMNS, type StockedProduct, type StockList, type StockQuery } from '#contract/stock/stock.ts';
import { conditionOf, filtersOf } from '#server/catalogue/find/filters.ts';
import { SORTS } from '#server/catalogue/find/sort.ts';
import { isCountLow, lowLevel } from '#server/catalogue/low-stock.ts';
import { foundInOffice } from '#server/catalogue/office-list.service.ts';
import type { Admin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { undelivered } from '#server/orders/rules/states.ts';
import { BYTE_ORDER_MARK, csvRow } from '#server/platform/csv.ts';
import { arrayOf, isOneOf } from '#server/platform/database/arrays.ts';
import { newId } from '#server/platform/ids.ts';
import { readPage } from '#server/platform/lists/read-page.ts';

type Needs = Pick<Services, 'db' | 'config'>;

const sizesSum = sql<number>`(select sum(quantity)::int from product_sizes where product_id = products.id)`;

const conditionOfShow = (show: StockQuery['show'], config: Services['config']): RawBuilder<SqlBool> =>
  ({
    '': sql<SqlBool>`true`,
    low: sql<SqlBool>`(${isCountLow(config)} or exists (select from product_sizes s where s.product_id = products.id and s.quantity <= ${lowLevel(config)}))`,
    out: sql<SqlBool>`products.stock_level = 0`,
    differs: sql<SqlBool>`${sizesSum} <> products.count_in_stock`,
  })[show];

/** The largest number of products with low stock that is counted: a larger one would say no more. */
export const MOST_LOW = 1_000;

/**
 * The number of products with low stock, at most `MOST_LOW`. The same condition as the filter `low`, in parts that each have an index.
 */
export const countLow = (config: Services['config']) => sql`
  select count(*)::int from (
    select id from products where deleted_at is null and ${isCountLow(config)} and set_parts = ''
    union select s.product_id from product_sizes s join products on products.id = s.product_id
      where deleted_at is null and low_stock is null and s.quantity <= ${sql.lit(config.staff.lowStock)}
    union select products.id from products join product_sizes s on s.product_id = products.id
      where deleted_at is null and low_stock is not null and s.quantity <= low_stock
    limit ${sql.lit(MOST_LOW)}) as low`;

function whereOf({ config }: Needs, { search, categoryQuery, show }: StockQuery): RawBuilder<SqlBool> {
  // The parts of a set are counted, and not the set.
  const conditions = [
    sql`set_parts = ''`,
    conditionOf(filtersOf({ categoryQuery })),
    conditionOfShow(show, config),
    ...(search ? [foundInOffice(search)] : []),
  ];
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** A page of the stock of products, by name. */
export async function listStock(needs: Needs, _: Admin, query: StockQuery): Promise<StockList> {
  const list = { table: 'products', where: whereOf(needs, query), sort: SORTS.name, isIndexed: query.show === '' } as const;
  const {
    rows,
    isCut: __,
    ...page
  } = await readPage(needs.db, list, { pageNumber: query.pageNumber, pageSize: PAGE_SIZE.stock }, (ids) => readStock(needs, ids));
  return { products: rows, ...page };
}

/**
 * Pieces of products that are sold and still in the shop, by product and size: of orders that were not sent, and of card checkouts and corrections that wait
 * for their payment. Pieces that came back (returned or spoiled) had left, even if no parcel says so. Reads open orders only, which are few among all orders
 * of a product.
 */
const setAside = (ids: readonly string[]) => sql`
  select item.product_id, item.size, sum(greatest(0, least(item.qty - cancelled_qty - returned_qty - spoiled_qty, item.qty - cancelled_qty - shipped.qty)))::int as qty
  from orders join order_items item on item.order_id = orders.id,
    lateral (select coalesce(sum(piece.qty), 0)::int as qty from parcels join parcel_items piece on piece.parcel_id = parcels.id
      where parcels.order_id = item.order_id and parcels.status = 'sent' and piece.position = item.position) shipped
  where (orders.order_state = 'awaiting_payment' or (${undelivered} and orders.order_state <> 'dispatched')) and item.product_id = any(${arrayOf(ids, 'uuid')})
  group by item.product_id, item.size
  union all
  select (piece ->> 'productId')::uuid, piece ->> 'size', (piece ->> 'qty')::int
  from order_corrections correction, jsonb_array_elements(correction.plan -> 'added') piece
  where correction.status in ('open', 'closing') and (piece ->> 'productId')::uuid = any(${arrayOf(ids, 'uuid')})`;

/** The stock of products. For a product without sizes, `aside` also counts sizes that it once had. */
async function readStock({ db, config }: Needs, ids: readonly string[]): Promise<StockedProduct[]> {
  const { rows } = await sql<StockedProduct>`
    with aside as (${setAside(ids)}),
    counted as (select product_id, size, max(at) as at from stock_counts where product_id = any(${arrayOf(ids, 'uuid')}) group by product_id, size),
    places as (
      select p.id, s.position, s.size, coalesce(s.quantity, p.count_in_stock) as quantity
      from products p left join product_sizes s on s.product_id = p.id where p.id = any(${arrayOf(ids, 'uuid')}))
    select products.id as _id, name, category, count_in_stock, ${lowLevel(config)} as low_at, nullif(${sizesSum}, count_in_stock) as sizes_sum,
      (select json_agg(json_build_object('size', size, 'quantity', quantity, 'isLow', quantity <= ${lowLevel(config)},
          'aside', (select coalesce(sum(qty), 0)::int from aside where product_id = places.id and (places.size is null or size = places.size)),
          'countedAt', (select at from counted where product_id = places.id and size = coalesce(places.size, ''))) order by position)
        from places where places.id = products.id) as places
    from products where ${isOneOf(ids)}`.execute(db);
  return rows;
}

/** Products read at a time for a sheet. */
const BATCH = 500;

/** The list as a count sheet: a CSV with an empty column for the counts. */
export async function* writeCountSheet(needs: Needs, _: Admin, query: StockQuery): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRow(SHEET_COLUMNS);
  const sheet = newId();
  const where = whereOf(needs, query);
  const { rows } = await sql<{ id: string }>`select id from products where ${where} order by category_key, name, id`.execute(needs.db);
  for (let at = 0; at < rows.length; at += BATCH) {
    const ids = rows.slice(at, at + BATCH).map(({ id }) => id);
    const products = new Map((await readStock(needs, ids)).map((product) => [product._id, product]));
    yield ids
      .flatMap((id) => products.get(id) ?? [])
      .flatMap(({ _id, name, category, places }) =>
        places.map(({ size, quantity, aside }) =>
          csvRow([_id, name, category, size ?? '', quantity, aside, quantity + aside, '', '', sheet]),
        ),
      )
      .join('');
  }
}
