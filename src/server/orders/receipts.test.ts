import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { BookDay, Books } from '#contract/books/books.ts';
import type { Slips } from '#contract/delivery/dispatch.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Order, OrderList } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { checkBooks } from '#server/books/compare.service.ts';
import { listBrokenRules } from '#server/books/shop-rules.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { migrateAgain } from '#server/testing/migrate-again.ts';
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
/** Records money that came in besides what is due. */
const recordMore = (amount: number, receivedBy = 'cash', key = '') =>
  app.inject({
    method: 'POST',
    url: `/api/office/orders/${order._id}/overpayments`,
    headers: { ...admin.headers, ...(key && { 'idempotency-key': key }) },
    payload: { amount, receivedBy },
  });
/** Pays back, or undoes, the last overpayment. */
const endMore = async (how: 'paid' | 'undo', paidBackBy = 'cash') =>
  send('POST', `/api/office/overpayments/${(await read()).overpayments.at(-1)?._id}/${how}`, how === 'paid' ? { paidBackBy } : undefined);
const notCollected = async (more: object = {}, who = admin) =>
  send('POST', `/api/office/orders/${order._id}/not-collected`, { revision: (await read()).revision, ...more }, who);
const undo = () => send('PUT', `/api/orders/${order._id}/cash`, { isPaid: false });
const writeOff = (more: object = {}, who = admin) =>
  send('POST', `/api/office/orders/${order._id}/write-off`, { reason: 'Cannot be collected', ...more }, who);
const deliver = () => send('PUT', `/api/orders/${order._id}/deliver`, { isDelivered: true });
const isIn = async (queue: string) =>
  (await send('GET', `/api/orders?queue=${queue}`)).json<OrderList>().orders.some(({ _id }) => _id === order._id);
const day = async () => (await send('GET', `/api/office/books?from=${TODAY}&to=${TODAY}`)).json<Books>().days[0] as BookDay;
/** What is in the cash box of what came in and went out today. */
const box = async () => {
  const { cash } = await day();
  return cash.taken - cash.refunded;
};
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
  expect((await recordMore(60_000)).json()).toMatchObject({ waivedPrice: 60_000, refundedPrice: 0, refundable: 0, toReceive: 0 });
  expect([await isIn('refunds'), await isIn('unpaid')]).toEqual([true, false]);
  expect(await read(buyer)).toMatchObject({
    isRefundDue: true,
    refunds: [],
    overpayments: [{ amount: 60_000, receivedBy: 'cash', status: 'owed', actor: '' }],
  });
  const after = await day();
  expect([after.cash.taken - before.cash.taken, after.driver.taken - before.driver.taken]).toEqual([60_000, 60_000]);
  expect((await endMore('paid')).statusCode).toBe(200);
  expect([await isIn('refunds'), (await read(buyer)).isRefundDue, (await day()).cash.refunded - before.cash.refunded]).toEqual([
    false,
    false,
    60_000,
  ]);
  expect([await papers(), keptOf(await read())]).toEqual([0, 0]);
  await expectAgreement();
});

test('of a part that came back first, at less than its price, only what is not due is paid back', async () => {
  await delivered(1);
  await comesBack(1, { amount: 4_000, answer: 'A scratch' });
  expect(await read()).toMatchObject({ amountDue: 61_000, toReceive: 65_000 });
  expect((await record({ amount: 65_000 })).json()).toMatchObject({ refundable: 61_000, overpayments: [{ amount: 4_000 }] });
  await endMore('paid', 'transfer');
  // The sofa comes back afterwards, as of any paid order.
  await comesBack(0);
  const { refunds } = await read();
  expect(refunds.map(({ amount }) => amount)).toEqual([60_000]);
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
  expect((await undo()).json()).toMatchObject({ overpayments: [{ status: 'undone' }], amountDue: 60_000, toReceive: 65_000 });
  expect([await isIn('refunds'), await isIn('unpaid'), (await day()).cash.taken, (await read()).invoices]).toEqual([
    false,
    true,
    cash,
    before.invoices,
  ]);
  await record({ amount: 65_000 });
  await endMore('paid');
  expect((await read()).can).not.toContain('takeBackCash');
  expect((await undo()).json().message).toBe('Some of what came in has already been paid back.');
  await expectAgreement();
});

test('what came in is at least what is due, and what is above it is owed', async () => {
  await delivered(1);
  await comesBack(1);
  const before = await box();
  expect((await record({ amount: 59_999 })).json().message).toBe(
    '£600.00 is due. Record it once all of it is here, or write off what will not come.',
  );
  expect((await record({ receivedBy: 'transfer' })).json()).toMatchObject({ overpayments: [], receivedBy: 'transfer' });
  await undo();
  expect((await record({ amount: 72_000, receivedBy: 'transfer' })).json()).toMatchObject({
    isPaid: true,
    overpayments: [{ amount: 12_000, receivedBy: 'transfer', isWithPayment: true, status: 'owed' }],
  });
  await undo();
  expect(await box()).toBe(before);
  await comesBack(0);
  expect((await record({ receivedBy: 'transfer' })).json().message).toBe(
    'Nothing is due for this order. Record what came in as more money.',
  );
});

test('what is recorded already is not recorded again with another amount or in another way', async () => {
  await delivered();
  await record({ receivedBy: 'transfer', amount: 60_000 });
  const message = '£600.00 by transfer is recorded already. Record what came in besides as more money, or undo that first.';
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
    { overpayments: [], waivedPrice: 5_000 },
  ]);
  await undo();
  await comesBack(0);
  expect((await record()).json().message).toBe('Nothing is due for this order. Record what came in as more money.');
});

test('an order that was exchanged after its invoice proposes its price', async () => {
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
  expect((await record()).json()).toMatchObject({ isPaid: true, overpayments: [] });
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

test('what will not come is written off with a credit note and a mail, and the order leaves the queue (§20.5)', async () => {
  await delivered(1);
  await comesBack(0, { amount: 58_000, answer: 'A scratch' });
  await comesBack(1);
  expect([await isIn('unpaid'), await read()]).toMatchObject([true, { status: 'returned', amountDue: 2_000 }]);
  expect((await writeOff({ reason: '' })).json()).toMatchObject({ errors: { reason: 'Choose a reason.' } });
  expect((await writeOff()).json()).toMatchObject({ amountDue: 0, waivedPrice: 65_000 });
  const { events, can, invoices } = await read();
  expect(events.at(-1)).toMatchObject({ kind: 'written off', detail: '£20.00. Cannot be collected' });
  expect([can.includes('writeOff'), invoices.at(-1)?.gross, await papers()]).toEqual([false, 2_000, 0]);
  expect((await writeOff()).statusCode).toBe(409);
  // No driver brings what was written off, but they may have the rest.
  expect([(await read()).toReceive, await isIn('unpaid')]).toEqual([63_000, true]);
  expect((await notCollected()).json()).toMatchObject({ toReceive: 0 });
  expect(await isIn('unpaid')).toBe(false);
  await runJobs(services);
  const mail = (await mailsOf(shop.dataDir, buyer.email)).at(-1);
  expect(mail?.text).toContain('You no longer have to pay £20.00 of your order.');
  expect(mail?.attachments.map(({ filename }) => filename)).toEqual([expect.stringMatching(/^CN-/)]);
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

test('what somebody undoes is not paid back at the same moment, nor the other way round, nor twice (§20.4)', async () => {
  const pay = (id = '') => send('POST', `/api/office/overpayments/${id}/paid`, { paidBackBy: 'cash' });
  const drop = (id = '') => send('POST', `/api/office/overpayments/${id}/undo`);
  for (const [first, second] of [
    [undo, pay],
    [pay, undo],
    [drop, pay],
    [pay, drop],
    [pay, pay],
  ] as const) {
    await delivered(1);
    await comesBack(1);
    const before = await box();
    await record({ amount: 65_000 });
    const id = (await read()).overpayments[0]?._id;
    const replies: Promise<number>[] = [];
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('orders').select('id').where('id', '=', order._id).forUpdate().execute();
      for (const start of [first, second]) {
        replies.push((async () => (await start(id)).statusCode)());
        await eventually(async () => expect(await lockWaits(db)).toBe(replies.length));
      }
    });
    expect(await Promise.all(replies)).toEqual([200, 409]);
    const { isPaid, overpayments } = await read();
    const left = (isPaid ? 60_000 : 0) + overpayments.reduce((sum, { amount, status }) => (status === 'owed' ? sum + amount : sum), 0);
    expect((await box()) - before).toBe(left);
  }
});

test('a transfer that arrives for more than is due, since a piece was cancelled meanwhile, is recorded whole (§20.5)', async () => {
  const lines = [aLine(await aProduct(db, { price: 60_000 })), aLine(await aProduct(db, { price: 5_000 }))];
  const online = { paymentMethod: 'Online Payment', orderPaymentID: 'TRANSFER-123' };
  order = (await send('POST', '/api/orders', aPayload(lines, online), buyer)).json<Order>();
  await send('POST', `/api/orders/${order._id}/cancel`, { lines: [1], reason: 'I changed my mind' }, buyer);
  const before = await box();
  expect((await record({ receivedBy: 'transfer', amount: 65_000 })).json()).toMatchObject({
    isPaid: true,
    totalPrice: 65_000,
    waivedPrice: 5_000,
    overpayments: [{ amount: 5_000, status: 'owed' }],
  });
  expect([await isIn('refunds'), await box()]).toEqual([true, before]);
  await expectAgreement();
});

test('money that arrives once the order was cancelled is owed until it is paid back, with a mail (§20.5)', async () => {
  const lines = [aLine(await aProduct(db, { price: 60_000 }))];
  order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  expect((await recordMore(60_000, 'transfer')).json().message).toBe('£600.00 is due for this order. Record that first.');
  await send('POST', `/api/office/orders/${order._id}/cancel`, { reason: 'Another reason' });
  const sums = { status: 'cancelled', totalPrice: 60_000, waivedPrice: 60_000, refundedPrice: 0, amountDue: 0, isPaid: false };
  expect((await read()).can).toEqual(['receiveMore']);
  const before = await day();
  expect((await recordMore(60_000, 'transfer')).json()).toMatchObject({ ...sums, isRefundDue: true });
  expect([await isIn('refunds'), (await day()).cash]).toEqual([true, before.cash]);
  // A second record of the same is a mistake.
  await recordMore(60_000, 'cash');
  expect((await day()).cash.taken - before.cash.taken).toBe(60_000);
  expect((await endMore('undo')).json()).toMatchObject({ overpayments: [{ status: 'owed' }, { status: 'undone' }] });
  expect([(await endMore('undo')).json().message, (await endMore('paid')).json().message]).toEqual([
    'This record has already been undone.',
    'This record has already been undone.',
  ]);
  expect((await read(buyer)).overpayments).toHaveLength(1);
  const [owed] = (await read()).overpayments;
  const paid = () => send('POST', `/api/office/overpayments/${owed?._id}/paid`, { paidBackBy: 'cash' });
  expect((await paid()).json()).toMatchObject({ ...sums, isRefundDue: false, overpayments: [{ paidBackBy: 'cash' }, {}] });
  expect((await paid()).json().message).toBe('This has already been paid back.');
  expect([await isIn('refunds'), (await box()) - (before.cash.taken - before.cash.refunded)]).toEqual([false, -60_000]);
  await runJobs(services);
  expect((await mailsOf(shop.dataDir, buyer.email)).at(-1)?.text).toContain('We have refunded £600.00 of your order.');
  expect((await read()).events.slice(-4).map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
    'more received: £600.00 by transfer',
    'more received: £600.00 in cash',
    'more taken back: £600.00',
    'more paid back: £600.00, in cash',
  ]);
  await expectAgreement();
});

test('paid by transfer while the parcel was on its way, and its driver collects too: the cash is in the box and is owed', async () => {
  const lines = [aLine(await aProduct(db, { price: 60_000 }))];
  order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  await send('POST', `/api/office/orders/${order._id}/parcels`, {});
  await record({ receivedBy: 'transfer' });
  await deliver();
  const before = await day();
  // A lost answer, sent again.
  for (let time = 0; time < 2; time++) expect((await recordMore(60_000, 'cash', 'once')).statusCode).toBe(200);
  expect((await recordMore(60_001, 'cash', 'once')).json().message).toContain('already been recorded');
  const after = await day();
  expect([after.cash.taken - before.cash.taken, after.driver.taken - before.driver.taken]).toEqual([60_000, 60_000]);
  expect([await isIn('refunds'), await isIn('unpaid'), (await read()).overpayments]).toMatchObject([true, false, [{ amount: 60_000 }]]);
  // The transfer is a record of its own.
  expect((await undo()).json()).toMatchObject({ isPaid: false, amountDue: 0, overpayments: [{ status: 'owed' }] });
  await expectAgreement();
});

test('two people with the same page open record more money once (§20.4)', async () => {
  await delivered();
  await comesBack(0);
  const { revision } = await read();
  const url = `/api/office/orders/${order._id}/overpayments`;
  const presses = [1, 2].map(() => send('POST', url, { amount: 60_000, receivedBy: 'cash', revision }));
  expect((await Promise.all(presses)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect((await read()).overpayments).toMatchObject([{ amount: 60_000, status: 'owed' }]);
  await expectAgreement();
});

test('a receipt that was recorded by mistake is undone after a cancellation as well, as long as nothing was paid back (§20.4)', async () => {
  const lines = [aLine(await aProduct(db, { name: 'Sofa', price: 60_000 })), aLine(await aProduct(db, { name: 'Lamp', price: 5_000 }))];
  const cancel = (wish: object) =>
    send('POST', `/api/office/orders/${order._id}/cancel`, { reason: 'Not in stock', isRestocked: true, ...wish });
  const before = await box();
  for (const part of [{ pieces: [{ line: 1, qty: 1 }] }, {}]) {
    order = (await send('POST', '/api/orders', aPayload(lines), buyer)).json<Order>();
    await record();
    expect((await cancel(part)).json()).toMatchObject({ refunds: [{ status: 'pending', isByHand: true }] });
    expect([await isIn('refunds'), (await read()).can]).toEqual([true, expect.arrayContaining(['takeBackCash'])]);
    const undone = await undo();
    const due = 'pieces' in part ? order.totalPrice - 5_000 : 0;
    expect(undone.json()).toMatchObject({ isPaid: false, amountDue: due, refunds: [], refundedPrice: 0, isRefundDue: false });
    expect([await isIn('refunds'), (await box()) - before, await papers()]).toEqual([false, 0, due]);
    await expectAgreement();
  }
});

test('what a driver on the way collects stays as it was when a receipt is undone after a cancellation (§20.8)', async () => {
  const lines = [aLine(await aProduct(db, { name: 'Sofa', price: 60_000 })), aLine(await aProduct(db, { name: 'Lamp', price: 5_000 }))];
  order = (await send('POST', '/api/orders', aPayload(lines), buyer)).json<Order>();
  await record();
  await send('POST', `/api/office/orders/${order._id}/parcels`, { lines: [{ line: 0, qty: 1 }] });
  const cancelled = { pieces: [{ line: 1, qty: 1 }], reason: 'Not in stock', isRestocked: true };
  expect((await send('POST', `/api/office/orders/${order._id}/cancel`, cancelled)).statusCode).toBe(200);
  const { amountDue, uncollected, parcels } = (await undo()).json<Order>();
  expect([amountDue, uncollected, parcels[0]?.amountDue]).toEqual([order.totalPrice - 5_000, order.totalPrice - 5_000, 0]);
});

test('what drivers were to collect is known again once a transfer is undone after pieces came back (§20.5)', async () => {
  await delivered(1);
  await record({ receivedBy: 'transfer' });
  for (const line of [0, 1]) await comesBack(line);
  expect((await undo()).json()).toMatchObject({ amountDue: 0, toReceive: 65_000 });
  expect([await isIn('unpaid'), (await read()).can.includes('notCollected')]).toEqual([true, true]);
});

test('what is due is recorded although all of it came in before, and is not written off (§20.5)', async () => {
  await delivered();
  const before = await box();
  await record({ receivedBy: 'transfer' });
  await recordMore(60_000, 'cash');
  await undo();
  expect((await writeOff()).json().message).toBe('All that is due came in before. Record it instead.');
  expect((await record({ amount: 0 })).json()).toMatchObject({ isPaid: true, overpayments: [{ amount: 60_000, status: 'used' }] });
  expect([await isIn('refunds'), (await box()) - before]).toEqual([false, 60_000]);
  expect((await read()).events.at(-1)).toMatchObject({ kind: 'cash received', detail: '£0.00, and £600.00 that came in before' });
  await expectAgreement();
  await undo();
  await endMore('undo');
  expect((await record({ amount: 0 })).statusCode).toBe(409);
});

test('what drivers may have stays known when the delivery is taken back and marked again, also once a transfer has paid the rest (§20.5)', async () => {
  const again = async () => {
    await send('PUT', `/api/orders/${order._id}/deliver`, { isDelivered: false });
    expect(await isIn('unpaid')).toBe(false);
    await deliver();
  };
  await delivered(1);
  await comesBack(1);
  await again();
  expect(await read()).toMatchObject({ amountDue: 60_000, toReceive: 65_000 });
  await record({ receivedBy: 'transfer' });
  await again();
  expect([(await read()).toReceive, await isIn('unpaid')]).toEqual([5_000, true]);
  expect((await undo()).json()).toMatchObject({ amountDue: 60_000, toReceive: 65_000 });
  await notCollected();
  await again();
  expect(await read()).toMatchObject({ amountDue: 60_000, toReceive: 60_000 });
});

test('that nothing was collected is not forgotten when a transfer is recorded and undone, nor were drivers asked for what a transfer paid before', async () => {
  await delivered(2);
  await comesBack(1);
  await notCollected();
  await record({ receivedBy: 'transfer' });
  await undo();
  await comesBack(1);
  expect(await read()).toMatchObject({ amountDue: 60_000, toReceive: 60_000 });
  const lines = [aLine(await aProduct(db, { price: 60_000 })), aLine(await aProduct(db, { price: 5_000 }))];
  for (const isAsked of [false, true]) {
    order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
    const leave = () => send('POST', `/api/office/orders/${order._id}/parcels`, {});
    if (isAsked) await leave();
    await record({ receivedBy: 'transfer' });
    if (!isAsked) await leave();
    await deliver();
    expect([(await read()).toReceive, await isIn('unpaid')]).toEqual([0, false]);
    await comesBack(1);
    expect((await undo()).json()).toMatchObject({ amountDue: 60_000, toReceive: isAsked ? 65_000 : 60_000 });
  }
});

test('a receipt and a delivery that are both taken back leave drivers the same, in whatever order (§20.5)', async () => {
  const lines = [aLine(await aProduct(db, { price: 60_000, stock: 20 })), aLine(await aProduct(db, { price: 5_000, stock: 20 }))];
  const undoDelivery = () => send('PUT', `/api/orders/${order._id}/deliver`, { isDelivered: false });
  for (const receivedBy of ['cash', 'transfer'])
    for (const steps of [
      [undo, undoDelivery],
      [undoDelivery, undo],
      [undoDelivery, deliver, undoDelivery, undo],
    ])
      for (const isSent of [false, true]) {
        order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
        if (isSent) await send('POST', `/api/office/orders/${order._id}/parcels`, {});
        await deliver();
        await record({ receivedBy });
        await comesBack(1);
        for (const step of steps) await step();
        await deliver();
        const at = [receivedBy, steps.length, steps[0] === undo, isSent];
        expect([...at, (await read()).amountDue, (await read()).toReceive]).toEqual([...at, 60_000, 65_000]);
      }
});

test('what was cancelled of a paid order before its delivery is nothing that drivers may have, once its record is undone', async () => {
  const lines = [aLine(await aProduct(db, { price: 60_000 })), aLine(await aProduct(db, { price: 5_000 }))];
  order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  await record();
  await send('POST', `/api/office/orders/${order._id}/cancel`, { reason: 'Another reason', lines: [1] });
  await deliver();
  await undo();
  expect(await read()).toMatchObject({ amountDue: 60_000, toReceive: 60_000 });
});

test('once a delivery was taken back, drivers have only what is for pieces that came back, whatever is undone or cancelled then', async () => {
  const setDelivered = (isDelivered: boolean) => send('PUT', `/api/orders/${order._id}/deliver`, { isDelivered });
  const leave = () => send('POST', `/api/office/orders/${order._id}/parcels`, {});
  const cancel = (line: number) => send('POST', `/api/office/orders/${order._id}/cancel`, { lines: [line], reason: 'Another reason' });
  const place = async (lamps = 1) => {
    const lines = [aLine(await aProduct(db, { price: 60_000 })), aLine(await aProduct(db, { price: 5_000 }))];
    if (lamps > 1) lines.push(aLine(await aProduct(db, { price: 5_000 })));
    order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  };
  for (const isSent of [false, true])
    for (const isUndoneFirst of [false, true]) {
      await place();
      if (isSent) await leave();
      await deliver();
      await record({ receivedBy: 'transfer' });
      if (isUndoneFirst) await undo();
      await setDelivered(false);
      if (!isUndoneFirst) await undo();
      if (isSent) await send('PUT', `/api/orders/${order._id}/stage`, { stage: 'delivery_failed' });
      expect((await cancel(1)).statusCode).toBe(200);
      await leave();
      await deliver();
      expect(await read()).toMatchObject({ amountDue: 60_000, toReceive: 60_000 });
      await record({ receivedBy: 'transfer' });
      expect([await isIn('unpaid'), (await read()).toReceive]).toEqual([false, 0]);
    }
  for (const isTransferred of [false, true]) {
    await place(2);
    await deliver();
    await comesBack(2);
    await setDelivered(false);
    // A transfer ends nothing of what they have for the lamp.
    if (isTransferred) {
      await record({ receivedBy: 'transfer' });
      await undo();
    }
    await cancel(1);
    await deliver();
    expect(await read()).toMatchObject({ amountDue: 60_000, toReceive: 65_000 });
  }
  await expectAgreement();
});

test('what came in before, and is paid back or undone later, is nothing that drivers have; more money names what is asked', async () => {
  for (const end of ['paid', 'undo'] as const) {
    const lines = [aLine(await aProduct(db, { price: 60_000 })), aLine(await aProduct(db, { price: 5_000 }))];
    order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
    await record({ receivedBy: 'transfer' });
    await recordMore(5_000, 'transfer');
    await undo();
    expect((await recordMore(5_000)).json().message).toBe('£600.00 is due for this order. Record that first.');
    await send('POST', `/api/office/orders/${order._id}/parcels`, {});
    await deliver();
    await comesBack(1);
    expect(await read()).toMatchObject({ amountDue: 55_000, toReceive: 60_000 });
    const before = (await day()).driver;
    await endMore(end);
    expect(await read()).toMatchObject({ amountDue: 60_000, toReceive: 60_000 });
    expect((await day()).driver.due - before.due).toBe(0);
    await record({ receivedBy: 'transfer' });
    expect([await isIn('unpaid'), (await read()).toReceive]).toEqual([false, 0]);
  }
});

test('an earlier version’s transfer that is undone leaves drivers what they were to collect', async () => {
  await delivered(1);
  // It does not know `collected`.
  await sql`update orders set paid_at = now(), received_by = 'transfer', to_collect = 0 where id = ${order._id}::uuid`.execute(db);
  await comesBack(1);
  expect((await undo()).json()).toMatchObject({ amountDue: 60_000, toReceive: 65_000 });
  // Nor does what a transfer has ended count for the cash after it.
  await sql`update orders set paid_at = now(), received_by = 'cash', collected = 65000 where id = ${order._id}::uuid`.execute(db);
  expect((await undo()).json()).toMatchObject({ amountDue: 60_000, toReceive: 65_000 });
});

test('once a receipt is undone, the credit note has the reason for which pieces left, and the customer hears that nothing is refunded', async () => {
  await delivered(1);
  await record();
  await comesBack(1);
  await undo();
  expect(await papers()).toBe(60_000);
  const [note] = await sql<{
    reason: string;
    name: string;
  }>`select content ->> 'reason' as reason, content -> 'lines' -> 0 ->> 'name' as name
    from invoices where order_id = ${order._id}::uuid and kind = 'credit_note'`
    .execute(db)
    .then(({ rows }) => rows);
  expect(note).toEqual({ reason: 'Returned', name: '1 × Lamp' });
  await runJobs(services);
  const told = async () => (await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => subject?.startsWith('No refund for order'));
  const [mail] = await told();
  expect(mail?.text).toContain('refunding £50.00 of your order.');
  expect(mail?.text).toContain('Your order now costs £600.00.');
  // Nothing was to go back, so there is nothing to say.
  await record();
  await undo();
  await runJobs(services);
  expect(await told()).toHaveLength(1);
});

test('drivers of an order whose cash was recorded before it left were to collect nothing, also once the record is undone', async () => {
  const lines = [aLine(await aProduct(db, { price: 60_000 })), aLine(await aProduct(db, { price: 5_000 }))];
  order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  await record();
  await send('POST', `/api/office/orders/${order._id}/parcels`, {});
  await deliver();
  await comesBack(1);
  await undo();
  expect(await read()).toMatchObject({ amountDue: 60_000, toReceive: 60_000 });
  await record({ receivedBy: 'transfer' });
  expect([(await read()).toReceive, await isIn('unpaid')]).toEqual([0, false]);
});

test('money that is owed by itself is no part of what the mail of a refund that is not made says', async () => {
  const lamp = await aProduct(db, { price: 5_000 });
  const lines = [aLine(await aProduct(db, { price: 60_000 })), aLine(await aProduct(db, { price: 5_000 }))];
  order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  await record();
  await recordMore(5_000, 'transfer');
  const wish = { revision: (await read()).revision, lines: [], added: [{ product: lamp._id, qty: 1 }] };
  expect((await send('POST', `/api/office/orders/${order._id}/correction`, { ...wish, expected: 5_000 })).statusCode).toBe(200);
  await recordMore(7_000, 'transfer');
  await deliver();
  await comesBack(0);
  await comesBack(1);
  await undo();
  await runJobs(services);
  const mail = (await mailsOf(shop.dataDir, buyer.email)).find(({ subject }) => subject?.startsWith('No refund for order'));
  expect(mail?.text).toContain('refunding £650.00 of your order.');
  expect(mail?.text).not.toContain('You still get');
  expect(await read()).toMatchObject({ amountDue: 0, isRefundDue: true });
});

test('what came in before and still goes back is not in the mail of a refund that is not made', async () => {
  const lines = [aLine(await aProduct(db, { price: 60_000 })), aLine(await aProduct(db, { price: 5_000 }))];
  order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  await record({ receivedBy: 'transfer' });
  await recordMore(5_000, 'transfer');
  await undo();
  const told = async () => {
    await runJobs(services);
    return (await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => subject?.startsWith('No refund for order'));
  };
  await record();
  await deliver();
  await comesBack(0);
  await comesBack(1);
  await undo();
  expect(await read(buyer)).toMatchObject({ amountDue: 0, isRefundDue: true, overpayments: [{ status: 'owed', amount: 5_000 }] });
  const [mail] = await told();
  expect(mail?.text).toContain('refunding £600.00 of your order.');
  expect(mail?.text).toContain('You still get £50.00 back.');
  expect((await read()).events.at(-1)?.detail).toBe('£600.00 is no longer to be paid back');
  // All of what was announced still goes back.
  order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  await record({ receivedBy: 'transfer' });
  await recordMore(65_000, 'transfer');
  await undo();
  await record();
  await deliver();
  await comesBack(1);
  await undo();
  expect(await read()).toMatchObject({ amountDue: 0, isRefundDue: true });
  expect(await told()).toHaveLength(1);
  await expectAgreement();
});

test('a receipt that is undone leaves no goodwill behind of what was to be paid back', async () => {
  await delivered(1);
  await record();
  await comesBack(1, { amount: 8_000 });
  expect((await read()).refunds).toMatchObject([{ amount: 8_000, status: 'pending' }]);
  await undo();
  await record();
  await comesBack(0);
  const [refund] = (await read()).refunds;
  expect((await send('POST', `/api/office/refunds/${refund?._id}/paid`, { paidBackBy: 'cash' })).json()).toMatchObject({
    owedPrice: 0,
    isRefundDue: false,
  });
  expect(await isIn('refunds')).toBe(false);
  await expectAgreement();
});

test('what a change has used counts once the receipt is undone: page, slip, parcel and record ask for the rest, which ends the order as paid (§20.15)', async () => {
  const lamp = await aProduct(db, { name: 'Lamp', price: 5_000 });
  order = (await send('POST', '/api/orders', aPayload([aLine(await aProduct(db, { name: 'Sofa', price: 60_000 }))]), buyer)).json<Order>();
  const [before, first] = [await box(), order.totalPrice];
  await record();
  await recordMore(5_000, 'cash');
  const wish = { revision: (await read()).revision, added: [{ product: lamp._id, qty: 1 }] };
  const change = (more: object) => send('POST', `/api/office/orders/${order._id}/correction`, { ...wish, ...more });
  const { difference } = (await change({})).json<{ difference: number }>();
  expect((await change({ expected: difference })).statusCode).toBe(200);
  expect([(await undo()).json<Order>().amountDue, await isIn('refunds'), (await box()) - before]).toEqual([first, true, 5_000]);
  expect(await read(buyer)).toMatchObject({ amountDue: first, isRefundDue: false, waivedPrice: 0, totalPrice: first + 5_000 });
  const slips = async () =>
    (await send('GET', `/api/office/slips?user=${buyer._id}`)).json<Slips>().slips.map(({ amountDue }) => amountDue);
  expect(await slips()).toEqual([first]);
  expect((await record({ amount: first - 1 })).json().message).toContain(' is due. Record it once all of it is here');
  // The whole sum leaves what came in before alone.
  expect((await record({ amount: first + 5_000 })).json()).toMatchObject({ isPaid: true, overpayments: [{ status: 'owed' }] });
  await undo();
  expect((await record()).json()).toMatchObject({ isPaid: true, overpayments: [{ amount: 5_000, status: 'used' }] });
  expect([await isIn('refunds'), (await box()) - before]).toEqual([false, first + 5_000]);
  await undo();
  const parcels = (await send('POST', `/api/office/orders/${order._id}/parcels`, {})).json<Order>();
  expect([parcels.parcels.map(({ amountDue }) => amountDue), parcels.uncollected, parcels.toReceive]).toEqual([[first], 0, first]);
  const drivers = (await day()).driver;
  await deliver();
  expect([(await read()).toReceive, (await day()).driver.due - drivers.due]).toEqual([first, first + 5_000]);
  for (const _ of ['once', 'and a lost answer, sent again'])
    expect((await record({ amount: first, receivedBy: 'transfer' })).json()).toMatchObject({
      isPaid: true,
      overpayments: [{ status: 'used' }],
    });
  expect([await isIn('refunds'), (await box()) - before]).toEqual([false, 5_000]);
  await expectAgreement();
  await undo();
  await record({ amount: first + 6_000, receivedBy: 'cash' });
  expect((await read()).overpayments).toMatchObject([
    { amount: 5_000, status: 'owed' },
    { amount: 1_000, status: 'owed', isWithPayment: true },
  ]);
  expect((await box()) - before).toBe(first + 6_000 + 5_000);
  await expectAgreement();
});

test('cash for an order that was paid by card is recorded and paid back by hand, and leaves the payment alone', async () => {
  const card = cardDesk(shop);
  const { url, sessionId } = await card.checkout(buyer, [aLine(await aProduct(db, { price: 60_000 }))]);
  await pay(url);
  order = { _id: (await card.orderOf(sessionId)).id } as Order;
  expect((await read()).can).toContain('receiveMore');
  expect((await record()).json().message).toContain('paid by card');
  expect((await recordMore(60_000)).json()).toMatchObject({ refundedPrice: 0, refundable: 60_000, refunds: [] });
  expect([await isIn('refunds'), (await endMore('paid')).json().refundable, await isIn('refunds')]).toEqual([true, 60_000, false]);
  await expectAgreement();
});

test('a cancellation or return from a page that shows another sum than can be refunded is refused (§20.5)', async () => {
  await delivered(1);
  await record();
  const { refundable } = await read();
  await send('POST', `/api/office/orders/${order._id}/refunds`, { amount: 1_000, reason: 'Goodwill', paidBackBy: 'cash' });
  await send('POST', `/api/office/orders/${order._id}/returns`, {
    lines: [{ line: 1, qty: 1 }],
    reason: 'It does not fit',
    answer: '',
  });
  const url = `/api/office/returns/${(await read()).returns[0]?._id}/received`;
  const body = { lines: [{ line: 1, restocked: 1, spoiled: 0 }] };
  expect((await send('POST', url, { ...body, refundable })).json().message).toContain('What can be refunded of order');
  expect((await send('POST', url, { ...body, refundable: refundable - 1_000 })).statusCode).toBe(200);
  const lines = [aLine(await aProduct(db, { price: 60_000 })), aLine(await aProduct(db, { price: 5_000 }))];
  order = (await send('POST', '/api/orders', aPayload(lines), buyer)).json<Order>();
  await record();
  const seen = await read();
  await send('POST', `/api/office/orders/${order._id}/refunds`, { amount: 1_000, reason: 'Goodwill', paidBackBy: 'cash' });
  const cancel = (more: object) =>
    send('POST', `/api/office/orders/${order._id}/cancel`, { lines: [1], reason: 'Not in stock', revision: seen.revision, ...more });
  expect((await cancel({ refundable: seen.refundable })).statusCode).toBe(409);
  expect((await cancel({ refundable: seen.refundable - 1_000 })).statusCode).toBe(200);
});

test('only staff who change orders record money, and only those who may move it pay it back', async () => {
  await delivered();
  await record();
  const packer = await anAdmin(db, { staffRole: 'orders' });
  const body = { amount: 100, receivedBy: 'cash' };
  const url = `/api/office/orders/${order._id}/overpayments`;
  expect([(await send('POST', url, body, buyer)).statusCode, (await send('POST', url, body, packer)).statusCode]).toEqual([403, 200]);
  for (const wrong of [{ amount: 0 }, { amount: -1 }, { amount: 0.5 }, { receivedBy: 'card' }])
    expect((await send('POST', url, { ...body, ...wrong })).statusCode).toBe(400);
  const owed = `/api/office/overpayments/${(await read()).overpayments[0]?._id}`;
  expect((await send('POST', `${owed}/paid`, { paidBackBy: 'cash' }, packer)).statusCode).toBe(403);
  expect((await send('POST', `${owed}/undo`, undefined, packer)).statusCode).toBe(200);
  expect((await send('POST', `/api/office/overpayments/${order._id}/undo`)).json().message).toContain('Payment not found');
});

test('what a driver may have for a piece that came back is under Delivered, not paid, and in the driver’s day, until it is recorded or nothing was collected (§23.8)', async () => {
  const before = (await day()).driver;
  const driver = async () => {
    const { delivered: count, due, taken, open } = (await day()).driver;
    return [count - before.delivered, due - before.due, taken - before.taken, open - before.open];
  };
  await delivered();
  await comesBack(0);
  expect([await isIn('unpaid'), await driver(), (await read()).can.includes('notCollected')]).toEqual([true, [1, 60_000, 0, 1], true]);
  // Less than that came in: staff enter all that did.
  await recordMore(55_000);
  expect([await isIn('unpaid'), await driver(), (await read()).toReceive]).toEqual([false, [1, 55_000, 55_000, 0], 0]);
  expect((await endMore('undo')).json()).toMatchObject({ toReceive: 60_000 });
  expect([await isIn('unpaid'), await driver()]).toEqual([true, [1, 60_000, 0, 1]]);
  // What the customer transfers says nothing about the driver.
  await recordMore(60_000, 'transfer');
  expect([await isIn('unpaid'), await driver()]).toEqual([true, [1, 60_000, 0, 1]]);
  const { revision } = await read();
  expect((await notCollected({}, buyer)).statusCode).toBe(403);
  expect((await notCollected()).json()).toMatchObject({ toReceive: 0, amountDue: 0 });
  expect([await isIn('unpaid'), await driver()]).toEqual([false, [0, 0, 0, 0]]);
  expect((await read()).events.at(-1)).toMatchObject({ kind: 'nothing collected', detail: '£600.00' });
  expect([(await notCollected({ revision })).statusCode, (await notCollected()).json().message]).toEqual([
    409,
    expect.stringContaining('there is nothing to collect'),
  ]);
  await expectAgreement();
});

test('nor do drivers have anything of it once the rest is due from the customer, or a transfer has paid that', async () => {
  await delivered(1);
  await comesBack(0);
  expect(await read()).toMatchObject({ amountDue: 5_000, toReceive: 65_000 });
  // The lamp is paid by transfer: the driver may still have the sofa's price.
  await record({ receivedBy: 'transfer' });
  expect([await read(), await isIn('unpaid')]).toMatchObject([{ isPaid: true, toReceive: 60_000 }, true]);
  await undo();
  expect(await read()).toMatchObject({ isPaid: false, amountDue: 5_000, toReceive: 65_000 });
  expect((await notCollected()).json()).toMatchObject({ amountDue: 5_000, toReceive: 5_000 });
  expect([await isIn('unpaid'), (await read()).can.includes('notCollected')]).toEqual([true, false]);
  await record();
  expect(await isIn('unpaid')).toBe(false);
});

test('once a delivery is taken back after a write-off or a return, slip and page ask for what is due by now', async () => {
  const notDelivered = () => send('PUT', `/api/orders/${order._id}/deliver`, { isDelivered: false });
  await delivered();
  await writeOff({ amount: 10_000 });
  await notDelivered();
  expect((await read()).parcels.map(({ amountDue }) => amountDue)).toEqual([50_000]);
  // Sent again with a share that leaves the write-off out.
  await send('PUT', `/api/orders/${order._id}/stage`, { stage: 'delivery_failed' });
  await send('POST', `/api/office/orders/${order._id}/parcels`, {});
  await deliver();
  await comesBack(0);
  expect((await read()).toReceive).toBe(50_000);
  await delivered(1);
  await comesBack(1);
  await notDelivered();
  expect((await read()).parcels.map(({ amountDue }) => amountDue)).toEqual([60_000]);
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

test('what was recorded before is migrated to the penny, and what drivers were to collect is known', async () => {
  await delivered(1);
  await comesBack(1);
  await record();
  const [before, { cash }] = [await read(), await day()];
  // As an earlier version stored £50 more: a part of the order's own receipt, and a refund by hand.
  await sql`update orders set waived_price = 0, refunded_price = 5000 where id = ${order._id}::uuid`.execute(db);
  await sql`insert into cash_receipts (order_id, amount) values (${order._id}::uuid, 5000)`.execute(db);
  await sql`insert into order_refunds (id, order_id, amount, reason, actor, is_by_hand, status)
    values (gen_random_uuid(), ${order._id}::uuid, 5000, 'More was paid than was due', 'Ann', true, 'pending')`.execute(db);
  const paid = order;
  await delivered(1);
  await comesBack(0);
  const returned = order;
  await delivered(1);
  await sql`update orders set to_collect = 0 where id in (${returned._id}::uuid, ${order._id}::uuid)`.execute(db);
  await migrateAgain(db, '0968_overpayments_so_far');
  expect(await read()).toMatchObject({ amountDue: 65_000, toReceive: 65_000 });
  order = returned;
  expect([await read(), await isIn('unpaid')]).toMatchObject([{ amountDue: 5_000, toReceive: 65_000 }, true]);
  order = paid;
  const { waivedPrice, refundedPrice } = before;
  expect(await read()).toMatchObject({
    waivedPrice,
    refundedPrice,
    refunds: [],
    overpayments: [{ amount: 5_000, receivedBy: 'cash', isWithPayment: true, status: 'owed', actor: 'Ann' }],
  });
  expect([(await day()).cash.taken - cash.taken, await isIn('refunds')]).toEqual([5_000, true]);
  await expectAgreement();
  await undo();
  expect((await day()).cash.taken - cash.taken).toBe(-60_000);
});

test('of an order that was cancelled after more was recorded than was due, what it has to give back leaves that out', async () => {
  const lines = [aLine(await aProduct(db, { name: 'Sofa', price: 60_000 })), aLine(await aProduct(db, { name: 'Lamp', price: 5_000 }))];
  order = (await send('POST', '/api/orders', aPayload(lines, { phone: '07700 900123' }), buyer)).json<Order>();
  const cancel = (lines: number[]) =>
    send('POST', `/api/office/orders/${order._id}/cancel`, { lines, reason: 'The customer asked for it' });
  await cancel([1]);
  await record();
  await cancel([0]);
  const before = await read();
  // As an earlier version stored £50 more, and then the cancellation.
  await sql`update orders set waived_price = waived_price - 5000, refunded_price = refunded_price + 5000, due_back = due_back + 5000
    where id = ${order._id}::uuid`.execute(db);
  await sql`insert into order_refunds (id, order_id, amount, reason, actor, is_by_hand, status)
    values (gen_random_uuid(), ${order._id}::uuid, 5000, 'More was paid than was due', 'Ann', true, 'pending')`.execute(db);
  await migrateAgain(db, '0968_overpayments_so_far');
  for (const { _id } of before.refunds) await send('POST', `/api/office/refunds/${_id}/paid`, { paidBackBy: 'cash' });
  await endMore('paid');
  expect([await read(), await isIn('refunds')]).toMatchObject([{ refundedPrice: 60_000, isRefundDue: false }, false]);
});
