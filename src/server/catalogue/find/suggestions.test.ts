import { expect, test } from 'vitest';
import type { ProductList, Suggestions } from '#contract/catalogue/catalogue.ts';
import { ANYTHING } from '#server/platform/cache/catalogue-changes.ts';
import { addDemoProducts } from '#server/testing/demo-products.ts';
import { anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db, services } = await testShop();
await addDemoProducts(db);

const NOTHING: Suggestions = {
  products: [],
  categories: [],
  subCategories: [],
  searches: [],
  notSold: null,
  help: [],
  total: 0,
  isMore: false,
};
const ask = (search: string) => app.inject({ url: '/api/products/suggestions', query: { search } });
const suggested = async (search: string) => (await ask(search)).json<Suggestions>();
const list = async (query: Record<string, string>) => (await app.inject({ url: '/api/products', query })).json<ProductList>();

test.each([
  's',
  'so',
  'sofa',
  'velvet so',
  'oak dini',
  'grey sofa under £1,500',
  'slate two seater',
  'large footstool',
  'wardorbe',
  'couch',
  'haven',
])('the products suggested for %j are the first of its search, with price and picture (§2.3.8)', async (search) => {
  const { products } = await suggested(search);
  const found = (await list({ search })).products.slice(0, 6);
  expect(products.length).toBeGreaterThan(0);
  expect(products).toEqual(
    found.map(({ _id, name, price, fromPrice, toPrice, images, variant }) => ({
      _id,
      name: variant?.name ?? name,
      price: variant?.price ?? price,
      fromPrice: variant?.price ?? fromPrice,
      toPrice: variant?.price ?? toPrice,
      image: variant ? variant.image : (images[0] ?? null),
      size: variant?.size ?? null,
      colour: variant?.colour ?? null,
    })),
  );
});

test.each([
  ['so', ['Sofa']],
  ['sofas', ['Sofa']],
  ['couch', ['Sofa']],
  ['oak benc', ['Bench']],
  ['sofa grey', ['Sofa']],
  ['table lamp', ['Lamp']],
  ['haven', []],
])('for %j the categories %j are suggested, and each has products (§2.3.8)', async (search, expected) => {
  const { categories } = await suggested(search);
  expect(categories).toEqual(expected);
  for (const category of categories) expect((await list({ categoryQuery: category })).total).toBeGreaterThan(0);
});

test.each([
  ['arm', [], ['Armchairs']],
  ['armchair', [], ['Armchairs']],
  ['reading chair', ['Chair'], ['Armchairs']],
  ['oak coffee table', ['Table'], ['Coffee tables']],
  ['chest of drawers', [], ['Bedside tables', 'Sideboards']],
  ['sofa bed', ['Sofa'], []],
])('for %j the categories %j and the subcategories %j are suggested (§2.3.8)', async (search, expected, expectedSub) => {
  const { categories, subCategories } = await suggested(search);
  expect([categories, subCategories]).toEqual([expected, expectedSub]);
  for (const name of subCategories) expect((await list({ subCategoryQuery: name })).total).toBeGreaterThan(0);
});

test('a beginning of a category is no beginning of a word for help: “cha” is a chair rather than a chat', async () => {
  expect(await suggested('cha')).toMatchObject({ categories: ['Chair'], help: [] });
});

test('a mistyped search is suggested in its right spelling, where that finds something; any other is not (§2.3.8)', async () => {
  expect((await suggested('wardorbe')).searches[0]).toBe('wardrobe');
  expect((await suggested('vevlet sofa')).searches).toEqual(['velvet sofa']);
  expect((await suggested('velvet sofa')).searches).toEqual([]);
  // Each word is one error away from a word of the catalogue, but nothing has both.
  const nowhere = await suggested('travertnie wardorbe');
  expect((await list({ search: 'travertine wardrobe' })).isPartial).toBe(true);
  expect(nowhere.searches).toEqual([]);
});

test('nothing is suggested for nothing, for marks, and for what no product has', async () => {
  for (const search of ['', ' ', '?', '🛋️', 'zzzzqqqq']) expect([search, await suggested(search)]).toEqual([search, NOTHING]);
});

test('suggestions are answered from the cache until the catalogue changes, and then show the change', async () => {
  const timing = async (search: string) => (await ask(search)).headers['server-timing'];
  await suggested('quilted');
  await suggested('walnut');
  expect(await timing('walnut')).toBe('cache;desc=hit');
  expect(await timing(' Walnut ')).toBe('cache;desc=hit');
  const { _id } = await aProduct(db, { name: 'Quilted Walnut Settle', category: 'Settle', price: 12_300 });
  services.cache.invalidate();
  services.facts.invalidate(ANYTHING);
  expect(await timing('walnut')).toBe('cache;desc=miss');
  expect(await suggested('quilted')).toMatchObject({ products: [{ _id, price: 12_300 }] });
  expect((await suggested('sett')).categories).toEqual(['Settle']);
});

test('a deleted product is suggested no more, nor its category where it was the last one', async () => {
  const { _id } = await aProduct(db, { name: 'Zebra Hammock', category: 'Hammock' });
  expect((await suggested('hammo')).products.map((product) => product._id)).toEqual([_id]);
  const { headers } = await anAdmin(db);
  expect((await app.inject({ method: 'DELETE', url: `/api/products/${_id}`, headers })).statusCode).toBe(200);
  expect(await suggested('hammo')).toEqual({ ...NOTHING, notSold: 'hammock' });
});

test('what is begun suggests what it begins: “arm” armchairs, “furn” no urn', async () => {
  const { products } = await suggested('arm');
  expect(products.slice(0, 3).map(({ name }) => name)).toEqual([
    expect.stringContaining('Armchair'),
    expect.stringContaining('Armchair'),
    expect.stringContaining('Armchair'),
  ]);
  expect((await suggested('furn')).searches).toEqual(['furniture']);
});

test.each([
  ['sofa g', ['sofa grey', 'sofa green']],
  ['sofa gre', ['sofa grey', 'sofa green']],
  ['wardrobe o', ['wardrobe oak']],
  ['gift c', []],
])('the phrases suggested for %j begin so, and each finds something', async (search, phrases) => {
  const { searches } = await suggested(search);
  expect(searches.toSorted()).toEqual(phrases.toSorted());
  for (const phrase of searches) expect([phrase, (await list({ search: phrase })).isPartial]).toEqual([phrase, false]);
});

test.each([
  ['deliv', '/shipping-policy'],
  ['guar', '/refund-policy'],
  ['opening h', '/contact'],
])('%j begins what the page %s answers', async (search, page) => {
  expect((await suggested(search)).help).toContain(page);
});

test.each(['bed', 'rug', 'rugs', 'carp', 'curt', 'mirr'])(
  '%j begins a kind that is not sold, and suggests what comes nearest',
  async (search) => {
    const { notSold, searches } = await suggested(search);
    expect([search, notSold, searches.length]).toEqual([search, expect.any(String), 2]);
  },
);

test('phrases, pages of help and the number of all results are suggested', async () => {
  const { searches, total } = await suggested('sof');
  expect(searches.length).toBeGreaterThan(0);
  for (const phrase of searches) {
    expect(phrase).toMatch(/^sofa \p{L}+/u);
    const { total: found, isPartial } = await list({ search: phrase });
    expect([phrase, found > 0, isPartial]).toEqual([phrase, true, false]);
  }
  expect(total).toBe((await list({ search: 'sof' })).total);
  expect((await suggested('delivery cost')).help).toEqual(['/shipping-policy']);
});
