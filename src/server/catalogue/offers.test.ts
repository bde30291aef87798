import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  type Facets,
  type Product,
  type ProductList,
  piecesLeft,
  priceOf,
  type Related,
  type Suggestions,
} from '#contract/catalogue/catalogue.ts';
import { runJobs } from '#server/app/jobs.ts';
import { statementsOf } from '#server/platform/database/apply-migration.ts';
import { readMigrations } from '#server/platform/database/migrate.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const shop = await testShop({ env: { RATE_LIMIT_FACTOR: '1000' } });
const { app, db } = shop;
const admin = await anAdmin(db);

let brands = 0;
/** A brand of its own keeps each test's products apart. */
const aBrand = () => `Offers${++brands}x`;
const get = async <T>(url: string) => (await app.inject({ url })).json<T>();
const names = async (query: string) => (await get<ProductList>(`/api/products?${query}`)).products.map(({ name }) => name);
const inStock = async (brand: string) => ({
  listed: await names(`brandQuery=${brand}&inStockQuery=true`),
  counted: (await get<Facets>(`/api/products/facets?brandQuery=${brand}`)).flags.find(({ value }) => value === 'inStock')?.count,
});

/** What the contract's rules say of a product that the API answers, beside what the database has kept of it. */
async function offerOf(id: string) {
  const product = await get<Product>(`/api/products/${id}`);
  const prices = product.sizes.length > 0 ? product.sizes.map(({ size }) => priceOf(product, size)) : [product.price];
  const ruled = { fromPrice: Math.min(...prices), toPrice: Math.max(...prices), piecesLeft: piecesLeft(product) };
  const kept = await db
    .selectFrom('products')
    .select(['fromPrice', 'isAvailable', 'stockLevel'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { fromPrice, toPrice, piecesLeft: left } = product;
  expect({ fromPrice, toPrice, piecesLeft: left }).toEqual(ruled);
  expect(kept).toEqual({ fromPrice, isAvailable: left > 0, stockLevel: Math.min(left, 6) });
  return { fromPrice, toPrice, piecesLeft: left };
}

test('a product costs what its cheapest size costs, its own price only where it has no sizes or a size has none (§2.6.5)', async () => {
  const brand = aBrand();
  await aProduct(db, { brand, name: 'One size', price: 45_600, sizes: [{ size: 'A', price: 50_000 }] });
  const two = [
    { size: 'A', price: 20_000 },
    { size: 'B', price: 30_000 },
  ];
  await aProduct(db, { brand, name: 'Two sizes', price: 10_000, sizes: two });
  await aProduct(db, { brand, name: 'Own price', price: 25_000, sizes: [{ size: 'A' }, { size: 'B', price: 90_000 }] });
  await aProduct(db, { brand, name: 'No sizes', price: 40_000 });
  const of = `brandQuery=${brand}`;
  const { products } = await get<ProductList>(`/api/products?${of}&sortBy=ascprice`);
  expect(products.map(({ name, price, fromPrice, toPrice }) => [name, price, fromPrice, toPrice])).toEqual([
    ['Two sizes', 10_000, 20_000, 30_000],
    ['Own price', 25_000, 25_000, 90_000],
    ['No sizes', 40_000, 40_000, 40_000],
    ['One size', 45_600, 50_000, 50_000],
  ]);
  expect(await names(`${of}&minPriceQuery=500&maxPriceQuery=500`)).toEqual(['One size']);
  expect(await names(`${of}&maxPriceQuery=150`)).toEqual([]);
  expect(await names(`${of}&sortBy=descprice`)).toEqual(['One size', 'No sizes', 'Own price', 'Two sizes']);
  for (const search of ['under £260', 'under £220'])
    expect((await names(`${of}&search=${search}&sortBy=ascprice`)).join(), search).toBe(
      search.endsWith('260') ? 'Two sizes,Own price' : 'Two sizes',
    );
  const { products: suggested } = await get<Suggestions>(`/api/products/suggestions?search=${brand}`);
  expect(suggested.find(({ name }) => name === 'One size')).toMatchObject({ fromPrice: 50_000, toPrice: 50_000 });
});

test('a product whose sizes are all sold is out of stock in list, filter, count, suggestions and related pieces, and can be asked for (§2.6.5)', async () => {
  const brand = aBrand();
  const fit = `${brand} room`;
  const sizes = [{ size: 'A', quantity: 0 }];
  const gone = await aProduct(db, { brand, fit, name: `${brand} sizes gone`, stock: 5, sizes });
  const none = await aProduct(db, { brand, fit, name: `${brand} none`, stock: 0, sizes: [{ size: 'A', quantity: 5 }] });
  const there = await aProduct(db, {
    brand,
    fit,
    category: 'Lamp',
    name: 'There',
    stock: 5,
    sizes: [...sizes, { size: 'B', quantity: 2 }],
  });
  expect(await inStock(brand)).toEqual({ listed: ['There'], counted: 1 });
  for (const { _id } of [gone, none]) expect(await offerOf(_id)).toMatchObject({ piecesLeft: 0 });
  expect(await offerOf(there._id)).toMatchObject({ piecesLeft: 2 });
  expect((await get<Related>(`/api/products/${there._id}/related`)).goesWith).toEqual([]);
  const ask = (id: string) =>
    app.inject({ method: 'POST', url: `/api/products/${id}/alerts`, payload: { email: 'a@example.com', consent: true } });
  expect(await Promise.all([gone, none, there].map(async ({ _id }) => (await ask(_id)).statusCode))).toEqual([200, 200, 409]);
  const office = await app.inject({ url: `/api/office/products?brandQuery=${brand}&stockQuery=out`, headers: admin.headers });
  expect(office.json<ProductList>().total).toBe(2);
});

test('price and stock follow every sale, cancellation and edit, of the lists that are kept too', async () => {
  const buyer = await aCustomer(db);
  const brand = aBrand();
  const piece = await aProduct(db, {
    brand,
    price: 30_000,
    stock: 20,
    sizes: [
      { size: 'A', quantity: 1 },
      { size: 'B', quantity: 2, price: 20_000 },
    ],
  });
  expect(await inStock(brand)).toMatchObject({ counted: 1 });
  const lines = [aLine(piece, { size: 'A' }), aLine(piece, { size: 'B', qty: 2, price: 20_000 })];
  const placed = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload(lines) });
  expect(placed.statusCode).toBe(201);
  expect(await offerOf(piece._id)).toEqual({ fromPrice: 20_000, toPrice: 30_000, piecesLeft: 0 });
  expect(await inStock(brand)).toEqual({ listed: [], counted: 0 });
  const cancelled = await app.inject({
    method: 'POST',
    url: `/api/orders/${placed.json()._id}/cancel`,
    headers: buyer.headers,
    payload: { reason: 'Another reason' },
  });
  expect(cancelled.statusCode).toBe(200);
  await runJobs(shop.services);
  expect(await offerOf(piece._id)).toMatchObject({ piecesLeft: 3 });
  expect(await inStock(brand)).toMatchObject({ counted: 1 });
  const edit = async (fields: Record<string, string>) => {
    const form = new FormData();
    const { name, category, subCategory } = await get<Product>(`/api/products/${piece._id}`);
    const all = { name, description: 'A sofa.', category, subCategory, brand, price: '30000', countInStock: '9', ...fields };
    for (const [field, value] of Object.entries(all)) form.append(field, value);
    const answer = await app.inject({ method: 'PUT', url: `/api/products/${piece._id}`, headers: admin.headers, payload: form });
    expect(answer.statusCode, answer.body).toBe(200);
  };
  await edit({ price: '15000' });
  expect(await offerOf(piece._id)).toMatchObject({ fromPrice: 15_000, toPrice: 20_000 });
  await edit({ sizes: JSON.stringify([{ size: 'C', quantity: 4, price: 60_000, measurements: [] }]) });
  expect(await offerOf(piece._id)).toEqual({ fromPrice: 60_000, toPrice: 60_000, piecesLeft: 4 });
  await edit({ sizes: '[]', countInStock: '0' });
  expect(await offerOf(piece._id)).toEqual({ fromPrice: 30_000, toPrice: 30_000, piecesLeft: 0 });
});

test('products from before the columns get the same by the migration', async () => {
  const [sized, single] = [await aProduct(db, { price: 9_000, sizes: [{ size: 'A', price: 8_000, quantity: 3 }] }), await aProduct(db)];
  const [before, after] = [await offerOf(sized._id), await offerOf(single._id)];
  await sql`update products set from_price = 0, to_price = 2147483647, is_available = false, stock_level = 0`.execute(db);
  const fills = (await readMigrations()).filter(({ name }) => ['0522_fill_offers', '0974_fill_to_price_and_whole_indexes'].includes(name));
  for (const statement of fills.flatMap(statementsOf)) await sql.raw(statement).execute(db);
  expect([await offerOf(sized._id), await offerOf(single._id)]).toEqual([before, after]);
});
