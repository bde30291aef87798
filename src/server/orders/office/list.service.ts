import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { documentIn } from '#contract/invoices/vat.ts';
import { SHOP_TIME_ZONE } from '#contract/market/shop-time.ts';
import type { ListOrdersQuery, OfficeOrderList } from '#contract/orders/orders.ts';
import { PAGE_SIZE } from '#contract/platform/lists.ts';
import type { Admin } from '#server/context/context.ts';
import { selectOrders, summaryOf } from '#server/orders/read.service.ts';
import { referenceIn } from '#server/orders/rules/reference.ts';
import { listed, sold, undelivered } from '#server/orders/rules/states.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { contains } from '#server/platform/database/contains.ts';
import { isId } from '#server/platform/ids.ts';
import { readPage } from '#server/platform/lists/read-page.ts';
import { conditionOf } from './queues.ts';
import { countListed, findDayStart } from './sales.service.ts';
import { isTagged, readTagsOf } from './tags.ts';

/** Each sort has an index. */
const SORTS = {
  newest: { columns: ['created_at', 'id'], direction: 'desc' },
  oldest: { columns: ['created_at', 'id'], direction: 'asc' },
  total: { columns: ['total_price', 'id'], direction: 'desc' },
} as const;

/** Where the list of a search or filter ends. */
const MOST_FOUND = 10_000;

/** A page of all orders, searched (`searchCondition`) and filtered (`filterWithoutSearch`). */
export async function listOrders(db: Db, _: Admin, query: ListOrdersQuery): Promise<OfficeOrderList> {
  const { pageNumber, sortBy, ...filters } = query;
  const { search, ...others } = filters;
  const isUnfiltered = Object.values(filters).every((filter) => !filter);
  const isNarrow = Boolean(filters.user || filters.queue || filters.tag);
  // A search or a wide filter may find too many orders to count, so its list ends after `MOST_FOUND`.
  const isCut = search ? !isId(search) : Boolean(filters.paid || filters.delivered) && !isNarrow;
  const list = {
    table: 'orders',
    where: filterOf(filters),
    sort: SORTS[sortBy],
    isIndexed: true,
    // Counting all orders, or reading to the middle of the list, would take longer each year.
    ...(isUnfiltered && { total: () => countListed(db) }),
    ...(isUnfiltered && sortBy !== 'total' && { placeBefore: (skip: number) => findDayStart(db, skip, sortBy) }),
    ...(isCut && {
      cut: {
        most: MOST_FOUND,
        all: () => countListed(db),
        indexed: listed,
        plain: sql<SqlBool>`${filterWithoutSearch(others)} and ${search ? plainSearchCondition(search) : sql`true`}`,
      },
    }),
  } as const;
  const { rows, ...page } = await readPage(db, list, { pageNumber, pageSize: PAGE_SIZE.admin }, (ids) =>
    selectOrders(db).where(isOneOf(ids)).execute(),
  );
  const [tags, customerTags] = await Promise.all([
    readTagsOf(
      db,
      'order_id',
      rows.map(({ _id }) => _id),
    ),
    readTagsOf(
      db,
      'user_id',
      rows.flatMap(({ userId }) => userId ?? []),
    ),
  ]);
  const tagged = rows.map((row) => ({
    ...summaryOf(row),
    tags: tags.get(row._id) ?? [],
    customerTags: customerTags.get(row.userId ?? '') ?? [],
  }));
  return { orders: tagged, ...page };
}

type Filters = Omit<ListOrdersQuery, 'pageNumber' | 'sortBy'>;

/** The condition of a list's filters; days are in the shop's time zone. */
export function filterOf({ search, ...filters }: Filters): Expression<SqlBool> {
  return sql<SqlBool>`${filterWithoutSearch(filters)} and ${search ? searchCondition(search) : sql`true`}`;
}

function filterWithoutSearch({ user, queue, tag, paid, delivered, from, to }: Omit<Filters, 'search'>): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [listed];
  const inQueue = conditionOf(queue);
  if (inQueue) conditions.push(inQueue);
  if (tag) conditions.push(isTagged(tag));
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

function searchCondition(search: string): Expression<SqlBool> {
  if (isId(search)) return sql<SqlBool>`(id = ${search}::uuid or user_id = ${search}::uuid)`;
  const byWords = sql<SqlBool>`(order_words(${SEARCHED_TEXT}) @@ order_words_query(${search}) and ${containsAsTyped(search)})`;
  return sql<SqlBool>`(${sql.join([byWords, ...contactConditions(search), ...identifierConditions(search)], sql` or `)})`;
}

/** Phone numbers (by the ten digits after 0 or +44) and postcodes, in any spelling. Many orders can share them. Each condition has an index. */
function contactConditions(search: string): RawBuilder<SqlBool>[] {
  const digits = /^[\d\s()+-]+$/.test(search) ? search.replace(/\D/g, '').slice(-10) : '';
  const code = search.replace(/\W/g, '').toUpperCase();
  return [
    ...(digits.length === 10 ? [sql<SqlBool>`right(regexp_replace(phone, '\\D', '', 'g'), 10) = ${digits}`] : []),
    ...(/^(?=.*\d)\w{5,8}$/.test(code) ? [sql<SqlBool>`upper(regexp_replace(postal_code, '\\W', '', 'g')) = ${code}`] : []),
  ];
}

/** Identifiers of one order: reference, invoices, credit notes, tracking numbers. An array, so that each condition uses its own index. */
function identifierConditions(search: string): RawBuilder<SqlBool>[] {
  const reference = referenceIn(search);
  const document = documentIn(search);
  const code = search.replace(/\W/g, '').toUpperCase();
  return [
    ...(reference ? [sql<SqlBool>`reference = ${reference}`] : []),
    ...(document
      ? [sql<SqlBool>`id = any(array(select order_id from invoices where kind = ${document.kind} and number = ${document.number}))`]
      : []),
    ...(/\d{4}/.test(code)
      ? [
          sql<SqlBool>`id = any(array(select order_id from parcels
            where tracking_number <> '' and upper(regexp_replace(tracking_number, '\\W', '', 'g')) = ${code}))`,
        ]
      : []),
  ];
}

/** The search for terms that match very many orders, in a form that no index serves (`is true`). It leaves out identifiers of one order. */
const plainSearchCondition = (search: string) =>
  sql<SqlBool>`(${sql.join([containsAsTyped(search), ...contactConditions(search).map((condition) => sql`(${condition}) is true`)], sql` or `)})`;

/** The searched text of an order; an index has its words. */
const SEARCHED_TEXT = sql`user_name || ' ' || user_email || ' ' || full_name || ' ' || email`;

/** Whether the searched text contains a text as typed, which no index serves. */
const containsAsTyped = (search: string) => contains(sql`lower(${SEARCHED_TEXT})`, search);

/** JavaScript accepts 31 February and a year 0; PostgreSQL does not. */
function isDay(text: string): boolean {
  return /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
}
