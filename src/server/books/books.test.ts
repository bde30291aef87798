import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { BookDay, BookEntries, Books } from '#contract/books/books.ts';
import { quarterOf } from '#contract/invoices/quarters.ts';
import { pounds } from '#contract/market/money.ts';
import { dayPlus, shopDay } from '#contract/market/shop-time.ts';
import type { Today } from '#contract/office/office.schema.ts';
import type { Order } from '#contract/orders/orders.ts';
import { BREAKDOWN_NAMES } from '#contract/orders/reports.ts';
import { runJobs } from '#server/app/jobs.ts';
import { Payments } from '#server/gateways/payments.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { runCommand } from '#server/testing/commands.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { checkBooks } from './compare.service.ts';
import { listBrokenRules } from './shop-rules.ts';

const shop = await testShop({ env: MANY_ORDERS });
const { app, db, services } = shop;
const desk = cardDesk(shop);
const admin = await anAdmin(db, { name: 'Ada Admin' });
const TODAY = shopDay(new Date().toISOString());

const send = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
  app.inject({ method, url, headers: admin.headers, ...(payload && { payload }) });
const readBooks = async () => (await send('GET', `/api/office/books?from=${TODAY}&to=${TODAY}`)).json<Books>();
const today = async () => (await readBooks()).days[0] as BookDay;
const entries = async () => (await send('GET', `/api/office/books/entries?day=${TODAY}`)).json<BookEntries>();
const faultsNow = async () => {
  await checkBooks(services, -60_000);
  return (await readBooks()).faults;
};
const atDashboard = (session: string, form: Record<string, string>) =>
  fetch(`${shop.sandbox.url}/payments/${session}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

async function aPaidOrder(price: number) {
  const { url, sessionId } = await desk.checkout(await aCustomer(db), [aLine(await aProduct(db, { price }))]);
  await pay(url);
  await desk.reconcile();
  return { sessionId, ...(await desk.orderOf(sessionId)) };
}
async function aCashOrder(price: number, { isPaid = true, isDelivered = true } = {}): Promise<Order> {
  const { headers } = await aCustomer(db);
  const payload = aPayload([aLine(await aProduct(db, { price }))]);
  const order = (await app.inject({ method: 'POST', url: '/api/orders', headers, payload })).json<Order>();
  if (isDelivered) await send('PUT', `/api/orders/${order._id}/deliver`, { isDelivered });
  if (isPaid) await send('PUT', `/api/orders/${order._id}/cash`, { isPaid: true });
  return order;
}

test('a day of the books has what was taken, refunded, disputed and paid out, with every id beside its order, and cash by driver’s day (§23.8)', async () => {
  const [sofa, lamp] = [await aPaidOrder(30_000), await aPaidOrder(10_000)];
  await send('POST', `/api/office/orders/${sofa.id}/refunds`, { amount: 2_500, reason: 'Goodwill' });
  await runJobs(services);
  await atDashboard(lamp.sessionId, { action: 'dispute' });
  await desk.reconcile();
  await atDashboard(lamp.sessionId, { action: 'payout' });
  await aCashOrder(4_000);
  await aCashOrder(6_000, { isPaid: false });
  const { refunds } = (await send('GET', `/api/orders/${sofa.id}`)).json<Order>();
  expect(refunds).toMatchObject([{ status: 'done' }]);
  expect(await faultsNow()).toEqual([]);
  // A fee is 1.5% and 20p, and £20 for the dispute.
  const fees = 470 + 170 + 2_000;
  expect(await today()).toMatchObject({
    card: { orders: 2, due: 40_000, taken: 40_000, refunded: 2_500, disputed: 10_000, fees, other: 0, paidOut: 27_500 - fees },
    cash: { orders: 1, taken: 4_000, refunded: 0 },
    driver: { delivered: 2, due: 10_000, taken: 4_000, open: 1 },
    ticks: { payouts: null, cash: null },
  });
  const { entries: rows, total } = await entries();
  expect(total).toBe(5);
  expect(rows.map(({ kind }) => kind).sort()).toEqual(['charge', 'charge', 'dispute', 'payout', 'refund']);
  expect(rows.find(({ kind }) => kind === 'refund')).toMatchObject({
    amount: -2_500,
    paymentId: sofa.providerPaymentId,
    sourceId: expect.stringMatching(/^re_/),
    order: { _id: sofa.id, reference: sofa.reference },
  });
  const [head, ...lines] = await parseCsv(
    (await send('GET', `/api/office/books/export?from=${TODAY}&to=${TODAY}`)).body.replace('\ufeff', ''),
  );
  expect(head?.slice(1, 6)).toEqual(['Kind', 'Amount (£)', 'Fee (£)', 'Net (£)', 'Order']);
  expect(new Set(lines.filter(([, kind]) => kind === 'charge').map((line) => line.slice(2, 6).join(' ')))).toEqual(
    new Set([`300.00 4.70 295.30 ${sofa.reference}`, `100.00 1.70 98.30 ${lamp.reference}`]),
  );
  expect(lines.reduce((sum, line) => sum + Math.round(Number(line[4]) * 100), 0)).toBe(0);
});

test('after a refund every CSV has amounts that a spreadsheet adds up, below 0 too (§22.5, §23.6, §23.8)', async () => {
  const days = `from=${TODAY}&to=${TODAY}`;
  const tables = [...BREAKDOWN_NAMES, 'day'].map((by) => `/api/office/reports/table?by=${by}&${days}`);
  const others = ['/api/orders/export', `/api/office/log/export?${days}`, '/api/stock/sheet', '/api/products/export'];
  const urls = [`/api/office/books/export?${days}`, `/api/office/vat?quarter=${quarterOf(new Date().toISOString())}`, ...tables, ...others];
  const files = await Promise.all(urls.map(async (url) => [url, await send('GET', url)] as const));
  expect(files.filter(([, { statusCode }]) => statusCode !== 200).map(([url]) => url)).toEqual([]);
  // A leading apostrophe makes a number a text.
  expect(files.filter(([, { body }]) => /(^|,)"?'-?\d/m.test(body)).map(([url]) => url)).toEqual([]);
  const withNegatives = files.filter(([, { body }]) => /,-\d+(\.\d\d)?(,|\r)/.test(body)).map(([url]) => url);
  expect(withNegatives).toEqual(expect.arrayContaining([urls[0], urls[1], ...tables.slice(0, 3)]));
});

test('what provider and shop do not agree on is named with what to do, waits in the menu, and goes once it agrees', async () => {
  const [first, second, third] = [await aPaidOrder(20_000), await aPaidOrder(21_000), await aPaidOrder(22_000)];
  await checkBooks(services, -60_000);
  // An order that says paid without a payment, one whose payment the shop lost, and a refund whose webhook waits.
  await forceOrder(db, third.id, { providerPaymentId: 'pi_nowhere' });
  await forceOrder(db, second.id, { providerPaymentId: null });
  const faults = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('orders').select('id').where('id', '=', first.id).forUpdate().execute();
    await atDashboard(first.sessionId, { action: 'refund', amount: '15.00' });
    return faultsNow();
  });
  expect(new Set(faults.map(({ text }) => text))).toEqual(
    new Set([
      `Order ${first.reference}: £0.00 is refunded here, and £15.00 at the provider`,
      `Order ${third.reference} is paid by card, and the provider has no such payment`,
      `The payment ${second.providerPaymentId} of £210.00, of which £0.00 was refunded, belongs to no order`,
      `The payment ${third.providerPaymentId} of £220.00, of which £0.00 was refunded, belongs to no order`,
    ]),
  );
  for (const { advice } of faults) expect(advice).toMatch(/\.$/);
  const { waiting } = (await send('GET', '/api/office/today')).json<Today>();
  expect(waiting.find(({ id }) => id === 'books')).toMatchObject({ count: 4, path: '/admin/books', place: 'books' });
  for (const { id, providerPaymentId } of [second, third]) await forceOrder(db, id, { providerPaymentId });
  await desk.reconcile();
  expect(await faultsNow()).toEqual([]);
});

test('a payment of another amount, which is no order, is a fault until it is refunded in full', async () => {
  const before = await faultsNow();
  const { url, sessionId } = await desk.checkout(await aCustomer(db), [aLine(await aProduct(db, { price: 31_000 }))]);
  const { id, reference } = await desk.orderOf(sessionId);
  await db.updateTable('orderItems').set({ price: 90_000 }).where('orderId', '=', id).execute();
  await forceOrder(db, id, { subTotalPrice: 90_000, totalPrice: 90_000 });
  await pay(url);
  await desk.reconcile();
  expect((await faultsNow()).map(({ text }) => text)).toEqual([
    ...before.map(({ text }) => text),
    `Order ${reference}: of £310.00 that was paid and not kept, £310.00 has not gone back`,
  ]);
  await runJobs(services);
  expect(await faultsNow()).toEqual(before);
});

test('nothing is wrong while a payment is on its way, and a check that cannot reach the provider keeps what was found before', async () => {
  const { id } = await aPaidOrder(9_000);
  await forceOrder(db, id, { providerPaymentId: null });
  expect((await send('POST', '/api/office/books/check')).json()).toEqual({ message: 'Everything agrees.' });
  expect(await faultsNow()).toMatchObject([{ text: expect.stringContaining('belongs to no order') }]);
  const nobody = new Payments({ secretKey: 'sk_test_x', webhookSecret: 'x', apiBase: 'http://127.0.0.1:9', timeoutMs: 500 }, services.log);
  await expect(checkBooks({ ...services, payments: nobody })).rejects.toMatchObject({ status: 503 });
  expect((await readBooks()).faults).toHaveLength(1);
});

test('entries that the provider made while a clock was ahead are read once it is right again', async () => {
  const { providerPaymentId } = await aPaidOrder(6_000);
  const readAgain = async () => {
    await checkBooks(services, -60_000);
    return (await db.selectFrom('providerEntries').select('id').where('paymentId', '=', providerPaymentId).execute()).length;
  };
  expect(await readAgain()).toBe(1);
  await db.deleteFrom('providerEntries').where('paymentId', '=', providerPaymentId).execute();
  await db.updateTable('bookCheck').set({ until: sql<string>`now() + interval '40 days'` }).execute();
  expect(await readAgain()).toBe(1);
});

test('of a payment from before the first reading, only part is known, and a refund of it is no fault', async () => {
  const { id, providerPaymentId } = await aPaidOrder(8_000);
  await checkBooks(services, -60_000);
  const before = (await readBooks()).faults;
  await forceOrder(db, id, { paidAt: new Date(Date.now() - 40 * 86_400_000).toISOString() });
  await sql`update provider_entries set payment_id = null where payment_id = ${providerPaymentId}`.execute(db);
  await send('POST', `/api/office/orders/${id}/refunds`, { amount: 1_000, reason: 'Goodwill' });
  await runJobs(services);
  expect(await faultsNow()).toEqual(before);
  await sql`update provider_entries set payment_id = ${providerPaymentId} where source_id = ${`ch_${providerPaymentId}`}`.execute(db);
});

test('a sum that two administrators tick at once is ticked', async () => {
  const { cash } = await today();
  const body = { day: TODAY, kind: 'cash', isTicked: true, amount: cash.taken };
  const replies = await Promise.all([1, 2, 3, 4].map(() => send('PUT', '/api/office/books/ticks', body)));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  await send('PUT', '/api/office/books/ticks', { ...body, isTicked: false });
});

test('a day’s sum is ticked as it was seen; one that has changed is not, and a tick of before says so', async () => {
  const { cash } = await today();
  const tick = (amount: number, isTicked = true) => send('PUT', '/api/office/books/ticks', { day: TODAY, kind: 'cash', isTicked, amount });
  expect((await tick(cash.taken - 1)).json().message).toBe(`The sum is ${pounds(cash.taken)} by now. Please compare it again.`);
  expect((await tick(cash.taken)).json<BookDay>().ticks.cash).toMatchObject({ amount: cash.taken, actor: 'Ada Admin' });
  await aCashOrder(1_000);
  expect(await today()).toMatchObject({ cash: { taken: cash.taken + 1_000 }, ticks: { cash: { amount: cash.taken } } });
  expect((await tick(0, false)).json<BookDay>().ticks.cash).toBeNull();
  const { rows } = await sql<{
    change: string;
  }>`select change from audit_entries where actor_id = ${admin._id} and change like '%the cash of%' order by id desc limit 2`.execute(db);
  expect(rows.map(({ change }) => change)).toEqual([
    `Took back the tick of the cash of ${TODAY}`,
    `Ticked the cash of ${TODAY}, ${pounds(cash.taken)}`,
  ]);
});

test('cash that is paid back is in the book of the day on which it was, and a day that was ticked stays as it was', async () => {
  const order = await aCashOrder(30_000, { isDelivered: false });
  await send('POST', `/api/office/orders/${order._id}/cancel`, { reason: 'The customer asked for it' });
  // The order, its payment and its cancellation were five days ago.
  const [then, day] = [new Date(Date.now() - 5 * 86_400_000).toISOString(), dayPlus(TODAY, -5)];
  await forceOrder(db, order._id, { paidAt: then });
  await db.updateTable('orderRefunds').set({ createdAt: then }).where('orderId', '=', order._id).execute();
  const dayOf = async () => (await send('GET', `/api/office/books?from=${day}&to=${day}`)).json<Books>().days[0];
  const before = await today();
  const [refund] = (await send('GET', `/api/orders/${order._id}`)).json<Order>().refunds;
  expect((await send('POST', `/api/office/refunds/${refund?._id}/paid`, { paidBackBy: 'cash' })).statusCode).toBe(200);
  expect([(await dayOf())?.cash.refunded, (await today()).cash.refunded - before.cash.refunded]).toEqual([0, 30_000]);
});

test('cash for an order with online payment is in the cash box, and what is taken back and recorded anew changes no day before (§23.8)', async () => {
  const { headers } = await aCustomer(db);
  const payload = aPayload([aLine(await aProduct(db, { price: 60_000 }))], { paymentMethod: 'Online Payment', orderPaymentID: 'BACS 2' });
  const { _id, totalPrice } = (await app.inject({ method: 'POST', url: '/api/orders', headers, payload })).json<Order>();
  const before = await today();
  const record = (isPaid: boolean, receivedBy = 'cash') => send('PUT', `/api/orders/${_id}/cash`, { isPaid, receivedBy });
  await record(true, 'transfer');
  expect((await today()).cash).toEqual(before.cash);
  await record(false);
  await record(true);
  expect((await today()).cash.taken - before.cash.taken).toBe(totalPrice);
  const yesterday = dayPlus(TODAY, -1);
  await sql`update cash_receipts set received_at = received_at - interval '1 day' where order_id = ${_id}::uuid`.execute(db);
  await record(false);
  await record(true);
  const { days } = (await send('GET', `/api/office/books?from=${yesterday}&to=${TODAY}`)).json<Books>();
  expect(days.map(({ cash }) => cash.taken)).toEqual([before.cash.taken, totalPrice]);
});

test('what is paid back by transfer leaves the cash box as it is, what is paid back in cash does not (§23.8)', async () => {
  const cash = async () => (await today()).cash.refunded;
  const owedOf = async (id: string) => (await send('GET', `/api/orders/${id}`)).json<Order>().refunds[0];
  const before = await cash();
  for (const [price, paidBackBy] of [
    [67_410, 'transfer'],
    [1_200, 'cash'],
  ] as const) {
    const { _id } = await aCashOrder(price, { isDelivered: false });
    await send('POST', `/api/office/orders/${_id}/cancel`, { reason: 'The customer asked for it' });
    const url = `/api/office/refunds/${(await owedOf(_id))?._id}/paid`;
    expect((await send('POST', url, {})).json().message).toBe('Choose how you pay it back.');
    expect((await send('POST', url, { paidBackBy })).statusCode).toBe(200);
    expect(await owedOf(_id)).toMatchObject({ amount: price, status: 'done', paidBackBy });
  }
  expect((await cash()) - before).toBe(1_200);
  const scratched = await aCashOrder(9_000);
  const refund = (amount: number, paidBackBy: string) =>
    send('POST', `/api/office/orders/${scratched._id}/refunds`, { amount, reason: 'Goodwill', paidBackBy });
  expect([(await refund(500, 'transfer')).statusCode, (await refund(300, 'cash')).statusCode]).toEqual([200, 200]);
  expect((await cash()) - before).toBe(1_500);
});

test('what was paid online and goes back by hand is not taken out of the cash box', async () => {
  const order = await aCashOrder(20_000);
  await forceOrder(db, order._id, { paymentMethod: 'Online Payment' });
  const { cash } = await today();
  const refunded = await send('POST', `/api/office/orders/${order._id}/refunds`, { amount: 20_000, reason: 'Goodwill' });
  expect(refunded.json<Order>().refunds).toMatchObject([{ status: 'done' }]);
  expect((await today()).cash).toEqual(cash);
});

test('stock that its ledger does not know, a hold past its time, and sums that are not those of the orders are found', async () => {
  const rulesOf = async () => (await listBrokenRules(db, new Date(Date.now() - 3 * 86_400_000))).map(({ rule }) => rule);
  expect(await rulesOf()).toEqual([]);
  const lamp = await aProduct(db, { stock: 9 });
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await tx.updateTable('products').set({ countInStock: 7 }).where('id', '=', lamp._id).execute();
  });
  const held = await aCashOrder(5_000);
  await forceOrder(db, held._id, { orderState: 'awaiting_payment', status: 'awaiting_payment', holdExpiresAt: new Date(0).toISOString() });
  await sql`update sales_days set revenue = revenue + 1`.execute(db);
  await sql`insert into sales_changes (day, revenue) values (shop_day(now()), 1)`.execute(db);
  expect(await rulesOf()).toEqual([
    'A day’s sales are what its orders come to',
    'What is in stock is what the last stock movement left',
    'No unpaid card checkout or correction holds stock for more than an hour after its time',
  ]);
});

test('the command prints a day and what does not agree, and ends with an error then', async () => {
  const env = { DATABASE_URL: shop.databaseUrl, SHOP_DATA_DIR: shop.dataDir };
  const { code, output } = await runCommand('books', ['--day', TODAY, '--all'], env);
  expect([code, output]).toEqual([1, expect.stringMatching(/^Book of .*\n(.*\n)*Driver: \d+ delivered for £/)]);
  expect(output).toContain('belongs to no order');
  expect(output).toContain('Broken: “What is in stock is what the last stock movement left”');
  expect((await runCommand('books', ['--day', 'yesterday'], env)).complaint).toMatch(/^Usage:/);
});

test('only administrators read the books, and a period is a quarter at most', async () => {
  const { headers } = await aCustomer(db);
  for (const path of [`?from=${TODAY}&to=${TODAY}`, `/entries?day=${TODAY}`, `/export?from=${TODAY}&to=${TODAY}`])
    expect((await app.inject({ url: `/api/office/books${path}`, headers })).statusCode).toBe(403);
  expect((await send('GET', '/api/office/books?from=2026-01-01&to=2026-12-31')).json().message).toBe('Choose 92 days at most.');
});
