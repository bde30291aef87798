import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Slips } from '#contract/delivery/dispatch.ts';
import type { Today } from '#contract/office/office.schema.ts';
import type { Order, OrderList } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { recordDispute } from '#server/orders/refunds/refund-outcomes.service.ts';
import { isKnownAccount } from '#server/orders/rules/ceilings.service.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { forceOrder } from '#server/testing/orders.ts';

const shop = await testShop();
const { app, db, services } = shop;
const { checkout, orderOf, stripe } = cardDesk(shop);
const admin = await anAdmin(db);

const get = async <T>(url: string) => (await app.inject({ url, headers: admin.headers })).json<T>();
const atDashboard = (sessionId: string, form: Record<string, string>) =>
  fetch(`${shop.sandbox.url}/payments/${sessionId}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

/** The orders that wait in a queue, after its tab has been seen to count as many. */
async function waiting(queue: string): Promise<string[]> {
  const { waiting: counts } = await get<Today>('/api/office/today');
  const { orders } = await get<OrderList>(`/api/orders?queue=${queue}`);
  expect(counts.find(({ id }) => id === queue)?.count).toBe(orders.length);
  return orders.map(({ _id }) => _id);
}

async function aPaidOrder() {
  const { url, sessionId } = await checkout(await aCustomer(db), [aLine(await aProduct(db))]);
  await pay(url);
  const { id, providerPaymentId } = await orderOf(sessionId);
  return { id, sessionId, paymentId: providerPaymentId ?? '' };
}

test('a refund that failed and a dispute that is open wait in their queues until they are settled (§23.1)', async () => {
  const { id, sessionId, paymentId } = await aPaidOrder();
  expect([await waiting('pack'), await waiting('refunds'), await waiting('disputes')]).toEqual([[id], [], []]);
  await atDashboard(sessionId, { action: 'dispute' });
  await eventually(async () => expect(await waiting('disputes')).toEqual([id]));
  await atDashboard(sessionId, { action: 'won' });
  await eventually(async () => expect(await waiting('disputes')).toEqual([]));
  const payload = { amount: 1_000, reason: 'Goodwill' };
  await app.inject({ method: 'POST', url: `/api/office/orders/${id}/refunds`, headers: admin.headers, payload });
  await runJobs(services);
  const [made] = (await stripe.refunds.list({ payment_intent: paymentId })).data;
  await atDashboard(sessionId, { action: 'fail', refund: made?.id ?? '' });
  await eventually(async () => expect(await waiting('refunds')).toEqual([id]));
  const [failed] = (await db.selectFrom('orderRefunds').select('id').where('orderId', '=', id).execute()).map((row) => row.id);
  await app.inject({ method: 'POST', url: `/api/office/refunds/${failed}/paid`, headers: admin.headers, payload: { paidBackBy: 'cash' } });
  expect(await waiting('refunds')).toEqual([]);
});

test('cash that is owed to a customer waits to be paid back until somebody has done so (§23.1)', async () => {
  const buyer = await aCustomer(db);
  const payload = aPayload([aLine(await aProduct(db, { price: 67_410 }))]);
  const { _id } = (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json<Order>();
  const { headers } = admin;
  await app.inject({ method: 'PUT', url: `/api/orders/${_id}/cash`, headers, payload: { isPaid: true } });
  expect(await waiting('refunds')).toEqual([]);
  await app.inject({ method: 'POST', url: `/api/office/orders/${_id}/cancel`, headers, payload: { reason: 'Not in stock' } });
  expect(await waiting('refunds')).toEqual([_id]);
  const [owed] = (await get<Order>(`/api/orders/${_id}`)).refunds;
  expect(owed).toMatchObject({ amount: 67_410, status: 'pending', isByHand: true });
  await app.inject({ method: 'POST', url: `/api/office/refunds/${owed?._id}/paid`, headers, payload: { paidBackBy: 'transfer' } });
  expect(await waiting('refunds')).toEqual([]);
});

test('an order whose payment is disputed does not leave, and makes nobody known, until the dispute is won (§20.7)', async () => {
  const { id, sessionId } = await aPaidOrder();
  const pack = () => app.inject({ method: 'PUT', url: `/api/orders/${id}/stage`, headers: admin.headers, payload: { stage: 'packing' } });
  const { userId, reference } = await db
    .selectFrom('orders')
    .select(['userId', 'reference'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const known = () => isKnownAccount(db, userId ?? '');
  expect([(await waiting('pack')).includes(id), await known()]).toEqual([true, true]);
  await atDashboard(sessionId, { action: 'dispute' });
  await eventually(async () => expect(await waiting('disputes')).toEqual([id]));
  expect([(await waiting('pack')).includes(id), await known()]).toEqual([false, false]);
  const refused = await pack();
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    `The payment of order ${reference} is disputed at the bank: cancel the order, or win the dispute first.`,
  ]);
  expect((await get<Order>(`/api/orders/${id}`)).can).not.toContain('pack');
  await atDashboard(sessionId, { action: 'won' });
  await eventually(async () => expect(await waiting('disputes')).toEqual([]));
  expect((await pack()).statusCode).toBe(200);
});

test('an order of which a part is lost in a dispute waits among the disputes until staff have sent or cancelled it (§20.7)', async () => {
  const { id, paymentId } = await aPaidOrder();
  const step = (payload: object, url = `/api/orders/${id}/stage`) => app.inject({ method: 'PUT', url, headers: admin.headers, payload });
  const dispute = { id: `dp_${id}`, paymentId, amount: 1_000, reason: 'product not received' };
  const hear = (status: 'open' | 'lost') =>
    db.transaction().execute((tx) => recordDispute(tx, services, paymentId, { ...dispute, status }));
  const isIn = async (queue: string) => (await waiting(queue)).includes(id);
  await hear('open');
  expect([await isIn('pack'), (await step({ stage: 'packing' })).statusCode]).toEqual([false, 409]);
  await hear('lost');
  expect([await isIn('pack'), await isIn('disputes')]).toEqual([false, true]);
  expect((await get<Order>(`/api/orders/${id}`)).can).toContain('pack');
  expect((await step({ stage: 'packing' })).statusCode).toBe(200);
  expect([await isIn('dispatch'), await isIn('disputes')]).toEqual([true, true]);
  const { reference } = await get<Order>(`/api/orders/${id}`);
  expect((await get<Slips>(`/api/office/slips?orders=${reference}`)).slips).toMatchObject([{ reference }]);
  expect((await step({ isDelivered: true }, `/api/orders/${id}/deliver`)).statusCode).toBe(200);
  expect(await isIn('disputes')).toBe(false);
});

test('a return waits to be judged until it is', async () => {
  const buyer = await aCustomer(db);
  const line = aLine(await aProduct(db));
  const { _id } = (
    await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([line]) })
  ).json<Order>();
  await app.inject({ method: 'PUT', url: `/api/orders/${_id}/deliver`, headers: admin.headers, payload: { isDelivered: true } });
  expect(await waiting('returns')).toEqual([]);
  const payload = { lines: [{ line: 0, qty: 1 }], reason: 'Wrong piece' };
  const asked = await app.inject({ method: 'POST', url: `/api/orders/${_id}/returns`, headers: buyer.headers, payload });
  expect(await waiting('returns')).toEqual([_id]);
  const judged = {
    method: 'POST',
    url: `/api/office/returns/${asked.json<Order>().returns[0]?._id}/judge`,
    headers: admin.headers,
  } as const;
  await app.inject({ ...judged, payload: { isApproved: true, answer: '' } });
  expect([await waiting('returns'), await waiting('coming')]).toEqual([[], [_id]]);
});

test('an order whose promise has passed is late until it is delivered, and then unpaid until its cash is recorded', async () => {
  const buyer = await aCustomer(db);
  const place = async () => {
    const payload = aPayload([aLine(await aProduct(db))]);
    return (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json<Order>()._id;
  };
  const [late, today, gone] = [await place(), await place(), await place()];
  const { rows } = await sql<{
    today: string;
    before: string;
  }>`select shop_day(now())::text as today, (shop_day(now()) - 1)::text as before`.execute(db);
  const promise = (id: string, day = '') => forceOrder(db, id, { deliveryFrom: day, deliveryTo: day });
  await promise(late, rows[0]?.before);
  await promise(today, rows[0]?.today);
  await promise(gone, rows[0]?.before);
  await app.inject({
    method: 'POST',
    url: `/api/office/orders/${gone}/cancel`,
    headers: admin.headers,
    payload: { reason: 'Not in stock' },
  });
  expect(await waiting('late')).toEqual([late]);
  const before = await waiting('unpaid');
  const put = (what: string, payload: object) =>
    app.inject({ method: 'PUT', url: `/api/orders/${late}/${what}`, headers: admin.headers, payload });
  await put('deliver', { isDelivered: true });
  expect([await waiting('late'), await waiting('unpaid')]).toEqual([[], [late, ...before]]);
  await put('cash', { isPaid: true });
  expect(await waiting('unpaid')).toEqual(before);
});

test('what is still to be paid for an order that came back waits among the unpaid ones', async () => {
  const { headers } = await aCustomer(db);
  const payload = aPayload([aLine(await aProduct(db, { price: 5_000 }))]);
  const { _id } = (await app.inject({ method: 'POST', url: '/api/orders', headers, payload })).json<Order>();
  const send = (method: 'POST' | 'PUT', url: string, body: object) => app.inject({ method, url, headers: admin.headers, payload: body });
  await send('PUT', `/api/orders/${_id}/deliver`, { isDelivered: true });
  await send('POST', `/api/office/orders/${_id}/returns`, { lines: [{ line: 0, qty: 1 }], reason: 'I changed my mind' });
  const [agreed] = (await get<Order>(`/api/orders/${_id}`)).returns;
  const came = { lines: [{ line: 0, restocked: 1, spoiled: 0 }], amount: 1_000, answer: 'It is scratched.' };
  await send('POST', `/api/office/returns/${agreed?._id}/received`, came);
  const { status, amountDue } = await get<Order>(`/api/orders/${_id}`);
  expect([status, amountDue > 0]).toEqual(['returned', true]);
  expect(await waiting('unpaid')).toContain(_id);
});

test('a refund that failed is no longer to be paid back once the bank has given the payment back', async () => {
  const { id, sessionId, paymentId } = await aPaidOrder();
  const payload = { reason: 'Another reason' };
  await app.inject({ method: 'POST', url: `/api/office/orders/${id}/cancel`, headers: admin.headers, payload });
  await runJobs(services);
  const [made] = (await stripe.refunds.list({ payment_intent: paymentId })).data;
  await atDashboard(sessionId, { action: 'fail', refund: made?.id ?? '' });
  await eventually(async () => expect(await waiting('refunds')).toContain(id));
  const { totalPrice: amount } = await get<Order>(`/api/orders/${id}`);
  const dispute = { id: `dp_${id}`, paymentId, amount, reason: 'general', status: 'lost' } as const;
  await db.transaction().execute((tx) => recordDispute(tx, services, paymentId, dispute));
  expect(await waiting('refunds')).not.toContain(id);
});

test('a name that is no queue means all orders, as many as the office counts', async () => {
  await aPaidOrder();
  // An earlier test's order may be listed between the questions.
  await eventually(async () => {
    const { total } = await get<OrderList>('/api/orders?queue=nonsense');
    expect((await get<Today>('/api/office/today')).orders.all).toBe(total);
    expect((await get<OrderList>('/api/orders')).total).toBe(total);
  });
});

test('an order to approve and one whose payment is awaited have tabs of their own, and “To pack” counts what its list and its slips have (§23.1)', async () => {
  const buyer = await aCustomer(db);
  const product = await aProduct(db);
  const place = async (more = {}) => {
    const sent = { method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(product)], more) } as const;
    return (await app.inject(sent)).json<Order>()._id;
  };
  const online = { paymentMethod: 'Online Payment', orderPaymentID: 'BACS 1' };
  const [plain, checked, unpaid, free] = [await place(), await place(), await place(online), await place(online)];
  await forceOrder(db, checked, { awaitsApproval: true });
  // Nothing is due of it any more.
  await forceOrder(db, free, { waivedPrice: sql<number>`total_price` });
  expect([await waiting('approve'), await waiting('payment')]).toEqual([[checked], [unpaid]]);
  const packed = await waiting('pack');
  expect([plain, checked, unpaid, free].map((id) => packed.includes(id))).toEqual([true, false, false, true]);
  expect(await get('/api/office/slips?queue=pack')).toMatchObject({ others: 0, slips: { length: packed.length } });
});
