import { expect, test } from 'vitest';
import type { Order, OrderList } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { Payments } from '#server/gateways/payments.ts';
import { readProviderDispute } from '#server/gateways/provider-refund.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { listPaymentsWithPendingRefunds, recordDispute } from '#server/orders/refunds/refund-outcomes.service.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop, WEBHOOK_SECRET } from '#server/testing/harness.ts';
import { makeJobsDue } from '#server/testing/jobs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { noticesOfOrders } from '#server/testing/staff-notices.ts';
import { applyRefunds, sendRefund } from './refunds.jobs.ts';

const shop = await testShop({ pool: 20 });
const { app, db, services, sandbox } = shop;
const { checkout, orderOf, reconcile, signed, stockOf, stripe } = cardDesk(shop);
const admin = await anAdmin(db);

const post = (url: string, payload: object = {}, who: SignedIn = admin, headers: object = {}) =>
  app.inject({ method: 'POST', url, headers: { ...who.headers, ...headers }, payload });
const readOrder = async (id: string, who = admin) => (await app.inject({ url: `/api/orders/${id}`, headers: who.headers })).json<Order>();

/** A card order of a sofa and two lamps, £350.00 in all, that was paid. */
async function aPaidOrder(card = '4242 4242 4242 4242') {
  const buyer = await aCustomer(db);
  const [sofa, lamp] = [await aProduct(db, { name: 'Sofa', price: 30_000 }), await aProduct(db, { name: 'Lamp', price: 2_500 })];
  const { url, sessionId } = await checkout(buyer, [aLine(sofa), aLine(lamp, { qty: 2 })]);
  await pay(url, { card });
  const { id, reference, providerPaymentId } = await orderOf(sessionId);
  const atProvider = async () =>
    (await stripe.refunds.list({ payment_intent: providerPaymentId ?? '' })).data.map(({ amount, status }) => [amount, status]);
  const refund = (body: object, headers: object = {}) =>
    post(`/api/office/orders/${id}/refunds`, { reason: 'Goodwill', ...body }, admin, headers);
  const read = () => readOrder(id);
  return { id, reference, buyer, sofa, lamp, sessionId, paymentId: providerPaymentId ?? '', atProvider, refund, read };
}

/** What a person does on the provider's page of a payment. */
const atDashboard = (sessionId: string, form: Record<string, string>) =>
  fetch(`${sandbox.url}/payments/${sessionId}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

/** A notice as the provider sends it, about a refund that names this payment. */
const notify = (type: string, paymentId: string) =>
  app.inject(
    signed({ id: `evt_${Math.random()}`.replace('.', ''), object: 'event', type, data: { object: { payment_intent: paymentId } } }),
  );

async function subjectsTo({ buyer, reference }: { buyer: SignedIn; reference: string }) {
  await runJobs(services);
  return (await mailsOf(shop.dataDir, buyer.email)).map(({ subject }) => subject?.replace(reference, 'REF')).sort();
}

test('one line of a card order is cancelled and refunded through the provider, the other is delivered, returned and refunded (§20.5)', async () => {
  const order = await aPaidOrder();
  const stock = await stockOf(order.lamp._id);
  const cancelled = await post(`/api/orders/${order.id}/cancel`, { lines: [1], reason: 'I changed my mind' }, order.buyer);
  expect(cancelled.json<Order>()).toMatchObject({ status: 'placed', isRefundDue: true, refundedPrice: 5_000 });
  expect(await stockOf(order.lamp._id)).toBe(stock + 2);
  await runJobs(services);
  expect(await order.atProvider()).toEqual([[5_000, 'succeeded']]);
  expect(await order.read()).toMatchObject({
    isRefundDue: false,
    refunds: [{ amount: 5_000, status: 'done', isByHand: false }],
    refundable: 30_000,
  });
  const headers = admin.headers;
  await app.inject({ method: 'PUT', url: `/api/orders/${order.id}/deliver`, headers, payload: { isDelivered: true } });
  const sofas = await stockOf(order.sofa._id);
  await order.refund({ lines: [{ line: 0, qty: 1 }], reason: 'Returned', isRestocked: true });
  await runJobs(services);
  expect(await order.atProvider()).toEqual([
    [5_000, 'succeeded'],
    [30_000, 'succeeded'],
  ]);
  expect(await stockOf(order.sofa._id)).toBe(sofas + 1);
  expect(await order.read()).toMatchObject({
    status: 'delivered',
    refundedPrice: 35_000,
    refundable: 0,
    orderItems: [
      { returnedQty: 1, refundedQty: 1 },
      { cancelledQty: 2, refundedQty: 2 },
    ],
  });
  for (const body of [{ amount: 1 }, { lines: [{ line: 0, qty: 1 }] }])
    expect((await order.refund(body)).json().message).toBe('There is nothing left to refund.');
  expect(await subjectsTo(order)).toEqual([
    ...['Part of your order REF was cancelled', 'Thank you for your order REF', 'Your order REF was delivered'],
    ...['Your refund for order REF', 'Your refund for order REF'],
  ]);
});

test('a whole card order is cancelled, and all that was paid goes back (§20.5)', async () => {
  const order = await aPaidOrder();
  await post(`/api/office/orders/${order.id}/cancel`, { reason: 'Not in stock' });
  await runJobs(services);
  expect(await order.atProvider()).toEqual([[35_000, 'succeeded']]);
  expect(await order.read()).toMatchObject({ status: 'cancelled', refundedPrice: 35_000, amountDue: 0, isRefundDue: false });
});

test('a line of which a piece was refunded before is cancelled for the price of the others (§20.5)', async () => {
  const order = await aPaidOrder();
  await order.refund({ lines: [{ line: 1, qty: 1 }] });
  const cancelled = await post(`/api/orders/${order.id}/cancel`, { lines: [1], reason: 'Another reason' }, order.buyer);
  expect(cancelled.json<Order>()).toMatchObject({ refundedPrice: 5_000, orderItems: [{}, { cancelledQty: 2, refundedQty: 2 }] });
  await runJobs(services);
  expect((await order.atProvider()).map(([amount]) => amount)).toEqual([2_500, 2_500]);
});

test('administrators who refund at the same time give back no more than was paid (§20.5)', async () => {
  const order = await aPaidOrder();
  const replies = await Promise.all(Array.from({ length: 8 }, () => order.refund({ amount: 20_000 })));
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(7).fill(409)]);
  expect(replies.find(({ statusCode }) => statusCode === 409)?.json().message).toBe('At most £150.00 of this order can still be refunded.');
  expect((await order.refund({ amount: 15_001 })).statusCode).toBe(409);
  await runJobs(services);
  expect(await order.atProvider()).toEqual([[20_000, 'succeeded']]);
});

test('the same key refunds once, and is refused with another amount, reason or pieces (§20.5)', async () => {
  const order = await aPaidOrder();
  const key = { 'idempotency-key': 'the same press' };
  await Promise.all([1, 2, 3].map(() => order.refund({ amount: 1_000 }, key)));
  for (const other of [{ amount: 2_000 }, { amount: 1_000, reason: 'Late delivery' }, { amount: 1_000, lines: [{ line: 1, qty: 1 }] }])
    expect((await order.refund(other, key)).statusCode).toBe(409);
  const pieces = { 'idempotency-key': 'pieces' };
  expect((await order.refund({ lines: [{ line: 1, qty: 1 }] }, pieces)).statusCode).toBe(200);
  for (const line of [
    { line: 0, qty: 1 },
    { line: 1, qty: 2 },
  ]) {
    const reply = await order.refund({ lines: [line] }, pieces);
    expect([reply.statusCode, reply.json().message]).toEqual([
      409,
      'This refund has already been made, for something else. Reload the page to see it.',
    ]);
  }
  expect((await order.refund({ lines: [{ line: 1, qty: 1 }] }, pieces)).json<Order>().refunds).toHaveLength(2);
  await runJobs(services);
  expect(await order.atProvider()).toEqual([
    [1_000, 'succeeded'],
    [2_500, 'succeeded'],
  ]);
});

test('a refund whose answer was lost is found at the provider, and not made twice (§20.5)', async () => {
  const order = await aPaidOrder();
  const [refund] = (await order.refund({ amount: 4_000 })).json<Order>().refunds;
  const refundId = refund?._id ?? '';
  await stripe.refunds.create({ payment_intent: order.paymentId, amount: 4_000, metadata: { refund: refundId, attempt: '1' } });
  await Promise.all([runJobs(services), sendRefund(services, { refundId }), sendRefund(services, { refundId })]);
  await sendRefund(services, { refundId });
  expect(await order.atProvider()).toEqual([[4_000, 'succeeded']]);
  expect((await subjectsTo(order)).filter((subject) => subject === 'Your refund for order REF')).toHaveLength(1);
});

test('a refund that the bank takes its time over is pending until the provider’s notice, or, where that is lost, until the shop asks (§20.6)', async () => {
  const [told, asked] = [await aPaidOrder('4000 0000 0000 7726'), await aPaidOrder('4000 0000 0000 7726')];
  for (const order of [told, asked]) {
    await order.refund({ amount: 4_000 });
    await runJobs(services);
    expect(await order.read()).toMatchObject({ isRefundDue: true, refunds: [{ status: 'pending' }] });
    expect(await readOrder(order.id, order.buyer)).toMatchObject({
      refunds: [{ status: 'pending', actor: '', failure: '' }],
      refundable: 31_000,
    });
  }
  const [refund] = (await stripe.refunds.list({ payment_intent: told.paymentId })).data;
  await atDashboard(told.sessionId, { action: 'succeed', refund: refund?.id ?? '' });
  await eventually(async () => expect(await told.read()).toMatchObject({ isRefundDue: false, refunds: [{ status: 'done' }] }));
  await reconcile();
  expect(await asked.read()).toMatchObject({ refunds: [{ status: 'pending' }] });
  const [other] = (await stripe.refunds.list({ payment_intent: asked.paymentId })).data;
  await atDashboard(asked.sessionId, { action: 'succeed', refund: other?.id ?? '' });
  await eventually(async () => expect(await asked.read()).toMatchObject({ refunds: [{ status: 'done' }] }));
  // As if that notice had never come.
  await db.updateTable('orderRefunds').set({ status: 'pending' }).where('orderId', '=', asked.id).execute();
  await reconcile();
  expect(await asked.read()).toMatchObject({ refunds: [{ status: 'done' }] });
});

test('refunds that stay pending for weeks do not hide new ones (§20.6)', async () => {
  const { id } = await aPaidOrder();
  const pendingRefund = (n: number, year: number) => ({
    id: newId(),
    orderId: id,
    amount: 1,
    reason: 'Goodwill',
    actor: 'Ada',
    isByHand: false,
    status: 'pending',
    createdAt: `${year}-01-01T10:00:00Z`,
    paymentId: `pi_${year}_${n}`,
    providerRefundId: `re_${year}_${n}`,
  });
  const rows = [
    ...Array.from({ length: 60 }, (_, n) => pendingRefund(n, 2024)),
    ...Array.from({ length: 5 }, (_, n) => pendingRefund(n, 2025)),
  ];
  await db.insertInto('orderRefunds').values(rows).execute();
  const asked = await listPaymentsWithPendingRefunds(db);
  expect([asked.length, asked.filter((payment) => payment.startsWith('pi_2025')).length]).toEqual([50, 5]);
  await db.deleteFrom('orderRefunds').where('orderId', '=', id).execute();
});

test('a refund that fails says why, no longer counts as given back, and is tried again or paid back by hand (§20.6)', async () => {
  const order = await aPaidOrder('4000 0000 0000 5126');
  await order.refund({ amount: 35_000 });
  await runJobs(services);
  const [made] = (await stripe.refunds.list({ payment_intent: order.paymentId })).data;
  await atDashboard(order.sessionId, { action: 'fail', refund: made?.id ?? '' });
  const failed = { status: 'failed', failure: 'lost or stolen card' };
  await eventually(async () =>
    expect(await order.read()).toMatchObject({ refundedPrice: 0, refundable: 35_000, isRefundDue: true, refunds: [failed] }),
  );
  const [refund] = (await order.read()).refunds;
  expect((await readOrder(order.id, order.buyer)).refunds).toMatchObject([{ status: 'pending', failure: '' }]);
  const twice = await Promise.all([1, 2].map(() => post(`/api/office/refunds/${refund?._id}/retry`)));
  expect(twice.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  await runJobs(services);
  expect((await order.atProvider()).map(([, status]) => status).sort()).toEqual(['failed', 'succeeded']);
  expect(await order.read()).toMatchObject({ refundedPrice: 35_000, refunds: [{ status: 'done', failure: '' }] });
  // The failed try is told of again, and changes nothing any more.
  for (const kind of ['refund.failed', 'refund.updated', 'charge.refunded'])
    expect((await notify(kind, order.paymentId)).statusCode).toBe(200);
  expect(await order.read()).toMatchObject({ refundedPrice: 35_000, refunds: [{ status: 'done' }] });
  const again = (await stripe.refunds.list({ payment_intent: order.paymentId })).data.find(({ status }) => status === 'succeeded');
  await atDashboard(order.sessionId, { action: 'fail', refund: again?.id ?? '' });
  await eventually(async () => expect((await order.read()).refunds).toMatchObject([failed]));
  const paid = await post(`/api/office/refunds/${refund?._id}/paid`, { paidBackBy: 'cash' });
  expect(paid.json<Order>()).toMatchObject({ refundedPrice: 35_000, isRefundDue: false, refunds: [{ status: 'done', isByHand: true }] });
});

test('what the provider refuses for good has failed with its words, and is not asked for again (§20.6)', async () => {
  const order = await aPaidOrder();
  await forceOrder(db, order.id, { providerPaymentId: 'pi_unknown' });
  await order.refund({ amount: 4_000 });
  await runJobs(services);
  expect(await order.read()).toMatchObject({
    refundedPrice: 0,
    refunds: [{ status: 'failed', failure: "No such payment_intent: 'pi_unknown'" }],
  });
});

test('while the provider cannot be reached a refund stays pending, and is made once it can (§20.6)', async () => {
  const order = await aPaidOrder();
  await order.refund({ amount: 4_000 });
  const away = new Payments({ secretKey: 'sk_test_shop', webhookSecret: WEBHOOK_SECRET, apiBase: 'http://127.0.0.1:9' }, services.log);
  await runJobs({ ...services, payments: away });
  expect(await order.read()).toMatchObject({ refunds: [{ status: 'pending' }] });
  await makeJobsDue(db);
  await runJobs(services);
  expect(await order.read()).toMatchObject({ refunds: [{ status: 'done' }] });
});

test('a refund that was made at the provider is taken in once, and what it leaves no room for has failed (§20.6)', async () => {
  const order = await aPaidOrder();
  await order.refund({ amount: 10_000 });
  expect((await atDashboard(order.sessionId, { action: 'refund', amount: '300' })).status).toBe(303);
  await eventually(async () => expect((await order.read()).refunds).toHaveLength(2));
  for (const kind of ['charge.refunded', 'refund.created', 'refund.updated']) await notify(kind, order.paymentId);
  await runJobs(services);
  expect(await order.atProvider()).toEqual([[30_000, 'succeeded']]);
  expect(await order.read()).toMatchObject({
    refundedPrice: 30_000,
    refundable: 5_000,
    refunds: [
      { amount: 10_000, status: 'failed', failure: 'Another refund of this payment was made first.' },
      { amount: 30_000, status: 'done', reason: 'Made at the payment provider' },
    ],
  });
  expect((await atDashboard(order.sessionId, { action: 'refund', amount: '51' })).status).toBe(400);
  expect((await post(`/api/office/refunds/${(await order.read()).refunds[0]?._id}/retry`)).statusCode).toBe(409);
});

test('the shop’s job and the provider’s own refund end with the same books, in either order (§20.6)', async () => {
  for (let round = 0; round < 6; round += 1) {
    const order = await aPaidOrder();
    await order.refund({ amount: 20_000 });
    await Promise.all([
      runJobs(services),
      atDashboard(order.sessionId, { action: 'refund', amount: '200' }),
      notify('charge.refunded', order.paymentId),
    ]);
    await runJobs(services);
    await notify('charge.refunded', order.paymentId);
    expect(await order.atProvider()).toEqual([[20_000, 'succeeded']]);
    const { refunds, refundedPrice } = await order.read();
    expect(refundedPrice).toBe(20_000);
    expect(refunds.filter(({ status }) => status === 'done')).toHaveLength(1);
    expect(refunds.filter(({ status }) => status === 'pending')).toEqual([]);
  }
});

test('a refund is for pieces that were bought, once each; they go back into stock only after they have left (§20.5)', async () => {
  const order = await aPaidOrder();
  const words = async (body: object) => {
    const reply = await order.refund(body);
    return [reply.statusCode, reply.json().message];
  };
  expect(await words({})).toEqual([400, 'Enter an amount, or choose pieces to refund.']);
  expect(await words({ amount: 0 })).toEqual([400, 'The amount must be at least £0.01.']);
  expect(await words({ amount: 1, reason: 'Because' })).toEqual([400, 'Choose a reason.']);
  expect(await words({ lines: [{ line: 5, qty: 1 }] })).toEqual([400, 'Choose lines of the order.']);
  expect(await words({ lines: [{ line: 1, qty: 3 }] })).toEqual([409, 'Only 2 of Lamp can still be refunded.']);
  expect(await words({ lines: [{ line: 1, qty: 1 }], isRestocked: true })).toEqual([
    409,
    'These pieces have not left the shop. Cancel the lines instead.',
  ]);
  expect(
    (
      await order.refund({
        lines: [
          { line: 1, qty: 1 },
          { line: 1, qty: 1 },
        ],
      })
    ).json<Order>().refundedPrice,
  ).toBe(5_000);
  expect(await words({ lines: [{ line: 1, qty: 1 }] })).toEqual([409, 'Lamp has already been refunded.']);
  expect((await post(`/api/office/orders/${order.id}/refunds`, { amount: 1, reason: 'Goodwill' }, order.buyer)).statusCode).toBe(403);
  expect((await post('/api/office/refunds/01890000-0000-7000-8000-000000000000/retry')).statusCode).toBe(404);
});

test('a payment that is disputed stands in the order’s history, with its end, once each (§20.7)', async () => {
  const order = await aPaidOrder();
  await atDashboard(order.sessionId, { action: 'dispute' });
  const disputes = async () => (await order.read()).events.filter(({ kind }) => kind.includes('dispute'));
  await eventually(async () =>
    expect(await disputes()).toMatchObject([
      { kind: 'payment disputed', detail: '£350.00, product not received. Answer it in the payment provider’s dashboard' },
    ]),
  );
  await atDashboard(order.sessionId, { action: 'lost' });
  await eventually(async () => expect((await disputes()).map(({ kind }) => kind)).toEqual(['payment disputed', 'dispute lost']));
  for (const kind of ['charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed', 'charge.dispute.funds_withdrawn'])
    expect((await notify(kind, order.paymentId)).statusCode).toBe(200);
  expect(await disputes()).toHaveLength(2);
  expect((await atDashboard(order.sessionId, { action: 'won' })).status).toBe(400);
});

test('an answer about a dispute that arrives after its end opens nothing again', async () => {
  const order = await aPaidOrder();
  await atDashboard(order.sessionId, { action: 'dispute' });
  await eventually(async () => expect((await order.read()).events.map(({ kind }) => kind)).toContain('payment disputed'));
  const early = await services.payments.listDisputes({ paymentId: order.paymentId });
  await atDashboard(order.sessionId, { action: 'won' });
  await eventually(async () => expect((await order.read()).events.map(({ kind }) => kind)).toContain('dispute won'));
  const [dispute] = early;
  if (!dispute) throw new Error('The provider names no dispute.');
  await db.transaction().execute((tx) => recordDispute(tx, services, order.paymentId, dispute));
  const { disputedPrice } = await db.selectFrom('orders').select('disputedPrice').where('id', '=', order.id).executeTakeFirstOrThrow();
  expect(disputedPrice).toBe(0);
});

test('a bank’s inquiry moves no money: the order can be packed and refunded, and waits among the disputes until it ends or becomes one (§20.7)', async () => {
  const order = await aPaidOrder();
  const id = `dp_${order.id}`;
  const hear = (status: string) => {
    const dispute = { object: 'dispute', id, amount: 35_000, payment_intent: order.paymentId, reason: 'fraudulent', status };
    return db.transaction().execute((tx) => recordDispute(tx, services, order.paymentId, readProviderDispute(dispute)));
  };
  const isInTab = async () => {
    const { orders } = (await app.inject({ url: '/api/orders?queue=disputes', headers: admin.headers })).json<OrderList>();
    return orders.some(({ _id }) => _id === order.id);
  };
  await hear('warning_needs_response');
  const asked = await order.read();
  expect(asked).toMatchObject({ refundable: 35_000, can: expect.arrayContaining(['pack', 'refund']) });
  expect(asked.events.at(-1)).toMatchObject({ kind: 'payment questioned', detail: expect.stringContaining('£350.00, fraudulent') });
  expect(await isInTab()).toBe(true);
  await hear('needs_response');
  expect(await order.read()).toMatchObject({ refundable: 0, can: expect.not.arrayContaining(['pack']) });
  // It arrives late.
  await hear('warning_under_review');
  expect(await order.read()).toMatchObject({ refundable: 0 });
  await hear('warning_closed');
  expect(await order.read()).toMatchObject({ refundable: 35_000 });
  expect(await isInTab()).toBe(false);
});

test.each([
  ['with the shop’s money', [-35_000], []],
  ['without any', [], [[35_000, 'succeeded']]],
  ['with money that came back', [-35_000, 35_000], [[35_000, 'succeeded']]],
])('a dispute that was settled %s before the bank opened it has ended (§20.7)', async (_, moved, refunds) => {
  const order = await aPaidOrder();
  const noticesOf = await noticesOfOrders(shop, admin);
  const dispute = {
    object: 'dispute',
    id: `dp_${order.id}`,
    amount: 35_000,
    payment_intent: order.paymentId,
    reason: 'fraudulent',
    status: 'prevented',
    balance_transactions: moved.map((amount) => ({ object: 'balance_transaction', amount, fee: 0 })),
  };
  await db.transaction().execute((tx) => recordDispute(tx, services, order.paymentId, readProviderDispute(dispute)));
  const lost = `A payment of £350.00 for order ${order.reference} was disputed, and the bank has given it back`;
  expect((await noticesOf(order.id)).includes(lost)).toBe(refunds.length === 0);
  await cancelAs['an administrator'](order);
  await runJobs(services);
  expect(await order.atProvider()).toEqual(refunds);
  const { owedPrice, heldPrice, isRefundDue, invoices } = await order.read();
  expect([owedPrice, heldPrice, isRefundDue]).toEqual([0, 0, false]);
  expect(invoices.filter(({ kind }) => kind === 'credit_note').map(({ gross }) => gross)).toEqual([35_000]);
  const { orders } = (await app.inject({ url: '/api/orders?queue=disputes', headers: admin.headers })).json<OrderList>();
  expect(orders.map(({ _id }) => _id)).not.toContain(order.id);
});

test('a dispute with a status that the shop does not know holds the money, and the history has the provider’s word', async () => {
  const order = await aPaidOrder();
  const unknown = { object: 'dispute', id: `dp_${order.id}`, amount: 35_000, payment_intent: order.paymentId, reason: 'fraudulent' };
  const hear = (status: string) =>
    db.transaction().execute((tx) => recordDispute(tx, services, order.paymentId, readProviderDispute({ ...unknown, status })));
  await hear('settled_early');
  expect(await order.read()).toMatchObject({ refundable: 0, can: expect.not.arrayContaining(['pack']) });
  expect((await order.read()).events.at(-1)?.detail).toMatch(/^£350\.00, fraudulent: settled early\. Answer it/);
  await hear('won');
  expect(await order.read()).toMatchObject({ refundable: 35_000 });
});

type PaidOrder = Awaited<ReturnType<typeof aPaidOrder>>;

/** Has the bank say what becomes of a payment, and waits until the shop has heard it. */
async function dispute({ sessionId, read }: PaidOrder, ...steps: ('dispute' | 'won' | 'lost')[]): Promise<void> {
  const kinds = { dispute: 'payment disputed', won: 'dispute won', lost: 'dispute lost' };
  for (const action of steps) {
    await atDashboard(sessionId, { action });
    await eventually(async () => expect((await read()).events.map(({ kind }) => kind)).toContain(kinds[action]));
  }
}
const cancelAs = {
  'its customer': ({ id, buyer }: PaidOrder) => post(`/api/orders/${id}/cancel`, { reason: 'Another reason' }, buyer),
  'an administrator': ({ id }: PaidOrder) => post(`/api/office/orders/${id}/cancel`, { reason: 'Not in stock' }),
};

test.each([
  ['open', 'its customer', ['dispute']],
  ['open', 'an administrator', ['dispute']],
  ['lost', 'its customer', ['dispute', 'lost']],
  ['lost', 'an administrator', ['dispute', 'lost']],
] as const)('an order whose dispute is %s is cancelled by %s without a refund: the bank has the money (§20.5)', async (_, who, steps) => {
  const order = await aPaidOrder();
  await dispute(order, ...steps);
  expect((await order.read()).refundable).toBe(0);
  expect((await cancelAs[who](order)).json<Order>()).toMatchObject({ status: 'cancelled', refundedPrice: 0, isRefundDue: false });
  const refused = await order.refund({ amount: 1 });
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    'There is nothing left to refund: the customer disputed £350.00 of this payment at their bank.',
  ]);
  await runJobs(services);
  expect([await order.atProvider(), (await order.read()).refunds]).toEqual([[], []]);
  const mail = (await mailsOf(shop.dataDir, order.buyer.email)).find(({ subject }) => subject?.includes('was cancelled'));
  expect(mail?.text).toContain('any money back comes from your bank');
});

test('once the shop has won a dispute the money can be refunded again, and the history says that it is owed (§20.5)', async () => {
  const order = await aPaidOrder();
  await dispute(order, 'dispute');
  await cancelAs['its customer'](order);
  await dispute(order, 'won');
  const { events, refundable } = await order.read();
  expect([refundable, events.at(-1)?.detail]).toEqual([
    35_000,
    expect.stringContaining('The order is under “To pay back”: refund the customer'),
  ]);
  expect((await order.refund({ amount: 35_000 })).statusCode).toBe(200);
  await runJobs(services);
  expect(await order.atProvider()).toEqual([[35_000, 'succeeded']]);
});

test('a refund that the provider has not made yet fails once the payment is disputed, and is not paid back by hand either', async () => {
  const order = await aPaidOrder();
  await order.refund({ amount: 10_000 });
  await dispute(order, 'dispute');
  await runJobs(services);
  const [refund] = (await order.read()).refunds;
  expect(refund).toMatchObject({ status: 'failed', failure: 'The customer has disputed this payment at their bank.' });
  for (const way of ['retry', 'paid'])
    expect((await post(`/api/office/refunds/${refund?._id}/${way}`, { paidBackBy: 'cash' })).statusCode).toBe(409);
  expect(await order.atProvider()).toEqual([]);
  await dispute(order, 'won');
  expect((await post(`/api/office/refunds/${refund?._id}/retry`)).statusCode).toBe(200);
  await runJobs(services);
  expect(await order.atProvider()).toEqual([[10_000, 'succeeded']]);
});

test('a refund that the provider made while a dispute failed it here is not made again by “Try again” (§20.6)', async () => {
  const order = await aPaidOrder();
  await order.refund({ amount: 10_000 });
  const refund = async () => (await order.read()).refunds[0];
  const refundId = (await refund())?._id ?? '';
  // The notices are late.
  services.payments.readEvent = () => undefined;
  await services.payments.refundPart({ paymentId: order.paymentId, amount: 10_000, refundId, attempt: 1 });
  Reflect.deleteProperty(services.payments, 'readEvent');
  const told = (status: 'open' | 'won') => {
    const told = { id: `dp_${order.id}`, paymentId: order.paymentId, amount: 35_000, reason: 'general', status };
    return db.transaction().execute((tx) => recordDispute(tx, services, order.paymentId, told));
  };
  await told('open');
  expect((await refund())?.status).toBe('failed');
  await told('won');
  expect((await post(`/api/office/refunds/${refundId}/retry`)).statusCode).toBe(200);
  await runJobs(services);
  await applyRefunds(services, order.paymentId);
  expect(await order.atProvider()).toEqual([[10_000, 'succeeded']]);
  expect([await refund(), (await order.read()).refundedPrice]).toMatchObject([{ status: 'done', amount: 10_000 }, 10_000]);
});

test('a refund that the provider has made without a notice has not failed once the payment is disputed', async () => {
  const order = await aPaidOrder();
  const [refund] = (await order.refund({ amount: 10_000 })).json<Order>().refunds;
  // The process that asked was killed before the answer, and the notice is late.
  const readEvent = services.payments.readEvent.bind(services.payments);
  services.payments.readEvent = () => undefined;
  await services.payments.refundPart({ paymentId: order.paymentId, amount: 10_000, refundId: refund?._id ?? '', attempt: 1 });
  services.payments.readEvent = readEvent;
  await dispute(order, 'dispute');
  expect((await order.read()).refunds).toMatchObject([{ status: 'done', amount: 10_000 }]);
});

test('a payment that never became an order is not refunded while it is disputed: a person decides', async () => {
  const order = await aPaidOrder();
  await dispute(order, 'dispute');
  await enqueue(db, orderJobs.refundPayment, { orderId: order.id, paymentId: order.paymentId, reason: 'sold' });
  await runJobs(services);
  expect(await order.atProvider()).toEqual([]);
  expect((await order.read()).events.map(({ kind }) => kind)).toContain('refund by hand needed');
});

test('a cancellation’s mail says that the money is on its way; once any refund has gone out, a mail says so (§20.5)', async () => {
  const order = await aPaidOrder();
  await cancelAs['its customer'](order);
  expect((await order.read()).isRefundDue).toBe(true);
  expect(await subjectsTo(order)).toEqual(['Thank you for your order REF', 'Your order REF was cancelled', 'Your refund for order REF']);
  const mails = await mailsOf(shop.dataDir, order.buyer.email);
  expect(mails.find(({ subject }) => subject?.includes('cancelled'))?.text).toContain(
    'We are refunding £350.00 to the card or account that you paid with.',
  );
  expect((await order.read()).isRefundDue).toBe(false);
  const other = await aPaidOrder();
  await other.refund({ amount: 500 });
  expect(await subjectsTo(other)).toEqual(['Thank you for your order REF', 'Your refund for order REF']);
});

test('a card order’s confirmation carries its invoice, and each refund’s mail its own credit note (§22.7)', async () => {
  const order = await aPaidOrder();
  await order.refund({ amount: 5_000 });
  await runJobs(services);
  await cancelAs['its customer'](order);
  await runJobs(services);
  const twice = await aPaidOrder();
  // The shop asks after both have gone out.
  for (const amount of ['10.00', '20.00']) await atDashboard(twice.sessionId, { action: 'refund', amount });
  await applyRefunds(services, twice.paymentId);
  await runJobs(services);
  for (const { id, reference, buyer, read } of [order, twice]) {
    const { invoices } = await read();
    const [invoice, ...notes] = invoices.map(({ number, gross }) => ({ file: `${number}.pdf`, sum: `£${(gross / 100).toFixed(2)}` }));
    const mails = (await mailsOf(shop.dataDir, buyer.email)).map(({ subject, text, attachments }) => ({
      subject: subject?.replace(reference, 'REF'),
      text: text ?? '',
      files: attachments.map(({ filename }) => filename),
    }));
    expect(mails.find(({ subject }) => subject === 'Thank you for your order REF')?.files, id).toEqual([invoice?.file]);
    expect(mails.filter(({ subject }) => subject === 'Your order REF was cancelled').flatMap(({ files }) => files)).toEqual([]);
    const refunds = mails.filter(({ subject }) => subject === 'Your refund for order REF');
    expect(refunds).toHaveLength(2);
    for (const { text, files } of refunds) {
      const own = notes.filter(({ sum }) => text.includes(`We have refunded ${sum} `));
      expect(files).toEqual(own.map(({ file }) => file));
      expect(files).toHaveLength(1);
    }
  }
});

test('a cancellation whose credit note cannot go to an address that was never confirmed is one mail (§20.5)', async () => {
  const order = await aPaidOrder();
  await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', order.buyer._id).execute();
  await cancelAs['its customer'](order);
  expect(await subjectsTo(order)).toEqual(['Thank you for your order REF', 'Your order REF was cancelled']);
});
