import { type Expression, type SqlBool, sql } from 'kysely';
import { pagesOf } from '#contract/base/lists.ts';
import type { ListProductsQuery, ProductList, SortBy } from '#contract/catalogue.ts';
import { isId } from '#server/base/ids.ts';
import type { Db } from '#server/db/connect.ts';
import { card } from './catalogue.service.ts';
import { conditionOf, filtersOf } from './filters.ts';
import { readPageKeys } from './page-keys.ts';
import { queryOf, wordsOf } from './search.ts';

const NEWEST = { by: sql`created_at`, isDescending: true } as const;

/** Each order ends in the key, so that no product is on two pages or on none. The indexes of `products` follow these. */
const SORTS: Record<SortBy, { by: ReturnType<typeof sql>; isDescending: boolean }> = {
  newest: NEWEST,
  bestmatch: NEWEST,
  name: { by: sql`name`, isDescending: false },
  ascprice: { by: sql`price`, isDescending: false },
  descprice: { by: sql`price`, isDescending: true },
  rating: { by: sql`rating`, isDescending: true },
  stock: { by: sql`count_in_stock`, isDescending: false },
};

/** One page of products as the back office lists them; found by id, or by every word of a search, and by what is left. */
export async function listProductsForOffice(db: Db, query: ListProductsQuery): Promise<ProductList> {
  const page = {
    table: 'products',
    where: filterOf(query),
    ...SORTS[query.sortBy],
    pageNumber: query.pageNumber,
    pageSize: query.pageSize,
  } as const;
  const { total, keys } = await readPageKeys(db, page);
  const rows = keys.length === 0 ? [] : await db.selectFrom('products').select(card).where('id', 'in', keys).execute();
  const products = rows.sort((one, other) => keys.indexOf(one._id) - keys.indexOf(other._id));
  return { products, page: query.pageNumber, pages: pagesOf(total, query.pageSize), total, suggestion: null, isPartial: false };
}

function filterOf(query: ListProductsQuery): Expression<SqlBool> {
  const { search } = query;
  const conditions = [conditionOf(filtersOf(query))];
  if (search) conditions.push(isId(search) ? sql<SqlBool>`id = ${search}::uuid` : matches(wordsOf(search)));
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** A search of nothing but punctuation finds nothing. */
function matches(words: string[]) {
  return words.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`search @@ ${queryOf(words.map((word) => [word]))}`;
}
