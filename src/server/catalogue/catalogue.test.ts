import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Facets, Product, ProductList } from '#contract/catalogue/catalogue.ts';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { removeOrphanedPictures } from './pictures.jobs.ts';

const shop = await testShop();
const { app, db } = shop;
const admin = await anAdmin(db);

const list = async (query: string) => (await app.inject({ url: `/api/products?${query}` })).json<ProductList>();
const names = async (query: string) => (await list(query)).products.map(({ name }) => name);

/** A brand of its own keeps each test's products apart. */
let brands = 0;
const aBrand = () => `Brand${++brands}x`;

test('parameters that are missing, empty, null or undefined count as absent (§7.4)', async () => {
  const brand = aBrand();
  await aProduct(db, { brand });
  expect(
    (
      await list(
        `brandQuery=${brand}&search=&minPriceQuery=null&maxPriceQuery=undefined&categoryQuery=undefined&pageNumber=null&inStockQuery=null&subCategoryQuery=`,
      )
    ).total,
  ).toBe(1);
});

test('prices are pounds, inclusive; what is no number is ignored (§12.3)', async () => {
  const brand = aBrand();
  await aProduct(db, { brand, name: 'A', price: 10_000 });
  await aProduct(db, { brand, name: 'B', price: 10_050 });
  expect(await names(`brandQuery=${brand}&minPriceQuery=100&maxPriceQuery=100`)).toEqual(['A']);
  expect(await names(`brandQuery=${brand}&minPriceQuery=100.5`)).toEqual(['B']);
  expect((await list(`brandQuery=${brand}&minPriceQuery=cheap&maxPriceQuery=1e400`)).total).toBe(2);
});

test('several categories and brands are joined with _, and case does not matter (§12.3)', async () => {
  const [one, two] = [aBrand(), aBrand()];
  await aProduct(db, { brand: one, name: 'A', category: 'Sofa' });
  await aProduct(db, { brand: two, name: 'B', category: 'Lamp' });
  await aProduct(db, { brand: two, name: 'C', category: 'Bench' });
  expect((await names(`brandQuery=${one.toUpperCase()}_${two}&categoryQuery=sofa_LAMP&sortBy=name`)).sort()).toEqual(['A', 'B']);
});

test('a piece of several subcategories, named with commas, is found and counted under each, and under the whole', async () => {
  const brand = aBrand();
  await aProduct(db, { brand, name: 'Both', subCategory: 'Two-seat, Three-seat' });
  await aProduct(db, { brand, name: 'Two', subCategory: 'Two-seat' });
  const found = async (subCategory: string) => (await names(`brandQuery=${brand}&subCategoryQuery=${subCategory}`)).sort();
  expect(await found('two-seat')).toEqual(['Both', 'Two']);
  expect(await found('Three-seat')).toEqual(['Both']);
  expect(await found('Two-seat, Three-seat')).toEqual(['Both']);
  const { subCategories } = (await app.inject({ url: `/api/products/facets?brandQuery=${brand}` })).json<Facets>();
  expect(subCategories.filter(({ count }) => count > 0)).toEqual([
    { value: 'Two-seat', count: 2 },
    { value: 'Three-seat', count: 1 },
  ]);
});

test('in stock only leaves out what is sold out', async () => {
  const brand = aBrand();
  await aProduct(db, { brand, name: 'A', stock: 0 });
  await aProduct(db, { brand, name: 'B', stock: 1 });
  expect(await names(`brandQuery=${brand}&inStockQuery=true`)).toEqual(['B']);
  expect((await list(`brandQuery=${brand}&inStockQuery=false`)).total).toBe(2);
});

test('a list from a minimum price has a product while its dear size is in stock (§12.7)', async () => {
  const brand = aBrand();
  const sizes = [
    { size: 'S', quantity: 5, price: 10_000 },
    { size: 'L', quantity: 1, price: 90_000 },
  ];
  const chest = await aProduct(db, { brand, name: 'Chest', price: 10_000, sizes });
  const dear = () => names(`brandQuery=${brand}&minPriceQuery=500`);
  expect(await dear()).toEqual(['Chest']);
  const { headers } = await aCustomer(db);
  const payload = aPayload([aLine({ ...chest, price: 90_000 }, { size: 'L' })]);
  const order = (await app.inject({ method: 'POST', url: '/api/orders', headers, payload })).json<{ _id: string }>();
  expect(await dear()).toEqual([]);
  await app.inject({ method: 'POST', url: `/api/orders/${order._id}/cancel`, headers, payload: { reason: 'Another reason' } });
  expect(await dear()).toEqual(['Chest']);
});

test('the id of a product is found in any spelling, also with filters that leave nothing', async () => {
  const { _id } = await aProduct(db, { brand: aBrand(), stock: 0 });
  for (const search of [`(${_id})`, `${_id}?`, _id.replaceAll('-', '\u2013')]) {
    const reply = await app.inject({ url: `/api/products?inStockQuery=true&search=${encodeURIComponent(search)}` });
    expect([search, reply.statusCode]).toEqual([search, 200]);
  }
});

test('each sort is stable: over all pages every product shows exactly once (§12.2, §12.4)', async () => {
  const brand = aBrand();
  for (let n = 0; n < 30; n += 1) await aProduct(db, { brand, price: 100 + 100 * (n % 3), rating: n % 2, isRecommend: n % 5 === 0 });
  for (const sortBy of ['bestmatch', 'ascprice', 'descprice', 'rating', 'nonsense']) {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`brandQuery=${brand}&sortBy=${sortBy}&pageNumber=${page}`)));
    const all = pages.flatMap(({ products }) => products);
    expect([all.length, new Set(all.map(({ _id }) => _id)).size, pages[0]?.pages]).toEqual([30, 30, 3]);
    const prices = all.map(({ price }) => price);
    if (sortBy === 'ascprice') expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    if (sortBy === 'descprice') expect(prices).toEqual(prices.toSorted((a, b) => b - a));
  }
  const past = await list(`brandQuery=${brand}&pageNumber=99`);
  expect([past.products, past.page, past.pages]).toEqual([[], 99, 3]);
  expect((await list(`brandQuery=${brand}&pageNumber=-4`)).page).toBe(1);
});

test('without a search, best match means recommended first, then newest', async () => {
  const brand = aBrand();
  await aProduct(db, { brand, name: 'old', createdAt: '2020-01-01T00:00:00Z' });
  await aProduct(db, { brand, name: 'recommended', isRecommend: true, createdAt: '2019-01-01T00:00:00Z' });
  await aProduct(db, { brand, name: 'new', createdAt: '2021-01-01T00:00:00Z' });
  expect(await names(`brandQuery=${brand}`)).toEqual(['recommended', 'new', 'old']);
});

test('best match is relevance: the name, then the size, then the description; alike, what is in stock, then the better rated (§12.1)', async () => {
  const brand = aBrand();
  await aProduct(db, { brand, name: 'In its text', description: 'The zephyr weave.' });
  await aProduct(db, { brand, name: 'By its size', sizes: [{ size: 'Zephyr' }] });
  await aProduct(db, { brand, name: 'Zephyr sold out', stock: 0, rating: 5 });
  await aProduct(db, { brand, name: 'Zephyr plain', rating: 2 });
  await aProduct(db, { brand, name: 'Zephyr liked', rating: 4 });
  const found = ['Zephyr liked', 'Zephyr plain', 'Zephyr sold out', 'By its size', 'In its text'];
  expect(await names(`brandQuery=${brand}&search=zephyr`)).toEqual(found);
});

test('search: every word must match, endings do not matter, the last word may be a prefix, one typing error is forgiven (§12.1)', async () => {
  const brand = aBrand();
  await aProduct(db, { brand, name: 'Aldous Fluted Wardrobe', category: 'Wardrobe', description: 'Solid oak.' });
  await aProduct(db, { brand, name: 'Hythe Cord Chair', category: 'Chair', description: 'Woven by hand, to stand beside a wardrobe.' });
  const find = (search: string) => names(`brandQuery=${brand}&search=${encodeURIComponent(search)}`);
  for (const search of ['wardrobes', 'wardr', 'wardorbe', 'wadrobe', 'WARDROBE oak', 'oak wardrob', 'fluted'])
    expect([search, await find(search)]).toEqual([search, ['Aldous Fluted Wardrobe']]);
  expect(await find('chairs')).toEqual(['Hythe Cord Chair']);
  const partial = await list(`brandQuery=${brand}&search=wardrobe cord`);
  expect([partial.total, partial.isPartial, partial.leftOut, partial.suggestion]).toEqual([1, true, ['cord'], null]);
  expect((await list(`brandQuery=${brand}&search=wardorbe`)).suggestion).toBe('wardrobe');
});

test('the id of a product finds it in every spelling that shares its cached answer', async () => {
  const { _id } = await aProduct(db, { name: 'By its id' });
  for (const search of [_id.replaceAll('-', '‐'), ` ${_id.toUpperCase()}!`, _id])
    expect([search, await names(`search=${encodeURIComponent(search)}`)]).toEqual([search, ['By its id']]);
});

test.each(["a' & ! | (b)", '%%%', ':*', '\0', '!!!', '<->', "'; drop table products; --", 'x'.repeat(10_000), '🛋️', 'a_b*c'])(
  'the search %j is answered, not an error',
  async (search) => {
    expect((await app.inject({ url: `/api/products?search=${encodeURIComponent(search)}` })).statusCode).toBe(200);
  },
);

test('a product is read with its sizes; an unknown, deleted or misspelt one is 404 (§3.2)', async () => {
  const { _id } = await aProduct(db, { sizes: [{ size: 'S', price: 1, measurements: [{ name: 'Width', value: '80' }] }, { size: 'L' }] });
  const product = (await app.inject({ url: `/api/products/${_id}` })).json<Product>();
  expect(product.sizes).toMatchObject([
    { size: 'S', quantity: 10, price: 1, measurements: [{ name: 'Width', value: '80', cm: '80 cm', inches: '31.5 in' }] },
    { size: 'L', quantity: 10, price: 0, measurements: [] },
  ]);
  await app.inject({ method: 'DELETE', url: `/api/products/${_id}`, headers: admin.headers });
  for (const id of [_id, 'nonsense', '01890000-0000-7000-8000-000000000000', '%00'])
    expect((await app.inject({ url: `/api/products/${id}` })).statusCode).toBe(404);
});

const png = (width = 40, height = 50) =>
  sharp({ create: { width, height, channels: 3, background: '#b9b2a6' } })
    .png()
    .withMetadata({ exif: { IFD0: { Copyright: 'secret place' } } })
    .toBuffer();

async function send(
  method: 'POST' | 'PUT',
  url: string,
  fields: Record<string, string>,
  images: (Buffer | string)[] = [],
  headers: Record<string, string> = admin.headers,
) {
  const form = new FormData();
  for (const image of images)
    form.append(
      'images',
      typeof image === 'string' ? image : new Blob([new Uint8Array(image)], { type: 'image/png' }),
      ...(typeof image === 'string' ? [] : ['a.png']),
    );
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return fetch(`${shop.url}${url}`, { method, headers, body: form });
}
const FIELDS = {
  name: 'Oslo',
  description: 'A sofa',
  fit: 'Living room',
  category: 'Sofa',
  subCategory: 'Two-seat',
  brand: 'Harrow',
  price: '49999',
  countInStock: '4',
  newArrivals: 'true',
  isRecommend: 'false',
};
const SIZES = JSON.stringify([{ size: 'S', quantity: 4, price: 0, measurements: [{ name: 'Width', value: '180' }] }]);

test('an administrator creates a product with pictures, which are re-encoded and served in several widths (§7.3, §16.1)', async () => {
  const reply = await send('POST', '/api/products', { ...FIELDS, sizes: SIZES, colors: '[{"colorName":"#000000","hexCode":"#000000"}]' }, [
    await png(800, 1000),
    await png(30, 40),
  ]);
  expect(reply.status).toBe(201);
  const product = (await reply.json()) as Product;
  expect(product).toMatchObject({ name: 'Oslo', price: 49_999, isNewArrival: true, isRecommend: false, fit: 'Living room', version: 1 });
  expect(product.images).toHaveLength(2);
  await runJobs(shop.services);
  for (const url of [product.images[0] ?? '', (product.images[0] ?? '').replace('-1200.webp', '-320.avif')]) {
    const picture = await fetch(shop.url + url);
    expect([picture.status, picture.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    expect(bytes.includes('secret place')).toBe(false);
  }
});

test('an edit keeps what its screen does not show, and pictures by their address (§7.3, §7.5)', async () => {
  const made = (await (
    await send('POST', '/api/products', { ...FIELDS, sizes: SIZES, colors: '[{"colorName":"#123456","hexCode":"#123456"}]' }, [
      await png(20, 20),
      await png(21, 21),
    ])
  ).json()) as Product;
  const { fit: _, ...fields } = FIELDS;
  const untouched = (await (
    await send('PUT', `/api/products/${made._id}`, { ...fields, name: 'Oslo II', sizes: SIZES })
  ).json()) as Product;
  expect(untouched).toMatchObject({ name: 'Oslo II', fit: 'Living room', colors: made.colors, images: made.images, version: 2 });
  const swapped = (await (
    await send('PUT', `/api/products/${made._id}`, fields, [await png(22, 22), made.images[1] ?? ''])
  ).json()) as Product;
  expect([swapped.images.length, swapped.images[1], swapped.sizes]).toEqual([2, made.images[1], made.sizes]);
  const stale = await send('PUT', `/api/products/${made._id}`, { ...fields, version: '1' });
  expect([stale.status, ((await stale.json()) as { message: string }).message]).toEqual([409, expect.stringContaining('Ada Admin')]);
  expect((await send('PUT', `/api/products/${made._id}`, fields, ['/images/someone-elses-1200.webp'])).status).toBe(400);
});

test.each([
  [
    'a drawing that says it is a picture',
    Buffer.from('<svg onload="alert(1)">'),
    415,
    'a.png is an SVG drawing, which can contain a script. Please save it as a PNG with a transparent background.',
  ],
  [
    'a picture cut short',
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    415,
    'a.png is not a JPEG, PNG, WebP, AVIF or GIF picture.',
  ],
  ['more than 10 MB', Buffer.alloc(10 * 1024 * 1024 + 1), 413, 'a.png is larger than 10 MB.'],
])('%s is refused by name (§7.1)', async (_, bytes, status, message) => {
  const reply = await send('POST', '/api/products', FIELDS, [bytes]);
  expect([reply.status, (await reply.json()) as object]).toMatchObject([status, { message }]);
});

test('a picture of more than 50 megapixels is refused before it is decoded', { tags: ['thorough'] }, async () => {
  const bomb = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: '#fff' } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  expect((await send('POST', '/api/products', FIELDS, [bomb])).status).toBe(413);
});

test.each([
  [{ ...FIELDS, price: '-1' }, 'price'],
  [{ ...FIELDS, name: ' ' }, 'name'],
  [{ ...FIELDS, fit: '' }, 'fit'],
  [{ ...FIELDS, sizes: 'not json' }, 'sizes'],
  [{ ...FIELDS, sizes: '[{"size":"S","quantity":-1,"price":0}]' }, 'sizes.0.quantity'],
])('a form that is wrong is refused by field (%#)', async (fields, field) => {
  const reply = await send('POST', '/api/products', fields);
  const { errors } = (await reply.json()) as { errors: Record<string, string> };
  expect([reply.status, field in errors]).toEqual([400, true]);
});

test('only administrators write to the catalogue', async () => {
  const customer = await aCustomer(db);
  expect((await send('POST', '/api/products', FIELDS, [], {})).status).toBe(401);
  expect((await send('POST', '/api/products', FIELDS, [], customer.headers)).status).toBe(403);
});

test('a deleted product leaves the shop; pictures that nobody names are removed, others stay (§7.3)', async () => {
  const made = (await (await send('POST', '/api/products', FIELDS, [await png(33, 33)])).json()) as Product;
  expect((await app.inject({ method: 'DELETE', url: `/api/products/${made._id}`, headers: admin.headers })).statusCode).toBe(200);
  expect((await app.inject({ url: `/api/products/${made._id}` })).statusCode).toBe(404);
  await removeOrphanedPictures(shop.services);
  expect((await app.inject({ url: made.images[0] ?? '' })).statusCode).toBe(200);
  await db.deleteFrom('products').where('id', '=', made._id).execute();
  const later = Date.now() + 2 * 3_600_000;
  await removeOrphanedPictures({
    ...shop.services,
    pictures: { ...shop.services.pictures, list: () => shop.services.pictures.list(new Date(later)) },
  });
  expect((await app.inject({ url: (made.images[0] ?? '').replace('1200', '320') })).statusCode).toBe(404);
});

test.each(['/images/..%2f..%2fpackage.json', '/images/a-1200.webp', '/images/', '/images/x'])('%s is no picture', async (url) => {
  expect((await app.inject({ url })).statusCode).toBe(404);
});

test('new arrivals are at most 24, the newest first (§7.3)', async () => {
  const made: string[] = [];
  for (let n = 0; n < 26; n += 1)
    made.push((await aProduct(db, { isNewArrival: true, createdAt: `2030-01-01T00:00:${String(n).padStart(2, '0')}Z` }))._id);
  const shown = (await app.inject({ url: '/api/products/newarrivals' })).json<{ _id: string }[]>().map(({ _id }) => _id);
  expect(shown).toEqual(made.toReversed().slice(0, 24));
});
