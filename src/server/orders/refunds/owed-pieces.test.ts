import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Order, OrderList } from '#contract/orders/orders.ts';
import type { Report } from '#contract/orders/reports.ts';
import { runJobs } from '#server/app/jobs.ts';
import { sumSales } from '#server/orders/office/sales.service.ts';
import { applyRefunds } from '#server/payments/refunds.jobs.ts';
import { cardOrders } from '#server/testing/card-orders.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { migrateAgain } from '#server/testing/migrate-again.ts';

const shop = await testShop({ env: { RATE_LIMIT_FACTOR: '1000', VAT_NUMBER: 'GB 123 4567 89', STORE_MARKET: 'uk' } });
const { app, db, services } = shop;
const admin = await anAdmin(db);
const clerk = await anAdmin(db, { name: 'Olive Orders', staffRole: 'orders' });

const { post, put, paid, aPaidOrder } = cardOrders(shop, admin);

test('a sofa refunded at £595 of £600 and then cancelled by its customer is not paid back twice', async () => {
  const order = await aPaidOrder();
  expect((await order.refund({ amount: 59_500, lines: [{ line: 0, qty: 1 }] })).statusCode).toBe(200);
  expect((await post(`/api/orders/${order.id}/cancel`, { lines: [0], reason: 'Another reason' }, order.buyer)).statusCode).toBe(200);
  await runJobs(services);
  const { refundedPrice, refunds } = await order.read();
  expect([refundedPrice, refunds.map(({ status }) => status)]).toEqual([60_000, ['done', 'done']]);
});

test('a sofa refunded at £560 (a scratch is kept off) before it comes back: the return proposes no second £600', async () => {
  const order = await aPaidOrder();
  await put(`/api/orders/${order.id}/deliver`, { isDelivered: true });
  await post(`/api/orders/${order.id}/returns`, { lines: [{ line: 0, qty: 1 }], reason: 'I changed my mind' }, order.buyer);
  const returnId = (await order.read()).returns[0]?._id;
  await post(`/api/office/returns/${returnId}/judge`, { isApproved: true });
  expect((await order.refund({ amount: 56_000, reason: 'Returned', lines: [{ line: 0, qty: 1 }] })).statusCode).toBe(200);
  const received = await post(`/api/office/returns/${returnId}/received`, { lines: [{ line: 0, restocked: 1, spoiled: 0 }] }, clerk);
  expect(received.statusCode).toBe(200);
  expect((await order.read()).refundedPrice).toBeLessThanOrEqual(60_000);
});

test('the same piece at £300 in two halves is refunded, not owed again', async () => {
  const order = await aPaidOrder();
  for (const _ of [1, 2]) expect((await order.refund({ amount: 30_000, lines: [{ line: 0, qty: 1 }] })).statusCode).toBe(200);
  expect((await order.refund({ lines: [{ line: 0, qty: 1 }] })).statusCode).toBe(409);
});

test('a line cancelled while the payment is disputed is owed once the dispute is won', async () => {
  const order = await aPaidOrder();
  await order.dispute('dispute');
  expect((await post(`/api/orders/${order.id}/cancel`, { lines: [0], reason: 'Another reason' }, order.buyer)).statusCode).toBe(200);
  await order.dispute('won');
  const { events, isRefundDue, refundable, refundedPrice } = await order.read();
  expect([refundedPrice, refundable, isRefundDue, events.at(-1)?.detail]).toEqual([
    0,
    120_000,
    true,
    expect.stringContaining('refund the customer'),
  ]);
});

test('pieces that came back while the payment was disputed are owed once the dispute is won', async () => {
  const order = await aPaidOrder();
  await put(`/api/orders/${order.id}/deliver`, { isDelivered: true });
  const lines = [0, 1].map((line) => ({ line, qty: 1 }));
  await post(`/api/orders/${order.id}/returns`, { lines, reason: 'I changed my mind' }, order.buyer);
  await order.dispute('dispute');
  const returnId = (await order.read()).returns[0]?._id;
  await post(`/api/office/returns/${returnId}/judge`, { isApproved: true });
  const received = await post(
    `/api/office/returns/${returnId}/received`,
    { lines: lines.map(({ line }) => ({ line, restocked: 1, spoiled: 0 })) },
    clerk,
  );
  expect(received.statusCode).toBe(200);
  await order.dispute('won');
  const { status, events, isRefundDue, refundedPrice } = await order.read();
  expect([status, refundedPrice, isRefundDue, events.at(-1)?.detail]).toEqual([
    'returned',
    0,
    true,
    expect.stringContaining('refund the customer'),
  ]);
});

test('£100 back for a piece without VAT is credited without VAT', async () => {
  const order = await aPaidOrder({ name: 'Book', vatClass: 'zero' });
  expect((await order.refund({ amount: 10_000, lines: [{ line: 1, qty: 1 }] })).statusCode).toBe(200);
  await runJobs(services);
  const credit = (await order.read()).invoices.find(({ kind }) => kind === 'credit_note');
  expect([credit?.gross, credit?.vat]).toEqual([10_000, 0]);
});

test('a sofa that was refunded at what was left of the payment (no amount typed) is not owed again', async () => {
  const order = await aPaidOrder();
  await order.told('open', 100_000);
  // £200 are left to be refunded.
  expect((await order.refund({ lines: [{ line: 0, qty: 1 }] })).statusCode).toBe(200);
  await runJobs(services);
  await order.told('won', 100_000);
  await post(`/api/orders/${order.id}/cancel`, { lines: [0], reason: 'Another reason' }, order.buyer);
  await runJobs(services);
  expect((await order.read()).refundedPrice).toBe(60_000);
});

test('pieces that a correction takes off while the payment is disputed are owed once the dispute is won', async () => {
  const order = await aPaidOrder();
  await order.dispute('dispute');
  const { revision } = await order.read();
  const wish = { revision, lines: [{ line: 0, qty: 0 }] };
  const seen = await post(`/api/office/orders/${order.id}/correction`, wish);
  expect(seen.json().difference).toBe(0);
  expect((await post(`/api/office/orders/${order.id}/correction`, { ...wish, expected: 0 })).statusCode).toBe(200);
  await order.dispute('won');
  const refunded = await order.refund({ lines: [{ line: 0, qty: 1 }] });
  expect([refunded.statusCode, refunded.json().message]).toEqual([200, undefined]);
});

test('an order that was cancelled during an inquiry of the bank is owed once the inquiry is closed', async () => {
  const order = await aPaidOrder();
  await order.told('open', order.totalPrice);
  expect((await post(`/api/orders/${order.id}/cancel`, { reason: 'Another reason' }, order.buyer)).statusCode).toBe(200);
  await order.told('closed', order.totalPrice);
  const { status, events, isRefundDue, refundedPrice } = await order.read();
  expect([status, refundedPrice, isRefundDue, events.at(-1)?.detail]).toEqual([
    'cancelled',
    0,
    true,
    expect.stringContaining('refund the customer'),
  ]);
});

test('of an order that was cancelled while its delivery was disputed, that is owed once the dispute is won', async () => {
  const order = await aPaidOrder({}, 3_000);
  const { shippingPrice } = await order.read();
  await order.told('open', shippingPrice);
  expect((await post(`/api/orders/${order.id}/cancel`, { reason: 'Another reason' }, order.buyer)).statusCode).toBe(200);
  await runJobs(services);
  await order.told('won', shippingPrice);
  const { events, isRefundDue, refundable } = await order.read();
  expect(shippingPrice).toBeGreaterThan(0);
  expect([refundable, isRefundDue, events.at(-1)?.detail]).toEqual([shippingPrice, true, expect.stringContaining('refund the customer')]);
  expect((await order.refund({ amount: shippingPrice })).statusCode).toBe(200);
  await runJobs(services);
  expect((await order.read()).isRefundDue).toBe(false);
});

test('£100 for a scratched chair of three leaves the others their price, and is taken off the last', async () => {
  const order = await paid([aLine(await aProduct(db, { name: 'Chair', price: 15_000 }), { qty: 3 })]);
  const pieces = [{ line: 0, qty: 1 }];
  await order.refund({ amount: 10_000, lines: pieces });
  const refunded = [];
  for (let piece = 0; piece < 3; piece += 1) {
    const cancelled = await post(`/api/office/orders/${order.id}/cancel`, { pieces, reason: 'Another reason' });
    expect(cancelled.statusCode).toBe(200);
    refunded.push((await order.read()).refundedPrice);
  }
  // The delivery is refunded with the last one.
  expect(refunded).toEqual([25_000, 40_000, order.totalPrice]);
});

test('a second reduced piece of a line is refunded too', async () => {
  const order = await paid([aLine(await aProduct(db, { name: 'Lamp', price: 6_000 }), { qty: 2 })]);
  const refund = (amount: number) => order.refund({ amount, lines: [{ line: 0, qty: 1 }] });
  for (const _ of [1, 2]) expect((await refund(4_000)).statusCode).toBe(200);
  const refused = await refund(5_000);
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    '£20.00 was already refunded for these pieces, so £40.00 of their price is left. To refund more, enter an amount without pieces.',
  ]);
});

test('goodwill is not asked back for another colour', async () => {
  const sofa = await aProduct(db, { name: 'Sofa', price: 60_000, colors: ['#112233', '#445566'] });
  const order = await paid([aLine(sofa, { color: '#112233' })]);
  await order.refund({ amount: 10_000 });
  const { revision } = await order.read();
  const seen = await post(`/api/office/orders/${order.id}/correction`, { revision, lines: [{ line: 0, qty: 1, color: '#445566' }] });
  expect(seen.json().difference).toBe(0);
});

/** A card order of a stool at £90 and a lamp at £50, with delivery; the lamp has left alone. */
async function aPartlySent() {
  const stool = await aProduct(db, { name: 'Stool', price: 9_000 });
  const order = await paid([aLine(stool), aLine(await aProduct(db, { name: 'Lamp', price: 5_000 }))]);
  await post(`/api/office/orders/${order.id}/parcels`, { lines: [{ line: 1, qty: 1 }] });
  const cancel = (body: object = {}) => post(`/api/office/orders/${order.id}/cancel`, { reason: 'Another reason', ...body });
  return { ...order, cancel };
}

test('the rest of an order can still be cancelled once what had left has come back (§20.8)', async () => {
  const order = await aPartlySent();
  const lines = [{ line: 1, qty: 1 }];
  await order.refund({ lines, isRestocked: true, reason: 'Not as described' });
  expect((await order.cancel({ lines: [0] })).statusCode).toBe(200);
  const { status, refundedPrice, isRefundDue } = await order.read();
  expect([status, refundedPrice]).toEqual(['cancelled', order.totalPrice]);
  await runJobs(services);
  expect([isRefundDue, (await order.read()).isRefundDue]).toEqual([true, false]);
});

test('what was kept of a piece that came back stays with the shop when the rest is cancelled', async () => {
  const order = await aPartlySent();
  await post(`/api/office/orders/${order.id}/parcels`, {});
  const { parcels } = await order.read();
  await order.refund({ amount: 1_000, lines: [{ line: 1, qty: 1 }], isRestocked: true, reason: 'Returned' });
  await put(`/api/orders/${order.id}/stage`, { stage: 'delivery_failed', parcel: parcels[1]?._id });
  expect((await order.cancel()).statusCode).toBe(200);
  await runJobs(services);
  const { status, refundedPrice, isRefundDue } = await order.read();
  expect([status, refundedPrice, isRefundDue]).toEqual(['cancelled', order.totalPrice - 4_000, false]);
});

test('a dispute about what was kept of a piece that came back, which the shop wins, leaves nothing to refund', async () => {
  const order = await aPartlySent();
  await order.refund({ amount: 1_000, lines: [{ line: 1, qty: 1 }], isRestocked: true, reason: 'Returned' });
  await order.cancel();
  await runJobs(services);
  await order.told('open', 4_000);
  await order.told('won', 4_000);
  const { events, isRefundDue } = await order.read();
  expect([events.at(-1)?.detail, isRefundDue]).toEqual(['£40.00, general. The money stays with the shop', false]);
});

test('a customer who cancels an order whose delivery was taken back gets no reduction back', async () => {
  const order = await aPaidOrder();
  await put(`/api/orders/${order.id}/deliver`, { isDelivered: true });
  await post(`/api/office/orders/${order.id}/returns`, { lines: [{ line: 1, qty: 1 }], reason: 'I changed my mind' });
  const [agreed] = (await order.read()).returns;
  const came = { lines: [{ line: 1, restocked: 1, spoiled: 0 }], amount: 55_000, answer: 'It is scratched.' };
  await post(`/api/office/returns/${agreed?._id}/received`, came);
  await put(`/api/orders/${order.id}/deliver`, { isDelivered: false });
  expect((await post(`/api/orders/${order.id}/cancel`, { reason: 'Another reason' }, order.buyer)).statusCode).toBe(200);
  expect((await order.read()).refundedPrice).toBe(order.totalPrice - 5_000);
});

test('no line of a shared refund gets more than its price', async () => {
  const products = await Promise.all([1, 2, 3, 4, 5, 6].map(() => aProduct(db, { price: 100 })));
  const order = await paid(products.map((product) => aLine(product)));
  await order.refund({ amount: 499, lines: [0, 1, 2, 3, 4].map((line) => ({ line, qty: 1 })) });
  for (let line = 0; line < 5; line += 1) await post(`/api/office/orders/${order.id}/cancel`, { lines: [line], reason: 'Another reason' });
  expect((await order.read()).refundedPrice).toBe(500);
});

test('an amount that staff refund for a piece that came back during a dispute settles it', async () => {
  const order = await aPaidOrder();
  await put(`/api/orders/${order.id}/deliver`, { isDelivered: true });
  await order.told('open', order.totalPrice);
  await post(`/api/office/orders/${order.id}/returns`, { lines: [{ line: 0, qty: 1 }], reason: 'I changed my mind' });
  const [agreed] = (await order.read()).returns;
  await post(`/api/office/returns/${agreed?._id}/received`, { lines: [{ line: 0, restocked: 0, spoiled: 1 }] });
  await order.told('won', order.totalPrice);
  expect((await order.read()).isRefundDue).toBe(true);
  await order.refund({ amount: 55_000, lines: [{ line: 0, qty: 1 }], reason: 'Returned' });
  await runJobs(services);
  const { refundedPrice, isRefundDue } = await order.read();
  expect([refundedPrice, isRefundDue]).toEqual([55_000, false]);
});

test('an amount that staff refund for the pieces of an order that was cancelled during a dispute is all that is owed for them', async () => {
  const order = await aPaidOrder();
  await order.told('open', order.totalPrice);
  await post(`/api/orders/${order.id}/cancel`, { reason: 'Another reason' }, order.buyer);
  await order.told('won', order.totalPrice);
  await order.refund({ amount: 55_000, lines: [{ line: 0, qty: 1 }] });
  await runJobs(services);
  expect((await order.read()).isRefundDue).toBe(true);
  await order.refund({ lines: [{ line: 1, qty: 1 }] });
  await runJobs(services);
  const { refundedPrice, isRefundDue } = await order.read();
  expect([refundedPrice, isRefundDue]).toEqual([order.totalPrice - 5_000, false]);
});

test('a refund that failed is not owed any more once the bank has paid it back; one that the bank paid a part of is (§20.6)', async () => {
  const waits = async (id: string) => {
    const { orders } = (await app.inject({ url: '/api/orders?queue=refunds', headers: admin.headers })).json<OrderList>();
    return orders.some(({ _id }) => _id === id);
  };
  for (const [lost, isOwed] of [
    [60_000, false],
    [10_000, true],
  ] as const) {
    const order = await aPaidOrder({ price: 9_900 });
    await cancel(order.id, { lines: [0] });
    await runJobs(services);
    await order.failRefund();
    expect([await waits(order.id), (await order.read()).isRefundDue]).toEqual([true, true]);
    await order.told('lost', lost);
    expect([await waits(order.id), (await order.read()).isRefundDue]).toEqual([isOwed, isOwed]);
  }
});

const invoiced = ({ invoices }: Order) => invoices.reduce((sum, { kind, gross }) => sum + (kind === 'credit_note' ? -gross : gross), 0);

test('pieces that are cancelled, or come back, after the bank has given the payment back have their credit note (§22.3)', async () => {
  const order = await aPaidOrder();
  await order.told('open', order.totalPrice);
  const cancel = (lines: number[]) => post(`/api/office/orders/${order.id}/cancel`, { lines, reason: 'Another reason' });
  await cancel([0]);
  await order.told('lost', order.totalPrice);
  expect(invoiced(await order.read())).toBe(order.totalPrice - 60_000);
  await cancel([1]);
  expect(invoiced(await order.read())).toBe(0);

  const delivered = await aPaidOrder();
  await put(`/api/orders/${delivered.id}/deliver`, { isDelivered: true });
  await delivered.told('lost', delivered.totalPrice);
  expect(invoiced(await delivered.read())).toBe(delivered.totalPrice);
  await post(`/api/office/orders/${delivered.id}/returns`, { lines: [{ line: 0, qty: 1 }], reason: 'I changed my mind' });
  const [agreed] = (await delivered.read()).returns;
  await post(`/api/office/returns/${agreed?._id}/received`, { lines: [{ line: 0, restocked: 1, spoiled: 0 }] });
  expect(invoiced(await delivered.read())).toBe(delivered.totalPrice - 60_000);
});

test('what was refunded for something else lessens no credit note for a piece that the bank has paid back (§22.3)', async () => {
  const order = await aPaidOrder();
  await order.refund({ amount: 2_000 });
  await runJobs(services);
  await order.told('lost', order.totalPrice - 2_000);
  await post(`/api/office/orders/${order.id}/cancel`, { lines: [0], reason: 'Another reason' });
  expect(invoiced(await order.read())).toBe(order.totalPrice - 2_000 - 60_000);
});

test('what staff kept of a piece that came back, and the bank then paid back, has a credit note; goodwill for the other piece of its line does not lessen one (§22.3)', async () => {
  const kept = await aPaidOrder();
  await put(`/api/orders/${kept.id}/deliver`, { isDelivered: true });
  await kept.refund({ amount: 55_000, lines: [{ line: 0, qty: 1 }], isRestocked: true, reason: 'Returned' });
  await runJobs(services);
  await kept.told('lost', 5_000);
  expect(invoiced(await kept.read())).toBe(kept.totalPrice - 60_000);

  const stools = await paid([aLine(await aProduct(db, { name: 'Stool', price: 9_000 }), { qty: 2 })]);
  await stools.refund({ amount: 9_000, lines: [{ line: 0, qty: 2 }] });
  await runJobs(services);
  await stools.told('lost', stools.totalPrice - 9_000);
  await post(`/api/office/orders/${stools.id}/cancel`, { pieces: [{ line: 0, qty: 1 }], reason: 'Another reason' });
  expect(invoiced(await stools.read())).toBe(stools.totalPrice - 18_000);
});

const TODAY = shopDay(new Date().toISOString());
const revenueToday = async () =>
  (await app.inject({ url: `/api/office/reports?from=${TODAY}&to=${TODAY}`, headers: admin.headers })).json<Report>().figures.revenue;

const cancel = (id: string, wish: object = {}) => post(`/api/office/orders/${id}/cancel`, { reason: 'Another reason', ...wish });

/** Takes back a delivered piece of the first line at the sum that the shop proposes. */
async function takeBackFirst({ id, read }: Awaited<ReturnType<typeof paid>>, more: object = {}) {
  await post(`/api/office/orders/${id}/returns`, { lines: [{ line: 0, qty: 1 }], reason: 'I changed my mind' });
  const approved = (await read()).returns.findLast(({ status }) => status === 'approved');
  return post(`/api/office/returns/${approved?._id}/received`, { lines: [{ line: 0, restocked: 1, spoiled: 0 }], ...more });
}

for (const when of ['lost', 'open'] as const)
  test(`a sofa that the bank has paid back (${when}) brings back nothing of what the other pieces cost when it is cancelled (§20.5)`, async () => {
    const before = await revenueToday();
    const order = await aPaidOrder();
    await order.told(when, 60_000);
    expect(await order.read()).toMatchObject({ heldPrice: 60_000, refundable: order.totalPrice - 60_000 });
    await cancel(order.id, { lines: [0] });
    expect((await order.read()).refundedPrice).toBe(0);
    await order.told('lost', 60_000);
    const seen = await order.read();
    expect(seen).toMatchObject({ refundedPrice: 0, heldPrice: 0, isRefundDue: false });
    expect([invoiced(seen), (await revenueToday()) - before]).toEqual([order.totalPrice - 60_000, order.totalPrice - 60_000]);
    // The rest was paid, and leaves; cancelled, it is refunded in full.
    expect(seen.can).toContain('dispatch');
    await cancel(order.id);
    await runJobs(services);
    const ended = await order.read();
    expect([ended.refundedPrice, invoiced(ended), (await revenueToday()) - before]).toEqual([order.totalPrice - 60_000, 0, 0]);
  });

test('a sofa whose cancellation waited for a dispute is owed once the dispute is won (§20.5)', async () => {
  const order = await aPaidOrder();
  await order.told('open', 60_000);
  await cancel(order.id, { lines: [0] });
  await order.told('won', 60_000);
  expect(await order.read()).toMatchObject({ refundedPrice: 0, isRefundDue: true });
  await order.refund({ lines: [{ line: 0, qty: 1 }] });
  await runJobs(services);
  expect(await order.read()).toMatchObject({ refundedPrice: 60_000, isRefundDue: false });
});

test('a delivered sofa that the bank has paid back and that comes back is not paid back again; goodwill for another piece changes nothing (§20.5)', async () => {
  const before = await revenueToday();
  const order = await aPaidOrder();
  await put(`/api/orders/${order.id}/deliver`, { isDelivered: true });
  await order.refund({ amount: 5_000, lines: [{ line: 1, qty: 1 }] });
  await runJobs(services);
  await order.told('lost', 60_000);
  const lost = await order.read();
  expect([invoiced(lost), (await revenueToday()) - before]).toEqual([order.totalPrice - 5_000, order.totalPrice - 5_000]);
  expect((await takeBackFirst(order)).statusCode).toBe(200);
  const seen = await order.read();
  expect(seen).toMatchObject({ refundedPrice: 5_000, isRefundDue: false, heldPrice: 0 });
  expect([invoiced(seen), (await revenueToday()) - before]).toEqual([order.totalPrice - 65_000, order.totalPrice - 65_000]);
});

test('what staff take off a paid order by a correction is not paid back once more after the bank (§20.14)', async () => {
  const order = await aPaidOrder();
  await order.told('lost', 60_000);
  const { revision } = await order.read();
  const wish = { revision, lines: [{ line: 0, qty: 0 }], added: [] };
  const seen = await post(`/api/office/orders/${order.id}/correction`, wish);
  expect(seen.json()).toMatchObject({ difference: 0 });
  await post(`/api/office/orders/${order.id}/correction`, { ...wish, expected: 0 });
  const corrected = await order.read();
  expect([corrected.refundedPrice, corrected.heldPrice, invoiced(corrected)]).toEqual([0, 0, order.totalPrice - 60_000]);
});

test('what staff kept of a sofa refused at the door stays in the revenue once the order is cancelled, without counting the order (§23.6)', async () => {
  const figures = async () => {
    const report = await app.inject({ url: `/api/office/reports?from=${TODAY}&to=${TODAY}`, headers: admin.headers });
    return report.json<Report>().figures;
  };
  const before = await figures();
  const order = await aPaidOrder();
  await post(`/api/office/orders/${order.id}/parcels`);
  await put(`/api/orders/${order.id}/stage`, { stage: 'delivery_failed' });
  await order.refund({ amount: 55_000, lines: [{ line: 0, qty: 1 }], isRestocked: true, reason: 'Returned' });
  await runJobs(services);
  await cancel(order.id);
  await runJobs(services);
  const after = await figures();
  const ended = await order.read();
  expect([ended.status, invoiced(ended), after.revenue - before.revenue, after.orders - before.orders]).toEqual([
    'cancelled',
    5_000,
    5_000,
    0,
  ]);
  // Migration 0963 puts right what the sums of before lack, once.
  const sums = async () => {
    await sumSales({ db });
    return [
      (await figures()).revenue,
      (await sql`select day, fact, key, count, amount from sales_facts order by 1, 2, 3`.execute(db)).rows,
    ];
  };
  const [revenue, facts] = await sums();
  await sql`insert into sales_changes (day, revenue) values (${TODAY}, -5000)`.execute(db);
  await sql`update sales_facts set amount = amount - 5000 where fact = 'customer'`.execute(db);
  for (const _ of [1, 2]) await migrateAgain(db, '0963_lost_so_far');
  expect(await sums()).toEqual([revenue, facts]);
});

test('an unpaid order that is cancelled after a piece came back at less is not owed, nor on paper (§22.3)', async () => {
  const buyer = await aCustomer(db);
  const [stool, lamp] = [await aProduct(db, { price: 9_000 }), await aProduct(db, { price: 5_000 })];
  const { _id } = (await post('/api/orders', aPayload([aLine(lamp), aLine(stool)]), buyer)).json<Order>();
  const read = async () => (await app.inject({ url: `/api/orders/${_id}`, headers: admin.headers })).json<Order>();
  await put(`/api/orders/${_id}/deliver`, { isDelivered: true });
  await post(`/api/office/orders/${_id}/returns`, { lines: [{ line: 0, qty: 1 }], reason: 'I changed my mind' });
  const came = { lines: [{ line: 0, restocked: 1, spoiled: 0 }], amount: 1_000, answer: 'It is scratched.' };
  await post(`/api/office/returns/${(await read()).returns[0]?._id}/received`, came);
  await put(`/api/orders/${_id}/deliver`, { isDelivered: false });
  await cancel(_id);
  const ended = await read();
  expect([ended.status, ended.amountDue, invoiced(ended)]).toEqual(['cancelled', 0, 0]);
});

test('a piece whose refund is on its way when another’s dispute is lost is credited once (§22.3)', async () => {
  const order = await aPaidOrder({}, 30_000);
  await cancel(order.id, { lines: [1] });
  await order.told('lost', 30_000);
  await runJobs(services);
  const { refundedPrice, heldPrice, ...seen } = await order.read();
  expect([refundedPrice, heldPrice, invoiced(seen as Order)]).toEqual([30_000, 30_000, order.totalPrice - 30_000]);
});

test('more than is proposed after a loss, typed by staff who may, is goodwill, and has its credit note (§22.3)', async () => {
  const order = await aPaidOrder();
  await put(`/api/orders/${order.id}/deliver`, { isDelivered: true });
  await order.told('lost', 30_000);
  await takeBackFirst(order, { amount: 40_000 });
  await runJobs(services);
  const seen = await order.read();
  expect([seen.refundedPrice, seen.heldPrice, invoiced(seen)]).toEqual([40_000, 0, order.totalPrice - 70_000]);
});

test('pieces that come back by a refund bring back nothing of what the bank holds or has given back; it is not under “To pay back” meanwhile (§20.5)', async () => {
  const order = await aPaidOrder();
  await post(`/api/office/orders/${order.id}/parcels`);
  await put(`/api/orders/${order.id}/stage`, { stage: 'delivery_failed' });
  await order.told('open', 60_000);
  const lines = [{ line: 0, qty: 1 }];
  expect((await order.refund({ lines, isRestocked: true, reason: 'Returned' })).statusCode).toBe(200);
  expect(await order.read()).toMatchObject({ refundedPrice: 0, heldPrice: 0, isRefundDue: false });
  const again = await order.refund({ lines });
  expect([again.statusCode, again.json().message]).toEqual([409, expect.stringMatching(/^The bank holds £600\.00 of this payment/)]);
  await order.told('lost', 60_000);
  const seen = await order.read();
  expect(seen).toMatchObject({ refundedPrice: 0, heldPrice: 0, isRefundDue: false });
  expect(invoiced(seen)).toBe(order.totalPrice - 60_000);
});

test('of a refund that failed, what the bank has given back is not owed any more, and the rest is paid (§20.6)', async () => {
  const order = await aPaidOrder({ price: 14_000 });
  await cancel(order.id, { lines: [0] });
  await order.told('open', 20_000);
  expect((await order.read()).refunds).toMatchObject([{ status: 'failed', amount: 60_000 }]);
  await order.told('lost', 20_000);
  const seen = await order.read();
  expect(seen).toMatchObject({ refunds: [{ status: 'failed', openPrice: 40_000 }], heldPrice: 0, isRefundDue: true });
  await post(`/api/office/refunds/${seen.refunds[0]?._id}/paid`, { paidBackBy: 'transfer' });
  const paidBack = await order.read();
  expect(paidBack).toMatchObject({ refundedPrice: 40_000, isRefundDue: false });
  expect(invoiced(paidBack)).toBe(order.totalPrice - 60_000);

  const whole = await aPaidOrder({ price: 14_000 });
  await cancel(whole.id, { lines: [0] });
  await whole.told('open', 60_000);
  await whole.told('lost', 60_000);
  const covered = await whole.read();
  expect(covered).toMatchObject({ refunds: [{ openPrice: 0 }], refundedPrice: 0, isRefundDue: false });
  expect(invoiced(covered)).toBe(whole.totalPrice - 60_000);
});

test('pieces that left before lost disputes were counted for them are settled by migrations 0963 and 0965', async () => {
  const order = await aPaidOrder();
  await order.told('open', 60_000);
  await cancel(order.id, { lines: [0] });
  await order.told('lost', 60_000);
  await db.updateTable('orders').set({ lostPrice: 0 }).where('id', '=', order.id).execute();
  await db.updateTable('orderItems').set({ refundedQty: 0 }).where('orderId', '=', order.id).execute();
  expect((await order.read()).isRefundDue).toBe(false);
  for (const name of ['0963_lost_so_far', '0965_settle_lost']) await migrateAgain(db, name);
  const seen = await order.read();
  expect([seen.heldPrice, seen.orderItems[0]?.refundedQty, seen.isRefundDue]).toEqual([0, 1, false]);
});

test('what staff kept of a lamp stays with the shop when the rest is cancelled, also where the delivery was given back before (§20.5)', async () => {
  const order = await aPartlySent();
  await order.refund({ amount: order.totalPrice - 14_000 });
  await order.refund({ amount: 1_000, lines: [{ line: 1, qty: 1 }], isRestocked: true, reason: 'Returned' });
  await order.cancel();
  expect((await order.read()).refundedPrice).toBe(order.totalPrice - 4_000);
});

test('an amount without pieces gives back what staff kept before', async () => {
  const order = await aPartlySent();
  await order.refund({ amount: 1_000, lines: [{ line: 1, qty: 1 }], isRestocked: true, reason: 'Returned' });
  expect((await order.read()).keptPrice).toBe(4_000);
  await order.refund({ amount: 3_000 });
  expect((await order.read()).keptPrice).toBe(1_000);
  await order.cancel();
  expect((await order.read()).refundedPrice).toBe(order.totalPrice - 1_000);
});

test('what staff kept of a sofa that was cancelled during a dispute stays with the shop when the rest is cancelled (§20.5)', async () => {
  const order = await aPaidOrder();
  await order.told('open', order.totalPrice);
  await cancel(order.id, { lines: [0] });
  await order.told('won', order.totalPrice);
  await order.refund({ amount: 55_000, lines: [{ line: 0, qty: 1 }] });
  await post(`/api/orders/${order.id}/cancel`, { reason: 'Another reason' }, order.buyer);
  await runJobs(services);
  const ended = await order.read();
  expect([ended.refundedPrice, invoiced(ended), ended.isRefundDue]).toEqual([order.totalPrice - 5_000, 5_000, false]);
});

test('of an order that was cancelled during a dispute, an amount for the last of its pieces is all that the customer gets, for the delivery too (§20.5)', async () => {
  for (const kept of [1_000, 5_400]) {
    const order = await paid([aLine(await aProduct(db, { name: 'Lamp', price: 5_000 }))]);
    await order.told('open', order.totalPrice);
    await cancel(order.id);
    await order.told('won', order.totalPrice);
    await order.refund({ amount: order.totalPrice - kept, lines: [{ line: 0, qty: 1 }] });
    await runJobs(services);
    const ended = await order.read();
    expect([ended.isRefundDue, invoiced(ended)]).toEqual([false, kept]);
  }
});

test('what staff kept of a piece is credited once the bank has given it back, whatever was refunded for others; then the rest is refunded in full (§22.3)', async () => {
  const order = await aPaidOrder();
  await post(`/api/office/orders/${order.id}/parcels`);
  await order.refund({ amount: 55_000, lines: [{ line: 0, qty: 1 }], isRestocked: true, reason: 'Returned' });
  await order.refund({ amount: 5_000, lines: [{ line: 1, qty: 1 }] });
  await runJobs(services);
  await order.told('lost', 5_000);
  const seen = await order.read();
  expect([seen.heldPrice, invoiced(seen)]).toEqual([0, order.totalPrice - 65_000]);
  await put(`/api/orders/${order.id}/stage`, { stage: 'delivery_failed' });
  await cancel(order.id);
  await runJobs(services);
  const ended = await order.read();
  expect([ended.refundedPrice, invoiced(ended), ended.isRefundDue]).toEqual([order.totalPrice - 5_000, 0, false]);
});

test('what was refunded for a stool whose rest is owed is not taken off the others, when they leave or get another colour (§20.14)', async () => {
  for (const way of ['cancelled', 'another colour'] as const) {
    const stool = await aProduct(db, { name: 'Stool', price: 9_000, colors: ['#112233', '#445566'] });
    const order = await paid([aLine(stool, { qty: 3, color: '#112233' }), aLine(await aProduct(db, { price: 60_000 }))]);
    await order.told('open', 5_000);
    await cancel(order.id, { pieces: [{ line: 0, qty: 1 }] });
    expect((await order.read()).refundedPrice).toBe(4_000);
    const { revision } = await order.read();
    const wish = { revision, lines: [{ line: 0, qty: 2, color: '#445566' }], added: [], expected: 0 };
    if (way === 'another colour') await post(`/api/office/orders/${order.id}/correction`, wish);
    await order.told('won', 5_000);
    await order.refund({ lines: [{ line: 0, qty: 1 }] });
    await runJobs(services);
    const seen = await order.read();
    expect([way, seen.refundedPrice, invoiced(seen)]).toEqual([way, 9_000, order.totalPrice - 9_000]);
    await cancel(order.id, { pieces: [{ line: way === 'another colour' ? 2 : 0, qty: 2 }] });
    expect((await order.read()).refundedPrice).toBe(27_000);
  }
});

test('what staff kept of a piece of an unpaid order and then wrote off is not kept once more when the rest is cancelled', async () => {
  const buyer = await aCustomer(db);
  const [stool, lamp] = [await aProduct(db, { price: 9_000 }), await aProduct(db, { price: 5_000 })];
  const { _id, totalPrice } = (await post('/api/orders', aPayload([aLine(lamp), aLine(stool)]), buyer)).json<Order>();
  const read = async () => (await app.inject({ url: `/api/orders/${_id}`, headers: admin.headers })).json<Order>();
  await put(`/api/orders/${_id}/deliver`, { isDelivered: true });
  await takeBackFirst({ id: _id, read } as Awaited<ReturnType<typeof paid>>, { amount: 1_000, answer: 'It is scratched.' });
  expect((await read()).keptPrice).toBe(4_000);
  const { revision } = await read();
  await post(`/api/office/orders/${_id}/write-off`, { amount: 4_000, reason: 'Goodwill', revision });
  expect((await read()).keptPrice).toBe(0);
  await put(`/api/orders/${_id}/cash`, { isPaid: true });
  await put(`/api/orders/${_id}/deliver`, { isDelivered: false });
  await cancel(_id);
  expect((await read()).refundedPrice).toBe(totalPrice - 5_000);
});

test('what staff kept before it was stored is known by migration 0981', async () => {
  const order = await aPartlySent();
  await order.refund({ amount: 1_000, lines: [{ line: 1, qty: 1 }], isRestocked: true, reason: 'Returned' });
  await db.updateTable('orders').set({ keptPrice: 0 }).where('id', '=', order.id).execute();
  for (const _ of [1, 2]) await migrateAgain(db, '0981_kept_so_far');
  expect((await order.read()).keptPrice).toBe(4_000);
});

test('what a lost dispute left owed is in the history, and under “To pay back” (§20.7)', async () => {
  const order = await aPaidOrder({ price: 14_000 });
  await order.told('open', 74_000);
  await cancel(order.id, { lines: [0] });
  await order.told('lost', 50_000);
  const { events, isRefundDue } = await order.read();
  expect([isRefundDue, events.at(-1)?.detail]).toEqual([
    true,
    expect.stringMatching(/The money went back to the customer\. The order is under “To pay back”: refund the customer/),
  ]);
});

test('a loss that the bank takes back is owed to the customer for what left the order, and not credited again (§20.7)', async () => {
  const order = await aPaidOrder();
  await order.told('lost', 60_000);
  await cancel(order.id, { lines: [0] });
  await order.told('won', 60_000);
  const seen = await order.read();
  expect(seen).toMatchObject({ heldPrice: 0, isRefundDue: true, owedPrice: 60_000 });
  expect(seen.events.at(-1)?.detail).toContain('refund the customer');
  await order.refund({ amount: 60_000 });
  await runJobs(services);
  const paidBack = await order.read();
  expect([paidBack.refundedPrice, paidBack.isRefundDue, invoiced(paidBack)]).toEqual([60_000, false, order.totalPrice - 60_000]);

  // What staff keep, and what the customer keeps, is the shop's.
  const kept = await aPaidOrder();
  await put(`/api/orders/${kept.id}/deliver`, { isDelivered: true });
  await kept.told('lost', kept.totalPrice);
  await kept.told('won', kept.totalPrice);
  expect(await kept.read()).toMatchObject({ isRefundDue: false, refunds: [], refundable: kept.totalPrice });
});

test('a refund that the bank returned and staff made again in the provider’s dashboard is not owed any more (§20.6)', async () => {
  const order = await aPaidOrder();
  await cancel(order.id, { lines: [0] });
  await runJobs(services);
  await order.failRefund();
  expect((await order.read()).isRefundDue).toBe(true);
  await order.atDashboard({ action: 'refund', amount: '600.00' });
  await applyRefunds(services, await order.paymentId());
  const seen = await order.read();
  expect([seen.refundedPrice, seen.isRefundDue, invoiced(seen)]).toEqual([60_000, false, order.totalPrice - 60_000]);
});
