import { expect, test } from 'vitest';
import type { OfficeProductList } from '#contract/catalogue/catalogue.ts';
import type { Today } from '#contract/office/office.schema.ts';
import { STAFF_EVENTS } from '#contract/settings/staff-events.ts';
import type { StockList } from '#contract/stock/stock.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db);
const get = async <T>(url: string) => (await app.inject({ url, headers: admin.headers })).json<T>();

test('what runs low is the same on every screen and in notices: by the product’s own number, or else by that of the settings', async () => {
  const { version, values } = await get<{ version: number; values: object }>('/api/settings/staff');
  const notices = [{ event: STAFF_EVENTS.stock, address: 'staff@example.com', when: 'at once' }];
  const payload = { version, values: { ...values, notices, lowStock: 8 } };
  expect((await app.inject({ method: 'PUT', url: '/api/settings/staff', headers: admin.headers, payload })).statusCode).toBe(200);
  const category = 'Lamps';
  const [usual, own, plenty] = [
    await aProduct(db, { name: 'Usual lamp', category, stock: 9 }),
    await aProduct(db, { name: 'Own lamp', category, stock: 9 }),
    await aProduct(db, { name: 'Plenty', category, stock: 60 }),
  ];
  await db.updateTable('products').set({ lowStock: 3 }).where('id', '=', own._id).execute();
  await db.updateTable('products').set({ lowStock: 59 }).where('id', '=', plenty._id).execute();
  const { headers } = await aCustomer(db);
  for (const product of [usual, own, plenty])
    await app.inject({ method: 'POST', url: '/api/orders', headers, payload: aPayload([aLine(product, { qty: 1 })]) });

  const told = await db.selectFrom('staffNotices').select('text').orderBy('text').execute();
  expect(told.map(({ text }) => text)).toEqual(['Only 59 of Plenty left', 'Only 8 of Usual lamp left']);
  const namesIn = (list: { products: { name: string }[] }) => list.products.map(({ name }) => name).sort();
  const stock = await get<StockList>(`/api/stock?categoryQuery=${category}&show=low`);
  expect([namesIn(stock), stock.products.map(({ lowAt }) => lowAt).sort()]).toEqual([
    ['Plenty', 'Usual lamp'],
    [59, 8],
  ]);
  const office = (stockQuery: string) =>
    get<OfficeProductList>(`/api/office/products?categoryQuery=${category}&stockQuery=${stockQuery}&sortBy=bestmatch`);
  expect(namesIn(await office('low'))).toEqual(['Plenty', 'Usual lamp']);
  const marked = (await office('')).products.filter(({ isLow }) => isLow);
  expect(namesIn({ products: marked })).toEqual(['Plenty', 'Usual lamp']);
  expect((await get<Today>('/api/office/today')).waiting.find(({ id }) => id === 'low')?.count).toBe(2);
});
