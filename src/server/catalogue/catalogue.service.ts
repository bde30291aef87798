import { type Expression, type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ListProductsQuery, Product, ProductCard, ProductList, SortBy } from '#contract/catalogue.ts';
import { pagesOf } from '#contract/lists.ts';
import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/db/connect.ts';
import { isId } from '#server/ids.ts';
import { correct, queryOf, wordsOf } from './search.ts';

/** What a card shows. */
export const card = [
  'id as _id',
  'name',
  'category',
  'subCategory',
  'brand',
  'price',
  'countInStock',
  'images',
  'isNewArrival',
  'isRecommend',
  'rating',
] as const;

/** How many new arrivals are shown. */
const NEW_ARRIVALS = 24;

/** The order of each sort; all end in the key, so that no product shows on two pages or on none. */
const orders: Record<SortBy, ReturnType<typeof sql>> = {
  bestmatch: sql`is_recommend desc, created_at desc, id desc`,
  ascprice: sql`price, id`,
  descprice: sql`price desc, id desc`,
  rating: sql`rating desc, id desc`,
  newest: sql`created_at desc, id desc`,
  name: sql`name, id`,
  stock: sql`count_in_stock, id`,
};

/** One page of products (specification §7, clarifications on lists). A search that finds nothing is tried again with one typing error forgiven. */
export async function listProducts(db: Db, query: ListProductsQuery): Promise<ProductList> {
  const words = query.search ? wordsOf(query.search) : [];
  if (query.search && isId(query.search)) return listPage(db, query, sql<SqlBool>`id = ${query.search}::uuid`, undefined);
  // A search of nothing but punctuation finds nothing.
  if (query.search && words.length === 0) return { products: [], page: query.pageNumber, pages: 1, total: 0, suggestion: null };
  const found = await listMatching(db, query, words);
  if (found.total > 0 || words.length === 0) return found;
  const corrected = await correct(db, words);
  if (!corrected) return found;
  const suggestion = corrected.words.join(' ');
  const again = await listMatching(db, query, corrected.words);
  if (again.total === 0) return found;
  return corrected.isSure ? { ...again, suggestion } : { ...found, suggestion };
}

function listMatching(db: Db, query: ListProductsQuery, words: string[]): Promise<ProductList> {
  if (words.length === 0) return listPage(db, query, undefined, undefined);
  const search = queryOf(words);
  return listPage(db, query, sql<SqlBool>`search @@ ${search}`, sql`ts_rank(search, ${search}) desc, id desc`);
}

async function listPage(
  db: Db,
  query: ListProductsQuery,
  matches: Expression<SqlBool> | undefined,
  relevance: ReturnType<typeof sql> | undefined,
): Promise<ProductList> {
  const { pageNumber, pageSize, sortBy } = query;
  const where = sql.join([sql<SqlBool>`deleted_at is null`, ...(matches ? [matches] : []), ...filtersOf(query)], sql` and `);
  const order = sortBy === 'bestmatch' && relevance ? relevance : orders[sortBy];
  const counted = await sql<{ total: number }>`select count(*) as total from products where ${where}`.execute(db);
  const total = counted.rows[0]?.total ?? 0;
  const offset = (pageNumber - 1) * pageSize;
  const products =
    offset >= total
      ? []
      : await db
          .selectFrom('products')
          .select(card)
          .where(sql<SqlBool>`${where}`)
          .orderBy(sql`${order}`)
          .limit(pageSize)
          .offset(offset)
          .execute();
  return { products, page: pageNumber, pages: pagesOf(total, pageSize), total, suggestion: null };
}

/** What is not a number is ignored; pounds become pence, rounded outwards so that the bounds stay inclusive. */
function penceOf(pounds: string | undefined, round: (value: number) => number): number | undefined {
  const value = pounds === undefined ? Number.NaN : Number(pounds.replace(/^£/, ''));
  return Number.isFinite(value) ? Math.max(-1, Math.min(2_000_000_000, round(Number((value * 100).toFixed(4))))) : undefined;
}

function namesOf(joined: string | undefined): string[] {
  return (joined ?? '')
    .toLowerCase()
    .split('_')
    .map((name) => name.trim())
    .filter(Boolean);
}

/** The conditions behind a list's filters: category, brand, stock and price. */
export function filtersOf(query: ListProductsQuery): Expression<SqlBool>[] {
  const filters: Expression<SqlBool>[] = [];
  const among = (column: ReturnType<typeof sql>, names: string[]) => {
    if (names.length === 1) filters.push(sql<SqlBool>`lower(${column}) = ${names[0]}`);
    if (names.length > 1) filters.push(sql<SqlBool>`lower(${column}) = any(${names}::text[])`);
  };
  among(sql`category`, namesOf(query.categoryQuery));
  among(sql`brand`, namesOf(query.brandQuery));
  among(sql`sub_category`, namesOf(query.subCategoryQuery));
  if (/^(true|1|on|yes)$/i.test(query.inStockQuery ?? '')) filters.push(sql<SqlBool>`count_in_stock > 0`);
  const [min, max] = [penceOf(query.minPriceQuery, Math.ceil), penceOf(query.maxPriceQuery, Math.floor)];
  if (min !== undefined) filters.push(sql<SqlBool>`price >= ${min}`);
  if (max !== undefined) filters.push(sql<SqlBool>`price <= ${max}`);
  return filters;
}

/** Products marked as new, newest first. */
export async function listNewArrivals(db: Db): Promise<ProductCard[]> {
  return db
    .selectFrom('products')
    .select(card)
    .where('deletedAt', 'is', null)
    .where('isNewArrival', '=', true)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(NEW_ARRIVALS)
    .execute();
}

/** One product with its sizes, in one statement. Throws 404 for an unknown or deleted one. */
export async function readProduct(db: Db, id: string): Promise<Product> {
  const product = isId(id)
    ? await db
        .selectFrom('products')
        .select([...card, 'description', 'fit', 'measurements', 'colors', 'createdAt', 'updatedAt', 'version'])
        .select((eb) =>
          jsonArrayFrom(
            eb
              .selectFrom('productSizes')
              .select(['size', 'quantity', 'price', 'measurements'])
              .whereRef('productSizes.productId', '=', 'products.id')
              .orderBy('position'),
          ).as('sizes'),
        )
        .where('id', '=', id)
        .where('deletedAt', 'is', null)
        .executeTakeFirst()
    : undefined;
  if (!product) throw new Problem(404, 'Product not found');
  return product;
}
