import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { quarterOf } from '#contract/invoices/quarters.ts';
import { dayPlus, shopDay } from '#contract/market/shop-time.ts';
import type { Order, Sales } from '#contract/orders/orders.ts';
import { BREAKDOWN_NAMES, GOODS, OTHER_MONEY, type Report, type ReportRow } from '#contract/orders/reports.ts';
import { eraseCustomer, exportCustomer } from '#server/accounts/privacy.service.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, aPromotion, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { sumSales } from './sales.service.ts';

const { app, db } = await testShop({ env: { ...MANY_ORDERS, STORE_MARKET: 'uk', VAT_NUMBER: 'GB123456789' } });
const admin = await anAdmin(db);
const TODAY = shopDay(new Date().toISOString());
const QUARTER = quarterOf(new Date().toISOString());

const get = async <T>(url: string) => (await app.inject({ url, headers: admin.headers })).json<T>();
const send = async <T = Order>(who: SignedIn, method: 'POST' | 'PUT', url: string, payload: object = {}) =>
  (await app.inject({ method, url, headers: who.headers, payload })).json<T>();
const readReport = (from = TODAY, to = TODAY) => get<Report>(`/api/office/reports?from=${from}&to=${to}`);
const tableOf = async (by: string, from = TODAY, to = TODAY) =>
  parseCsv(
    (await app.inject({ url: `/api/office/reports/table?by=${by}&from=${from}&to=${to}`, headers: admin.headers })).body.replace(
      '\ufeff',
      '',
    ),
  );
const place = (buyer: SignedIn, lines: ReturnType<typeof aLine>[], more: object = {}) =>
  send(buyer, 'POST', '/api/orders', aPayload(lines, { phone: '07700 900123', ...more }));
const sumOf = (rows: readonly ReportRow[] = []) => rows.reduce((sum, { amount }) => sum + amount, 0);

/** Delivers an order, takes a piece of its first line back and pays for it. */
async function takeBack(buyer: SignedIn, { _id }: Order): Promise<void> {
  await send(admin, 'PUT', `/api/orders/${_id}/cash`, { isPaid: true });
  await send(admin, 'PUT', `/api/orders/${_id}/deliver`, { isDelivered: true });
  const asked = await send(buyer, 'POST', `/api/orders/${_id}/returns`, { lines: [{ line: 0, qty: 1 }], reason: 'It does not fit' });
  const id = asked.returns[0]?._id;
  await send(admin, 'POST', `/api/office/returns/${id}/judge`, { isApproved: true });
  await send(admin, 'POST', `/api/office/returns/${id}/received`, { lines: [{ line: 0, restocked: 1, spoiled: 0 }] });
}

async function payBack({ _id }: Order): Promise<void> {
  const { refunds } = await get<Order>(`/api/orders/${_id}`);
  for (const { _id: refund, status } of refunds)
    if (status === 'pending') await send(admin, 'POST', `/api/office/refunds/${refund}/paid`, { paidBackBy: 'cash' });
}

/** A day of the shop with something of everything. Returns its buyers. */
async function aDay() {
  const [first, second] = [await aCustomer(db), await aCustomer(db)];
  const sofa = await aProduct(db, { name: 'Sofa', category: 'Sofas', brand: 'Oslo', price: 40_001, stock: 90 });
  const lamp = await aProduct(db, { name: 'Lamp', category: 'Lamps', brand: 'Lumen', price: 2_503, stock: 90 });
  await sql`update products set cost_price = 15000 where id = ${sofa._id}`.execute(db);
  const { code } = await aPromotion(db, { name: 'Ten off', code: 'TEN', kind: 'percent', value: 10 });
  const address = (postalCode: string) => ({ shippingAddress: { ...aPayload([]).shippingAddress, postalCode, country: 'United Kingdom' } });
  const orders = [
    await place(first, [aLine(sofa), aLine(lamp, { qty: 3 })], { ...address('LS1 4AP'), discount: { code } }),
    await place(first, [aLine(sofa, { qty: 2 })], address('M1 1AE')),
    await place(second, [aLine(lamp, { qty: 2 })], address('ls6 2aa')),
    await place(second, [aLine(lamp)], address('EC1A 1BB')),
  ] as const;
  await takeBack(first, orders[1]);
  await send(admin, 'POST', `/api/office/orders/${orders[3]._id}/cancel`, { reason: 'Not in stock' });
  await send(admin, 'POST', `/api/office/orders/${orders[0]._id}/cancel`, { reason: 'Not in stock', lines: [1] });
  await send(admin, 'PUT', `/api/orders/${orders[2]._id}/cash`, { isPaid: true });
  await send(admin, 'POST', `/api/office/orders/${orders[2]._id}/refunds`, { amount: 701, reason: 'Goodwill' });
  // Everything has its invoice.
  for (const isPaid of [true, false]) await send(admin, 'PUT', `/api/orders/${orders[0]._id}/cash`, { isPaid });
  for (const order of orders) await payBack(order);
  return { first, orders };
}

const { first, orders } = await aDay();

test('the report, the sales panel and the VAT of the quarter come to the same, to the penny, before and after the adding up (§23.6)', async () => {
  const expectSame = async () => {
    const { figures, tables, bars } = await readReport();
    const { days } = await get<Sales>('/api/orders/sales');
    const books = await parseCsv((await app.inject({ url: `/api/office/vat?quarter=${QUARTER}`, headers: admin.headers })).body);
    const vat = books.filter(([number]) => number === `Total of ${QUARTER}`).reduce((sum, row) => sum + Number(row.at(-1)), 0);
    expect(figures.revenue).toBeGreaterThan(0);
    expect({
      days: bars.reduce((sum, { revenue }) => sum + revenue, 0),
      panel: days.at(-1)?.revenue,
      vat,
      areas: sumOf(tables.area),
      customers: figures.newRevenue + figures.returningRevenue,
    }).toEqual({
      days: figures.revenue,
      panel: figures.revenue,
      vat: figures.revenue,
      areas: figures.revenue,
      customers: figures.revenue,
    });
    for (const by of GOODS) {
      expect([by, sumOf(tables[by])]).toEqual([by, figures.goods]);
      const [, ...rows] = await tableOf(by);
      expect(rows.at(-1)?.[0]).toBe(OTHER_MONEY);
      expect(Math.round(rows.reduce((sum, row) => sum + Number(row[2]), 0) * 100)).toBe(figures.revenue);
    }
  };
  await expectSame();
  await sumSales({ db });
  await expectSame();
});

test('orders are told by customer, area, code and reason; margin is where a cost was known when the piece was sold', async () => {
  const { figures, tables } = await readReport();
  expect(figures).toMatchObject({
    orders: 3,
    placed: 4,
    cancelled: 1,
    cancelledValue: orders[3].totalPrice,
    cancelledPieces: 3,
    newOrders: 2,
    returningOrders: 1,
    returns: 1,
    returnedPieces: 1,
    returnedValue: 40_001,
    onTime: 1,
    late: 0,
  });
  expect(tables.area?.map(({ label, count }) => [label, count])).toEqual([
    ['LS', 2],
    ['M', 1],
  ]);
  expect(tables.promotion).toMatchObject([{ label: 'TEN (Ten off)', count: 1, amount: orders[0].discount }]);
  expect(tables.return).toMatchObject([{ label: 'It does not fit', count: 1, amount: figures.returnedValue }]);
  expect((await tableOf('return'))[1]?.slice(0, 3)).toEqual(['It does not fit', '1', '400.01']);
  const [sofa, lamp] = tables.product ?? [];
  const share = 40_001 - Math.round(40_001 / 10);
  const paid = 40_001 + share;
  expect(sofa).toMatchObject({ label: 'Sofa', count: 2, amount: paid, cost: 30_000 });
  expect(Math.abs((sofa?.net ?? 0) - paid / 1.2)).toBeLessThan(1.01);
  expect(lamp).toMatchObject({ label: 'Lamp', count: 2, cost: 0, net: 0 });
  // What a piece costs later changes nothing of what was sold.
  await sql`update products set cost_price = 1`.execute(db);
  expect((await readReport()).figures.cost).toBe(30_000);
  expect((await readReport()).stock).toMatchObject({ known: expect.any(Number), cost: expect.any(Number) });
});

test('counting the orders again finds nothing that the sums lack, and days from before the reports are counted by the job', async () => {
  const lacks = async () => {
    await sumSales({ db });
    await sql`select recount_sales_facts(${TODAY}::date)`.execute(db);
    return (await db.selectFrom('salesFactChanges').selectAll().execute()).length;
  };
  expect(await lacks()).toBe(0);
  const before = await readReport();
  for (const table of ['sales_facts', 'sales_fact_months', 'first_orders']) await sql`delete from ${sql.table(table)}`.execute(db);
  await sql`insert into sales_recounts values (${TODAY})`.execute(db);
  expect((await readReport()).isCounting).toBe(true);
  await sumSales({ db });
  expect(await readReport()).toEqual(before);
});

test('a period of whole months is read from the sums of months, and stands beside as many months before', async () => {
  const lamp = await aProduct(db, { name: 'Old lamp', price: 1_000, stock: 90 });
  for (const day of ['2025-01-31', '2025-02-01', '2025-03-31', '2025-04-01', '2024-12-31']) {
    const { _id } = await place(first, [aLine(lamp)]);
    await forceOrder(db, _id, { createdAt: `${day}T12:00:00.000Z` });
  }
  const expectPeriods = async () => {
    const quarter = await readReport('2025-01-01', '2025-03-31');
    expect(quarter.before).toEqual({ from: '2024-10-01', to: '2024-12-31' });
    expect(quarter.tables.product).toMatchObject([{ label: 'Old lamp', count: 3, countBefore: 1 }]);
    const odd = await readReport('2025-01-31', '2025-04-01');
    expect([odd.figures.orders, odd.tables.product?.[0]?.count, odd.figuresBefore.orders]).toEqual([4, 4, 1]);
    const year = await readReport('2025-01-01', '2025-12-31');
    expect([year.unit, year.bars.length, year.bars[1]]).toEqual(['month', 12, { day: '2025-02', orders: 1, revenue: expect.any(Number) }]);
    expect((await tableOf('day', '2025-01-31', '2025-02-01')).map((row) => row.slice(0, 2))).toEqual([
      ['Day', 'Orders'],
      ['2025-01-31', '1'],
      ['2025-02-01', '1'],
    ]);
  };
  await expectPeriods();
  await sumSales({ db });
  await expectPeriods();
});

test('erasing a customer keeps the sums and whose order was a first one; no export names what a piece cost', async () => {
  const { figures } = await readReport();
  expect(JSON.stringify((await exportCustomer(db, first.email)).orders)).not.toMatch(/cost/i);
  await eraseCustomer(db, first.email, true);
  const after = await readReport();
  expect(after.figures).toEqual(figures);
  expect(sumOf(after.tables.area)).toBe(figures.revenue);
});

test('a period that ends before it begins, or is no period, is refused with words; only administrators read it', async () => {
  const refusal = async (query: string) =>
    (await app.inject({ url: `/api/office/reports?${query}`, headers: admin.headers })).json().message;
  expect(await refusal(`from=${TODAY}&to=${dayPlus(TODAY, -1)}`)).toBe('The last day is before the first.');
  expect(await refusal('from=2001-01-01&to=2026-01-01')).toBe('Choose ten years at most.');
  expect(await refusal('from=2026-02-30&to=2026-03-01')).toBe('Choose a day.');
  expect((await app.inject({ url: `/api/office/reports/table?by=x&from=${TODAY}&to=${TODAY}`, headers: admin.headers })).statusCode).toBe(
    400,
  );
  const headers = (await aCustomer(db)).headers;
  expect((await app.inject({ url: `/api/office/reports?from=${TODAY}&to=${TODAY}`, headers })).statusCode).toBe(403);
  for (const by of BREAKDOWN_NAMES) expect((await tableOf(by))[0]?.[0]).toBeTruthy();
});
