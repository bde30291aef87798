import { beforeEach, expect, test } from 'vitest';
import type { BookDay, Books } from '#contract/books/books.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Order, OrderList } from '#contract/orders/orders.ts';
import { checkBooks } from '#server/books/compare.service.ts';
import { listBrokenRules } from '#server/books/shop-rules.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { lockWaits } from '#server/testing/while-waiting.ts';

const shop = await testShop({ env: { ...MANY_ORDERS, STORE_MARKET: 'uk' } });
const { app, db, services } = shop;
const admin = await anAdmin(db);
const TODAY = shopDay(new Date().toISOString());
let buyer: SignedIn;
let order: Order;

const send = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, who = admin) =>
  app.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
const read = async (who = admin) => (await send('GET', `/api/orders/${order._id}`, undefined, who)).json<Order>();
const record = (body: object = {}) => send('PUT', `/api/orders/${order._id}/cash`, { isPaid: true, ...body });
const undo = () => send('PUT', `/api/orders/${order._id}/cash`, { isPaid: false });
const writeOff = (more: object = {}, who = admin) =>
  send('POST', `/api/office/orders/${order._id}/write-off`, { reason: 'Cannot be collected', ...more }, who);
const deliver = () => send('PUT', `/api/orders/${order._id}/deliver`, { isDelivered: true });
const isIn = async (queue: string) =>
  (await send('GET', `/api/orders?queue=${queue}`)).json<OrderList>().orders.some(({ _id }) => _id === order._id);
const day = async () => (await send('GET', `/api/office/books?from=${TODAY}&to=${TODAY}`)).json<Books>().days[0] as BookDay;
/** The invoices less the credit notes. */
const papers = async () =>
  (await read()).invoices.reduce((sum, { kind, gross }) => (kind === 'credit_note' ? sum - gross : sum + gross), 0);
const keptOf = ({ totalPrice, waivedPrice, refundedPrice }: Order) => totalPrice - waivedPrice - refundedPrice;

/** A cash order of a sofa at £600 and lamps at £50 each, dispatched and delivered. */
async function delivered(lamps = 0) {
  const lines = [aLine(await aProduct(db, { name: 'Sofa', price: 60_000 }))];
  if (lamps > 0) lines.push(aLine(await aProduct(db, { name: 'Lamp', price: 5_000 }), { qty: lamps }));
  order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  const parcel = { lines: order.orderItems.map(({ qty }, line) => ({ line, qty })) };
  expect((await send('POST', `/api/office/orders/${order._id}/parcels`, parcel)).statusCode).toBe(200);
  await deliver();
}

/** Records that a piece came back, at its price by default. */
async function comesBack(line: number, more: object = {}) {
  await send('POST', `/api/office/orders/${order._id}/returns`, { lines: [{ line, qty: 1 }], reason: 'It does not fit', answer: '' });
  const id = (await read()).returns.at(-1)?._id;
  const body = { lines: [{ line, restocked: 1, spoiled: 0 }], ...more };
  expect((await send('POST', `/api/office/returns/${id}/received`, body)).statusCode).toBe(200);
}

/** Everything that compares sums finds no difference. */
async function expectAgreement() {
  expect(await listBrokenRules(db, new Date(Date.now() - 3 * 86_400_000))).toEqual([]);
  expect((await checkBooks(services, -60_000)).faults).toBe(0);
}

beforeEach(async () => {
  buyer = await aCustomer(db);
});

test('cash that a driver collected and hands in after the return was recorded is in the cash box, and is paid back (§20.5)', async () => {
  await delivered();
  const before = await day();
  await comesBack(0);
  expect(await read()).toMatchObject({ status: 'returned', amountDue: 0, toReceive: 60_000 });
  expect((await record({ amount: 60_000 })).json()).toMatchObject({ waivedPrice: 0, refundedPrice: 60_000, refundable: 0 });
  expect([await isIn('refunds'), await isIn('unpaid')]).toEqual([true, false]);
  expect(await read(buyer)).toMatchObject({ isRefundDue: true, refunds: [{ amount: 60_000, status: 'pending', isByHand: true }] });
  const after = await day();
  expect([after.cash.taken - before.cash.taken, after.driver.taken - before.driver.taken]).toEqual([60_000, 60_000]);
  const { refunds } = await read();
  expect((await send('POST', `/api/office/refunds/${refunds[0]?._id}/paid`, { paidBackBy: 'cash' })).statusCode).toBe(200);
  expect([await isIn('refunds'), (await read(buyer)).isRefundDue, (await day()).cash.refunded - before.cash.refunded]).toEqual([
    false,
    false,
    60_000,
  ]);
  expect([await papers(), keptOf(await read())]).toEqual([0, 0]);
  await expectAgreement();
});

test('of a part that came back first, at less than its price, only what was waived is paid back', async () => {
  await delivered(1);
  await comesBack(1, { amount: 4_000, answer: 'A scratch' });
  expect(await read()).toMatchObject({ amountDue: 61_000, toReceive: 65_000 });
  expect((await record({ amount: 65_000 })).json()).toMatchObject({ refundedPrice: 4_000, refundable: 61_000 });
  // The sofa comes back afterwards, as of any paid order.
  await comesBack(0);
  const { refunds } = await read();
  expect(refunds.map(({ amount }) => amount)).toEqual([4_000, 60_000]);
  for (const { _id } of refunds) await send('POST', `/api/office/refunds/${_id}/paid`, { paidBackBy: 'transfer' });
  expect([await papers(), keptOf(await read())]).toEqual([1_000, 1_000]);
  await expectAgreement();
});

test('a record is taken back with what it has to be paid back, until some of that was', async () => {
  await delivered(1);
  await comesBack(1);
  const before = await read();
  const cash = (await day()).cash.taken;
  await record({ amount: 65_000 });
  expect((await read()).can).toContain('takeBackCash');
  expect((await undo()).json()).toMatchObject({ waivedPrice: 5_000, refundedPrice: 0, refunds: [], amountDue: 60_000, toReceive: 65_000 });
  expect([await isIn('refunds'), await isIn('unpaid'), (await day()).cash.taken, (await read()).invoices]).toEqual([
    false,
    true,
    cash,
    before.invoices,
  ]);
  await record({ amount: 65_000 });
  const [refund] = (await read()).refunds;
  await send('POST', `/api/office/refunds/${refund?._id}/paid`, { paidBackBy: 'cash' });
  expect((await read()).can).not.toContain('takeBackCash');
  expect((await undo()).statusCode).toBe(409);
  await expectAgreement();
});

test('what came in is at least what is due and at most what the order came to', async () => {
  await delivered(1);
  await comesBack(1);
  const messages = [];
  for (const amount of [59_999, 65_001]) messages.push((await record({ amount })).json().message);
  expect(messages).toEqual([
    '£600.00 is due. Record it once all of it is here, or write off what will not come.',
    'At most £650.00 can be recorded for this order.',
  ]);
  expect((await record({ receivedBy: 'transfer' })).json()).toMatchObject({ refundedPrice: 0, waivedPrice: 5_000, receivedBy: 'transfer' });
  await undo();
  expect((await record({ amount: 62_000, receivedBy: 'transfer' })).json()).toMatchObject({ refundedPrice: 2_000, waivedPrice: 3_000 });
  await undo();
  await comesBack(0);
  expect((await record({ receivedBy: 'transfer' })).json().message).toBe('Nothing is due for this order. Enter what came in.');
});

test('what is recorded already is not recorded again with another amount or in another way', async () => {
  await delivered();
  await record({ receivedBy: 'transfer', amount: 60_000 });
  const message = '£600.00 by transfer is recorded already. To record something else, undo that first.';
  for (const other of [{ receivedBy: 'cash' }, { amount: 59_000 }])
    expect(await record(other)).toMatchObject({ statusCode: 409, body: expect.stringContaining(message) });
  for (const same of [{}, { receivedBy: 'transfer' }, { amount: 60_000, revision: 0 }]) expect((await record(same)).statusCode).toBe(200);
  expect((await read()).events.filter(({ kind }) => kind === 'cash received')).toHaveLength(1);
});

test('cash is not recorded for an order that has changed since staff looked at it', async () => {
  await delivered(1);
  const { revision, reference } = await read();
  await comesBack(1);
  expect(await record({ revision })).toMatchObject({
    statusCode: 409,
    body: expect.stringContaining(`Order ${reference} has changed since you opened it. Reload the page, then try again.`),
  });
  expect((await record({ revision: (await read()).revision })).json()).toMatchObject({ isPaid: true });
});

test('a cancelled order says that it is cancelled, whatever amount is recorded', async () => {
  const lines = [aLine(await aProduct(db, { price: 60_000 }))];
  order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  await send('POST', `/api/office/orders/${order._id}/cancel`, { reason: 'Another reason' });
  for (const amount of [undefined, 100, 60_000]) expect((await record({ amount })).json().message).toContain('cancelled');
});

test('a call without an amount records what is due, whatever was collected', async () => {
  await delivered(1);
  await comesBack(1);
  expect([(await read()).toReceive, (await record({ receivedBy: 'cash' })).json()]).toMatchObject([
    65_000,
    { refunds: [], waivedPrice: 5_000 },
  ]);
  await undo();
  await comesBack(0);
  expect((await record()).json().message).toBe('Nothing is due for this order. Enter what came in.');
});

test('an order that was exchanged after its invoice proposes its price, and allows no more to be recorded', async () => {
  const sizes = [
    { size: 'S', quantity: 5, price: 60_000 },
    { size: 'L', quantity: 5, price: 65_000 },
  ];
  const lines = [aLine(await aProduct(db, { price: 60_000, sizes }), { size: 'S' }), aLine(await aProduct(db, { price: 5_000 }))];
  order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  await record();
  await undo();
  const { revision } = await read();
  const wish = { revision, lines: [{ line: 0, qty: 1, size: 'L', price: 'now' }], added: [] };
  expect((await send('POST', `/api/office/orders/${order._id}/correction`, { ...wish, expected: 5_000 })).statusCode).toBe(200);
  await send('POST', `/api/office/orders/${order._id}/cancel`, { reason: 'Another reason', pieces: [{ line: 1, qty: 1 }] });
  await deliver();
  expect(await read()).toMatchObject({ amountDue: 65_000, toReceive: 65_000 });
  expect((await record({ amount: 130_000 })).json().message).toBe('At most £650.00 can be recorded for this order.');
  expect((await record()).json()).toMatchObject({ isPaid: true, refunds: [] });
});

test('an order that was delivered without a dispatch, or of which only a part had left, proposes its price', async () => {
  const lines = [aLine(await aProduct(db, { price: 60_000 })), aLine(await aProduct(db, { price: 5_000 }))];
  order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  await send('POST', `/api/office/orders/${order._id}/parcels`, { lines: [{ line: 1, qty: 1 }] });
  await deliver();
  await comesBack(0);
  await comesBack(1);
  expect(await read()).toMatchObject({ amountDue: 0, toReceive: 65_000 });
  order = (await send('POST', '/api/orders', aPayload(lines.slice(0, 1), { phone: '07700 900123' }), buyer)).json<Order>();
  await deliver();
  expect(await read()).toMatchObject({ amountDue: 60_000, toReceive: 60_000 });
  await comesBack(0);
  expect(await read()).toMatchObject({ amountDue: 0, toReceive: 60_000 });
});

test('drivers of two parcels who collect more than is due once the rest was cancelled leave the difference to pay back', async () => {
  const [sofa, lamp] = [await aProduct(db, { price: 60_000 }), await aProduct(db, { price: 5_000 })];
  const payload = aPayload([aLine(sofa), aLine(lamp)], { phone: '07700 900123' });
  order = (await send('POST', '/api/orders', payload, buyer)).json<Order>();
  await send('POST', `/api/office/orders/${order._id}/parcels`, { lines: [{ line: 0, qty: 1 }] });
  await send('POST', `/api/office/orders/${order._id}/parcels`, { lines: [{ line: 1, qty: 1 }] });
  await deliver();
  await comesBack(1);
  expect(await read()).toMatchObject({ amountDue: 60_000, toReceive: 65_000 });
});

test('what will not come is written off with a credit note, and the order leaves the queue (§20.5)', async () => {
  await delivered(1);
  await comesBack(0, { amount: 58_000, answer: 'A scratch' });
  await comesBack(1);
  expect([await isIn('unpaid'), await read()]).toMatchObject([true, { status: 'returned', amountDue: 2_000 }]);
  expect((await writeOff({ reason: '' })).json()).toMatchObject({ errors: { reason: 'Choose a reason.' } });
  expect((await writeOff()).json()).toMatchObject({ amountDue: 0, waivedPrice: 65_000 });
  const { events, can, invoices } = await read();
  expect(events.at(-1)).toMatchObject({ kind: 'written off', detail: '£20.00. Cannot be collected' });
  expect([can.includes('writeOff'), invoices.at(-1)?.gross, await papers(), await isIn('unpaid')]).toEqual([false, 2_000, 0, false]);
  expect((await writeOff()).statusCode).toBe(409);
  // No driver brings what was written off.
  expect((await read()).toReceive).toBe(63_000);
  await expectAgreement();
});

test('of a sum that came in only in part, the rest is written off and the part recorded', async () => {
  await delivered();
  expect((await writeOff({ amount: 60_001 })).json().message).toBe('Only £600.00 is due for this order.');
  expect((await writeOff({ amount: 5_000 })).json()).toMatchObject({ amountDue: 55_000, toReceive: 55_000 });
  expect((await record()).json()).toMatchObject({ isPaid: true, refundedPrice: 0, refundable: 55_000 });
  expect([await isIn('unpaid'), await isIn('refunds'), await papers()]).toEqual([false, false, 55_000]);
  await expectAgreement();
});

test('only an unpaid order that was delivered is written off, by staff who may move money', async () => {
  const lines = [aLine(await aProduct(db, { price: 60_000 }))];
  order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  expect([(await writeOff()).statusCode, (await read()).can.includes('writeOff')]).toEqual([409, false]);
  await deliver();
  const packer = await anAdmin(db, { staffRole: 'orders' });
  expect([(await read()).can.includes('writeOff'), (await read(packer)).can.includes('writeOff')]).toEqual([true, false]);
  expect((await writeOff({}, packer)).statusCode).toBe(403);
  await record();
  expect([(await writeOff()).statusCode, (await read()).can.includes('writeOff')]).toEqual([409, false]);
});

test('a refund that somebody takes back with its receipt is not paid back at the same moment (§20.4)', async () => {
  await delivered(1);
  await comesBack(1);
  await record({ amount: 65_000 });
  const [refund] = (await read()).refunds;
  const replies: Promise<number>[] = [];
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('orders').select('id').where('id', '=', order._id).forUpdate().execute();
    for (const start of [undo, () => send('POST', `/api/office/refunds/${refund?._id}/paid`, { paidBackBy: 'cash' })]) {
      replies.push((async () => (await start()).statusCode)());
      await eventually(async () => expect(await lockWaits(db)).toBe(replies.length));
    }
  });
  expect(await Promise.all(replies)).toEqual([200, 404]);
  expect(await read()).toMatchObject({ isPaid: false, refunds: [] });
});

test('what was written off is not waived or paid back once more for the pieces that come back next (§20.5)', async () => {
  await delivered(1);
  await writeOff({ amount: 60_000, reason: 'Damaged or faulty' });
  expect(await read()).toMatchObject({ amountDue: 5_000, writtenOff: 60_000 });
  await comesBack(0);
  expect(await read()).toMatchObject({ amountDue: 5_000, toReceive: 5_000, writtenOff: 0 });
  await record();
  await comesBack(1);
  const { refunds } = await read();
  expect(refunds.map(({ amount }) => amount)).toEqual([5_000]);
  await send('POST', `/api/office/refunds/${refunds[0]?._id}/paid`, { paidBackBy: 'cash' });
  expect([await papers(), keptOf(await read()), await isIn('refunds')]).toEqual([0, 0, false]);
  await expectAgreement();
});

test('nor of a paid order: only what exceeds the write-off is paid back, and the pieces are settled', async () => {
  await delivered(2);
  await writeOff({ amount: 6_000 });
  await record();
  await comesBack(1);
  expect(await read()).toMatchObject({ refunds: [], writtenOff: 1_000, isRefundDue: false });
  await comesBack(1);
  expect(await read()).toMatchObject({ refunds: [{ amount: 4_000 }], writtenOff: 0 });
  await comesBack(0);
  const { refunds } = await read();
  expect(refunds.map(({ amount }) => amount)).toEqual([4_000, 60_000]);
  for (const { _id } of refunds) await send('POST', `/api/office/refunds/${_id}/paid`, { paidBackBy: 'transfer' });
  expect([await papers(), keptOf(await read()), await isIn('refunds')]).toEqual([0, 0, false]);
  await expectAgreement();
});

test('nor for pieces that are cancelled or taken off once a delivery was taken back', async () => {
  const payload = aPayload([aLine(await aProduct(db, { price: 60_000 })), aLine(await aProduct(db, { price: 5_000 }), { qty: 2 })], {
    phone: '07700 900123',
  });
  for (const way of ['cancelled', 'taken off']) {
    order = (await send('POST', '/api/orders', payload, buyer)).json<Order>();
    await deliver();
    await writeOff({ amount: 10_000 });
    await send('PUT', `/api/orders/${order._id}/deliver`, { isDelivered: false });
    if (way === 'cancelled')
      await send('POST', `/api/office/orders/${order._id}/cancel`, { reason: 'Another reason', pieces: [{ line: 0, qty: 1 }] });
    else {
      const wish = { revision: (await read()).revision, lines: [{ line: 0, qty: 0 }], added: [], expected: -50_000 };
      expect((await send('POST', `/api/office/orders/${order._id}/correction`, wish)).statusCode).toBe(200);
    }
    expect(await read()).toMatchObject({ amountDue: 10_000, writtenOff: 0 });
    expect(await papers()).toBe(10_000);
    await send('POST', `/api/office/orders/${order._id}/cancel`, { reason: 'Another reason' });
    expect(await read()).toMatchObject({ status: 'cancelled', amountDue: 0, waivedPrice: 70_000 });
  }
  await expectAgreement();
});

test('a write-off of what was kept of pieces that came back is not for those that come back next', async () => {
  await delivered(1);
  await comesBack(0, { amount: 58_000, answer: 'A scratch' });
  await writeOff({ amount: 2_500 });
  expect(await read()).toMatchObject({ amountDue: 4_500, writtenOff: 500 });
  await comesBack(1);
  expect(await read()).toMatchObject({ status: 'returned', amountDue: 0, writtenOff: 0 });
  expect(await papers()).toBe(0);
});

test('nor for pieces that come back with a refund', async () => {
  await delivered(1);
  await writeOff({ amount: 60_000, reason: 'Damaged or faulty' });
  await record();
  const refund = (body: object) =>
    send('POST', `/api/office/orders/${order._id}/refunds`, { reason: 'Damaged or faulty', paidBackBy: 'cash', ...body });
  expect((await refund({ lines: [{ line: 0, qty: 1 }], isRestocked: true })).json()).toMatchObject({
    refunds: [],
    writtenOff: 0,
    status: 'delivered',
  });
  expect((await refund({ lines: [{ line: 1, qty: 1 }], isRestocked: true })).json()).toMatchObject({ refunds: [{ amount: 5_000 }] });
  expect([await papers(), keptOf(await read()), await isIn('refunds')]).toEqual([0, 0, false]);
  await expectAgreement();
});
