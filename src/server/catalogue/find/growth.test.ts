import { type SqlBool, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { ListProductsQuery } from '#contract/catalogue/catalogue.schema.ts';
import type { ListProductsInput, ProductList } from '#contract/catalogue/catalogue.ts';
import { listNewArrivals, listProducts, readProduct } from '#server/catalogue/catalogue.service.ts';
import { listRelated } from '#server/catalogue/related.service.ts';
import { generate } from '#server/generator/generate.ts';
import { FactsCache } from '#server/platform/cache/facts-cache.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import { rankingOf } from '#server/search/match.ts';
import { readSearch } from '#server/search/search.service.ts';
import { loadVocabulary } from '#server/search/vocabulary.ts';
import { testDatabase } from '#server/testing/harness.ts';
import { readFacets } from './facets.service.ts';
import { conditionOf, filtersOf } from './filters.ts';
import { foundBy } from './find.service.ts';
import { foundAs, readIds } from './read-ids.ts';
import { RELEVANCE } from './sort.ts';
import { suggest } from './suggestions.service.ts';

const PRODUCTS = 12_500;
// One connection, so that its counts of scans are complete when it is asked for them.
const { db, pool } = await testDatabase(1);
beforeAll(() => generate(pool, { products: PRODUCTS, orders: 0, seed: 1 }));

const vocabulary = loadVocabulary(readConfig({}).searchWords);
const newFinder = () => ({ readDb: db, vocabulary, facts: new FactsCache() });
const list = (query: ListProductsInput) => listProducts(newFinder(), ListProductsQuery.parse(query));
const idsOf = ({ products }: Pick<ProductList, 'products'>) => products.map(({ _id }) => _id);

/** How often PostgreSQL has read the products from end to end. */
async function sequentialScans(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ scans: number }>`select seq_scan as scans from pg_stat_user_tables where relname = 'products'`.execute(db);
  return rows[0]?.scans ?? 0;
}

/** How many rows of the products PostgreSQL has read, along the table or by indexes. */
async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ n: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_user_tables where relname = 'products'`.execute(db);
  return rows[0]?.n ?? 0;
}

const SORT_NAMES = ['bestmatch', 'ascprice', 'descprice', 'rating'] as const;
/** A broad list reads the start of what matches and the start of its sort, or each product once, and the index of its words. */
const MOST_READ = 1.5 * PRODUCTS;
const FILTERS: ListProductsInput[] = [
  {},
  { categoryQuery: 'Sofa' },
  { categoryQuery: 'Sofa_Lamp' },
  { brandQuery: 'Carlcote Upholstery' },
  { brandQuery: 'Carlcote Upholstery_Penbourne Joinery', categoryQuery: 'Chair' },
  { subCategoryQuery: 'Corner' },
  { inStockQuery: 'true' },
  { inStockQuery: 'true', categoryQuery: 'Wardrobe' },
  { minPriceQuery: '100', maxPriceQuery: '300' },
  { minPriceQuery: '100', maxPriceQuery: '100.4' },
  { maxPriceQuery: '500', categoryQuery: 'Bench', inStockQuery: 'true' },
  { colourQuery: 'green_grey' },
  { materialQuery: 'velvet' },
  { materialQuery: 'oak_cane', categoryQuery: 'Bench', colourQuery: 'brown' },
  { fitQuery: 'Nursery' },
  { ratingQuery: '4.9' },
  { newQuery: 'true' },
  { maxWidthQuery: '60' },
  { minWidthQuery: '100', maxWidthQuery: '110', maxHeightQuery: '70', categoryQuery: 'Sofa_Bench' },
  { search: 'sofa' },
  { search: 'velvet corner sofas' },
  { search: 'wardr' },
  { search: 'wardorbe' },
  { search: 've' },
  { search: 'oak dini' },
  { search: 'sof velvt' },
  { search: 'oak qqqqzzzz velvet' },
  { search: 'oak', categoryQuery: 'Bench', inStockQuery: 'true', maxPriceQuery: '400' },
];

test('the counter of scans would notice one', async () => {
  const before = await sequentialScans();
  await sql`select count(*) from products where description like '%no index knows%'`.execute(db);
  expect(await sequentialScans()).toBe(before + 1);
});

// Every filter with its own best match, and with the other sorts in turn.
const SORTED = FILTERS.map((filter, index) => ({ filter, sorts: ['bestmatch', SORT_NAMES[1 + (index % 3)]] as const }));

test.each(SORTED)('no page of $filter, sorted by $sorts, reads more than it must', async ({ filter, sorts }) => {
  for (const sortBy of sorts) {
    const { pages, total } = await list({ ...filter, sortBy });
    expect(total).toBeGreaterThan(0);
    for (const pageNumber of [1, pages]) {
      const before = await rowsRead();
      await list({ ...filter, sortBy, pageNumber });
      expect([sortBy, pageNumber, (await rowsRead()) - before <= MOST_READ]).toEqual([sortBy, pageNumber, true]);
    }
  }
});

test.each(['s', 'room made', 'made oak s', 'grey sofa', 'room under £900'])(
  'the pages of %j are the first thousand of all that it finds, the best first (§12.2)',
  async (search) => {
    const [attempt] = (await readSearch(db, search, vocabulary)).attempts;
    if (!attempt) throw new Error('It has no words.');
    const where = foundBy({ filters: filtersOf(attempt.asks), words: attempt.words });
    const order = sql.raw(RELEVANCE.columns.map((column) => `${column} desc`).join(', '));
    const { rows } = await sql<{ id: string }>`
      select id from products where ${where} order by ${rankingOf(attempt.ranked).points} desc, ${order}`.execute(db);
    const ids = rows.map(({ id }) => id);
    for (const pageNumber of [1, 2, 83, 84, 85]) {
      const { products, total, pages, isMore } = await list({ search, pageNumber });
      expect([total, pages, isMore]).toEqual([
        Math.min(ids.length, 1_000),
        Math.ceil(Math.min(ids.length, 1_000) / 12),
        ids.length > 1_000,
      ]);
      expect(idsOf({ products })).toEqual(ids.slice(0, 1_000).slice((pageNumber - 1) * 12, pageNumber * 12));
    }
  },
);

test('a search whose matches are all at the end of the sort lists the first of them', async () => {
  const [order, reversed] = ['desc', 'asc'].map((way) => sql.raw(RELEVANCE.columns.map((column) => `${column} ${way}`).join(', ')));
  const atTheEnd = sql`select id from products where deleted_at is null order by ${reversed} limit 2000`;
  const rank = { points: sql<number>`0`, above: () => sql<SqlBool>`true` };
  const { ids, isMore } = await readIds(
    db,
    { where: sql<SqlBool>`deleted_at is null and id in (${atTheEnd})`, isSearch: true, sort: RELEVANCE, rank },
    { skip: 12, take: 12 },
  );
  const { rows } = await sql<{ id: string }>`
    select id from products where id in (${atTheEnd}) order by ${order} offset 12 limit 12`.execute(db);
  expect([ids, isMore]).toEqual([rows.map(({ id }) => id), true]);
});

test.each([
  { search: 'sofa', minPriceQuery: '100', maxPriceQuery: '200' },
  { search: 'lamp', minPriceQuery: '900' },
])('%j reads only products whose words and prices both match', async ({ search, ...range }) => {
  const [attempt] = (await readSearch(db, search, vocabulary)).attempts;
  const wanted = foundBy({ filters: filtersOf(range), words: attempt?.words });
  const before = await rowsRead();
  await sql`with ${foundAs(sql`id`, wanted)} select count(*) from found`.execute(db);
  expect((await rowsRead()) - before).toBeLessThan(100);
});

test.each(['s', 'o', 'so', 'wa', 'sof', 'ben', 'sofa b', 'wardro', 'grey s', 'wardor', 'qu', 'zzzz'])(
  'suggestions for %j read no more than they must',
  async (search) => {
    const before = await rowsRead();
    await suggest(newFinder(), search);
    expect((await rowsRead()) - before).toBeLessThanOrEqual(MOST_READ);
  },
);

test.each([{}, { categoryQuery: 'Sofa' }, { materialQuery: 'oak', categoryQuery: 'Bench', maxWidthQuery: '120' }])(
  'the facets of %j are right, and about right where they are estimates (§12.7)',
  async (query) => {
    const read = () => readFacets(newFinder(), ListProductsQuery.parse(query));
    const { rows } = await sql<{ total: number }>`select count(*) as total from products where ${conditionOf(filtersOf(query))}`.execute(
      db,
    );
    const total = rows[0]?.total ?? 0;
    const facets = await read();
    expect(Math.abs(facets.total - total)).toBeLessThanOrEqual(facets.isEstimate ? total / 4 : 0);
    // Where the sample is the whole catalogue, nothing is estimated.
    const believeIn = (products: number) => sql`update pg_class set reltuples = ${products} where oid = 'products'::regclass`.execute(db);
    await believeIn(1);
    expect(await read()).toMatchObject({ total, isEstimate: false });
    await believeIn(PRODUCTS);
  },
);

test.each<Record<string, string>>([
  { minPriceQuery: '300', maxPriceQuery: '900' },
  { maxPriceQuery: '700', inStockQuery: 'true', categoryQuery: 'Sofa_Chair' },
  { maxWidthQuery: '170', subCategoryQuery: 'Two-seat' },
  { minPriceQuery: '600', seatsQuery: '3' },
])('beside %j a number of seats, and a subcategory that means one, counts the products whose very size matches (§12.7)', async (query) => {
  await sql`update pg_class set reltuples = 1 where oid = 'products'::regclass`.execute(db);
  const { seats, subCategories } = await readFacets(newFinder(), ListProductsQuery.parse(query));
  for (const [parameter, values] of Object.entries({ seatsQuery: seats, subCategoryQuery: subCategories })) {
    expect(values.length).toBeGreaterThan(1);
    for (const { value, count } of values) {
      const where = conditionOf(filtersOf({ ...query, [parameter]: value }));
      const { rows } = await sql<{ total: number }>`select count(*) as total from products where ${where}`.execute(db);
      expect([parameter, value, count]).toEqual([parameter, value, rows[0]?.total]);
    }
  }
  await sql`update pg_class set reltuples = ${PRODUCTS} where oid = 'products'::regclass`.execute(db);
});

test('new arrivals, a product and a search for nothing read no more than they show', async () => {
  const before = await sequentialScans();
  const [first] = await listNewArrivals(db);
  for (let round = 0; round < 6; round += 1) {
    await readProduct(db, first?._id ?? '');
    await list({ search: 'qqqqqqqq' });
    await list({ search: first?._id });
  }
  expect(await sequentialScans()).toBe(before);
});

test('what goes with a piece, and what to take instead, read a few hundred products of however many there are (§19.1)', async () => {
  const { rows: pieces } = await sql<{ id: string; isSold: boolean }>`
    (select distinct on (category_key) id, in_stock as "isSold" from products where in_stock order by category_key, id)
    union all (select distinct on (category_key) id, in_stock from products where not in_stock order by category_key, id)`.execute(db);
  expect(new Set(pieces.map(({ isSold }) => isSold)).size).toBe(2);
  const before = await sequentialScans();
  for (const { id, isSold } of pieces) {
    const read = await rowsRead();
    const { goesWith, instead } = await listRelated({ config: readConfig({}), readDb: db, facts: new FactsCache() }, id);
    expect([goesWith.length, instead.length]).toEqual([8, isSold ? 0 : 3]);
    expect((await rowsRead()) - read).toBeLessThanOrEqual(1_000);
  }
  expect(await sequentialScans()).toBe(before);
});

const ORDERS = {
  bestmatch: 'is_recommend desc, created_at desc, id desc',
  ascprice: 'price, id',
  descprice: 'price desc, id desc',
  rating: 'rating desc, id desc',
} as const;

/** What a product costs in a size that matches: the lowest of those in stock, or else of all. */
const pricedIn = (condition: string) => `(select p from (
  select coalesce(nullif(s.price, 0), products.price) as p, quantity, width from product_sizes s join product_dimensions d using (product_id, position)
  where product_id = products.id) as sizes where ${condition} order by quantity = 0, p limit 1)`;
const IN_RANGE = pricedIn('p between 5000 and 90000 and (quantity > 0 or from_price >= 5000)');
const EXPENSIVE = pricedIn('p >= 40000 and (quantity > 0 or from_price >= 40000)');
const FROM_TWENTY = pricedIn('p >= 2000 and (quantity > 0 or from_price >= 2000)');
const NARROW = pricedIn('width <= 600');

test.each([
  ['the whole catalogue', {}, 'true'],
  ['what is in stock', { inStockQuery: 'true' }, 'count_in_stock > 0'],
  ['a price range', { minPriceQuery: '50', maxPriceQuery: '900' }, `${IN_RANGE} is not null`, IN_RANGE],
  ['what costs much', { minPriceQuery: '400' }, `${EXPENSIVE} is not null`, EXPENSIVE],
  [
    'a category from a low price',
    { categoryQuery: 'Sofa', minPriceQuery: '20' },
    `category = 'Sofa' and ${FROM_TWENTY} is not null`,
    FROM_TWENTY,
  ],
  ['what is narrow', { maxWidthQuery: '60' }, `${NARROW} is not null`, NARROW],
  ['what costs little', { maxPriceQuery: '90' }, 'price <= 9000'],
  ['a category', { categoryQuery: 'lamp' }, "category = 'Lamp'"],
  ['two categories', { categoryQuery: 'lamp_SOFA' }, "category in ('Lamp', 'Sofa')"],
])('every page of %s is exactly its part of the list (§12.1, §12.4)', async (_, filter, condition, price = 'price') => {
  for (const sortBy of SORT_NAMES) {
    const { rows } = await sql<{
      id: string;
    }>`select id from products where ${sql.raw(condition)} order by ${sql.raw(ORDERS[sortBy].replace(/^price/, () => price))}`.execute(db);
    const ids = rows.map(({ id }) => id);
    const listed = ids.slice(0, 1_000);
    for (const pageNumber of [1, 2, 42, 83, 84, 85]) {
      const found = await list({ ...filter, sortBy, pageNumber });
      expect([found.total, found.pages, found.isMore]).toEqual([listed.length, Math.ceil(listed.length / 12), ids.length > 1_000]);
      expect([sortBy, pageNumber, idsOf(found)]).toEqual([sortBy, pageNumber, listed.slice((pageNumber - 1) * 12, pageNumber * 12)]);
    }
  }
});
