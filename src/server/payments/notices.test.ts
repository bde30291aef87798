import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { buildApp } from '#server/app/app.ts';
import { runJobs } from '#server/app/jobs.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { Metrics } from '#server/platform/telemetry/metrics.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { readableLog } from '#server/testing/logs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { forceOrder } from '#server/testing/orders.ts';

const shop = await testShop();
const { log, lines } = readableLog();
const metrics = new Metrics();
const { db, services, wire } = shop;
const app = await buildApp({ ...services, log, metrics }, async () => ({ status: 200, head: '', body: '', state: {}, modules: [] }));
const { checkout, notify, notice, orderOf, signed, stockOf, eventsOf, refunds, payAgain } = cardDesk({ ...shop, app });

/** Sends an event of any shape, signed as the provider signs. */
const send = (event: object) => app.inject(signed(event));

const aSession = { object: 'checkout.session', id: 'cs_test_nobody' };
const about = (object: unknown) => ({ id: 'evt_odd', object: 'event', type: 'checkout.session.completed', data: { object } });
const ODD = [
  { ...about(aSession), id: undefined },
  { ...about(aSession), id: null },
  { ...about(aSession), id: 7 },
  { ...about(aSession), id: {} },
  { ...about(aSession), id: '' },
  { ...about(aSession), id: 'evt \u0000' },
  { ...about(aSession), id: 'x'.repeat(100_000) },
  { ...about(aSession), type: undefined },
  { ...about(aSession), type: ['checkout.session.completed'] },
  { ...about(aSession), data: undefined },
  { ...about(aSession), data: 'text' },
  about(undefined),
  about(null),
  about('text'),
  about([]),
  about({ ...aSession, object: 'charge' }),
  about({ ...aSession, id: undefined }),
  about({ ...aSession, id: { nested: true } }),
  about({ ...aSession, id: '../refunds' }),
  {},
  [],
];

test('a signed notice of an unknown shape is 400 and logged once, however often the provider sends it (§14.1)', async () => {
  for (const event of ODD) {
    lines.length = 0;
    for (let n = 0; n < 3; n += 1)
      expect([(await send(event)).statusCode, JSON.stringify(event).slice(0, 80)]).toEqual([400, JSON.stringify(event).slice(0, 80)]);
    expect(lines.filter(({ level }) => Number(level) >= 50)).toMatchObject([
      { msg: 'a signed notice of the payment provider cannot be read' },
    ]);
  }
});

test('a signed notice that does not concern the shop is accepted without a word (§14.1)', async () => {
  lines.length = 0;
  const kinds = ['charge.refunded', 'payment_intent.succeeded', 'checkout.session.unheard_of'];
  for (const type of kinds) expect((await send({ ...about(aSession), type })).statusCode).toBe(200);
  expect((await send({ ...about(null), type: 'customer.created' })).statusCode).toBe(200);
  expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
});

test('a signed notice of a session that the provider does not know is accepted and logged', async () => {
  lines.length = 0;
  expect((await send(about(aSession))).statusCode).toBe(200);
  expect(lines.map(({ msg }) => msg)).toContain('a notice names a session that the provider does not know');
});

test('what a notice says of its session counts for nothing: the session is read again at the provider (§14.1)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 1, price: 10_000 });
  const { sessionId } = await checkout(buyer, [aLine(sofa)]);
  // In another API version, or of an old moment: a notice that says paid while the provider does not.
  const said = await notice('checkout.session.completed', sessionId, {
    payment_status: 'paid',
    amount_total: '100',
    customer_details: 'text',
  });
  expect((await app.inject(said)).statusCode).toBe(200);
  expect((await app.inject({ url: '/api/orders/myorders', headers: buyer.headers })).json().orders).toEqual([]);
  expect(wire.asked.at(-1)?.split('?')[0]).toBe(`GET /v1/checkout/sessions/${sessionId}`);
});

test.each([
  ['no payer', { customer_details: null, collected_information: null }],
  [
    'no address',
    { customer_details: { name: null, email: null, phone: null, address: null }, collected_information: { shipping_details: null } },
  ],
  ['texts where objects belong', { customer_details: 'Casey', collected_information: 'York', metadata: 'x' }],
  ['an unknown state', { status: 'frozen' }],
  [
    'breaks, control characters and endless text',
    {
      collected_information: {
        shipping_details: {
          name: 'Casey\u0000\r\nBcc: x@y.z\u2028',
          address: { line1: `\u0000\u2029${'a'.repeat(299)}🛋${'a'.repeat(999)}` },
        },
      },
    },
  ],
])('a paid session with %s becomes its order: no payment is lost over an address (§5.8, §14.1)', async (_, change) => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 1, price: 10_000 });
  const { sessionId } = await checkout(buyer, [aLine(sofa)]);
  const paid = { status: 'complete', payment_status: 'paid', payment_intent: `pi_${sessionId}`, ...change };
  expect((await notify('checkout.session.completed', sessionId, paid)).statusCode).toBe(200);
  const { orders } = (await app.inject({ url: '/api/orders/myorders', headers: buyer.headers })).json<{ orders: Order[] }>();
  expect([orders.map(({ isPaid }) => isPaid), await stockOf(sofa._id)]).toEqual([[true], 0]);
  const order = await orderOf(sessionId);
  expect(`${order.fullName}${order.line1}`).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\ufffd]/u);
});

test('a session without what says how much was paid is no answer of the provider: the notice is sent again', async () => {
  const { sessionId } = await checkout(await aCustomer(db), [aLine(await aProduct(db))]);
  for (const change of [{ payment_status: null }, { amount_total: 'much' }, { payment_intent: 7 }])
    expect((await notify('checkout.session.completed', sessionId, { payment_status: 'paid', ...change })).statusCode).toBe(503);
  expect((await orderOf(sessionId)).status).toBe('awaiting_payment');
});

const stranded = async () =>
  (await metrics.registry.getSingleMetric('shop_payments_total')?.get())?.values.find(({ labels }) => labels.outcome === 'stranded')?.value;

test('a payment that must go back but names no payment is a task for a person: log, metric and history say so (§14.1)', async () => {
  lines.length = 0;
  const before = Number(await stranded());
  const sofa = await aProduct(db, { stock: 1, price: 10_000 });
  const { sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  const wrong = { status: 'complete', payment_status: 'paid', payment_intent: null, amount_total: 1 };
  for (let n = 0; n < 3; n += 1) await notify('checkout.session.completed', sessionId, wrong);
  const { id } = await orderOf(sessionId);
  expect(await eventsOf(id)).toEqual(['payment started', 'hold given back', 'refund by hand needed']);
  expect(lines.filter(({ msg }) => String(msg).startsWith('a payment must be refunded by hand'))).toMatchObject([
    { level: 50, order: id, session: sessionId },
  ]);
  expect(await stranded()).toBe(before + 1);
  const admin = await anAdmin(db);
  const shown = (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json();
  expect(shown.events.at(-1).detail).toContain(sessionId);
});

test('a second paid session of an order is refunded once, said in its history, and told to the customer (§14.1)', async () => {
  lines.length = 0;
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 1, price: 10_007 });
  const { url, sessionId } = await checkout(buyer, [aLine(sofa)]);
  await pay(url, { email: buyer.email });
  const order = await orderOf(sessionId);
  await runJobs(services);
  const second = await payAgain(order.id, 10_007, buyer.email);
  for (let n = 0; n < 3; n += 1) await notify('checkout.session.completed', second.sessionId);
  await runJobs(services);
  expect((await refunds()).filter((amount) => amount === 10_007)).toHaveLength(1);
  expect(await orderOf(sessionId)).toMatchObject({ status: 'placed', orderPaymentId: sessionId });
  expect(await eventsOf(order.id)).toEqual(['payment started', 'paid', 'refund started', 'refunded']);
  const texts = (await mailsOf(shop.dataDir, buyer.email)).map(({ text }) => text);
  expect(texts.filter((text) => text?.includes('paid twice'))).toHaveLength(1);
});

test('a refund job that runs twice gives back once and mails once (§14.1)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 5, price: 10_009 });
  const { url, sessionId } = await checkout(buyer, [aLine(sofa)]);
  await pay(url, { email: buyer.email });
  const { id, providerPaymentId } = await orderOf(sessionId);
  await forceOrder(db, id, { status: 'refunded' });
  const payload = { orderId: id, paymentId: providerPaymentId ?? '', reason: 'sold' } as const;
  // As when a process dies after the refund and before the queue heard of it.
  for (let n = 0; n < 2; n += 1) await enqueue(db, orderJobs.refundPayment, payload);
  await runJobs(services);
  expect((await refunds()).filter((amount) => amount === 10_009)).toHaveLength(1);
  expect((await eventsOf(id)).filter((kind) => kind === 'refunded')).toHaveLength(1);
  const subjects = (await mailsOf(shop.dataDir, buyer.email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject?.includes('was refunded'))).toHaveLength(1);
});

test('a card payment that names a cash order goes back', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 5, price: 10_011 });
  const placed = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(sofa)]) });
  await payAgain(placed.json()._id, 10_011, buyer.email);
  await runJobs(services);
  expect((await refunds()).filter((amount) => amount === 10_011)).toHaveLength(1);
});

test('a notice about a payment of somebody else on the same account is taken and left alone (§20.6)', async () => {
  const event = {
    id: 'evt_elsewhere',
    object: 'event',
    type: 'charge.refunded',
    data: { object: { payment_intent: 'pi_of_another_shop' } },
  };
  expect((await send(event)).json()).toEqual({ received: true });
  await enqueue(db, orderJobs.sendRefund, { refundId: '01890000-0000-7000-8000-000000000000' }, { key: 'nothing' });
  await runJobs(services);
});
