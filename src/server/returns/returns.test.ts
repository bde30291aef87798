import { beforeEach, expect, test } from 'vitest';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { forceOrder } from '#server/testing/orders.ts';

const shop = await testShop({ env: { STORE_MARKET: 'uk' } });
const { app, db, services } = shop;
const { checkout, orderOf } = cardDesk(shop);
const admin = await anAdmin(db);
const DAY_MS = 86_400_000;
let buyer: SignedIn;
let sofa: Awaited<ReturnType<typeof aProduct>>;
let lamp: typeof sofa;
let order: Order;

const call = async (who: SignedIn, method: 'POST' | 'PUT' | 'GET', url: string, payload?: object) =>
  app.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
const read = async (who = admin) => (await call(who, 'GET', `/api/orders/${order._id}`)).json<Order>();
const ask = (payload: object, who = buyer) =>
  call(who, 'POST', who === admin ? `/api/office/orders/${order._id}/returns` : `/api/orders/${order._id}/returns`, payload);
const judge = (id: string, payload: object, who = admin) => call(who, 'POST', `/api/office/returns/${id}/judge`, payload);
const receive = (id: string, payload: object, who = admin) => call(who, 'POST', `/api/office/returns/${id}/received`, payload);
const lastReturn = async () => (await read()).returns.at(-1)?._id ?? '';
const deliver = () => call(admin, 'PUT', `/api/orders/${order._id}/deliver`, { isDelivered: true });
const LAMP = { lines: [{ line: 1, qty: 1 }], reason: 'It does not fit' };
const BOTH_BACK = [{ line: 0, restocked: 1, spoiled: 0 }];

/** Asks for a return that an administrator approves. Returns its id. */
async function agreed(payload: object): Promise<string> {
  await ask(payload);
  const id = await lastReturn();
  await judge(id, { isApproved: true });
  return id;
}

/** The subjects of the mails about returns and refunds, without the reference. */
async function subjects(): Promise<string[]> {
  await runJobs(services);
  const mails = await mailsOf(shop.dataDir, buyer.email);
  return mails.map(({ subject = '' }) => subject.replace(order.reference, 'REF')).filter((subject) => /return|refund/i.test(subject));
}

beforeEach(async () => {
  buyer = await aCustomer(db);
  sofa = await aProduct(db, { name: 'Sofa', price: 30_000 });
  lamp = await aProduct(db, { name: 'Lamp', price: 2_500 });
  const payload = aPayload([aLine(sofa), aLine(lamp, { qty: 2 })], { phone: '07700 900123' });
  order = (await call(buyer, 'POST', '/api/orders', payload)).json<Order>();
  await call(admin, 'PUT', `/api/orders/${order._id}/cash`, { isPaid: true });
  await deliver();
});

test('history and mails name a piece with its colour (§20.9)', async () => {
  const chair = await aProduct(db, {
    name: 'Chair',
    price: 9_000,
    colors: ['#1f2a44', '#ffffff'],
    sizes: [{ size: 'Low', quantity: 5, price: 0 }],
  });
  const payload = aPayload([aLine(chair, { size: 'Low', color: '#1f2a44' }), aLine(chair, { size: 'Low', color: '#ffffff' })]);
  order = (await call(buyer, 'POST', '/api/orders', payload)).json<Order>();
  for (const line of [0, 1]) await call(admin, 'POST', `/api/office/orders/${order._id}/parcels`, { lines: [{ line, qty: 1 }] });
  await deliver();
  const id = await agreed({ lines: [{ line: 1, qty: 1 }], reason: 'It does not fit' });
  await receive(id, { lines: [{ line: 1, restocked: 1, spoiled: 0 }] });
  const named = '1 × Chair (Low, White)';
  const details = (await read()).events.flatMap(({ kind, detail }) => (/return|part/.test(kind) ? [detail] : []));
  expect(details).toEqual(['1 × Chair (Low, Navy)', `${named}. It does not fit`, named, `${named} back in stock`]);
  await runJobs(services);
  const mails = (await mailsOf(shop.dataDir, buyer.email)).filter(({ subject = '' }) => /return/i.test(subject));
  expect(mails.map(({ text = '' }) => text.includes(named))).toEqual(mails.map(() => true));
});

test('a customer sends a piece back: asked for, approved, received into stock, refunded, and told of each step once (§20.9)', async () => {
  const stock = await stockOf(db, lamp._id);
  const asked = (await ask({ ...LAMP, note: 'It is\r\ntoo tall.' })).json<Order>();
  expect(asked).toMatchObject({ status: 'return_asked', isDelivered: true, isReturnable: true });
  expect(asked.returns).toMatchObject([
    { status: 'asked', reason: 'It does not fit', note: 'It is\ntoo tall.', sendBy: null, pieces: [{ line: 1, qty: 1 }] },
  ]);
  const id = await lastReturn();
  const approved = (await judge(id, { isApproved: true, answer: 'Keep the box.' })).json<Order>();
  const sendBy = shopDay(new Date(Date.parse(shopDay(new Date().toISOString())) + 14 * DAY_MS).toISOString());
  expect(approved).toMatchObject({ status: 'return_approved', returns: [{ status: 'approved', answer: 'Keep the box.', sendBy }] });
  const received = (await receive(id, { lines: [{ line: 1, restocked: 1, spoiled: 0 }] })).json<Order>();
  expect(received).toMatchObject({ status: 'delivered', refundedPrice: 2_500, returns: [{ status: 'received' }] });
  expect(received.orderItems[1]).toMatchObject({ returnedQty: 1, spoiledQty: 0, refundedQty: 1 });
  expect(received.refunds).toMatchObject([{ amount: 2_500, reason: 'Returned', detail: '1 × Lamp', isByHand: true, status: 'pending' }]);
  expect(await stockOf(db, lamp._id)).toBe(stock + 1);
  expect(received.events.map(({ kind, detail }) => [kind, detail]).slice(-4)).toEqual([
    ['return asked for', '1 × Lamp. It does not fit'],
    ['return agreed', '1 × Lamp. Keep the box.'],
    ['return received', '1 × Lamp back in stock'],
    ['refund started', '£25.00. Returned. 1 × Lamp'],
  ]);
  expect(await subjects()).toEqual([
    'We have your request for a return, order REF',
    'Send your return, order REF',
    'Your return has arrived, order REF',
  ]);
  const text = (await mailsOf(shop.dataDir, buyer.email)).map((mail) => mail.text).join('\n');
  for (const words of ['Keep the box.', services.config.company.office, 'We are refunding £25.00 to you.']) expect(text).toContain(words);
});

test('the order names the lines that two people carry, by the delivery class; with one of them all is collected (§20.9)', async () => {
  expect((await read(buyer)).carriedByTwo).toEqual([]);
  await db.updateTable('products').set({ deliveryClass: 'two-person' }).where('id', '=', lamp._id).execute();
  expect((await read(buyer)).carriedByTwo).toEqual([1]);
  await agreed({ ...LAMP, lines: [0, 1].map((line) => ({ line, qty: 1 })) });
  expect((await read(buyer)).returns).toMatchObject([{ status: 'approved', sendBy: null }]);
});

test('what cannot be sold again does not go into stock, and with the last piece the order has come back, with its standard delivery (§20.9)', async () => {
  const stock = [await stockOf(db, sofa._id), await stockOf(db, lamp._id)];
  const first = await agreed({ lines: [{ line: 1, qty: 2 }], reason: 'I changed my mind' });
  expect((await receive(first, { lines: [{ line: 1, restocked: 1, spoiled: 1 }] })).json()).toMatchObject({
    status: 'delivered',
    refundedPrice: 5_000,
  });
  const second = await agreed({ lines: [{ line: 0, qty: 1 }], reason: 'I changed my mind' });
  const back = (await receive(second, { lines: BOTH_BACK })).json<Order>();
  expect(order.shippingPrice).toBe(4_900);
  expect(back).toMatchObject({ status: 'returned', isDelivered: true, refundedPrice: order.totalPrice, isReturnable: false });
  expect(back.orderItems).toMatchObject([{ returnedQty: 1 }, { returnedQty: 1, spoiledQty: 1, refundedQty: 2 }]);
  expect([await stockOf(db, sofa._id), await stockOf(db, lamp._id)]).toEqual([(stock[0] ?? 0) + 1, (stock[1] ?? 0) + 1]);
  expect((await ask(LAMP)).json().message).toBe(`Order ${order.reference} came back; nothing in it can be returned.`);
});

test('of express delivery what standard costs goes back, and all of it where the shop is at fault; staff can read it before (§20.9)', async () => {
  const money = async (reason: string) => {
    const payload = aPayload([aLine(lamp)], { phone: '07700 900123', shippingMethod: 'express' });
    order = (await call(buyer, 'POST', '/api/orders', payload)).json<Order>();
    await call(admin, 'PUT', `/api/orders/${order._id}/cash`, { isPaid: true });
    await deliver();
    const id = await agreed({ lines: [{ line: 0, qty: 1 }], reason });
    const { delivery } = (await call(admin, 'GET', `/api/office/returns/${id}`)).json<{ delivery: number }>();
    return [delivery, (await receive(id, { lines: BOTH_BACK })).json<Order>().refundedPrice];
  };
  expect(await money('I changed my mind')).toEqual([4_900, 2_500 + 4_900]);
  expect(await money('Damaged or faulty')).toEqual([9_900, 2_500 + 9_900]);
});

test('the money of a card order goes back through the provider (§20.9)', async () => {
  const { url, sessionId } = await checkout(buyer, [aLine(sofa)]);
  await pay(url);
  order = (await call(buyer, 'GET', `/api/orders/${(await orderOf(sessionId)).id}`)).json<Order>();
  await deliver();
  const id = await agreed({ lines: [{ line: 0, qty: 1 }], reason: 'Wrong piece' });
  await receive(id, { lines: BOTH_BACK });
  await runJobs(services);
  expect((await read()).refunds).toMatchObject([{ amount: order.totalPrice, isByHand: false, status: 'done' }]);
  expect((await subjects()).filter((subject) => subject === 'Your return has arrived, order REF')).toHaveLength(1);
  expect((await subjects()).filter((subject) => subject === 'Your refund for order REF')).toHaveLength(1);
});

test('less goes back only with words, and no more than was paid; what was never paid is not owed any more (§20.9)', async () => {
  const id = await agreed(LAMP);
  const lines = [{ line: 1, restocked: 0, spoiled: 1 }];
  expect((await receive(id, { lines, amount: 1_000 })).json().errors).toEqual({
    answer: 'Tell the customer why you refund less than they paid for the pieces.',
  });
  expect((await receive(id, { lines, amount: 99_999 })).json().message).toBe('At most £399.00 of this order can still be refunded.');
  const answer = 'Its shade is torn.';
  expect((await receive(id, { lines, amount: 1_000, answer })).json()).toMatchObject({ refundedPrice: 1_000, returns: [{ answer }] });
  order = (await call(buyer, 'POST', '/api/orders', aPayload([aLine(lamp, { qty: 2 })], { phone: '07700 900123' }))).json<Order>();
  await deliver();
  const unpaid = await agreed({ lines: [{ line: 0, qty: 1 }], reason: 'Wrong piece' });
  expect((await receive(unpaid, { lines: BOTH_BACK })).json()).toMatchObject({ waivedPrice: 2_500, amountDue: 7_400, refunds: [] });
});

test('a return is refused with words, or withdrawn; nothing moves then, and the pieces can be asked for again (§20.9)', async () => {
  const stock = await stockOf(db, lamp._id);
  await ask(LAMP);
  const id = await lastReturn();
  expect((await judge(id, { isApproved: false })).json().errors).toEqual({ answer: 'Tell the customer why.' });
  expect((await judge(id, { isApproved: false, answer: 'It was made to measure.' })).json()).toMatchObject({
    status: 'delivered',
    returns: [{ status: 'refused' }],
  });
  expect((await judge(id, { isApproved: true })).json().message).toBe('This return has already been answered.');
  await ask(LAMP);
  const second = await lastReturn();
  const withdrawn = await call(buyer, 'POST', `/api/returns/${second}/withdraw`, {});
  expect(withdrawn.json()).toMatchObject({ status: 'delivered', returns: [{}, { status: 'withdrawn' }] });
  expect((await call(buyer, 'POST', `/api/returns/${second}/withdraw`, {})).statusCode).toBe(409);
  const third = await agreed(LAMP);
  expect((await judge(third, { isApproved: false, answer: 'Nothing has reached us.' })).json()).toMatchObject({ status: 'delivered' });
  expect((await receive(third, { lines: [{ line: 1, restocked: 1, spoiled: 0 }] })).json().message).toBe(
    'This return is not waiting for any pieces.',
  );
  expect([await stockOf(db, lamp._id), (await read()).refundedPrice]).toEqual([stock, 0]);
  expect((await subjects()).sort()).toEqual([
    ...Array(2).fill('About your return, order REF'),
    'Send your return, order REF',
    ...Array(3).fill('We have your request for a return, order REF'),
    'Your return was cancelled, order REF',
  ]);
});

test('after fourteen days, to the end of the day in the shop’s time, the customer is told of further rights; the shop can still agree (§20.9)', async () => {
  const delivered = async (daysAgo: number) => {
    const day = shopDay(new Date(Date.now() - daysAgo * DAY_MS).toISOString());
    await forceOrder(db, order._id, { deliveredAt: `${day}T00:30:00.000Z` });
    return day;
  };
  await delivered(14);
  expect((await read(buyer)).isReturnable).toBe(true);
  const day = await delivered(15);
  const until = new Date(Date.parse(day) + 14 * DAY_MS).toISOString().slice(0, 10);
  expect(await read(buyer)).toMatchObject({ isReturnable: false, returnUntil: until });
  const reply = await ask(LAMP);
  expect([reply.statusCode, reply.json().message]).toEqual([
    409,
    `You could request a return until ${until}. If a piece is faulty, you have further rights: please contact us.`,
  ]);
  // The words of staff are the shop's, never the customer's.
  const faulty = { ...LAMP, reason: 'Damaged or faulty', answer: 'Keep the shade.' };
  const refused = await ask({ ...faulty, note: 'Seems honest.' }, admin);
  expect([refused.statusCode, refused.json().errors]).toEqual([400, { note: expect.stringContaining('Write to the customer') }]);
  const started = (await ask(faulty, admin)).json<Order>();
  expect(started).toMatchObject({ status: 'return_approved', returns: [{ status: 'approved', note: '', answer: 'Keep the shade.' }] });
  expect(started.events.at(-1)).toMatchObject({ kind: 'return agreed', detail: '1 × Lamp. Damaged or faulty. Keep the shade.' });
  expect(await subjects()).toEqual(['Send your return, order REF']);
  expect((await mailsOf(shop.dataDir, buyer.email)).at(-1)?.text).toContain('Keep the shade.');
});

test('no piece is in two returns, also when they are asked for at once, and only what was to come back is received (§20.9)', async () => {
  const SOFA = { lines: [{ line: 0, qty: 1 }], reason: 'Wrong piece' };
  const replies = await Promise.all([ask(LAMP), ask(SOFA), ask(LAMP), ask(SOFA)]);
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 409, 409]);
  expect((await ask(LAMP)).json().message).toBe('Lamp is already in a return, or has come back.');
  expect((await ask({ lines: [{ line: 7, qty: 1 }], reason: 'Wrong piece' })).json().message).toBe('Choose lines of the order.');
  const id = (await read()).returns.find(({ pieces }) => pieces[0]?.line === 1)?._id ?? '';
  expect((await judge(id, { isApproved: true })).json()).toMatchObject({ status: 'return_asked' });
  const words = async (lines: object[]) => (await receive(id, { lines })).json().message;
  expect(await words([{ line: 1, restocked: 1, spoiled: 1 }])).toBe('Only 1 of Lamp can come back with this return.');
  expect(await words([{ line: 0, restocked: 1, spoiled: 0 }])).toBe('Sofa is not part of this return.');
  expect(await words([{ line: 1, restocked: 0, spoiled: 0 }])).toBe('Enter what came back. If nothing did, refuse the return.');
  const both = await Promise.all([1, 2].map(() => receive(id, { lines: [{ line: 1, restocked: 1, spoiled: 0 }] })));
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect(await read()).toMatchObject({ status: 'return_asked', refundedPrice: 2_500 });
});

test('only the customer asks and withdraws, only administrators decide, and nothing comes back that was not delivered (§20.9)', async () => {
  const stranger = await aCustomer(db);
  expect((await ask(LAMP, stranger)).statusCode).toBe(404);
  await ask(LAMP);
  const id = await lastReturn();
  expect((await call(stranger, 'POST', `/api/returns/${id}/withdraw`, {})).statusCode).toBe(404);
  expect([(await judge(id, { isApproved: true }, buyer)).statusCode, (await receive(id, { lines: BOTH_BACK }, buyer)).statusCode]).toEqual([
    403, 403,
  ]);
  expect((await call(admin, 'PUT', `/api/orders/${order._id}/deliver`, { isDelivered: false })).json().message).toBe(
    `Order ${order.reference} has a return that waits for an answer; there is nothing to deliver.`,
  );
  order = (await call(buyer, 'POST', '/api/orders', aPayload([aLine(lamp)], { phone: '07700 900123' }))).json<Order>();
  expect((await ask({ ...LAMP, lines: [{ line: 0, qty: 1 }] })).json().message).toBe(
    `Order ${order.reference} is placed; nothing in it can be returned.`,
  );
});
