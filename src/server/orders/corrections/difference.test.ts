import { beforeEach, expect, test } from 'vitest';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Correction, Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { checkBooks } from '#server/books/compare.service.ts';
import { listBrokenRuleTexts } from '#server/books/shop-rules.ts';
import { failRefund, recordDispute } from '#server/orders/refunds/refund-outcomes.service.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aProduct, type SignedIn, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { makeJobsDue } from '#server/testing/jobs.ts';
import { mailsOf } from '#server/testing/mails.ts';

const shop = await testShop({ pool: 15, env: { STORE_MARKET: 'uk', VAT_NUMBER: 'GB123456789', RATE_LIMIT_FACTOR: '1000' } });
const { app, db, services } = shop;
const { checkout, orderOf, stripe, reconcile } = cardDesk(shop);
const admin = await anAdmin(db, { name: 'Ada Admin' });
const TAKEN = 60_000;

let buyer: SignedIn;
let sofa: Awaited<ReturnType<typeof aProduct>>;
let order: Order;

const send = (who: SignedIn, method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
const read = async (who = admin) => (await app.inject({ url: `/api/orders/${order._id}`, headers: who.headers })).json<Order>();
const correct = async (payload: object = {}) => {
  const { revision } = await read();
  const wish = { revision, lines: [{ line: 0, qty: 1, size: 'L' }], ...payload };
  return send(admin, 'POST', `/api/office/orders/${order._id}/correction`, wish);
};
const open = (who = buyer) => send(who, 'POST', `/api/orders/${order._id}/correction/payment`);
const urlOf = async () => (await open()).json<{ url: string }>().url;
const sizesOf = async () =>
  (await db.selectFrom('productSizes').select('quantity').where('productId', '=', sofa._id).orderBy('position').execute()).map(
    ({ quantity }) => quantity,
  );
const statusOf = async () =>
  (await db.selectFrom('orderCorrections').select('status').where('orderId', '=', order._id).orderBy('createdAt').execute()).map(
    ({ status }) => status,
  );
/** Refunded pence of every payment that names the order. */
async function refundedOf(): Promise<number[]> {
  const { data } = await stripe.checkout.sessions.list({ limit: 100 });
  const payments = data
    .filter((one) => one.client_reference_id === order._id && one.payment_intent)
    .map((one) => String(one.payment_intent));
  const sums = await Promise.all(
    payments.map(async (payment_intent) =>
      (await stripe.refunds.list({ payment_intent, limit: 100 })).data.reduce((sum, { amount }) => sum + amount, 0),
    ),
  );
  return sums.sort((a, b) => a - b);
}
const mails = async (end: RegExp) => {
  await runJobs(services);
  return (await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => end.test(subject ?? ''));
};

beforeEach(async () => {
  buyer = await aCustomer(db);
  const sizes = [
    { size: 'S', quantity: 4, price: TAKEN },
    { size: 'L', quantity: 1, price: 75_000 },
  ];
  sofa = await aProduct(db, { name: 'Sofa', price: TAKEN, stock: 5, sizes });
  const { url, sessionId } = await checkout(buyer, [aLine(sofa, { size: 'S' })]);
  await pay(url);
  const { id } = await orderOf(sessionId);
  order = (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json<Order>();
});

test('a card order that costs more changes once its customer has paid the difference by the link; cancelled, each payment gives back its own (§20.15)', async () => {
  expect((await correct()).json<Correction>()).toMatchObject({ difference: 15_000, isToBePaid: true, order: null });
  const waiting = (await correct({ expected: 15_000 })).json<Correction>().order;
  expect(waiting).toMatchObject({
    totalPrice: TAKEN,
    revision: order.revision,
    correction: { difference: 15_000, takenOff: '1 × Sofa (S)', added: '1 × Sofa (L)' },
  });
  const hours = (Date.parse(waiting?.correction?.payUntil ?? '') - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(47.9);
  expect(waiting?.orderItems).toHaveLength(1);
  // The piece is held; the old one stays the order's.
  expect(await sizesOf()).toEqual([3, 0]);
  const [asked, ...others] = await mails(/^Please pay £150\.00/);
  expect(others).toEqual([]);
  expect(asked?.text).toContain('/pay/');
  const url = await urlOf();
  expect(await urlOf()).toBe(url);
  await pay(url);
  await pay(url);
  await reconcile();
  const after = await read();
  expect(after).toMatchObject({ correction: null, totalPrice: TAKEN + 75_000, waivedPrice: TAKEN, refundable: 75_000, isPaid: true });
  expect(after.orderItems.map(({ size, qty, cancelledQty }) => [size, qty - cancelledQty])).toEqual([
    ['S', 0],
    ['L', 1],
  ]);
  expect(after.invoices.map(({ kind, gross }) => [kind, gross])).toEqual([
    ['invoice', TAKEN],
    ['invoice', 75_000],
    ['credit_note', TAKEN],
  ]);
  expect([await sizesOf(), await statusOf()]).toEqual([[4, 0], ['paid']]);
  expect(await mails(/has changed$/)).toHaveLength(1);
  // The books have both payments, each with the order.
  expect(await checkBooks(services, -60_000)).toEqual({ faults: 0 });
  const today = shopDay(new Date().toISOString());
  const books = async (path: string) => (await app.inject({ url: `/api/office/books${path}`, headers: admin.headers })).json();
  expect((await books(`?from=${today}&to=${today}`)).days[0].card).toMatchObject({ due: 75_000, taken: 75_000 });
  const entries = (await books(`/entries?day=${today}`)).entries as { order: { reference: string } | null }[];
  expect(entries.map((entry) => entry.order?.reference)).toEqual([order.reference, order.reference]);
  await send(admin, 'POST', `/api/office/orders/${order._id}/refunds`, { amount: 10_000, reason: 'Goodwill' });
  await send(admin, 'POST', `/api/office/orders/${order._id}/cancel`, { reason: 'Another reason' });
  await runJobs(services);
  expect(await refundedOf()).toEqual([15_000, TAKEN]);
  expect(await checkBooks(services, -60_000)).toEqual({ faults: 0 });
  expect((await read()).refunds.map(({ amount, status }) => [amount, status])).toEqual([
    [10_000, 'done'],
    [50_000, 'done'],
    [15_000, 'done'],
  ]);
  expect([await sizesOf(), await stockOf(db, sofa._id)]).toEqual([[4, 1], 5]);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('a damaged piece that is exchanged for a more expensive one is not put back once the difference is paid (§20.15)', async () => {
  await correct({ expected: 15_000, isRestocked: false });
  expect((await read()).events.at(-1)?.detail).toBe(
    'To be taken off: 1 × Sofa (S), not put back in stock. To be added: 1 × Sofa (L). £150.00 more',
  );
  await pay(await urlOf());
  expect((await read()).events.map(({ detail }) => detail)).toContain(
    'Taken off: 1 × Sofa (S), not put back in stock. Added: 1 × Sofa (L). £150.00 more',
  );
  expect([await sizesOf(), await stockOf(db, sofa._id)]).toEqual([[3, 0], 3]);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('a difference that is not paid in time leaves the order as it was: the piece is back, and a payment that comes after all goes back (§20.15)', async () => {
  await correct({ expected: 15_000 });
  const url = await urlOf();
  await runJobs(services);
  expect(await statusOf()).toEqual(['open']);
  await makeJobsDue(db);
  await runJobs(services);
  expect([await statusOf(), await sizesOf()]).toEqual([['ended'], [3, 1]]);
  const after = await read();
  expect(after).toMatchObject({ correction: null, totalPrice: TAKEN, revision: order.revision });
  expect(after.events.at(-1)).toMatchObject({ kind: 'correction ended', detail: 'It was not paid in time' });
  expect((await open()).statusCode).toBe(409);
  // Its page is closed.
  await pay(url);
  expect(await refundedOf()).toEqual([0]);
});

test('whatever else happens to the order ends the correction; paid after that, the difference goes back and says why (§20.15)', async () => {
  await correct({ expected: 15_000 });
  const url = await urlOf();
  await send(admin, 'PUT', `/api/orders/${order._id}/stage`, { stage: 'packing' });
  expect(await statusOf()).toEqual(['closing']);
  await pay(url);
  await runJobs(services);
  expect([await statusOf(), await sizesOf(), await refundedOf()]).toEqual([['ended'], [3, 1], [0, 15_000]]);
  expect(await read()).toMatchObject({ status: 'packing', totalPrice: TAKEN, refundedPrice: 0 });
  const [mail] = await mails(/^Your payment for order .* was refunded$/);
  expect(mail?.text).toContain('the change of your order was no longer possible');
  // It stays with its order.
  expect(await db.selectFrom('secondPayments').select('amount').where('orderId', '=', order._id).execute()).toEqual([{ amount: 15_000 }]);
});

test('it is withdrawn by staff, paid by its customer alone, and there is one at a time', async () => {
  expect((await open()).json().message).toBe('There is nothing left to pay for this order. Reload the page to see it.');
  await correct({ expected: 15_000 });
  expect((await open(await aCustomer(db))).statusCode).toBe(404);
  expect((await read(buyer)).correction?.difference).toBe(15_000);
  expect((await correct({ lines: [], added: [{ product: sofa._id, size: 'S', qty: 1 }] })).json().message).toBe(
    'A change of this order is waiting for payment. Withdraw it first.',
  );
  // Money that is recorded besides would end it without a word.
  const more = () => send(admin, 'POST', `/api/office/orders/${order._id}/overpayments`, { amount: 15_000, receivedBy: 'transfer' });
  expect((await more()).json().message).toBe('A change of this order is waiting for payment. Withdraw it first.');
  const withdraw = () => send(admin, 'DELETE', `/api/office/orders/${order._id}/correction`);
  expect((await withdraw()).json<Order>().correction).toBeNull();
  expect((await withdraw()).statusCode).toBe(409);
  await runJobs(services);
  expect([await statusOf(), await sizesOf()]).toEqual([['ended'], [3, 1]]);
  // Only pieces that are there without the one that is taken off can be asked for.
  expect((await correct({ lines: [{ line: 0, qty: 2, size: 'L' }] })).json().message).toBe('Only 1 of Sofa (L) left.');
});

test.each([
  ['its end', 'end'],
  ['the customer’s cancellation', 'cancel'],
  ['a dispatch', 'dispatch'],
])('a payment and %s at the same moment: money and pieces are one or the other', async (_, rival) => {
  await correct({ expected: 15_000 });
  const url = await urlOf();
  const end = async () => {
    await makeJobsDue(db);
    await runJobs(services);
  };
  const rivals: Record<string, () => Promise<unknown>> = {
    end,
    cancel: () => send(buyer, 'POST', `/api/orders/${order._id}/cancel`, { reason: 'Another reason' }),
    dispatch: () => send(admin, 'PUT', `/api/orders/${order._id}/stage`, { stage: 'dispatched' }),
  };
  await Promise.all([pay(url), rivals[rival]?.()]);
  await end();
  const { totalPrice, waivedPrice, refundedPrice, orderItems } = await read();
  const isMade = (await statusOf()).includes('paid');
  expect(totalPrice - waivedPrice).toBe(isMade ? 75_000 : TAKEN);
  const { data } = await stripe.checkout.sessions.list({ limit: 100 });
  const paid = data
    .filter((one) => one.client_reference_id === order._id && one.payment_status === 'paid')
    .reduce((sum, one) => sum + (one.amount_total ?? 0), 0);
  const back = (await refundedOf()).reduce((sum, one) => sum + one, 0);
  expect(paid - back).toBe(totalPrice - waivedPrice - refundedPrice);
  const outOf = (size: string) => orderItems.reduce((sum, line) => (line.size === size ? sum + line.qty - line.cancelledQty : sum), 0);
  const [small = 0, large = 0] = await sizesOf();
  expect([small + outOf('S'), large + outOf('L')]).toEqual([4, 1]);
});

test('a correction goes on waiting when a refund from before it comes through, and ends with a new refund', async () => {
  const refund = () => send(admin, 'POST', `/api/office/orders/${order._id}/refunds`, { amount: 500, reason: 'Goodwill' });
  await refund();
  expect((await correct({ expected: 15_000 })).statusCode).toBe(200);
  await runJobs(services);
  expect(await read()).toMatchObject({ refunds: [{ status: 'done' }], correction: { difference: 15_000 } });
  await refund();
  expect((await read()).correction).toBeNull();
});

test('a refund that is made at the provider, of a payment of a difference, is taken in', async () => {
  await correct({ expected: 15_000 });
  await pay(await urlOf());
  const { paymentId } = await db.selectFrom('orderPayments').select('paymentId').where('orderId', '=', order._id).executeTakeFirstOrThrow();
  await stripe.refunds.create({ payment_intent: paymentId, amount: 5_000 });
  await reconcile();
  expect(await read()).toMatchObject({ refundedPrice: 5_000, refundable: 70_000 });
  await send(admin, 'POST', `/api/office/orders/${order._id}/refunds`, { amount: 70_000, reason: 'Goodwill' });
  await runJobs(services);
  expect(await refundedOf()).toEqual([15_000, TAKEN]);
});

test('a refund does not go to the payment that is disputed, but to the other', async () => {
  await correct({ expected: 15_000 });
  await pay(await urlOf());
  const { providerPaymentId } = await db
    .selectFrom('orders')
    .select('providerPaymentId')
    .where('id', '=', order._id)
    .executeTakeFirstOrThrow();
  const dispute = {
    id: `dp_${order._id}`,
    paymentId: providerPaymentId ?? '',
    amount: TAKEN,
    reason: 'fraudulent',
    status: 'open',
  } as const;
  await db.transaction().execute((tx) => recordDispute(tx, services, dispute.paymentId, dispute));
  await send(admin, 'POST', `/api/office/orders/${order._id}/refunds`, { amount: 10_000, reason: 'Goodwill' });
  await runJobs(services);
  const { paymentId } = await db.selectFrom('orderPayments').select('paymentId').where('orderId', '=', order._id).executeTakeFirstOrThrow();
  const refunds = await db.selectFrom('orderRefunds').select(['paymentId', 'amount', 'status']).where('orderId', '=', order._id).execute();
  expect(refunds).toEqual([{ paymentId, amount: 10_000, status: 'done' }]);
});

test('a refund that failed is tried again of the payment that has money left, once a bank has taken its own', async () => {
  await correct({ expected: 15_000 });
  await pay(await urlOf());
  await send(admin, 'POST', `/api/office/orders/${order._id}/refunds`, { amount: 20_000, reason: 'Goodwill' });
  await runJobs(services);
  const { providerPaymentId } = await db
    .selectFrom('orders')
    .select('providerPaymentId')
    .where('id', '=', order._id)
    .executeTakeFirstOrThrow();
  const first = providerPaymentId ?? '';
  const [row] = (await read()).refunds;
  await db
    .updateTable('orderRefunds')
    .set({ status: 'pending', providerRefundId: null })
    .where('id', '=', row?._id ?? '')
    .execute();
  await failRefund(services, row?._id ?? '', 1, 'The account is closed');
  const dispute = { id: `dp_${order._id}`, paymentId: first, amount: TAKEN, reason: 'fraudulent', status: 'lost' } as const;
  await db.transaction().execute((tx) => recordDispute(tx, services, first, dispute));
  const again = await send(admin, 'POST', `/api/office/refunds/${row?._id}/retry`);
  expect(again.statusCode).toBe(200);
  await runJobs(services);
  const { paymentId } = await db.selectFrom('orderPayments').select('paymentId').where('orderId', '=', order._id).executeTakeFirstOrThrow();
  const refunds = await db
    .selectFrom('orderRefunds')
    .select(['paymentId', 'amount', 'goodwill', 'status'])
    .where('orderId', '=', order._id)
    .orderBy('createdAt')
    .execute();
  expect(refunds).toEqual([
    { paymentId, amount: 15_000, goodwill: 15_000, status: 'done' },
    { paymentId: null, amount: 5_000, goodwill: 5_000, status: 'failed' },
  ]);
});
