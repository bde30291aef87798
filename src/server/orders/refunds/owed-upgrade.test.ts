import type { Insertable } from 'kysely';
import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { applyRefunds } from '#server/payments/refunds.jobs.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { newId } from '#server/platform/ids.ts';
import { cardOrders } from '#server/testing/card-orders.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { migrateAgain, migrateOwed } from '#server/testing/migrate-again.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { accountOf } from './second-payments.service.ts';

const shop = await testShop({ env: { RATE_LIMIT_FACTOR: '1000', VAT_NUMBER: 'GB 123 4567 89', STORE_MARKET: 'uk' } });
const { app, db, services } = shop;
const { stripe, checkout, orderOf } = cardDesk(shop);
const admin = await anAdmin(db);
const { paid, isToPayBack } = cardOrders(shop, admin);

const sofa = await aProduct(db, { name: 'Sofa', price: 60_000, stock: 1_000 });
const lamp = await aProduct(db, { name: 'Lamp', price: 5_000, stock: 1_000 });
const stool = await aProduct(db, { name: 'Stool', price: 9_000, stock: 1_000 });
const onlySofa = () => paid([aLine(sofa)]);
const two = () => paid([aLine(sofa), aLine(lamp)]);
const allThree = () => paid([aLine(sofa), aLine(lamp), aLine(stool)]);

type Paid = Awaited<ReturnType<typeof paid>>;
const piece = (line: number) => [{ line, qty: 1 }];

/** What is paid back by the order itself, and by its failed refunds. */
async function seen(order: Paid) {
  await runJobs(services);
  const read = await order.read();
  const open = read.refunds.map(({ openPrice }) => openPrice).filter((price) => price > 0);
  return { ...read, open, isWaiting: await isToPayBack(order.id) };
}

/** Lets the bank return the latest refund, or the one of an amount. */
async function returned(order: Paid, amount?: number) {
  await runJobs(services);
  if (amount === undefined) return order.failRefund();
  const { data } = await stripe.refunds.list({ payment_intent: await order.paymentId() });
  await order.atDashboard({ action: 'fail', refund: data.find((refund) => refund.amount === amount)?.id ?? '' });
  await applyRefunds(services, await order.paymentId());
}

async function refundedAtProvider(order: Paid, amount: string) {
  await order.atDashboard({ action: 'refund', amount });
  await applyRefunds(services, await order.paymentId());
}

/** Stores an order as the version before migration 0980 had it, and migrates it. */
async function upgraded(order: Paid, meanwhile?: () => Promise<unknown>) {
  await runJobs(services);
  await forceOrder(db, order.id, { entitledPrice: 0, keptPrice: 0, goodwillPrice: 0, lostPrice: 0 });
  await db.updateTable('orderRefunds').set({ goodwill: 0 }).where('orderId', '=', order.id).execute();
  await migrateOwed(db, meanwhile);
  return seen(order);
}

const BROKEN: [string, (order: Paid) => Promise<unknown>][] = [
  ['pieces, as “Returned”', (order) => order.refund({ lines: piece(0), reason: 'Returned' })],
  ['pieces, as damaged', (order) => order.refund({ lines: piece(0), reason: 'Damaged or faulty' })],
  ['an amount, as “Returned”', (order) => order.refund({ amount: 60_000, reason: 'Returned' })],
  ['in the provider’s dashboard', (order) => refundedAtProvider(order, '600.00')],
];
test.each(BROKEN)('a failed refund of a broken sofa that did not come back is still owed after the upgrade: %s', async (_, refund) => {
  const order = await two();
  await order.deliver();
  await refund(order);
  await returned(order);
  expect(await upgraded(order)).toMatchObject({ isWaiting: true, owedPrice: 0, open: [60_000] });
  // The rest is owed by itself.
  await order.takeBack(1);
  await returned(order, 5_000);
  expect(await seen(order)).toMatchObject({ owedPrice: 5_000, open: [60_000, 5_000] });
});

/** What had happened to an order before the upgrade, and what is owed after it: by the order, and by its failed refunds alone. */
const LIVES: [string, number, number, () => Promise<Paid>][] = [
  [
    'a sofa that stays was refunded as “Returned”; the lamp came back and its £50 failed',
    5_000,
    0,
    async () => {
      const order = await two();
      await order.deliver();
      await order.refund({ lines: piece(0), reason: 'Returned' });
      await runJobs(services);
      await order.takeBack(1);
      await returned(order, 5_000);
      return order;
    },
  ],
  [
    'a sofa was cancelled, its £600 failed and was made again in the dashboard',
    0,
    0,
    async () => {
      const order = await allThree();
      await order.cancel({ pieces: piece(0) });
      await returned(order);
      await refundedAtProvider(order, '600.00');
      return order;
    },
  ],
  [
    'a sofa was cancelled, its £600 failed and was made again in the dashboard, and failed again',
    60_000,
    0,
    async () => {
      const order = await allThree();
      await order.cancel({ pieces: piece(0) });
      await returned(order);
      await refundedAtProvider(order, '600.00');
      await returned(order);
      return order;
    },
  ],
  [
    'a sofa was cancelled, its £600 failed and £200 was paid for another reason',
    40_000,
    0,
    async () => {
      const order = await allThree();
      await order.cancel({ pieces: piece(0) });
      await returned(order);
      await order.refund({ amount: 20_000, reason: 'Another reason' });
      return order;
    },
  ],
  [
    'a sofa was cancelled, its £600 failed; then the lamp was cancelled',
    60_000,
    0,
    async () => {
      const order = await allThree();
      await order.cancel({ pieces: piece(0) });
      await returned(order);
      await order.cancel({ pieces: piece(1) });
      return order;
    },
  ],
  [
    'all came back, staff kept £100, and the rest failed and was made again',
    0,
    0,
    async () => {
      const order = await onlySofa();
      await order.deliver();
      await order.takeBack(0, { amount: 50_000, answer: 'scratched' });
      await returned(order);
      await order.refund({ amount: 50_000, reason: 'Returned' });
      return order;
    },
  ],
  [
    'a sofa came back, staff kept £100, and the rest failed and was made again; the lamp stays',
    0,
    0,
    async () => {
      const order = await two();
      await order.deliver();
      await order.takeBack(0, { amount: 50_000, answer: 'scratched' });
      await returned(order);
      await order.refund({ amount: 50_000, reason: 'Returned' });
      return order;
    },
  ],
  [
    'a sofa came back, its £600 failed, and the lamp that stays was refunded as “Returned”',
    60_000,
    0,
    async () => {
      const order = await two();
      await order.deliver();
      await order.takeBack(0);
      await returned(order);
      await order.refund({ lines: piece(1), reason: 'Returned' });
      return order;
    },
  ],
  [
    'a sofa came back by a refund for another reason, which failed',
    60_000,
    0,
    async () => {
      const order = await two();
      await order.deliver();
      await order.refund({ lines: piece(0), isRestocked: true, reason: 'Damaged or faulty' });
      await returned(order);
      return order;
    },
  ],
  [
    'goodwill in the dashboard failed, £50 of it was made again, and a sofa came back, whose £600 failed: it is not known which of the two was paid',
    55_000,
    7_000,
    async () => {
      const order = await allThree();
      await order.deliver();
      await refundedAtProvider(order, '70.00');
      await returned(order);
      await refundedAtProvider(order, '50.00');
      await order.takeBack(0);
      await returned(order, 60_000);
      return order;
    },
  ],
  [
    'a lamp came back during a dispute that was won; then a sofa that stays was refunded as “Returned”, which failed',
    5_000,
    60_000,
    async () => {
      const order = await two();
      await order.deliver();
      await order.told('open', 65_000);
      await order.takeBack(1);
      await order.told('won', 65_000);
      await db.updateTable('orderItems').set({ refundedQty: 0 }).where('orderId', '=', order.id).execute();
      await order.refund({ lines: piece(0), reason: 'Returned' });
      await returned(order);
      return order;
    },
  ],
  [
    'of a cancelled sofa the bank gave £200 back, and the rest was refunded twice, the first time in vain',
    0,
    0,
    async () => {
      const order = await allThree();
      await order.told('open', 20_000);
      await order.told('lost', 20_000);
      await order.cancel({ pieces: piece(0) });
      await returned(order);
      await refundedAtProvider(order, '400.00');
      return order;
    },
  ],
];
test.each(LIVES)('what is owed after the upgrade: %s', async (_, owed, alone, live) => {
  const order = await live();
  const { owedPrice, open, isWaiting } = await upgraded(order);
  expect([owedPrice, isWaiting]).toEqual([owed, owed + alone > 0]);
  await order.refund({ amount: owed });
  const rest = owed > 0 ? (await seen(order)).open : open;
  expect(rest.reduce((sum, price) => sum + price, 0)).toBe(alone);
});

test('goodwill of a cancelled order that failed is owed after the upgrade, also where `due_back` was never stored', async () => {
  for (const isStored of [true, false]) {
    const order = await two();
    await order.refund({ amount: 5_000 });
    await runJobs(services);
    await order.cancel();
    await returned(order, 5_000);
    if (!isStored) await forceOrder(db, order.id, { dueBack: null });
    expect(await upgraded(order)).toMatchObject({ isWaiting: true, open: [5_000] });
  }
});

test('goodwill beyond what a cancelled order had to give back is owed after the upgrade if it failed', async () => {
  const order = await two();
  await order.cancel();
  await runJobs(services);
  // Staff had kept £50, then gave it back after all; the provider has refused it.
  await forceOrder(db, order.id, { refundedPrice: 60_000, keptPrice: 5_000, entitledPrice: 60_000 });
  await db.updateTable('orderRefunds').set({ amount: 60_000 }).where('orderId', '=', order.id).execute();
  await order.refund({ amount: 5_000 });
  await runJobs(services);
  await forceOrder(db, order.id, { dueBack: 60_000 });
  expect(await upgraded(order)).toMatchObject({ refundedPrice: 60_000, owedPrice: 0, open: [5_000] });
});

test('an order of which money has moved since the upgrade stays as it is', async () => {
  const order = await two();
  await order.deliver();
  await order.refund({ amount: 60_000, reason: 'Returned' });
  await returned(order);
  expect(await upgraded(order, () => order.refund({ amount: 1_000 }))).toMatchObject({ isWaiting: false, open: [] });
});

test('a refund that fails while the version before serves is owed, also beside one that is done', async () => {
  const order = await allThree();
  for (const line of [0, 1]) await order.cancel({ pieces: piece(line) });
  await runJobs(services);
  // The version before stores neither `entitled_price` nor `goodwill`, and the sum of refunds before the second of two changes.
  await forceOrder(db, order.id, { entitledPrice: 0, refundedPrice: 5_000 });
  const fail = { status: 'failed', failure: 'lost_or_stolen_card' };
  await db.updateTable('orderRefunds').set(fail).where('orderId', '=', order.id).where('amount', '=', 60_000).execute();
  expect(await seen(order)).toMatchObject({ isWaiting: true, owedPrice: 60_000 });
  await db.updateTable('orderRefunds').set(fail).where('orderId', '=', order.id).execute();
  await forceOrder(db, order.id, { refundedPrice: 0 });
  expect(await seen(order)).toMatchObject({ owedPrice: 65_000 });
});

test('of several refunds that fail in one statement, what was goodwill stays so', async () => {
  const order = await allThree();
  await order.cancel({ pieces: piece(0) });
  await order.refund({ amount: 1_000 });
  await runJobs(services);
  await forceOrder(db, order.id, { entitledPrice: 0 });
  await db.updateTable('orderRefunds').set({ status: 'failed' }).where('orderId', '=', order.id).execute();
  await forceOrder(db, order.id, { refundedPrice: 0 });
  const { owedPrice, refunds } = await seen(order);
  expect([owedPrice, refunds.map(({ openPrice }) => openPrice).sort()]).toEqual([60_000, [1_000, 60_000]]);
});

/** A payment of £139 that became no order of £89, as the version before migration 1025 had it, with its refunds and a dispute. */
async function refusedBefore({ refunds, dispute }: { refunds: Partial<Insertable<DB['orderRefunds']>>[]; dispute?: 'open' | 'lost' }) {
  const { url, sessionId } = await checkout(await aCustomer(db), [aLine(stool)]);
  const { id } = await orderOf(sessionId);
  await forceOrder(db, id, { subTotalPrice: 4_000, totalPrice: 8_900 });
  await pay(url);
  await runJobs(services);
  const { providerPaymentId, totalPrice } = await orderOf(sessionId);
  expect(totalPrice).toBe(8_900);
  const paymentId = providerPaymentId ?? '';
  await db.deleteFrom('secondPayments').where('paymentId', '=', paymentId).execute();
  const row = { orderId: id, reason: 'The payment could not be accepted', actor: 'Payment provider', isByHand: false, status: 'failed' };
  for (const refund of refunds)
    await db
      .insertInto('orderRefunds')
      .values({ id: newId(), ...row, amount: 1, ...refund })
      .execute();
  if (dispute)
    await db
      .insertInto('orderDisputes')
      .values({ id: `dp_${id}`, orderId: id, disputedPaymentId: paymentId, status: dispute, amount: 4_000, reason: 'general' })
      .execute();
  await migrateAgain(db, '1025_payments_that_became_no_order');
  const {
    overpayments,
    refunds: left,
    isRefundDue,
  } = (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json<Order>();
  const { disputedPrice } = await db.selectFrom('orders').select('disputedPrice').where('id', '=', id).executeTakeFirstOrThrow();
  expect([left, disputedPrice]).toEqual([[], 0]);
  const account = await accountOf(db, paymentId);
  return { rows: overpayments.map(({ amount, status }) => [amount, status]), isRefundDue, amount: account?.amount };
}

test('a payment that became no order under an earlier version is one that was not kept, with what is owed of it (§20.15)', async () => {
  const whole = 13_900;
  expect(await refusedBefore({ refunds: [] })).toEqual({ rows: [], isRefundDue: false, amount: whole });
  const failed = { amount: whole, goodwill: whole, providerRefundId: `re_${newId()}` };
  expect(await refusedBefore({ refunds: [failed] })).toEqual({ rows: [[whole, 'owed']], isRefundDue: true, amount: whole });
  const byHand = { amount: 900, goodwill: 900, isByHand: true, status: 'done', paidBackBy: 'cash', providerRefundId: `re_${newId()}` };
  const rest = { amount: 13_000, goodwill: 13_000, providerRefundId: `re_${newId()}` };
  const some = await refusedBefore({ refunds: [byHand, rest], dispute: 'lost' });
  expect(some).toMatchObject({ isRefundDue: true, amount: whole });
  expect(some.rows.sort()).toEqual([
    [900, 'paid_back'],
    [9_000, 'owed'],
  ]);
  const made = { amount: whole, goodwill: whole, status: 'pending', providerRefundId: `re_${newId()}` };
  expect(await refusedBefore({ refunds: [made] })).toEqual({ rows: [], isRefundDue: true, amount: whole });
});
