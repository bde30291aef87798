import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { makeJobsDue } from '#server/testing/jobs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { lockWaits } from '#server/testing/while-waiting.ts';

const shop = await testShop();
const { app, db } = shop;
const admin = await anAdmin(db);
let buyer: SignedIn;
let orders: Order[];

const call = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
  app.inject({ method, url, headers: admin.headers, ...(payload && { payload }) });
const dispatch = (more: object = {}) => call('POST', '/api/office/dispatches', { filters: { user: buyer._id }, ...more });
const undo = (id: string) => call('POST', `/api/office/dispatches/${id}/undo`);
const read = async (order: Order) => (await call('GET', `/api/orders/${order._id}`)).json<Order>();
const states = async () => Promise.all(orders.map(async (order) => (await read(order)).status));
const told = async () => (await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => subject?.includes('on its way'));

beforeEach(async () => {
  buyer = await aCustomer(db);
  const product = await aProduct(db, { stock: 100 });
  const place = async (payload = {}) =>
    (
      await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(product)], payload) })
    ).json<Order>();
  orders = [await place(), await place(), await place({ paymentMethod: 'Online Payment', orderPaymentID: 'BACS 1' })];
  await call('PUT', `/api/orders/${orders[1]?._id}/stage`, { stage: 'packing' });
});

test('all orders that a filter finds leave in one go, but for those whose payment is awaited; the mails wait ten minutes (§20.10)', async () => {
  expect((await dispatch()).json()).toEqual({ orders: 2, later: 0, others: 1, batch: null });
  expect(await states()).toEqual(['placed', 'packing', 'placed']);
  const { batch } = (await dispatch({ expected: 2, carrier: 'dpd' })).json();
  expect(batch).toMatchObject({ orders: 2, actor: admin.name });
  expect(Date.parse(batch.undoUntil) - Date.parse(batch.createdAt)).toBeGreaterThan(9.9 * 60_000);
  expect(await states()).toEqual(['dispatched', 'dispatched', 'placed']);
  expect((await read(orders[0] as Order)).parcels).toMatchObject([{ carrierName: 'DPD' }]);
  await runJobs(shop.services);
  expect(await told()).toEqual([]);
  await makeJobsDue(db);
  await runJobs(shop.services);
  expect(await told()).toHaveLength(2);
  expect((await dispatch({ expected: 2 })).json().message).toBe('There are now 0 orders, not 2. Please check again.');
});

test('a batch of a clock that was ahead cannot be undone for longer than others', async () => {
  const { batch } = (await dispatch({ expected: 2 })).json();
  await db.updateTable('dispatchBatches').set({ undoUntil: sql<string>`now() + interval '40 days'` }).where('id', '=', batch._id).execute();
  expect((await openBatches()).filter(({ _id }) => _id === batch._id)).toEqual([]);
  expect((await undo(batch._id)).statusCode).toBe(409);
});

test('an order that awaits approval stays, and leaves once it is approved', async () => {
  await forceOrder(db, orders[0]?._id ?? '', { awaitsApproval: true });
  expect((await dispatch()).json()).toEqual({ orders: 1, later: 0, others: 2, batch: null });
  await dispatch({ expected: 1 });
  expect(await states()).toEqual(['placed', 'dispatched', 'placed']);
  await call('PUT', `/api/office/orders/${orders[0]?._id}/approval`);
  await dispatch({ expected: 1 });
  expect(await states()).toEqual(['dispatched', 'dispatched', 'placed']);
});

test('an order of which everything was refunded stays for staff to decide', async () => {
  const id = orders[0]?._id ?? '';
  await call('PUT', `/api/orders/${id}/cash`, { isPaid: true });
  const { refundable: amount } = await read(orders[0] as Order);
  await call('POST', `/api/office/orders/${id}/refunds`, { amount, reason: 'Goodwill', paidBackBy: 'cash' });
  expect((await dispatch()).json()).toEqual({ orders: 1, later: 0, others: 2, batch: null });
});

test('an order of which everything is refunded while it waits to be dispatched with others stays', async () => {
  const id = orders[0]?._id ?? '';
  await call('PUT', `/api/orders/${id}/cash`, { isPaid: true });
  let reply: ReturnType<typeof dispatch> | undefined;
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('orders').set({ refundedPrice: sql`total_price` }).where('id', '=', id).execute();
    reply = dispatch({ expected: 2 });
    // An injected request begins when its reply is asked for.
    void reply.then();
    await eventually(async () => expect(await lockWaits(db)).toBe(1));
  });
  expect((await reply)?.json()).toMatchObject({ batch: { orders: 1 } });
  expect(await states()).toEqual(['placed', 'dispatched', 'placed']);
});

test('what was dispatched in one go is undone before any mail has left; what was delivered meanwhile stays (§20.10)', async () => {
  const { batch } = (await dispatch({ expected: 2 })).json();
  expect((await call('GET', '/api/office/dispatches')).json().batches).toContainEqual(batch);
  await call('PUT', `/api/orders/${orders[1]?._id}/deliver`, { isDelivered: true });
  expect((await undo(batch._id)).json().message).toBe('1 order is no longer dispatched. No email was sent.');
  expect(await states()).toEqual(['packing', 'delivered', 'placed']);
  expect((await undo(batch._id)).json().message).toBe('This has already been undone.');
  expect((await call('GET', '/api/office/dispatches')).json().batches).not.toContainEqual(expect.objectContaining({ _id: batch._id }));
  await makeJobsDue(db);
  await runJobs(shop.services);
  expect(await told()).toEqual([]);
});

test('an undo that was interrupted is done again for the rest', async () => {
  const { batch } = (await dispatch({ expected: 2 })).json();
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''interrupted''; end'`.execute(db);
  await sql`create trigger interrupted before update on parcels for each row execute function refuse()`.execute(db);
  expect((await undo(batch._id)).statusCode).toBe(500);
  await sql`drop function refuse() cascade`.execute(db);
  expect((await undo(batch._id)).json().message).toBe('2 orders are no longer dispatched. No email was sent.');
  expect(await states()).toEqual(['packing', 'packing', 'placed']);
});

test('once the ten minutes are over nothing is undone (§20.10)', async () => {
  const { batch } = (await dispatch({ expected: 2 })).json();
  await sql`update dispatch_batches set undo_until = now() where id = ${batch._id}`.execute(db);
  const reply = await undo(batch._id);
  expect([reply.statusCode, reply.json().message]).toEqual([
    409,
    'The emails have already been sent. Please take the orders back one by one.',
  ]);
  expect(await states()).toEqual(['dispatched', 'dispatched', 'placed']);
});

test('two administrators who dispatch the same list, or undo it, at once do so once (§20.10)', async () => {
  const replies = await Promise.all([1, 2, 3].map(() => dispatch({ expected: 2 })));
  expect(replies.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(0);
  for (const order of orders.slice(0, 2)) expect((await read(order)).parcels).toHaveLength(1);
  const { rows } = await sql<{
    id: string;
  }>`select distinct batch_id as id from parcels join orders on orders.id = order_id where user_id = ${buyer._id}`.execute(db);
  const undone = await Promise.all(rows.flatMap(({ id }) => [undo(id), undo(id)]));
  expect(undone.filter(({ statusCode }) => statusCode === 200)).toHaveLength(rows.length);
  expect(await states()).toEqual(['packing', 'packing', 'placed']);
});

test('more than a thousand orders leave in parts, and the first part says how many are left', { tags: ['thorough'] }, async () => {
  await sql`
    insert into orders (id, user_id, user_name, user_email, status, sub_total_price, shipping_price, tax_price, total_price, payment_method)
    select gen_random_uuid(), ${buyer._id}::uuid, 'Many', 'many@example.com', 'placed', 1, 0, 0, 1, 'Cash on Delivery' from generate_series(1, 1026)`.execute(
    db,
  );
  expect((await dispatch()).json()).toMatchObject({ orders: 1_000, later: 28, others: 1 });
  expect((await dispatch({ expected: 1_028 })).json().message).toBe('There are now 1000 orders, not 1028. Please check again.');
  expect((await dispatch({ expected: 1_000 })).json()).toMatchObject({ orders: 28, later: 0 });
});

/** Orders marked as delivered in one go, or what that would come to. */
const deliver = (more: object = {}) =>
  call('PUT', '/api/orders/deliver', { ids: orders.slice(0, 2).map(({ _id }) => _id), isDelivered: true, ...more });
const toldOfDelivery = async () =>
  (await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => subject?.endsWith('was delivered')).length;
const openBatches = async () =>
  (await call('GET', '/api/office/dispatches')).json<{ batches: { _id: string; kind: string; orders: number }[] }>().batches;
const runAll = async () => {
  await makeJobsDue(db);
  await runJobs(shop.services);
};

test('marking a selection as delivered says first what it comes to, and its customers hear ten minutes later, once', async () => {
  await forceOrder(db, orders[0]?._id ?? '', { awaitsApproval: true });
  expect((await deliver({ isCheck: true })).json().check).toEqual({ orders: 2, mails: 2, undispatched: 2, unapproved: 1 });
  const unknown = ['abc', '{01890000-0000-7000-8000-000000000000}'];
  expect((await deliver({ ids: unknown, isCheck: true })).json().check).toEqual({ orders: 0, mails: 0, undispatched: 0, unapproved: 0 });
  expect((await deliver({ ids: unknown })).statusCode).toBe(404);
  expect(await states()).toEqual(['placed', 'packing', 'placed']);
  expect((await deliver()).json().message).toBe('2 orders marked as delivered.');
  expect(await states()).toEqual(['delivered', 'delivered', 'placed']);
  await runJobs(shop.services);
  expect(await toldOfDelivery()).toBe(0);
  await runAll();
  expect(await toldOfDelivery()).toBe(2);
  await deliver({ isDelivered: false });
  expect((await deliver({ isCheck: true })).json().check).toMatchObject({ orders: 2, mails: 0 });
  await deliver();
  await runAll();
  expect(await toldOfDelivery()).toBe(2);
});

test('a selection that was marked as delivered by mistake is taken back before any mail has left, and told when it is delivered', async () => {
  await deliver();
  const [batch] = await openBatches();
  expect(batch).toMatchObject({ kind: 'delivery', orders: 2, actor: admin.name });
  expect((await undo(batch?._id ?? '')).json().message).toBe('2 orders are no longer marked as delivered. No email was sent.');
  expect(await states()).toEqual(['placed', 'placed', 'placed']);
  expect(await openBatches()).not.toContainEqual(expect.objectContaining({ _id: batch?._id }));
  await runAll();
  expect(await toldOfDelivery()).toBe(0);
  await call('PUT', `/api/orders/${orders[0]?._id}/deliver`, { isDelivered: true });
  await deliver();
  await runAll();
  expect(await toldOfDelivery()).toBe(2);
});

test('undoing a selection lets an order await approval again that only its delivery approved', async () => {
  const [waiting, approved] = orders.map(({ _id }) => _id) as [string, string, string];
  for (const id of [waiting, approved]) await forceOrder(db, id, { status: 'placed', awaitsApproval: true });
  await call('PUT', `/api/office/orders/${approved}/approval`);
  await deliver();
  const [batch] = await openBatches();
  await undo(batch?._id ?? '');
  expect(await Promise.all(orders.slice(0, 2).map(async (order) => (await read(order)).awaitsApproval))).toEqual([true, false]);
  expect((await dispatch()).json()).toMatchObject({ orders: 1, others: 2 });
});

test('undoing a selection leaves alone what was taken back and delivered again on its own, whose customer has heard of it (§20.10)', async () => {
  await deliver();
  const [batch] = await openBatches();
  const alone = `/api/orders/${orders[0]?._id}/deliver`;
  await call('PUT', alone, { isDelivered: false });
  await call('PUT', alone, { isDelivered: true });
  await runJobs(shop.services);
  expect(await toldOfDelivery()).toBe(1);
  expect(await openBatches()).toContainEqual(expect.objectContaining({ _id: batch?._id, orders: 1 }));
  expect((await undo(batch?._id ?? '')).json().message).toBe('1 order is no longer marked as delivered. No email was sent.');
  expect(await states()).toEqual(['delivered', 'placed', 'placed']);
});

test.each([
  { user: 'x' },
  { from: '2026-13-45' },
  { queue: 'packing-typo' },
  { quue: 'ready' },
  { paid: 'yes' },
  { user: 'undefined' },
  { queue: null },
  { tag: ['x'] },
  { from: '0000-01-01' },
])('a filter that cannot be read does not mean all orders: %j', async (filters) => {
  expect((await call('POST', '/api/office/dispatches', { filters, carrier: 'DPD' })).statusCode).toBe(400);
});
