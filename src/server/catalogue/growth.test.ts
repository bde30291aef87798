import { type RawBuilder, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { ListProductsQuery } from '#contract/catalogue/catalogue.schema.ts';
import type { ListProductsInput, ProductList } from '#contract/catalogue/catalogue.ts';
import { generate } from '#server/generator/generate.ts';
import { FactsCache } from '#server/platform/cache/facts-cache.ts';
import { ListIndexCache } from '#server/platform/cache/list-index-cache.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import { readSearch } from '#server/search/search.service.ts';
import { loadVocabulary } from '#server/search/vocabulary.ts';
import { testDatabase } from '#server/testing/harness.ts';
import { listNewArrivals, listProducts, readProduct } from './catalogue.service.ts';
import { readFacets } from './facets.service.ts';
import { filtersOf, plainlyFound, pricedRows } from './filters.ts';
import { listRelated } from './related.service.ts';
import { suggest } from './suggestions.service.ts';

const PRODUCTS = 20_000;
// One connection, so that its counts of scans are complete when it is asked for them.
const { db, pool } = await testDatabase(1);
beforeAll(() => generate(pool, { products: PRODUCTS, orders: 0, seed: 1 }));

const vocabulary = loadVocabulary(readConfig({}).searchWords);
const list = (listIndexes: ListIndexCache, query: ListProductsInput) =>
  listProducts({ readDb: db, listIndexes, vocabulary }, ListProductsQuery.parse(query));

/** How often PostgreSQL has read the products from end to end. */
async function sequentialScans(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ scans: number }>`select seq_scan as scans from pg_stat_user_tables where relname = 'products'`.execute(db);
  return rows[0]?.scans ?? 0;
}

/** How many rows of the products PostgreSQL has read by indexes. */
async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ n: number }>`select idx_tup_fetch::int as n from pg_stat_user_tables where relname = 'products'`.execute(db);
  return rows[0]?.n ?? 0;
}

const SORTS = ['bestmatch', 'ascprice', 'descprice', 'rating'] as const;
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

test.each(FILTERS)('no sort and no page of %j reads all products', async (filter) => {
  const before = await sequentialScans();
  for (const sortBy of SORTS) {
    // Often enough that PostgreSQL settles on a plan for any values, as it does in a shop that runs.
    for (let round = 0; round < 6; round += 1) {
      const listIndexes = new ListIndexCache();
      const { pages, total } = await list(listIndexes, { ...filter, sortBy });
      expect(total).toBeGreaterThan(0);
      for (const pageNumber of [Math.ceil(pages / 2), pages]) await list(listIndexes, { ...filter, sortBy, pageNumber });
    }
  }
  expect(await sequentialScans()).toBe(before);
});

test.each([
  { search: 's' },
  { search: 'room' },
  { search: 'made' },
  { search: 'room made' },
  { search: 'made oak s' },
  { search: 'room', inStockQuery: 'true' },
  { search: 'made', sortBy: 'ascprice' },
  { search: 'room under £900', sortBy: 'rating' },
  { colourQuery: 'grey_brown_beige_green_blue_black_white', ratingQuery: '1' },
])('the first pages of %j, read before it is counted, are those of the whole list (§12.2)', async (query) => {
  const pages = [1, 2, 20];
  const whole = new ListIndexCache();
  const { total } = await list(whole, { ...query, pageNumber: 100 });
  const exact = [];
  for (const pageNumber of pages) exact.push(await list(whole, { ...query, pageNumber }));
  expect(exact.map(({ isEstimate }) => isEstimate)).not.toContain(true);
  // Of a list that has nearly all products, only this may read no more than it shows.
  const before = await sequentialScans();
  const begun = [];
  for (const pageNumber of pages) begun.push(await list(new ListIndexCache(), { ...query, pageNumber }));
  const idsOf = ({ products }: ProductList) => products.map(({ _id }) => _id);
  expect(begun.map(idsOf)).toEqual(exact.map(idsOf));
  if (total > 12_000) {
    expect(begun.map(({ isEstimate }) => isEstimate)).toContain(true);
    expect(await sequentialScans()).toBe(before);
  }
});

test.each([
  { search: 'sofa', sortBy: 'ascprice' },
  { search: 'lamp', sortBy: 'descprice' },
] as const)('the first pages of %j, which stands far from that end of all prices, are begun in a large catalogue', async (query) => {
  const pages = [1, 2, 20];
  const read = async () => {
    const lists = [];
    for (const pageNumber of pages) lists.push(await list(new ListIndexCache(), { ...query, pageNumber }));
    return lists.map(({ products, isEstimate }) => ({ ids: products.map(({ _id }) => _id), isEstimate }));
  };
  const exact = await read();
  expect(exact.map(({ isEstimate }) => isEstimate)).toEqual([false, false, false]);
  await sql`update pg_class set reltuples = 1000000 where oid = 'products'::regclass`.execute(db);
  expect(await read()).toEqual(exact.map(({ ids }) => ({ ids, isEstimate: true })));
  await sql`analyze products`.execute(db);
});

test('a search within a range of prices reads no words of products that cost more or less', async () => {
  const { total } = await list(new ListIndexCache(), { search: 'sofa' });
  expect(total).toBeGreaterThan(2_000);
  const before = await rowsRead();
  const { products, without } = await list(new ListIndexCache(), { search: 'sofa', minPriceQuery: '100', maxPriceQuery: '200' });
  expect(products).toEqual([]);
  expect(without.map(({ filter }) => filter)).toEqual(['price', 'search']);
  expect((await rowsRead()) - before).toBeLessThan(3_000);
});

test.each(['sofa', 'couch', 'velvet sofa', 'oak bench', 'green two seater sofa'])(
  'what %j finds at any price is what it finds there by its words',
  async (search) => {
    const [attempt] = (await readSearch(db, search, vocabulary)).attempts;
    if (!attempt?.priced) throw new Error('no index has its words with prices');
    const idsOf = async (rows: RawBuilder<unknown>) =>
      (await sql<{ id: string }>`select id from ${rows} order by id`.execute(db)).rows.map(({ id }) => id);
    for (const [minPriceQuery, maxPriceQuery] of [[], ['0', '449'], ['449', '449'], ['300', '655.36'], ['700'], ['30000', '99999999']]) {
      const filters = filtersOf({ minPriceQuery, maxPriceQuery });
      const { min, max } = filters.price;
      const found = await idsOf(pricedRows(filters, attempt, min, max));
      expect(found).toEqual(await idsOf(sql`products where ${plainlyFound(filters, attempt)}`));
    }
  },
);

test.each(['s', 'o', 'so', 'wa', 'sof', 'ben', 'sofa b', 'wardro', 'grey s', 'wardor', 'qu', 'zzzz'])(
  'suggestions for %j read no table from end to end',
  async (search) => {
    const before = await sequentialScans();
    for (let round = 0; round < 6; round += 1) await suggest({ readDb: db, vocabulary }, search);
    expect(await sequentialScans()).toBe(before);
  },
);

test.each([{}, { categoryQuery: 'Sofa' }, { materialQuery: 'oak', categoryQuery: 'Bench', maxWidthQuery: '120' }])(
  'the facets of %j read no table from end to end, and are about right where they are estimates (§12.7)',
  async (query) => {
    const before = await sequentialScans();
    const facets = await readFacets({ readDb: db, vocabulary, facts: new FactsCache() }, ListProductsQuery.parse(query));
    expect(await sequentialScans()).toBe(before);
    const { total } = await list(new ListIndexCache(), query);
    expect(Math.abs(facets.total - total)).toBeLessThanOrEqual(facets.isEstimate ? total / 4 : 0);
  },
);

test('new arrivals, a product and a search for nothing read no more than they show', async () => {
  const before = await sequentialScans();
  const [first] = await listNewArrivals(db);
  for (let round = 0; round < 6; round += 1) {
    await readProduct(db, first?._id ?? '');
    await list(new ListIndexCache(), { search: 'qqqqqqqq' });
    await list(new ListIndexCache(), { search: first?._id });
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
    const { goesWith, instead } = await listRelated(db, id);
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

test.each([
  ['the whole catalogue', {}, 'true'],
  ['what is in stock', { inStockQuery: 'true' }, 'count_in_stock > 0'],
  ['a price range', { minPriceQuery: '50', maxPriceQuery: '900' }, 'price between 5000 and 90000'],
  ['a category', { categoryQuery: 'lamp' }, "category = 'Lamp'"],
  ['two categories', { categoryQuery: 'lamp_SOFA' }, "category in ('Lamp', 'Sofa')"],
])('every page of %s is exactly its part of the list (§12.1, §12.4)', async (_, filter, condition) => {
  const listIndexes = new ListIndexCache();
  for (const sortBy of SORTS) {
    const { rows } = await sql<{
      id: string;
    }>`select id from products where ${sql.raw(condition)} order by ${sql.raw(ORDERS[sortBy])}`.execute(db);
    const ids = rows.map(({ id }) => id);
    const pages = Math.ceil(ids.length / 12);
    for (const pageNumber of [
      1,
      2,
      83,
      84,
      85,
      86,
      Math.ceil(pages / 2),
      pages - 85,
      pages - 84,
      pages - 83,
      pages - 1,
      pages,
      pages + 1,
    ]) {
      const found = await list(listIndexes, { ...filter, sortBy, pageNumber });
      if (!found.isEstimate) expect([found.total, found.pages]).toEqual([ids.length, pages]);
      expect(Math.abs(found.total - ids.length)).toBeLessThanOrEqual(found.isEstimate ? ids.length / 8 : 0);
      const expected = pageNumber < 1 ? ids.slice(0, 12) : ids.slice((pageNumber - 1) * 12, pageNumber * 12);
      expect([sortBy, pageNumber, found.products.map(({ _id }) => _id)]).toEqual([sortBy, pageNumber, expected]);
    }
  }
});
