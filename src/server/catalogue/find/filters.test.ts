import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Facets, ProductList } from '#contract/catalogue/catalogue.ts';
import { FILTERS } from '#contract/catalogue/filters.ts';
import { aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db, services } = await testShop();
const list = async (query: Record<string, string>) => (await app.inject({ url: '/api/products', query })).json<ProductList>();
const names = async (query: Record<string, string>) => (await list(query)).products.map(({ name }) => name).sort();
const measured = (...pairs: [string, string][]) => pairs.map(([name, value]) => ({ name, value }));

const MOSS = '#47503b';
const OATMEAL = '#b3aa9d';
await aProduct(db, {
  name: 'Wren',
  description: 'Velvet on oak legs.',
  category: 'Sofa',
  colors: [MOSS, OATMEAL],
  fit: 'Living room',
  rating: 4.5,
  price: 90_000,
  sizes: [
    { size: 'Two-seat', measurements: measured(['Width', '186'], ['Depth', '100'], ['Smallest door', '78']) },
    { size: 'Three-seat', measurements: measured(['Width', '84 in'], ['Depth', '85']) },
  ],
});
await aProduct(db, {
  name: 'Camber',
  description: 'Woven cane.',
  category: 'Wardrobe',
  colors: ['#c4a478'],
  fit: 'Bedroom',
  rating: 3.9,
  isNewArrival: true,
  stock: 0,
  sizes: [{ size: 'One', measurements: measured(['Dimensions', '110 x 58 x 200 cm']) }],
});
await aProduct(db, { name: 'Plain', description: 'A thing.', category: 'Lamp', fit: 'Study', rating: 0 });

test.each<[Record<string, string>, string[]]>([
  [{ materialQuery: 'velvet' }, ['Wren']],
  [{ materialQuery: 'VELVET_rattan' }, ['Camber', 'Wren']],
  [{ materialQuery: 'cane' }, ['Camber']],
  [{ materialQuery: 'unobtainium' }, []],
  [{ colourQuery: 'green' }, ['Wren']],
  [{ colourQuery: 'gray' }, ['Wren']],
  [{ colourQuery: 'green_brown' }, ['Camber', 'Wren']],
  [{ colourQuery: 'purple' }, []],
  [{ fitQuery: 'Bedroom_study' }, ['Camber', 'Plain']],
  [{ doorQuery: '78' }, ['Camber', 'Wren']],
  [{ doorQuery: '77.9' }, ['Camber']],
  [{ doorQuery: '59' }, []],
  [{ doorQuery: '78', minWidthQuery: '200' }, []],
  [{ doorQuery: 'wide' }, ['Camber', 'Plain', 'Wren']],
  [{ ratingQuery: '4' }, ['Wren']],
  [{ ratingQuery: '3.9' }, ['Camber', 'Wren']],
  [{ ratingQuery: '4.50001' }, ['Wren']],
  [{ ratingQuery: '1e-50' }, ['Camber', 'Wren']],
  [{ ratingQuery: '1e-200' }, ['Camber', 'Wren']],
  [{ ratingQuery: `0.${'0'.repeat(60)}1` }, ['Camber', 'Wren']],
  [{ ratingQuery: '1e-400' }, ['Camber', 'Plain', 'Wren']],
  [{ ratingQuery: 'good' }, ['Camber', 'Plain', 'Wren']],
  [{ newQuery: 'true' }, ['Camber']],
  [{ maxWidthQuery: '186' }, ['Camber', 'Wren']],
  [{ maxWidthQuery: '185.9' }, ['Camber']],
  [{ minWidthQuery: '200' }, ['Wren']],
  [{ minHeightQuery: '200', maxHeightQuery: '200' }, ['Camber']],
  [{ materialQuery: 'velvet', colourQuery: 'green', maxPriceQuery: '900', categoryQuery: 'sofa' }, ['Wren']],
  [{ materialQuery: 'velvet', fitQuery: 'bedroom' }, []],
  [{ materialQuery: 'velvet_rattan', inStockQuery: 'true' }, ['Wren']],
  [{ search: 'woven', colourQuery: 'brown' }, ['Camber']],
  [{ search: 'woven', colourQuery: 'green' }, []],
])('%j finds %j: values of one filter are alternatives, filters together must all hold (§12.7)', async (query, found) => {
  expect(await names(query)).toEqual(found);
});

test('one and the same size must keep all bounds: the narrow one is too deep, the shallow one too wide (§12.7)', async () => {
  expect(await names({ maxWidthQuery: '190', maxDepthQuery: '90' })).toEqual(['Camber']);
  expect(await names({ maxWidthQuery: '215', maxDepthQuery: '90' })).toEqual(['Camber', 'Wren']);
});

test('the same filters in another order, case or spelling are one answer for the cache', async () => {
  const ask = (query: Record<string, string>) => app.inject({ url: '/api/products', query });
  const [one, other] = [await ask({ materialQuery: 'velvet_rattan' }), await ask({ materialQuery: 'Rattan_VELVET_cane' })];
  expect(other.headers.etag).toBe(one.headers.etag);
  expect(other.body).toBe(one.body);
});

const facets = async (query: Record<string, string> = {}) => (await app.inject({ url: '/api/products/facets', query })).json<Facets>();
const counts = (values: Facets['brands']) => Object.fromEntries(values.map(({ value, count }) => [value, count]));

test('facets say how many products each value would leave beside the other filters, and values without any with 0 (§12.7)', async () => {
  const all = await facets();
  expect(all).toMatchObject({ total: 3, isEstimate: false, sizes: { width: { min: 110, max: 214 }, height: { min: 200, max: 200 } } });
  expect(counts(all.categories)).toEqual({ Sofa: 1, Wardrobe: 1, Lamp: 1 });
  expect(counts(all.ratings)).toEqual({ 4.5: 1, 4: 1, 3: 2, 2: 2 });
  // Nothing is reduced: the box for it is not offered.
  expect(counts(all.flags)).toEqual({ inStock: 2, new: 1 });
  const narrow = await facets({ materialQuery: 'velvet', colourQuery: 'green' });
  expect(narrow.total).toBe(1);
  expect(counts(narrow.categories)).toEqual({ Sofa: 1, Wardrobe: 0, Lamp: 0 });
  // Another material instead, or as well, is counted without the one that is chosen; the colour still narrows it.
  expect(counts(narrow.materials)).toEqual({ Velvet: 1, Oak: 1, Rattan: 0 });
  expect(counts(narrow.colours)).toEqual({ green: 1, beige: 1, grey: 1, brown: 0 });
  expect((await facets({ search: 'woven' })).total).toBe(1);
});

test('each count is what the list with that value has (§12.7)', async () => {
  const queries: Record<string, string>[] = [{}, { inStockQuery: 'true' }, { fitQuery: 'bedroom_study' }, { maxWidthQuery: '190' }];
  for (const query of queries) {
    const { colours, materials, fits, ratings } = await facets(query);
    const parameters = {
      colourQuery: colours,
      materialQuery: materials,
      ratingQuery: ratings,
      ...(!('fitQuery' in query) && { fitQuery: fits }),
    };
    for (const [parameter, values] of Object.entries(parameters))
      for (const { value, count } of values)
        expect([parameter, value, (await list({ ...query, [parameter]: value })).total]).toEqual([parameter, value, count]);
  }
});

const without = async (query: Record<string, string>) => (await list(query)).without;

test('an empty list has, for each filter, the number of products without it, the largest first', async () => {
  expect(await without({ colourQuery: 'purple', categoryQuery: 'sofa', maxPriceQuery: '10' })).toEqual([]);
  expect(await without({ colourQuery: 'green', categoryQuery: 'lamp' })).toEqual([
    { filter: 'categories', total: 1, isMore: false },
    { filter: 'colours', total: 1, isMore: false },
  ]);
  expect(await without({ colourQuery: 'purple', inStockQuery: 'true' })).toEqual([{ filter: 'colours', total: 2, isMore: false }]);
  expect(await without({ colourQuery: 'green' })).toEqual([]);
  // What was searched for is one of the things to leave out; the others count among what it finds.
  expect(await without({ search: 'woven', colourQuery: 'green' })).toEqual([
    { filter: 'colours', total: 1, isMore: false },
    { filter: 'search', total: 1, isMore: false },
  ]);
});

test('each of these counts is what the list without that filter has (§12.7)', async () => {
  const query = { search: 'woven cane velvet', colourQuery: 'purple', fitQuery: 'bedroom', maxWidthQuery: '300' };
  const parameters = { search: 'search', colours: 'colourQuery', fits: 'fitQuery', width: 'maxWidthQuery' } as Record<string, string>;
  const told = await without(query);
  expect(told.length).toBeGreaterThan(0);
  for (const { filter, total } of told)
    expect([filter, (await list({ ...query, [parameters[filter] ?? '']: '' })).total]).toEqual([filter, total]);
});

test('of a filter with very many values a hundred are told, and those that are chosen (§12.7)', async () => {
  for (let n = 0; n < 120; n += 1) await aProduct(db, { brand: `Brand ${String(n).padStart(3, '0')}`, category: 'Many' });
  expect((await facets()).brands).toHaveLength(100);
  const { brands } = await facets({ brandQuery: 'brand 119', categoryQuery: 'many' });
  expect(brands.filter(({ value }) => /Brand (099|119)/.test(value))).toEqual([
    { value: 'Brand 099', count: 1 },
    { value: 'Brand 119', count: 1 },
  ]);
});

test('what is reduced is counted once something is, and 0 beside filters that leave none of it (§12.7)', async () => {
  const lamp = await aProduct(db, { name: 'Beacon', category: 'Lamp', price: 9_000 });
  const [saleFrom, saleTo] = [0, 86_400_000].map((later) => new Date(Date.now() + later).toISOString());
  await db.updateTable('products').set({ salePrice: 8_000, saleFrom, saleTo }).where('id', '=', lamp._id).execute();
  await services.invalidation.catchUp();
  const queries: Record<string, string>[] = [{}, { categoryQuery: 'lamp' }, { categoryQuery: 'sofa' }, { saleQuery: 'true' }];
  for (const query of queries) {
    const { flags } = await facets(query);
    expect([query, counts(flags).sale]).toEqual([query, (await list({ ...query, saleQuery: 'true' })).total]);
  }
});

test('each filter has an index of its column', async () => {
  const { rows } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where tablename in ('products', 'product_dimensions')`.execute(db);
  const columns = Object.values(FILTERS).map(({ column }) => column.split(' ')[0] ?? '');
  expect(columns.filter((column) => !rows.some(({ definition }) => new RegExp(`\\b${column}\\b`).test(definition)))).toEqual([]);
});

test('a product is above a minimum price by all its sizes or by one that can be bought, also beside a filter by size (§12.7)', async () => {
  const sizeAt = (size: string, price: number, quantity: number, width: string) => ({
    size,
    price,
    quantity,
    measurements: measured(['Width', width]),
  });
  const [small, middle] = [sizeAt('S', 10_000, 2, '80'), sizeAt('M', 15_000, 2, '150')];
  await aProduct(db, { name: 'Priced', brand: 'Pricey', sizes: [small, middle, sizeAt('L', 20_000, 0, '210')] });
  await aProduct(db, { name: 'None left', brand: 'Pricey', stock: 0, sizes: [small, sizeAt('L', 20_000, 5, '210')] });
  const found = (query: Record<string, string>) => names({ brandQuery: 'pricey', ...query });
  expect(await found({ minPriceQuery: '100', minWidthQuery: '200' })).toEqual(['None left', 'Priced']);
  expect(await found({ minPriceQuery: '140' })).toEqual(['Priced']);
  expect(await found({ minPriceQuery: '140', minWidthQuery: '140' })).toEqual(['Priced']);
  expect(await found({ minPriceQuery: '160' })).toEqual([]);
  expect(await found({ minPriceQuery: '160', minWidthQuery: '200' })).toEqual([]);
});
