import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ListProductsQuery, Product, ProductCard, ProductList, SortBy } from '#contract/catalogue/catalogue.ts';
import { namedColour } from '#contract/catalogue/colour.ts';
import { FIELD_COLUMNS } from '#contract/catalogue/product-fields.ts';
import { PAGE_SIZE } from '#contract/platform/lists.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Services } from '#server/context/services.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import { compiledOnce } from '#server/platform/database/compiled.ts';
import type { Db } from '#server/platform/database/connect.ts';
import type { DB } from '#server/platform/database/schema/database.ts';
import { isId } from '#server/platform/ids.ts';
import { readPage } from '#server/platform/lists/read-page.ts';
import type { Attempt } from '#server/search/attempts.ts';
import { comparable } from '#server/search/folded.ts';
import type { Ranking } from '#server/search/match.ts';
import { readSearch } from '#server/search/search.service.ts';
import { type Filters, filtersOf, foundBy, isPriced, isSortIndexed, NO_FILTERS, plainlyFound, pricedRows, type Sought } from './filters.ts';
import { firstFound, readNearestPrice } from './first-found.service.ts';
import { careOf, inBothUnits } from './product-texts.ts';
import { longOf } from './sample.ts';
import { RELEVANCE, SORTS } from './sort.ts';
import { countWithout } from './without.service.ts';

/** The sizes of a product as an administrator ordered them. */
export const sizesInOrder = (eb: ExpressionBuilder<DB, 'products'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('productSizes')
      .select(['size', 'quantity', 'price', 'measurements'])
      .whereRef('productSizes.productId', '=', 'products.id')
      .orderBy('position'),
  ).as('sizes');

/** The outer dimensions of each size of which anything is known. */
const dimensions = (eb: ExpressionBuilder<DB, 'products'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('productDimensions')
      .select(['position', 'width', 'depth', 'height'])
      .whereRef('productDimensions.productId', '=', 'products.id')
      .orderBy('position'),
  ).as('dimensions');

const sizeCount = sql<number>`(select count(*)::int from product_sizes where product_id = products.id)`;
/** What the dearest size costs. */
export const toPrice = sql<number>`coalesce(
  (select max(coalesce(nullif(s.price, 0), products.price)) from product_sizes s where s.product_id = products.id), products.price)`;
const piecesLeft = sql<number>`least(count_in_stock, (select sum(quantity)::int from product_sizes where product_id = products.id))`;
const colourCount = sql<number>`jsonb_array_length(colors)`;
/** How many reviews a product shows. */
const reviewCount = sql<number>`coalesce((select (select sum(n)::int from unnest(counts) as n) from review_summaries where product_id = products.id), 0)`;

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
  reviewCount.as('reviewCount'),
  dimensions,
  sizeCount.as('sizeCount'),
  'fromPrice',
  toPrice.as('toPrice'),
  piecesLeft.as('piecesLeft'),
  colourCount.as('colourCount'),
] as const;

/** How many new arrivals are shown. */
const NEW_ARRIVALS = 24;

/** What of a list's parameters counts for its answer: two that ask for the same have the same. */
export function listKey({ pageNumber, sortBy, ...query }: ListProductsQuery): unknown[] {
  const filters = filtersOf(query);
  const search = query.search && comparable(query.search);
  return [filters.isInStock ? 'in stock' : '', filters, search, sortBy, pageNumber];
}

/** What lists are read with. */
type Reader = Pick<Services, 'readDb' | 'listIndexes' | 'vocabulary'>;

/** One page of products (specification §7, clarifications on lists). */
export async function listProducts(services: Reader, query: ListProductsQuery): Promise<ProductList> {
  if (!query.search) return explained(services, query, await listPage(services, query), []);
  if (isId(query.search)) {
    const id = query.search.toLowerCase();
    const matches = sql<SqlBool>`id = ${id}::uuid`;
    return explained(services, query, await listPage(services, query, { text: id, matches, rank: undefined }), [{ matches }]);
  }
  return listFound(services, query, query.search);
}

/** A list; where it has nothing, with what taking each filter off would bring back. */
async function explained({ readDb }: Reader, query: ListProductsQuery, list: ProductList, readings: Sought[]) {
  return list.total > 0 ? list : { ...list, without: await countWithout(readDb, filtersOf(query), readings) };
}

/** What a list answers beside its page. */
const PLAIN = {
  ...{ suggestion: null, isPartial: false, leftOut: [], nearestPrice: null, chips: [], plainSearch: '', without: [] },
} satisfies Partial<ProductList>;

/** One page of what a search finds: all that it asks for, or the most of it that there is. */
async function listFound(services: Reader, query: ListProductsQuery, typed: string): Promise<ProductList> {
  const { readDb: db } = services;
  const filters = filtersOf(query);
  const { attempts, corrected, chips, plain } = await readSearch(db, typed, services.vocabulary);
  const [whole, ...looser] = attempts;
  const listAs = (attempt: Attempt) => listPage(services, query, { ...attempt, text: attempt.name, rank: attempt.rank?.() });
  const listWhole = whole && (await listAs(whole));
  const attempt = listWhole?.total ? whole : await firstFound(db, filters, looser);
  if (!attempt) {
    // A correction is offered only where it finds something once the filters are taken off.
    const isElsewhere = corrected !== null && (await firstFound(db, NO_FILTERS, whole ? [whole] : [])) !== undefined;
    const none = { ...PLAIN, products: [], page: query.pageNumber, pages: 1, total: 0, isEstimate: false };
    const without = await countWithout(db, filters, attempts);
    return { ...none, suggestion: isElsewhere ? corrected : null, chips, plainSearch: plain, without };
  }
  const found = listWhole?.total ? listWhole : await listAs(attempt);
  const list = { ...found, suggestion: corrected, isPartial: attempt.isPartial, leftOut: attempt.without, chips: attempt.chips };
  return { ...list, plainSearch: attempt.plain, nearestPrice: await readNearestPrice(db, filters, attempt) };
}

/** What a search looks for: its words as they count, what must match, and how well it does. */
interface Search extends Sought {
  text: string;
  rank: Ranking | undefined;
}

/** What of a list follows from a search. */
export function searchedAs(filters: Filters, { rank, ...sought }: Omit<Search, 'text'>, sortBy: SortBy) {
  const { min, max } = filters.price;
  const rows = isPriced(filters) ? pricedRows(filters, sought, min, max) : undefined;
  const found = { where: foundBy(filters, sought), plain: plainlyFound(filters, sought), rows };
  if (sortBy === 'ascprice') return { ...found, upTo: (price: number) => pricedRows(filters, sought, min, price) };
  if (sortBy === 'descprice') return { ...found, upTo: (price: number) => pricedRows(filters, sought, price, max) };
  if (sortBy !== 'bestmatch') return found;
  const above = (points: number) => {
    const more = rank?.above(points);
    return more && foundBy(filters, { ...sought, matches: more });
  };
  return { ...found, sort: RELEVANCE, rank: rank && { ...rank, above } };
}

async function listPage({ readDb: db, listIndexes }: Reader, query: ListProductsQuery, search?: Search): Promise<ProductList> {
  const filters = filtersOf(query);
  const { rows, ...page } = await readPage(
    db,
    {
      table: 'products',
      sort: SORTS[query.sortBy],
      long: longOf(search !== undefined),
      ...(search ? searchedAs(filters, search, query.sortBy) : { where: foundBy(filters) }),
      // There is an index of each sort for all products and for those of a category.
      isIndexed: !search && isSortIndexed(filters),
      cached: { cache: listIndexes, name: JSON.stringify([filters, search?.text, filters.isInStock ? 'in stock' : '']) },
    },
    { pageNumber: query.pageNumber, pageSize: PAGE_SIZE.shop },
    (ids) => db.selectFrom('products').select(card).where(isOneOf(ids)).where('deletedAt', 'is', null).execute(),
  );
  return { products: rows, ...page, ...PLAIN, plainSearch: search?.text ?? '' };
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

/** Products with their sizes, in one statement. */
const wholeProducts = compiledOnce((db, ids: string[]) =>
  db
    .selectFrom('products')
    .select([
      ...card,
      ...FIELD_COLUMNS,
      'measurements',
      'model',
      'colors',
      'materials',
      'createdAt',
      'updatedAt',
      'version',
      'shown',
      sizesInOrder,
    ])
    .where(isOneOf(ids))
    .where('deletedAt', 'is', null),
);

async function readWhole(db: Db, ids: string[]): Promise<Product[]> {
  const products = await wholeProducts(db, ids);
  return products.map(({ shown, ...product }) => ({
    ...product,
    pictures: product.images.map((image) => ({ kind: null, size: null, color: null, ...shown[image] })),
    sizes: product.sizes.map((size) => ({ ...size, measurements: size.measurements.map(inBothUnits) })),
    measurements: product.measurements.map(inBothUnits),
    care: careOf(product),
    colors: product.colors.map((colour) => ({ ...colour, name: namedColour(colour.hexCode).name })),
  }));
}

/** One product. Throws 404 for an unknown or deleted one. */
export async function readProduct(db: Db, id: string): Promise<Product> {
  const [product] = isId(id) ? await readWhole(db, [id]) : [];
  if (!product) throw new Problem(404, 'Product not found');
  return product;
}

/** Products to be compared, in the order of their ids. Those that are unknown or no longer sold are left out. */
export async function compareProducts(db: Db, ids: readonly string[]): Promise<Product[]> {
  const known = ids.filter(isId);
  if (known.length === 0) return [];
  const products = await readWhole(db, known);
  return products.sort((one, other) => (one._id < other._id ? -1 : 1));
}
