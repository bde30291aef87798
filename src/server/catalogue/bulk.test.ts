import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Bulk, BulkReport } from '#contract/catalogue/bulk.ts';
import { eventually } from '#server/testing/eventually.ts';
import { anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { lockWaits } from '#server/testing/while-waiting.ts';
import { readProduct } from './catalogue.service.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db);
const ALL = { search: '', stockQuery: '', stateQuery: '' };
const post = (url: string, payload: object = {}) => app.inject({ method: 'POST', url, headers: admin.headers, payload });
const ask = (body: object) => post('/api/office/bulk-edits', { filters: ALL, products: [], ...body });
const check = async (body: object) => (await ask(body)).json<BulkReport>();
const carryOut = async (body: object) => (await ask({ ...body, expected: (await check(body)).changed })).json<BulkReport>();
const open = async () => (await app.inject({ url: '/api/office/bulk-edits', headers: admin.headers })).json<{ edits: Bulk[] }>().edits;
const undo = async (id = '') => (await post(`/api/office/bulk-edits/${id}/undo`)).json<{ message: string }>().message;
const historyOf = async (id: string) =>
  (await app.inject({ url: `/api/products/${id}/changes`, headers: admin.headers }))
    .json<{ change: string }[]>()
    .map(({ change }) => change);
const officeOf = async (id: string) =>
  (await app.inject({ url: `/api/office/products/${id}`, headers: admin.headers })).json<{ state: string; category: string }>();

test('a check says what would change; the change does that to prices and their sizes, and its undo gives all of it back', async () => {
  const sofa = await aProduct(db, {
    name: 'Bulky sofa',
    price: 10_000,
    sizes: [
      { size: 'S', quantity: 2, price: 9_000 },
      { size: 'M', quantity: 1 },
    ],
  });
  const lamp = await aProduct(db, { name: 'Bulky lamp', price: 2_000 });
  const stool = await aProduct(db, { name: 'Stool', price: 5_000 });
  const body = { filters: { ...ALL, search: 'bulky' }, edit: { kind: 'price', percent: 5, rounding: '.00' } };
  const report = await check(body);
  expect(report).toMatchObject({ total: 2, changed: 2 });
  expect(report.examples.map(({ name, change }) => `${name}: ${change}`).sort()).toEqual([
    'Bulky lamp: price from £20.00 to £21.00',
    'Bulky sofa: price from £100.00 to £105.00, size “S”: price from £90.00 to £94.00',
  ]);
  expect((await readProduct(db, lamp._id)).price).toBe(2_000);
  expect(await carryOut(body)).toMatchObject({ changed: 2 });
  expect(await readProduct(db, sofa._id)).toMatchObject({ price: 10_500, fromPrice: 9_400, toPrice: 10_500 });
  expect((await readProduct(db, stool._id)).price).toBe(5_000);
  expect(await historyOf(lamp._id)).toEqual(['Changed in a selection: price from £20.00 to £21.00']);
  const [bulk] = await open();
  expect(bulk).toMatchObject({ change: 'Prices 5 % up', products: 2, actor: 'Ada Admin' });
  // Somebody gave the lamp another price since.
  await db.updateTable('products').set({ price: 1_500 }).where('id', '=', lamp._id).execute();
  expect(await undo(bulk?._id)).toBe('1 product has its old values back. 1 product has been changed since, and was left alone.');
  expect(await readProduct(db, sofa._id)).toMatchObject({ price: 10_000, fromPrice: 9_000, toPrice: 10_000 });
  expect((await readProduct(db, lamp._id)).price).toBe(1_500);
  expect((await historyOf(sofa._id))[0]).toBe('Undone: price from £105.00 to £100.00, size “S”: price from £94.00 to £90.00');
  expect(await open()).toEqual([]);
  expect((await post(`/api/office/bulk-edits/${bulk?._id}/undo`)).statusCode).toBe(409);
});

test('a rise that is rounded down lowers no price', async () => {
  const mug = await aProduct(db, { name: 'Mug', price: 1_050 });
  const rise = (percent: number) => check({ products: [mug._id], edit: { kind: 'price', percent, rounding: '.00' } });
  expect(await rise(2)).toMatchObject({ total: 1, changed: 0 });
  expect((await rise(5)).examples).toMatchObject([{ change: 'price from £10.50 to £11.00' }]);
});

test('while a sale is on, the usual price changes and the sale price stays', async () => {
  const chair = await aProduct(db, { price: 10_000 });
  await db
    .updateTable('products')
    .set({ salePrice: 8_000, saleFrom: sql`now()`, saleTo: sql`now() + interval '1 day'` })
    .where('id', '=', chair._id)
    .execute();
  await carryOut({ products: [chair._id], edit: { kind: 'price', percent: 10, rounding: 'exact' } });
  const row = await db.selectFrom('products').select(['price', 'regularPrice']).where('id', '=', chair._id).executeTakeFirst();
  expect(row).toEqual({ price: 8_000, regularPrice: 11_000 });
});

test('category, flags, hiding and deleting work on chosen products, and are undone to what each of them was', async () => {
  const [one, two] = [await aProduct(db, { category: 'Chair', isNewArrival: true }), await aProduct(db, { category: 'Chair' })];
  const products = [one._id, two._id];
  const undoLast = async () => undo((await open())[0]?._id);
  await carryOut({ products, edit: { kind: 'category', category: 'Seats' } });
  expect((await readProduct(db, one._id)).category).toBe('Seats');
  await undoLast();
  expect((await readProduct(db, one._id)).category).toBe('Chair');
  expect(await check({ products, edit: { kind: 'isNewArrival', isOn: true } })).toMatchObject({ total: 2, changed: 1 });
  await carryOut({ products, edit: { kind: 'isRecommend', isOn: true } });
  expect((await readProduct(db, two._id)).isRecommend).toBe(true);
  await carryOut({ products: [one._id], edit: { kind: 'state', state: 'hidden' } });
  await carryOut({ products, edit: { kind: 'delete' } });
  expect((await app.inject({ url: `/api/products/${two._id}` })).statusCode).toBe(404);
  await undoLast();
  expect((await officeOf(one._id)).state).toBe('hidden');
  expect((await officeOf(two._id)).state).toBe('live');
  expect((await historyOf(two._id)).slice(0, 2)).toEqual([
    'Undone: state from deleted to live',
    'Changed in a selection: state from live to deleted',
  ]);
});

test('an undo that was interrupted is done again for the rest', async () => {
  const { _id } = await aProduct(db, { category: 'Chair' });
  await carryOut({ products: [_id], edit: { kind: 'category', category: 'Seats' } });
  const [bulk] = await open();
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''interrupted''; end'`.execute(db);
  await sql`create trigger interrupted before update on products for each row execute function refuse()`.execute(db);
  expect((await post(`/api/office/bulk-edits/${bulk?._id}/undo`)).statusCode).toBe(500);
  await sql`drop function refuse() cascade`.execute(db);
  expect(await undo(bulk?._id)).toBe('1 product has its old values back.');
  expect((await readProduct(db, _id)).category).toBe('Chair');
});

test('what cannot be done is refused in words, and a number that is no longer right asks for another check', async () => {
  const dear = await aProduct(db, { name: 'Dear', price: 100_000_000 });
  const price = { kind: 'price', percent: 10, rounding: 'exact' };
  expect((await ask({ products: [dear._id], edit: price })).json()).toMatchObject({
    message: expect.stringContaining('Dear would cost more than'),
  });
  expect((await ask({ products: [dear._id], edit: { ...price, percent: 0 } })).json().errors).toEqual({
    'edit.percent': 'Enter a percentage: 5 raises prices, -10 lowers them.',
  });
  expect((await ask({ filters: { ...ALL, search: 'nothing at all' }, edit: { kind: 'delete' } })).statusCode).toBe(400);
  expect((await ask({ products: [dear._id], edit: { kind: 'delete' }, expected: 2 })).json().message).toBe(
    'There is now 1 product to change, not 2. Please check again.',
  );
});

test('a filter that cannot be read is refused in words instead of meaning all products', async () => {
  await aProduct(db, { name: 'Plain', price: 2_000, category: 'Sofa' });
  const cases: [object, string][] = [
    [{ minPriceQuery: 'abc' }, 'Write this filter as a number, such as 100.'],
    [{ maxWidthQuery: ' ' }, 'Write this filter as a number, such as 100.'],
    [{ categoryQuery: '_' }, 'Write this filter as names with _ between them, such as Sofa_Lamp.'],
    [{ search: 'undefined' }, 'Write the search as text.'],
    [{ search: ' ' }, 'Write the search as text.'],
    [{ categoryQuery: 'undefined' }, 'Write this filter as names with _ between them, such as Sofa_Lamp.'],
    [{ categoryQuery: ['Sofa'] }, 'Write this filter as names with _ between them, such as Sofa_Lamp.'],
    [
      { brandQuery: Array.from({ length: 41 }, (_, n) => `Brand ${n}`).join('_') },
      'This filter has more than 40 names. Change the products in several steps.',
    ],
    [{ brandQuery: 'Sofa'.repeat(300) }, 'This filter is too long.'],
    [{ categoryQuery: null }, 'Write this filter as names with _ between them, such as Sofa_Lamp.'],
    [{ inStockQuery: 'ja' }, 'Write this filter as true or false.'],
    [{ ratingQuery: '9' }, 'Write this filter as a number above 0, and at most 5.'],
    [{ stockQuery: 'sold out' }, 'The stock is low or out, or left empty.'],
    [{ stateQuery: 'draftt' }, 'The state is one of live, draft, hidden, scheduled, or left empty.'],
    [{ search: 5 }, 'Write the search as text.'],
  ];
  for (const [filters, message] of cases) {
    const reply = await ask({ filters, edit: { kind: 'delete' } });
    expect([filters, reply.statusCode, reply.json().errors]).toEqual([filters, 400, { [`filters.${Object.keys(filters)[0]}`]: message }]);
  }
  expect((await ask({ filters: { category: 'Sofa' }, edit: { kind: 'delete' } })).statusCode).toBe(400);
  const readable = {
    categoryQuery: 'sofa_lamp',
    minPriceQuery: '£10.50',
    maxPriceQuery: 30,
    inStockQuery: true,
    ratingQuery: '',
    stateQuery: 'live',
  };
  expect((await check({ filters: { ...readable, search: 'Plain' }, edit: { kind: 'delete' } })).total).toBe(1);
});

test('a quick edit changes price, stock and flags of a product that lacks what the form asks for, keeps what was sold, and is in its history', async () => {
  const bench = await aProduct(db, { price: 10_000, stock: 9, subCategory: '', sizes: [{ size: 'S', quantity: 5, price: 9_000 }] });
  const { version } = await readProduct(db, bench._id);
  // One was sold while the dialog was open.
  await db.updateTable('productSizes').set({ quantity: 4 }).where('productId', '=', bench._id).execute();
  const payload = {
    price: '11000',
    countInStock: '9',
    newArrivals: 'true',
    isRecommend: 'false',
    sizes: [{ size: 'S', quantity: '7', price: '9500' }],
    version,
    stockBefore: JSON.stringify({ countInStock: 9, sizes: { S: 5 } }),
  };
  const edit = (changes = {}) =>
    app.inject({
      method: 'PUT',
      url: `/api/office/products/${bench._id}`,
      headers: admin.headers,
      payload: { ...payload, ...changes },
    });
  expect((await edit({ price: '0' })).json().errors).toEqual({ price: 'Price must be at least 1 penny.' });
  expect((await edit()).json()).toMatchObject({ price: 11_000, isNewArrival: true, sizes: [{ size: 'S', quantity: 6, price: 9_500 }] });
  expect((await historyOf(bench._id))[0]).toContain('price from £100.00 to £110.00');
  expect((await edit()).statusCode).toBe(409);
});

test('a quick edit keeps what is sold of other sizes in the same moment', async () => {
  const bench = await aProduct(db, {
    price: 10_000,
    stock: 9,
    sizes: [
      { size: 'S', quantity: 5 },
      { size: 'M', quantity: 4 },
    ],
  });
  const payload = { price: '11000', countInStock: '9', newArrivals: 'false', isRecommend: 'false', sizes: [] };
  const reply = await db.transaction().execute(async (tx) => {
    await tx.updateTable('productSizes').set({ quantity: 3 }).where('productId', '=', bench._id).where('size', '=', 'M').execute();
    await tx.updateTable('products').set({ countInStock: 8 }).where('id', '=', bench._id).execute();
    // It has read the product by the time that it waits for the lock.
    const edit = app.inject({ method: 'PUT', url: `/api/office/products/${bench._id}`, headers: admin.headers, payload });
    await eventually(async () => expect(await lockWaits(db)).toBe(1));
    return { edit };
  });
  expect((await reply.edit).json()).toMatchObject({ price: 11_000, countInStock: 8, sizes: [{ quantity: 5 }, { quantity: 3 }] });
});
