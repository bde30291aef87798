import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { silentProvider } from '#server/testing/silent-provider.ts';
import { reconcileOutcomes } from './refunds.jobs.ts';

const silent = await silentProvider();
const shop = await testShop({ env: { STRIPE_API_BASE: silent.url } });
const { app, db, services } = shop;
const { checkout, orderOf, reconcile, stripe } = cardDesk(shop, silent.url);
const admin = await anAdmin(db);

const atDashboard = (sessionId: string, form: Record<string, string>) =>
  fetch(`${silent.url}/payments/${sessionId}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

/** A paid card order of £350.00; the webhook of its payment was lost too. */
async function aPaidOrder(card = '4242 4242 4242 4242') {
  const buyer = await aCustomer(db);
  const { url, sessionId } = await checkout(buyer, [aLine(await aProduct(db, { price: 35_000 }))]);
  await pay(url, { card, email: buyer.email });
  await reconcile();
  const { id, providerPaymentId } = await orderOf(sessionId);
  const read = async () => (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json<Order>();
  const kinds = async () => (await read()).events.map(({ kind }) => kind);
  return { id, buyer, sessionId, paymentId: providerPaymentId ?? '', read, kinds };
}

test('a refund made in the provider’s dashboard is imported once, with one mail, even if its webhook was lost (§20.6)', async () => {
  const order = await aPaidOrder();
  await atDashboard(order.sessionId, { action: 'refund', amount: '30.00' });
  for (let n = 0; n < 3; n += 1) await reconcile();
  const read = await order.read();
  expect(read).toMatchObject({
    refundedPrice: 3_000,
    refunds: [{ amount: 3_000, status: 'done', reason: 'Made at the payment provider' }],
  });
  expect(read.invoices.map(({ kind, gross }) => [kind, gross])).toEqual([
    ['invoice', 35_000],
    ['credit_note', 3_000],
  ]);
  await runJobs(services);
  const mails = await mailsOf(shop.dataDir, order.buyer.email);
  expect(mails.filter(({ subject }) => subject?.toLowerCase().includes('refund'))).toHaveLength(1);
});

test('more refunds than fit on one page of the provider’s list are all found', async () => {
  const order = await aPaidOrder();
  for (let n = 0; n < 103; n += 1) await stripe.refunds.create({ payment_intent: order.paymentId, amount: 100 });
  await reconcile();
  expect((await order.read()).refundedPrice).toBe(10_300);
});

test('the daily check of older refunds finds one that failed long afterwards without a webhook (§20.6)', async () => {
  const order = await aPaidOrder();
  await atDashboard(order.sessionId, { action: 'refund', amount: '30.00' });
  await reconcile();
  const [refund] = (await stripe.refunds.list({ payment_intent: order.paymentId })).data;
  await atDashboard(order.sessionId, { action: 'fail', refund: refund?.id ?? '' });
  for (let n = 0; n < 2; n += 1) await reconcileOutcomes(services);
  expect(await order.read()).toMatchObject({ refundedPrice: 0, refunds: [{ status: 'failed', failure: 'lost or stolen card' }] });
});

test('a dispute and its end are each found once without a webhook (§20.7)', async () => {
  const order = await aPaidOrder();
  await atDashboard(order.sessionId, { action: 'dispute' });
  for (let n = 0; n < 2; n += 1) await reconcile();
  expect((await order.kinds()).filter((kind) => kind.includes('dispute'))).toEqual(['payment disputed']);
  await atDashboard(order.sessionId, { action: 'lost' });
  for (let n = 0; n < 2; n += 1) await reconcileOutcomes(services);
  expect((await order.kinds()).filter((kind) => kind.includes('dispute'))).toEqual(['payment disputed', 'dispute lost']);
});

test('refunds by other software of the same account, and a payment that never became an order, are left alone', async () => {
  const line = { price_data: { currency: 'gbp', unit_amount: 5_000, product_data: { name: 'Of another shop' } }, quantity: 1 };
  const pages = { success_url: 'https://another.test/', cancel_url: 'https://another.test/' };
  const other = await stripe.checkout.sessions.create({ mode: 'payment', ...pages, line_items: [line] });
  await pay(other.url ?? '');
  await atDashboard(other.id, { action: 'refund', amount: '10.00' });
  const before = await db.selectFrom('orderRefunds').selectAll().execute();
  await reconcile();
  await reconcileOutcomes(services);
  expect(await db.selectFrom('orderRefunds').selectAll().execute()).toEqual(before);
});
