import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { BRING_BACK_DAYS, type ListOfficeProductsQuery, type OfficeCard, type OfficeProductList } from '#contract/catalogue/catalogue.ts';
import { PAGE_SIZE } from '#contract/platform/lists.ts';
import { cardColumns, piecesLeft, withColourNames } from '#server/catalogue/catalogue.service.ts';
import { conditionOf, filtersOf } from '#server/catalogue/find/filters.ts';
import { SORTS } from '#server/catalogue/find/sort.ts';
import { lowLevel } from '#server/catalogue/low-stock.ts';
import type { Admin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { readPage } from '#server/platform/lists/read-page.ts';
import { havingEveryWord } from '#server/search/match.ts';

/** The condition of a state; '' is any state but deleted. All states but `live` have a `deleted_at` (`stateColumns`). */
function inState(state: ListOfficeProductsQuery['stateQuery']): RawBuilder<SqlBool> {
  if (state === '') return sql`state <> 'deleted'`;
  if (state === 'live') return sql`deleted_at is null`;
  const isRecent = state === 'deleted' ? sql`and deleted_at > now() - make_interval(days => ${BRING_BACK_DAYS})` : sql``;
  return sql`(deleted_at is not null and state = ${state} ${isRecent})`;
}

const successor = sql<OfficeCard['successor']>`(
  select json_build_object('_id', s.id, 'name', s.name) from products s where products.state = 'deleted' and s.id = products.successor_id)`.as(
  'successor',
);

const isLow = (config: Services['config']) => sql<boolean>`(${piecesLeft} <= ${lowLevel(config)})`;

/**
 * A page of the back office's product list, searched by id or by all words, and filtered by stock and state. It is not cached, since it must show every
 * move of stock.
 */
export async function listProductsForOffice(
  { readDb: db, config }: Pick<Services, 'readDb' | 'config'>,
  _: Admin,
  query: ListOfficeProductsQuery,
): Promise<OfficeProductList> {
  // Few products are out of the shop, and no index has them sorted by rating. Nor is there one for low stock, whose level is a setting.
  const hasIndex = query.stateQuery === 'live' || (query.stateQuery === '' && query.sortBy !== 'rating');
  const isIndexed = hasIndex && query.stockQuery !== 'low';
  const list = { table: 'products', where: conditionOfList({ config }, query), sort: SORTS[query.sortBy], isIndexed } as const;
  const { rows, ...page } = await readPage(db, list, { pageNumber: query.pageNumber, pageSize: PAGE_SIZE.admin }, (ids) =>
    db
      .selectFrom('products')
      .select([...cardColumns, 'state', 'liveFrom', successor, isLow(config).as('isLow')])
      .where(isOneOf(ids))
      .execute(),
  );
  return { products: rows.map(withColourNames), ...page };
}

/** The SQL condition of the products that the office's list shows. */
export function conditionOfList(
  { config }: Pick<Services, 'config'>,
  query: Omit<ListOfficeProductsQuery, 'pageNumber' | 'sortBy'>,
): RawBuilder<SqlBool> {
  const { search, stockQuery, stateQuery } = query;
  const conditions = [conditionOf(filtersOf(query), inState(stateQuery))];
  if (search) conditions.push(foundInOffice(search));
  if (stockQuery === 'out') conditions.push(sql<SqlBool>`stock_level = 0`);
  if (stockQuery === 'low') conditions.push(sql<SqlBool>`stock_level > 0 and ${isLow(config)}`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** A condition on products in the shop and on those out of it, so that each part can use its own index. */
const inAndOutOfShop = (match: Expression<SqlBool>) =>
  sql<SqlBool>`((deleted_at is null and ${match}) or (deleted_at is not null and ${match}))`;

/** The condition of the office's search by id, SKU or all words. */
export function foundInOffice(search: string): RawBuilder<SqlBool> {
  if (isId(search)) return sql<SqlBool>`id = ${search}::uuid`;
  const byWords = inAndOutOfShop(havingEveryWord(search));
  // A SKU is not a plain word. With a plain word's many matches the second condition would be slow.
  if (/\s|^\p{L}+$/u.test(search)) return byWords;
  // An array, so that each condition uses its own index.
  const bySku = sql`select id from products where sku <> '' and upper(sku) = ${search.toUpperCase()}
    union all select product_id from product_sizes where sku <> '' and upper(sku) = ${search.toUpperCase()}`;
  return sql<SqlBool>`(${byWords} or id = any(array(${bySku})))`;
}

/** The categories of all products but the deleted ones, in alphabetical order. A loose index scan, since `distinct` would read every product. */
export async function listCategories(db: Db, _: Admin): Promise<string[]> {
  const { rows } = await sql<{ category: string }>`
    with recursive kinds as (
      (select category_key, category from products where deleted_at is null order by category_key limit 1)
      union all
      select next.* from kinds cross join lateral (
        select p.category_key, p.category from products p where p.deleted_at is null and p.category_key > kinds.category_key
        order by p.category_key limit 1) as next
    )
    select category from kinds
    union select category from products where deleted_at is not null and state <> 'deleted' order by 1`.execute(db);
  return rows.map(({ category }) => category);
}
