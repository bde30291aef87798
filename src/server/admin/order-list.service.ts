import { type Expression, type SqlBool, sql } from 'kysely';
import { SHOP_TIME_ZONE } from '#contract/market/shop-time.ts';
import type { ListOrdersQuery, OrderList } from '#contract/orders/orders.ts';
import { PAGE_SIZE } from '#contract/platform/lists.ts';
import type { Admin } from '#server/context/context.ts';
import { selectOrders, summaryOf } from '#server/orders/read.service.ts';
import { referenceIn } from '#server/orders/rules/reference.ts';
import { listed, sold, undelivered } from '#server/orders/rules/states.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { readPage } from '#server/platform/lists/read-page.ts';
import { conditionOf } from './queues.ts';
import { countListed, readDayBefore } from './sales.service.ts';

/** The indexes of `orders` follow these. */
const SORTS = {
  newest: { columns: ['created_at', 'id'], direction: 'desc' },
  oldest: { columns: ['created_at', 'id'], direction: 'asc' },
  total: { columns: ['total_price', 'id'], direction: 'desc' },
} as const;

/** A search or a filter that finds more orders than this ends there: nobody looks through more of them. */
const MOST_FOUND = 10_000;

/** One page of all orders; found by id, email or name, by payment and delivery, and by day. */
export async function listOrders(db: Db, _: Admin, query: ListOrdersQuery): Promise<OrderList> {
  const { pageNumber, sortBy, ...filters } = query;
  const { search, ...others } = filters;
  const isWhole = Object.values(filters).every((filter) => !filter);
  const isCut = search ? !isId(search) : Boolean((filters.paid || filters.delivered) && !filters.user && !filters.queue);
  const list = {
    table: 'orders',
    where: filterOf(filters),
    sort: SORTS[sortBy],
    isIndexed: true,
    // Counting all orders, or going through them to the middle of the list, would take longer each year.
    ...(isWhole && { total: () => countListed(db) }),
    ...(isWhole && sortBy !== 'total' && { placeBefore: (skip: number) => readDayBefore(db, skip, sortBy) }),
    ...(isCut && {
      cut: {
        most: MOST_FOUND,
        all: () => countListed(db),
        indexed: listed,
        plain: sql<SqlBool>`${filterWithout(others)} and ${search ? holds(search) : sql`true`}`,
      },
    }),
  } as const;
  const { rows, ...page } = await readPage(db, list, { pageNumber, pageSize: PAGE_SIZE.admin }, (ids) =>
    selectOrders(db).where(isOneOf(ids)).execute(),
  );
  return { orders: rows.map(summaryOf), ...page };
}

type Filters = Omit<ListOrdersQuery, 'pageNumber' | 'sortBy'>;

/** The condition behind a list's filters; days are those that the list shows, in the shop's time. */
export function filterOf({ search, ...filters }: Filters): Expression<SqlBool> {
  return sql<SqlBool>`${filterWithout(filters)} and ${search ? foundBy(search) : sql`true`}`;
}

function filterWithout({ user, queue, paid, delivered, from, to }: Omit<Filters, 'search'>): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [listed];
  const waiting = conditionOf(queue);
  if (waiting) conditions.push(waiting);
  if (user && isId(user)) conditions.push(sql<SqlBool>`user_id = ${user}::uuid`);
  if (paid === 'true') conditions.push(sql<SqlBool>`paid_at is not null`);
  if (paid === 'false') conditions.push(sql<SqlBool>`paid_at is null and ${sold}`);
  if (delivered === 'true') conditions.push(sql<SqlBool>`delivered_at is not null`);
  if (delivered === 'false') conditions.push(undelivered);
  if (from && isDay(from)) conditions.push(sql<SqlBool>`created_at >= ${from}::timestamp at time zone ${sql.lit(SHOP_TIME_ZONE)}`);
  if (to && isDay(to))
    conditions.push(sql<SqlBool>`created_at < (${to}::timestamp + interval '1 day') at time zone ${sql.lit(SHOP_TIME_ZONE)}`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

function foundBy(search: string): Expression<SqlBool> {
  if (isId(search)) return sql<SqlBool>`(id = ${search}::uuid or user_id = ${search}::uuid)`;
  const reference = referenceIn(search);
  const named = sql<SqlBool>`(order_words(${NAMED}) @@ order_words_query(${search}) and ${holds(search)})`;
  return reference ? sql<SqlBool>`(reference = ${reference} or ${named})` : named;
}

/** What an order is found by: an index has its words. */
const NAMED = sql`user_name || ' ' || user_email || ' ' || full_name || ' ' || email`;

/** Whether a name or address has the text as it was typed, which no index knows. */
const holds = (search: string) => sql<SqlBool>`lower(${NAMED}) like ${`%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`;

/** JavaScript takes the 31st of February for the 3rd of March, and has a year 0; the database knows neither. */
function isDay(text: string): boolean {
  return /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
}
