import { type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ListProductsQuery, Product, ProductCard, ProductList, SortBy } from '#contract/catalogue.ts';
import { PAGE_SIZE, pagesOf } from '#contract/lists.ts';
import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/db/connect.ts';
import { isId } from '#server/ids.ts';
import { filtersOf } from './filters.ts';
import { ORDERS } from './order.ts';
import type { Outlines } from './outlines.ts';
import { type Listing, readPositions } from './positions.service.ts';
import { type Alternatives, correct, queryOf, rankOf, wordsOf } from './search.ts';

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

/** The sorts of the shop (specification §9). */
const SHOP_SORTS: readonly SortBy[] = ['bestmatch', 'ascprice', 'descprice', 'rating'];

/** A list's parameters as the shop reads them: those of the back office count for nothing. */
export function forShop(query: ListProductsQuery): ListProductsQuery {
  const sortBy = SHOP_SORTS.includes(query.sortBy) ? query.sortBy : 'bestmatch';
  return { ...query, sortBy, pageSize: PAGE_SIZE.shop, stockQuery: '' };
}

/** What of a list's parameters counts for its answer: two that ask for the same have the same. */
export function listKey({ pageNumber, sortBy, ...query }: ListProductsQuery): unknown[] {
  const filters = filtersOf(query);
  const search = query.search && !isId(query.search) ? wordsOf(query.search) : query.search;
  return [filters.isInStock ? 'in stock' : '', filters, search, sortBy, pageNumber];
}

/** One page of products (specification §7, clarifications on lists). A search that finds nothing is tried again with one typing error forgiven. */
export async function listProducts(db: Db, outlines: Outlines, query: ListProductsQuery): Promise<ProductList> {
  const words = query.search ? wordsOf(query.search) : [];
  if (query.search && isId(query.search)) {
    const id = query.search.toLowerCase();
    return listPage(db, outlines, query, { text: id, matches: sql<SqlBool>`id = ${id}::uuid`, rank: undefined });
  }
  // A search of nothing but punctuation finds nothing.
  if (query.search && words.length === 0) return { products: [], page: query.pageNumber, pages: 1, total: 0, suggestion: null };
  const found = await listMatching(
    db,
    outlines,
    query,
    words.map((word) => [word]),
  );
  if (found.total > 0 || words.length === 0) return found;
  const corrected = await correct(db, words);
  if (!corrected) return found;
  const again = await listMatching(db, outlines, query, corrected.words);
  if (again.total === 0) return found;
  return { ...(corrected.isSure ? again : found), suggestion: corrected.text };
}

function listMatching(db: Db, outlines: Outlines, query: ListProductsQuery, words: Alternatives[]): Promise<ProductList> {
  if (words.length === 0) return listPage(db, outlines, query, undefined);
  const search = queryOf(words);
  const rank = query.sortBy === 'bestmatch' ? rankOf(words) : undefined;
  return listPage(db, outlines, query, {
    text: words.map((alternatives) => alternatives.join('|')).join(' '),
    matches: sql<SqlBool>`search @@ ${search}`,
    rank,
  });
}

async function listPage(db: Db, outlines: Outlines, query: ListProductsQuery, search: Listing['search']): Promise<ProductList> {
  const { pageNumber, pageSize, sortBy } = query;
  const listing = { filters: filtersOf(query), sortBy, order: ORDERS[sortBy], search };
  const { total, ids } = await readPositions(db, outlines, listing, (pageNumber - 1) * pageSize, pageSize);
  return { products: await listCards(db, ids), page: pageNumber, pages: pagesOf(total, pageSize), total, suggestion: null };
}

/** The cards of products, in the order of their keys. */
async function listCards(db: Db, ids: string[]): Promise<ProductCard[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('products')
    .select(card)
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .where('deletedAt', 'is', null)
    .execute();
  const byId = new Map(rows.map((row) => [row._id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
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
