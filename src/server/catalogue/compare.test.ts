import { expect, test } from 'vitest';
import type { Product, ProductList } from '#contract/catalogue/catalogue.ts';
import { anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db);
const measured = (width: string, height: string) => [
  { name: 'Width', value: width },
  { name: 'Height', value: height },
];

const compare = (ids: string) => app.inject({ url: '/api/products/compare', query: { ids } });
const compared = async (ids: string) => (await compare(ids)).json<Product[]>().map(({ _id }) => _id);

test('up to four products are read in one call, whole, whatever the order and spelling of their ids (§12.8)', async () => {
  const { _id: sofa } = await aProduct(db, {
    description: 'Velvet on oak legs.',
    sizes: [
      { size: 'Two-seat', measurements: measured('186', '84') },
      { size: 'Cushion only' },
      { size: 'Wide', measurements: measured('7 ft', '84') },
    ],
  });
  const { _id: lamp } = await aProduct(db, { name: 'Lamp' });
  const [first, second] = (await compare(`${lamp.toUpperCase()}, ${sofa},,${lamp}`)).json<Product[]>();
  expect([first?._id, second?._id]).toEqual([sofa, lamp]);
  expect(first?.materials).toEqual(expect.arrayContaining(['Velvet', 'Oak']));
  expect(first?.sizes.map(({ size }) => size)).toEqual(['Two-seat', 'Cushion only', 'Wide']);
  expect(first?.dimensions).toEqual([
    { position: 0, width: 1_860, depth: null, height: 840, door: null },
    { position: 2, width: 2_134, depth: null, height: 840, door: null },
  ]);
  expect(second?.dimensions).toEqual([]);
});

test('a card carries the dimensions of each size, and an edit changes them at once (§12.8)', async () => {
  const { _id } = await aProduct(db, { brand: 'Sizer', sizes: [{ size: 'One', measurements: measured('100', '50') }] });
  const card = async () => (await app.inject({ url: '/api/products', query: { brandQuery: 'Sizer' } })).json<ProductList>().products[0];
  expect((await card())?.dimensions).toEqual([{ position: 0, width: 1_000, depth: null, height: 500, door: null }]);
  const { payload } = await app.inject({ url: `/api/products/${_id}` });
  const { name, description, category, subCategory, brand, price } = JSON.parse(payload) as Product;
  const form = new FormData();
  for (const [key, value] of Object.entries({ name, description, category, subCategory, brand, price: String(price), countInStock: '1' }))
    form.append(key, value);
  form.append('sizes', JSON.stringify([{ size: 'One', quantity: 1, price: 0, measurements: measured('90', '50') }]));
  const reply = new Response(form);
  const body = Buffer.from(await reply.arrayBuffer());
  const headers = { ...admin.headers, 'content-type': reply.headers.get('content-type') ?? '' };
  expect((await app.inject({ method: 'PUT', url: `/api/products/${_id}`, headers, payload: body })).statusCode).toBe(200);
  expect((await card())?.dimensions).toEqual([{ position: 0, width: 900, depth: null, height: 500, door: null }]);
});

test('what is gone or was never there is left out of a comparison, until it comes back (§12.8)', async () => {
  const [{ _id: kept }, { _id: gone }] = [await aProduct(db), await aProduct(db)];
  expect(await compared(`${kept},${gone}`)).toEqual([kept, gone].sort());
  await app.inject({ method: 'DELETE', url: `/api/products/${gone}`, headers: admin.headers });
  expect(await compared(`${kept},${gone},nonsense`)).toEqual([kept]);
  expect(await compared('nonsense')).toEqual([]);
  await app.inject({ method: 'POST', url: `/api/office/products/${gone}/bring-back`, headers: admin.headers });
  expect(await compared(`${kept},${gone}`)).toEqual([kept, gone].sort());
});

test.each([
  ['', 'Choose the products to compare.'],
  ['a,b,c,d,e', 'At most 4 products can be compared.'],
])('ids of %j are refused with a sentence (§12.8)', async (ids, message) => {
  const reply = await compare(ids);
  expect([reply.statusCode, reply.json()]).toMatchObject([400, { message }]);
});

test('the same products are read once, in whatever order they are asked for', async () => {
  const [{ _id: one }, { _id: other }] = [await aProduct(db), await aProduct(db)];
  await compare(`${one},${other}`);
  expect((await compare(`${other},${one}`)).headers['server-timing']).toBe('cache;desc=hit');
});
