import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import type { Payment } from '#contract/orders/orders.ts';
import { buildApp } from '#server/app/app.ts';
import { runJobs } from '#server/app/jobs.ts';
import { connect } from '#server/platform/database/connect.ts';
import { LIMITS } from '#server/sessions/rate-limit.service.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { readableLog } from '#server/testing/logs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { runs } from '#server/testing/runs.ts';
import { silentProvider } from '#server/testing/silent-provider.ts';
import { expireHold, reconcilePayments } from './payments.jobs.ts';

const silent = await silentProvider();
const shop = await testShop({ env: { STRIPE_API_BASE: silent.url }, pool: 20 });
const { app, db, services } = shop;
const { checkout, notice, orderOf, stockOf, eventsOf, refunds, stripe } = cardDesk(shop, silent.url);
const countMails = async (to: string) => (await mailsOf(shop.dataDir, to)).length;

test('a payment of which no notice ever came becomes its order, once, with one mail', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 1 });
  const { url, sessionId } = await checkout(buyer, [aLine(sofa)]);
  await pay(url, { email: buyer.email });
  expect((await orderOf(sessionId)).status).toBe('awaiting_payment');
  for (let n = 0; n < 3; n += 1) await reconcilePayments(services);
  expect(await orderOf(sessionId)).toMatchObject({ status: 'placed', paymentMethod: 'Credit Card', line1: '2 Low Road' });
  await runJobs(services);
  expect([await stockOf(sofa._id), await countMails(buyer.email)]).toEqual([0, 1]);
});

const payment = async (buyer: { headers: Record<string, string> }, orderId: string) => {
  const reply = await app.inject({ url: `/api/orders/${orderId}/payment`, headers: buyer.headers });
  return reply.statusCode === 200 ? reply.json<Payment>() : { state: reply.statusCode, order: null };
};

test('a waiting payer has a payment settled whose notice never came; nobody else can ask for it (§2.9.2)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 1 });
  const { reply, url } = await checkout(buyer, [aLine(sofa)]);
  const { orderId } = reply.json<{ orderId: string }>();
  expect(await payment(buyer, orderId)).toEqual({ state: 'waiting', order: null });
  expect((await payment(await aCustomer(db), orderId)).state).toBe(404);
  await pay(url);
  for (let n = 0; n < 2; n += 1)
    expect(await payment(buyer, orderId)).toMatchObject({ state: 'settled', order: { _id: orderId, isPaid: true, fullName: 'Pat Payer' } });
  await runJobs(services);
  expect([await stockOf(sofa._id), await countMails(buyer.email)]).toEqual([0, 1]);
});

test('a waiting payer is told that a session ended, and that a payment goes back (§2.9.2)', async () => {
  const buyer = await aCustomer(db);
  const [first, second] = [await aProduct(db, { stock: 1 }), await aProduct(db, { stock: 1 })];
  const ended = await checkout(buyer, [aLine(first)]);
  await stripe.checkout.sessions.expire(ended.sessionId);
  expect(await payment(buyer, ended.reply.json().orderId)).toEqual({ state: 'ended', order: null });
  const late = await checkout(buyer, [aLine(second)]);
  const { id } = await orderOf(late.sessionId);
  // Another amount than the order now costs.
  await forceOrder(db, id, { subTotalPrice: 1, totalPrice: 1 });
  await pay(late.url);
  expect(await payment(buyer, id)).toMatchObject({ state: 'refunded', order: { isRefunded: true } });
  await runJobs(services);
});

test('a waiting payer’s questions to the provider are limited, and go on while it fails (§2.9.2)', async () => {
  const buyer = await aCustomer(db);
  const { reply, sessionId } = await checkout(buyer, [aLine(await aProduct(db))]);
  const { orderId } = reply.json<{ orderId: string }>();
  const isAboutIt = (asked: string) => asked.includes(sessionId);
  for (let n = 0; n < LIMITS.payment.pair + 5; n += 1) expect((await payment(buyer, orderId)).state).toBe('waiting');
  expect(shop.wire.asked.filter(isAboutIt)).toHaveLength(LIMITS.payment.pair);
  const other = await aCustomer(db);
  const failing = await checkout(other, [aLine(await aProduct(db))]);
  // The provider knows nothing of this session.
  await forceOrder(db, failing.reply.json().orderId, { providerSessionId: 'cs_test_gone' });
  expect((await payment(other, failing.reply.json().orderId)).state).toBe('waiting');
});

test('a session that expired unheard gives its stock back', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const { sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  await stripe.checkout.sessions.expire(sessionId);
  await reconcilePayments(services);
  await reconcilePayments(services);
  expect([await stockOf(sofa._id), (await orderOf(sessionId)).status]).toEqual([1, 'expired']);
});

test('after hours in which the shop was away, what still waits is looked up too', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const { url, sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  await pay(url);
  const hoursAgo = new Date(Date.now() - 5 * 3_600_000).toISOString();
  await db.updateTable('orders').set({ createdAt: hoursAgo, holdExpiresAt: hoursAgo }).where('providerSessionId', '=', sessionId).execute();
  await reconcilePayments(services);
  expect((await orderOf(sessionId)).status).toBe('placed');
});

/** A payment whose order is not here; returns its session's id. */
async function aPaymentWithoutOrder(): Promise<string> {
  const line = { price_data: { currency: 'gbp', unit_amount: 5_000, product_data: { name: 'Of another shop' } }, quantity: 1 };
  const { id, url } = await stripe.checkout.sessions.create({
    mode: 'payment',
    client_reference_id: '01890000-0000-7000-8000-00000000dead',
    success_url: 'http://127.0.0.1/',
    line_items: [line],
  });
  await pay(url ?? '');
  return id;
}

test('a payment that names no order is said once, as an error, and its money is left to a person', async () => {
  const { log, lines } = readableLog();
  const id = await aPaymentWithoutOrder();
  const before = await refunds();
  for (let n = 0; n < 3; n += 1) await reconcilePayments({ ...services, log });
  await app.inject(await notice('checkout.session.completed', id));
  const said = lines.filter(({ msg }) => msg === 'a payment names no order of this shop');
  expect(said).toMatchObject([{ level: 50, session: id, order: '01890000-0000-7000-8000-00000000dead' }]);
  await runJobs(services);
  expect(await refunds()).toEqual(before);
});

test('payments and refunds that cannot be stored are both named by the error of their run', async () => {
  const buyer = await aCustomer(db);
  const { url, sessionId } = await checkout(buyer, [aLine(await aProduct(db, { stock: 1 }))]);
  await pay(url);
  const { id } = await orderOf(sessionId);
  await sql`create function refuse_storing() returns trigger language plpgsql as 'begin raise exception ''unstorable''; end'`.execute(db);
  await sql`create trigger refuse_storing before update on orders for each row when (old.id = ${sql.lit(id)}) execute function refuse_storing()`.execute(
    db,
  );
  vi.spyOn(services.payments, 'listRefunds').mockRejectedValueOnce(new Error('no refunds today'));
  await expect(reconcilePayments(services)).rejects.toThrow(/^1 of the payments cannot be stored: .*unstorable; no refunds today$/);
  await sql`drop function refuse_storing cascade`.execute(db);
  await reconcilePayments(services);
  expect((await orderOf(sessionId)).status).toBe('placed');
});

/** Does something on the clock of another time, which the provider in this process reads as well. */
async function at<T>(time: Date, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

test('a shop that comes back from a backup finds the payments that were made after it, however long ago', async () => {
  await reconcilePayments(services);
  const madeAt = new Date(Date.now() - 3 * 24 * 3_600_000);
  const id = await at(new Date(madeAt.getTime() + 600_000), aPaymentWithoutOrder);
  const { log, lines } = readableLog();
  const isFound = () => lines.some(({ msg, session }) => msg === 'a payment names no order of this shop' && session === id);
  await reconcilePayments({ ...services, log });
  expect(isFound()).toBe(false);
  // As the backup has it, made when the provider had just been asked.
  await db.updateTable('paymentWatch').set({ askedUntil: madeAt.toISOString() }).execute();
  await reconcilePayments({ ...services, log });
  expect(isFound()).toBe(true);
  expect((await db.selectFrom('paymentWatch').select('askedUntil').executeTakeFirst())?.askedUntil).not.toBe(madeAt.toISOString());
});

test('a shop whose clock was ahead looks three days back', async () => {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
  const id = await at(hours(-70), aPaymentWithoutOrder);
  await db
    .updateTable('paymentWatch')
    .set({ askedUntil: hours(960).toISOString() })
    .execute();
  const { log, lines } = readableLog();
  await reconcilePayments({ ...services, log });
  expect(lines.some(({ session }) => session === id)).toBe(true);
});

test('an order that says paid without a payment at the provider is said once, in the log and in its history', async () => {
  const { log, lines } = readableLog();
  const admin = await anAdmin(db);
  const sofa = await aProduct(db, { stock: 3 });
  const orders = [];
  for (const wrong of ['unpaid', 'unknown', 'nothing wrong']) {
    const { url, sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
    const { id } = await orderOf(sessionId);
    if (wrong === 'nothing wrong') await pay(url);
    const session = wrong === 'unknown' ? 'cs_test_nowhere' : sessionId;
    const change = { status: 'placed', paidAt: new Date().toISOString(), providerSessionId: session, orderPaymentId: session } as const;
    await forceOrder(db, id, change);
    orders.push(id);
  }
  for (let n = 0; n < 3; n += 1) await reconcilePayments({ ...services, log });
  const said = lines.filter(({ msg }) => msg === 'an order says paid, but the provider knows no payment');
  expect(said.map(({ level, order }) => [level, order]).sort()).toEqual(
    orders
      .slice(0, 2)
      .map((id) => [50, id])
      .sort(),
  );
  const histories = await Promise.all(orders.map(async (id) => (await eventsOf(id)).includes('payment not found')));
  expect(histories).toEqual([true, true, false]);
  const shown = (await app.inject({ url: `/api/orders/${orders[0]}`, headers: admin.headers })).json();
  expect(shown.events.at(-1)).toMatchObject({ kind: 'payment not found', actor: 'Payment provider' });
});

test('webhooks and reconciliation of two processes and the end of the hold meet again and again: one order, one mail', async () => {
  const { db: otherDb, pool, close } = connect(shop.databaseUrl, { max: 5 });
  const other = { ...services, db: otherDb, pool, readDb: otherDb };
  const second = await buildApp(other, async () => ({ status: 200, head: '', body: '', state: {}, modules: [] }));
  for (let round = 0; round < runs(3); round += 1) {
    const buyer = await aCustomer(db);
    const sofa = await aProduct(db, { stock: 1 });
    const { url, sessionId } = await checkout(buyer, [aLine(sofa)]);
    await pay(url, { email: buyer.email });
    const { id } = await orderOf(sessionId);
    const same = await notice('checkout.session.completed', sessionId, {}, `evt_same_${round}`);
    const replies = await Promise.all([
      app.inject(same),
      second.inject(same),
      app.inject(await notice('checkout.session.completed', sessionId)),
      second.inject(await notice('checkout.session.expired', sessionId, { status: 'expired', payment_status: 'unpaid' })),
      reconcilePayments(services),
      reconcilePayments(other),
      expireHold(other, { orderId: id }),
    ]);
    expect(replies.slice(0, 4).map((reply) => (reply as { statusCode: number }).statusCode)).toEqual([200, 200, 200, 200]);
    const kinds = await eventsOf(id);
    expect([(await orderOf(sessionId)).status, await stockOf(sofa._id), kinds.filter((kind) => kind === 'paid')]).toEqual([
      'placed',
      0,
      ['paid'],
    ]);
    await runJobs(services);
    expect(await countMails(buyer.email)).toBe(1);
  }
  await second.close();
  await close();
});
