import { beforeEach, expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';

const shop = await testShop();
const { app, db } = shop;
const admin = await anAdmin(db);
let buyer: SignedIn;
let order: Order;

beforeEach(async () => {
  buyer = await aCustomer(db);
  const payload = aPayload([aLine(await aProduct(db, { price: 21_900 }))]);
  order = (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json<Order>();
});

const put = async (what: string, payload: object, who = admin) =>
  app.inject({ method: 'PUT', url: `/api/orders/${order._id}/${what}`, headers: who.headers, payload });
const move = async (stage: string) => (await put('stage', { stage })).json<Order>();
const deliver = async (isDelivered: boolean) => (await put('deliver', { isDelivered })).json<Order>();

test('an order is packed, dispatched, not delivered, sent again and delivered: each step is in its history, and the customer hears what matters (§20.1)', async () => {
  expect(order).toMatchObject({ status: 'placed', dispatchedAt: null });
  expect(await move('packing')).toMatchObject({ status: 'packing' });
  expect(await move('packing')).toMatchObject({ status: 'packing' });
  expect(await move('dispatched')).toMatchObject({ status: 'dispatched', dispatchedAt: expect.any(String) });
  await runJobs(shop.services);
  expect(await move('delivery_failed')).toMatchObject({ status: 'delivery_failed', isDelivered: false });
  expect(await move('dispatched')).toMatchObject({ status: 'dispatched' });
  await runJobs(shop.services);
  const { events, ...delivered } = await deliver(true);
  expect(delivered).toMatchObject({ status: 'delivered', isDelivered: true, deliveredAt: expect.any(String) });
  expect(events.map(({ kind }) => kind)).toEqual([
    ...['placed', 'being packed', 'dispatched', 'delivery failed', 'dispatched', 'delivered'],
  ]);
  await runJobs(shop.services);
  const mails = await mailsOf(shop.dataDir, buyer.email);
  expect(mails.map(({ subject }) => subject?.replace(order.reference, 'REF')).sort()).toEqual([
    'Thank you for your order REF',
    'We could not deliver your order REF',
    'Your order REF is on its way',
    'Your order REF is on its way',
    'Your order REF was delivered',
  ]);
  expect(mails.find(({ subject }) => subject?.includes('is on its way'))?.text).toContain('Please have £219.00 ready for the driver.');
});

test('a step marked by mistake can be undone, and its mail is not sent (§20.2)', async () => {
  await move('dispatched');
  expect(await move('packing')).toMatchObject({ status: 'packing', dispatchedAt: null });
  expect(await move('placed')).toMatchObject({ status: 'placed' });
  await move('dispatched');
  await deliver(true);
  expect(await deliver(false)).toMatchObject({ status: 'dispatched', deliveredAt: null, dispatchedAt: expect.any(String) });
  await move('packing');
  await deliver(true);
  expect(await deliver(false)).toMatchObject({ status: 'placed', deliveredAt: null });
  await runJobs(shop.services);
  expect((await mailsOf(shop.dataDir, buyer.email)).map(({ subject }) => subject?.split(' ').at(-1)).sort()).toEqual([
    ...['delivered', order.reference].sort(),
  ]);
});

test.each([
  ['placed', 'delivery_failed', 'is placed; no courier has it'],
  ['packing', 'delivery_failed', 'is being packed; no courier has it'],
  ['dispatched', 'placed', 'was dispatched; it is not being packed'],
])('an order that is %s does not become %s', async (before, after, words) => {
  await move(before);
  const reply = await put('stage', { stage: after });
  expect([reply.statusCode, reply.json().message]).toEqual([409, `Order ${order.reference} ${words}.`]);
  expect((await put('stage', { stage: after }, buyer)).statusCode).toBe(403);
});

test('a delivered order allows no other step until its delivery is undone', async () => {
  await deliver(true);
  for (const stage of ['placed', 'packing', 'dispatched', 'delivery_failed']) {
    const reply = await put('stage', { stage });
    expect([reply.statusCode, reply.json().message]).toEqual([409, expect.stringContaining(`${order.reference} was delivered;`)]);
  }
  expect((await put('stage', { stage: 'lost' })).json().message).toBe('Choose placed, packing, dispatched or delivery_failed.');
});

test('contradictory steps that arrive at once are taken in an order that the table allows (§20.2)', async () => {
  await move('dispatched');
  const replies = await Promise.all([
    put('deliver', { isDelivered: true }),
    put('stage', { stage: 'delivery_failed' }),
    put('stage', { stage: 'packing' }),
  ]);
  for (const { statusCode } of replies) expect([200, 409]).toContain(statusCode);
  const { events, status } = (await app.inject({ url: `/api/orders/${order._id}`, headers: admin.headers })).json<Order>();
  expect(events).toHaveLength(2 + replies.filter(({ statusCode }) => statusCode === 200).length);
  expect(['delivered', 'delivery_failed', 'packing']).toContain(status);
});

test('an order being packed or dispatched is listed as not delivered, counts as sold, and has its state in the CSV (§20.1)', async () => {
  await move('dispatched');
  const found = async (query: string) =>
    (await app.inject({ url: `/api/orders?search=${order._id}&${query}`, headers: admin.headers })).json().total as number;
  expect([await found('delivered=false'), await found('delivered=true'), await found('paid=false')]).toEqual([1, 0, 1]);
  const csv = await app.inject({ url: `/api/orders/export?search=${order._id}`, headers: admin.headers });
  expect(csv.body).toContain(`,Dispatched,${order.reference}`);
  const user = (await app.inject({ url: `/api/users/${buyer._id}`, headers: admin.headers })).json();
  expect([user.orderCount, user.spent]).toEqual([1, 21_900]);
});
