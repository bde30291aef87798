import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Order, OrderList } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { buildApp } from '#server/app/app.ts';
import { runJobs } from '#server/app/jobs.ts';
import { checkBooks } from '#server/books/compare.service.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { recordSecondDispute } from '#server/orders/refunds/second-payments.service.ts';
import { connect } from '#server/platform/database/connect.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { makeJobsDue } from '#server/testing/jobs.ts';
import { readableLog } from '#server/testing/logs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { noticesOfOrders } from '#server/testing/staff-notices.ts';
import { refundPayment } from './payments.jobs.ts';

const shop = await testShop();
const { app, db, services } = shop;
const { checkout, notify, notice, orderOf, reconcile, stockOf, stripe, eventsOf, refunds } = cardDesk(shop);
const uk = await testShop({ env: { STORE_MARKET: 'uk' } });
const ukDesk = cardDesk(uk);

test('a payment of another amount is given back through the provider, the stock is free, and the customer told why (§2.11.3)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 1, price: 31_337 });
  const { url, sessionId } = await checkout(buyer, [aLine(sofa)]);
  const { id } = await orderOf(sessionId);
  await db.updateTable('orders').set({ subTotalPrice: 90_000, totalPrice: 90_000 }).where('id', '=', id).execute();
  await pay(url, { email: buyer.email });
  expect([(await orderOf(sessionId)).status, await stockOf(sofa._id)]).toEqual(['refunded', 1]);
  await runJobs(services);
  await makeJobsDue(db);
  await runJobs(services);
  expect((await refunds()).filter((amount) => amount === 31_337)).toHaveLength(1);
  const mails = await mailsOf(shop.dataDir, buyer.email);
  expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('the amount paid did not match the price of your order')]);
  expect(mails[0]?.text).not.toContain('£900');
  expect(await eventsOf(id)).toEqual(['payment started', 'hold given back', 'refund started', 'refunded']);
  expect((await app.inject({ url: `/api/orders/${id}`, headers: buyer.headers })).json()).toMatchObject({
    isRefunded: true,
    isRefundDue: false,
  });
});

/** A card payment of £413.37 that could not become an order, and was refunded unless the customer had disputed it (`isDisputed`). */
async function aRefusedPayment({ isDisputed = false } = {}) {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const sofa = await aProduct(db, { stock: 1, price: 41_337 });
  const { url, sessionId } = await checkout(buyer, [aLine(sofa)]);
  const { id } = await orderOf(sessionId);
  await db.updateTable('orders').set({ subTotalPrice: 30_000, totalPrice: 30_000 }).where('id', '=', id).execute();
  await pay(url, { email: buyer.email });
  const paymentId = (await orderOf(sessionId)).providerPaymentId ?? '';
  const atProvider = async () => (await stripe.refunds.list({ payment_intent: paymentId })).data;
  const atDashboard = async (form: Record<string, string>) => {
    await fetch(`${shop.sandbox.url}/payments/${sessionId}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    await reconcile();
  };
  if (isDisputed) await atDashboard({ action: 'dispute' });
  await runJobs(services);
  const fail = (refund: string) => atDashboard({ action: 'fail', refund });
  const read = async (who = admin) => (await app.inject({ url: `/api/orders/${id}`, headers: who.headers })).json<Order>();
  const waits = async () => {
    const { orders } = (await app.inject({ url: '/api/orders?queue=refunds', headers: admin.headers })).json<OrderList>();
    return orders.some(({ _id }) => _id === id);
  };
  const faults = async () => {
    await checkBooks(services, -60_000);
    const rows = await db.selectFrom('bookFaults').select('text').where('path', 'like', `%${id}%`).execute();
    return rows.map(({ text }) => text);
  };
  const owed = async () => (await read()).overpayments.filter(({ status }) => status === 'owed');
  /** Presses a button of what is owed. */
  const act = async (name: 'retry' | 'paid') => {
    const [row] = await owed();
    const url = `/api/office/overpayments/${row?._id}/${name}`;
    return app.inject({ method: 'POST', url, headers: admin.headers, payload: name === 'paid' ? { paidBackBy: 'transfer' } : {} });
  };
  return { id, sessionId, paymentId, buyer, atProvider, atDashboard, fail, read, waits, faults, owed, act };
}

test('a refund of a refused payment that the bank returns waits under “To pay back”: it is tried again, or paid back by hand (§20.6)', async () => {
  const { id, buyer, atProvider, fail, read, waits, faults, owed, act } = await aRefusedPayment();
  expect([(await read()).isRefundDue, await waits()]).toEqual([false, false]);
  await fail((await atProvider())[0]?.id ?? '');
  const failed = { status: 'refunded', isRefundDue: true, refundedPrice: 0, can: ['receiveMore'] };
  expect(await read()).toMatchObject({ ...failed, overpayments: [{ amount: 41_337, status: 'owed', receivedBy: 'card' }] });
  expect((await read()).events.at(-1)).toMatchObject({ kind: 'refund failed', detail: expect.stringContaining('card') });
  expect([(await read(buyer)).overpayments, await waits()]).toMatchObject([[{ status: 'owed' }], true]);
  expect(await faults()).toEqual([]);
  expect((await act('retry')).statusCode).toBe(200);
  await runJobs(services);
  expect((await atProvider()).map(({ status }) => status).sort()).toEqual(['failed', 'succeeded']);
  expect(await read()).toMatchObject({ isRefundDue: false, refundedPrice: 0, overpayments: [] });
  expect(await waits()).toBe(false);
  await fail((await atProvider()).find(({ status }) => status === 'succeeded')?.id ?? '');
  expect([await read(), await waits()]).toMatchObject([failed, true]);
  expect((await act('paid')).json()).toMatchObject({ isRefundDue: false, overpayments: [{ amount: 41_337, status: 'paid_back' }] });
  expect([await owed(), await waits(), await faults()]).toEqual([[], false, []]);
  expect((await eventsOf(id)).slice(-5)).toEqual(['refund failed', 'refund tried again', 'refunded', 'refund failed', 'more paid back']);
});

test('a returned refund of a refused payment is not owed any more as far as staff make it again in the provider’s dashboard (§20.6)', async () => {
  const part = await aRefusedPayment();
  await part.fail((await part.atProvider())[0]?.id ?? '');
  await part.atDashboard({ action: 'refund', amount: '400.00' });
  expect(await part.owed()).toMatchObject([{ amount: 1_337 }]);
  expect([(await part.read()).isRefundDue, await part.waits()]).toEqual([true, true]);
  await part.act('paid');
  expect([(await part.read()).isRefundDue, await part.waits(), await part.faults()]).toEqual([false, false, []]);

  const whole = await aRefusedPayment();
  await whole.fail((await whole.atProvider())[0]?.id ?? '');
  await whole.atDashboard({ action: 'refund', amount: '413.37' });
  await reconcile();
  expect(await whole.read()).toMatchObject({ status: 'refunded', isRefundDue: false, overpayments: [] });
  expect([await whole.waits(), await whole.faults()]).toEqual([false, []]);
});

test('a part of a refused payment that went back in the dashboard before its job is counted once the bank returns it, or the rest (§20.6)', async () => {
  for (const returned of ['the rest', 'the part'] as const) {
    const { refund } = services.payments;
    services.payments.refund = async (...asked) => {
      services.payments.refund = refund;
      await stripe.refunds.create({ payment_intent: asked[0], amount: 20_000 });
      if (returned === 'the part') throw new Problem(503, 'No answer');
      return refund.apply(services.payments, asked);
    };
    const { paymentId, atProvider, fail, owed, faults, act } = await aRefusedPayment();
    const amount = returned === 'the rest' ? 21_337 : 20_000;
    await fail((await atProvider()).find((one) => one.amount === amount)?.id ?? '');
    // The job that is tried again leaves it to staff.
    await makeJobsDue(db);
    await runJobs(services);
    expect((await owed()).map((one) => one.amount)).toEqual([returned === 'the rest' ? 21_337 : 41_337]);
    expect((await act('retry')).statusCode).toBe(200);
    const made = (await stripe.refunds.list({ payment_intent: paymentId })).data.filter(({ status }) => status !== 'failed');
    expect(made.reduce((sum, one) => sum + one.amount, 0)).toBe(41_337);
    expect([await owed(), await faults()]).toEqual([[], []]);
  }
});

test('of a refused payment that a bank gave back in part the rest is refunded, again if that fails; what the bank takes back is owed (§20.6)', async () => {
  for (const outcome of ['refund fails again', 'bank takes back'] as const) {
    const { id, paymentId, atProvider, fail, read, waits, owed, act } = await aRefusedPayment();
    const told = (status: 'open' | 'won' | 'lost') =>
      db
        .transaction()
        .execute((tx) =>
          recordSecondDispute(tx, services, paymentId, { id: `dp_${id}`, paymentId, amount: 30_000, reason: 'general', status }),
        );
    const sums = async () => (await owed()).map(({ amount }) => amount);
    await fail((await atProvider())[0]?.id ?? '');
    await told('open');
    await told('lost');
    expect(await sums()).toEqual([11_337]);
    expect((await act('retry')).statusCode).toBe(200);
    expect([await sums(), await waits()]).toEqual([[], false]);
    if (outcome === 'bank takes back') await told('won');
    else await fail((await atProvider()).find(({ status }) => status === 'succeeded')?.id ?? '');
    expect(await sums()).toEqual([outcome === 'bank takes back' ? 30_000 : 11_337]);
    expect([(await read()).isRefundDue, await waits()]).toEqual([true, true]);
    expect((await act('paid')).statusCode).toBe(200);
    expect([(await read()).isRefundDue, await waits()]).toEqual([false, false]);
  }
});

test('a refused payment that was disputed before its refund waits under “To pay back” once the shop has won (§20.6)', async () => {
  const noticesOf = await noticesOfOrders(shop, await anAdmin(db));
  for (const way of ['retry', 'paid', 'dashboard'] as const) {
    const { id, buyer, atProvider, atDashboard, read, waits, faults, owed, act } = await aRefusedPayment({ isDisputed: true });
    expect(await read()).toMatchObject({ status: 'refunded', isRefundDue: true });
    expect((await read()).events.at(-1)?.detail).toBe('The customer disputed this payment at their bank');
    expect([await atProvider(), await waits(), await owed(), await faults()]).toEqual([[], false, [], []]);
    await atDashboard({ action: 'won' });
    expect((await read()).events.at(-1)?.detail).toContain('£413.37 is to be paid back');
    expect([(await read(buyer)).overpayments, await waits(), await faults()]).toMatchObject([
      [{ status: 'owed', amount: 41_337 }],
      true,
      [],
    ]);
    expect((await noticesOf(id)).at(-1)).toContain('something is still to be paid back to the customer');
    if (way === 'dashboard') await atDashboard({ action: 'refund', amount: '413.37' });
    else expect((await act(way)).statusCode).toBe(200);
    await runJobs(services);
    expect((await atProvider()).map(({ amount }) => amount)).toEqual(way === 'paid' ? [] : [41_337]);
    expect([(await read()).isRefundDue, await waits(), await faults()]).toEqual([false, false, []]);
  }
});

test('a refused payment whose refund the provider refuses for good, or whose job has given up, waits under “To pay back” (§20.6)', async () => {
  const { refund } = services.payments;
  const noticesOf = await noticesOfOrders(shop, await anAdmin(db));
  for (const refusal of ['This payment method takes no refunds.', ''])
    for (const way of ['retry', 'paid', 'dashboard'] as const) {
      services.payments.refund = async () => {
        if (!refusal) throw new Problem(503, 'No answer');
        return { refusal };
      };
      const { id, paymentId, buyer, atProvider, atDashboard, read, waits, faults, owed, act } = await aRefusedPayment();
      for (let tries = refusal ? 0 : 24; tries > 0; tries -= 1) {
        expect(await waits()).toBe(false);
        await makeJobsDue(db);
        await runJobs(services);
      }
      services.payments.refund = refund;
      const detail = refusal || 'The shop has asked the payment provider for days, and does not ask again by itself';
      expect((await read()).events.at(-1)).toMatchObject({ kind: 'refund by hand needed', detail });
      expect([(await read(buyer)).overpayments, await waits(), await faults()]).toMatchObject([
        [{ status: 'owed', amount: 41_337 }],
        true,
        [],
      ]);
      expect(await noticesOf(id)).toContain(`The refund of £413.37 for order ${(await read()).reference} has failed`);
      if (way === 'dashboard') await atDashboard({ action: 'refund', amount: '413.37' });
      else expect((await act(way)).statusCode).toBe(200);
      await enqueue(db, orderJobs.refundPayment, { orderId: id, paymentId, amount: 41_337, reason: 'amount' });
      await runJobs(services);
      expect((await atProvider()).map(({ amount }) => amount)).toEqual(way === 'paid' ? [] : [41_337]);
      expect([(await read()).isRefundDue, await waits(), await owed(), await faults()]).toEqual([false, false, [], []]);
    }
});

test('a refused payment waits under “To pay back” also if an earlier version has refused it, and its job knows no amount (§20.6)', async () => {
  services.payments.refund = async () => {
    throw new Problem(503, 'No answer');
  };
  onTestFinished(() => void Reflect.deleteProperty(services.payments, 'refund'));
  const { paymentId, read, waits, owed, faults } = await aRefusedPayment();
  await sql`update jobs set payload = payload - 'amount' where key = ${`refund-${paymentId}`}`.execute(db);
  await db.deleteFrom('secondPayments').where('paymentId', '=', paymentId).execute();
  for (let tries = 24; tries > 0; tries -= 1) {
    expect(await waits()).toBe(false);
    await makeJobsDue(db);
    await runJobs(services);
  }
  expect([(await read()).isRefundDue, await owed()]).toMatchObject([true, [{ amount: 41_337 }]]);
  expect([await waits(), await faults()]).toEqual([true, []]);
});

test('a refused payment that the bank has given to the customer is not owed, and its page says so (§20.6)', async () => {
  const { buyer, atProvider, atDashboard, read, waits, faults } = await aRefusedPayment({ isDisputed: true });
  await atDashboard({ action: 'lost' });
  await runJobs(services);
  expect(await read(buyer)).toMatchObject({ isRefunded: true, isRefundDue: false, refunds: [], overpayments: [] });
  expect([await atProvider(), await waits(), await faults()]).toEqual([[], false, []]);
});

test('a refused payment that was refunded and whose dispute is lost has gone back twice: the books list it (§20.7)', async () => {
  const { read, atDashboard, owed, faults } = await aRefusedPayment();
  await atDashboard({ action: 'dispute' });
  await atDashboard({ action: 'lost' });
  const { reference, isRefundDue } = await read();
  expect([isRefundDue, await owed(), await faults()]).toEqual([
    false,
    [],
    [
      `Order ${reference}: of £413.37 that was paid and not kept, £413.37 has gone back twice, since the customer disputed it at their bank as well`,
    ],
  ]);
});

test('of a refused payment of which a part was disputed before its refund, the rest is to be paid back at once (§20.6)', async () => {
  const { id, paymentId, atProvider, waits, owed, act } = await aRefusedPayment();
  // As if the refund had not been made, and its job had not run.
  expect(await atProvider()).toHaveLength(1);
  await db.deleteFrom('paymentEvents').where('id', '=', `refunded ${paymentId}`).execute();
  await db.deleteFrom('secondPaymentOutcomes').where('paymentId', '=', paymentId).execute();
  // Before the dispute: a late notice of the refund would find it.
  services.payments.listRefunds = async () => [];
  onTestFinished(() => void Reflect.deleteProperty(services.payments, 'listRefunds'));
  const dispute = { id: `dp_${id}`, paymentId, amount: 10_000, reason: 'general', status: 'open' } as const;
  await db.transaction().execute((tx) => recordSecondDispute(tx, services, paymentId, dispute));
  await refundPayment(services, { orderId: id, paymentId, reason: 'amount' });
  expect([await owed(), await waits()]).toMatchObject([[{ amount: 31_337 }], true]);
  // The job runs once more after the dispute, as if its process had been killed before it ended: staff have the payment.
  await db.transaction().execute((tx) => recordSecondDispute(tx, services, paymentId, { ...dispute, status: 'won' }));
  const asked = shop.wire.asked.length;
  await refundPayment(services, { orderId: id, paymentId, reason: 'amount' });
  expect(shop.wire.asked.slice(asked).filter((request) => request.startsWith('POST'))).toEqual([]);
  // The answer about the refund was only late.
  Reflect.deleteProperty(services.payments, 'listRefunds');
  expect((await act('retry')).statusCode).toBe(200);
  await runJobs(services);
  expect([await atProvider(), await owed()]).toMatchObject([[{ amount: 41_337 }], []]);
});

test.each(['retry', 'paid'] as const)(
  'a refund of a refused payment whose answer was lost is found when staff press “%s” after its job gave up (§20.6)',
  async (way) => {
    const { refund, listRefunds, readEvent } = services.payments;
    const no = async (): Promise<never> => {
      throw new Problem(503, 'No answer');
    };
    services.payments.listRefunds = no;
    services.payments.refund = async (...asked) => {
      services.payments.readEvent = () => undefined;
      await refund.apply(services.payments, asked);
      return no();
    };
    const { atProvider, owed, faults, act } = await aRefusedPayment();
    for (let tries = 24; tries > 0; tries -= 1) {
      await makeJobsDue(db);
      await runJobs(services);
    }
    Object.assign(services.payments, { refund, listRefunds, readEvent });
    expect(await owed()).toMatchObject([{ amount: 41_337 }]);
    expect((await act(way)).statusCode).toBe(way === 'retry' ? 200 : 404);
    await makeJobsDue(db);
    await runJobs(services);
    expect([await atProvider(), await owed(), await faults()]).toMatchObject([[{ amount: 41_337 }], [], []]);
  },
);

test.each([
  ['a penny less', { amount_total: 9_999 }],
  ['another currency', { currency: 'usd' }],
  ['delivery that the market does not have', { amount_total: 10_001, total_details: { amount_shipping: 1 } }],
])('%s is not what the order costs', async (_, change) => {
  const sofa = await aProduct(db, { stock: 1, price: 10_000 });
  const { sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  const paid = { status: 'complete', payment_status: 'paid', payment_intent: null, ...change };
  expect((await notify('checkout.session.completed', sessionId, paid)).statusCode).toBe(200);
  expect([(await orderOf(sessionId)).status, await stockOf(sofa._id)]).toEqual(['refunded', 1]);
});

test('a refunded order is shown as such: no cash, no delivery, and later notices change nothing (§2.11.3)', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const sofa = await aProduct(db, { stock: 1, price: 10_000 });
  const { sessionId } = await checkout(buyer, [aLine(sofa)]);
  const wrong = { status: 'complete', payment_status: 'paid', payment_intent: null, amount_total: 1 };
  await notify('checkout.session.completed', sessionId, wrong);
  const right = { status: 'complete', payment_status: 'paid', amount_total: 10_000 };
  await notify('checkout.session.completed', sessionId, right);
  await notify('checkout.session.expired', sessionId, { status: 'expired' });
  const { id, status } = await orderOf(sessionId);
  expect([status, await stockOf(sofa._id)]).toEqual(['refunded', 1]);
  for (const { headers } of [buyer, admin])
    expect((await app.inject({ url: `/api/orders/${id}`, headers })).json()).toMatchObject({
      isRefunded: true,
      isRefundDue: true,
      isDelivered: false,
    });
  expect((await app.inject({ url: '/api/orders/myorders', headers: buyer.headers })).json().orders[0]).toMatchObject({ isRefunded: true });
  const csv = (await app.inject({ url: '/api/orders/export', headers: admin.headers })).body.split('\r\n');
  const columns = csv[0]?.split(',') ?? [];
  const cell = (name: string) => csv.find((line) => line.startsWith(id))?.split(',')[columns.indexOf(name)];
  expect(cell('Status')).toBe('Refund pending');
  for (const [path, payload] of [
    ['deliver', { isDelivered: true }],
    ['cash', { isPaid: false }],
  ] as const)
    expect((await app.inject({ method: 'PUT', url: `/api/orders/${id}/${path}`, headers: admin.headers, payload })).statusCode).toBe(409);
});

test.each([
  ['standard delivery below £500', 40_000, 0, 4_900, 'standard'],
  ['free standard delivery above', 60_000, 0, 0, 'standard'],
  ['express delivery below £500', 40_000, 1, 9_900, 'express'],
  ['express delivery above', 60_000, 1, 9_900, 'express'],
])('uk: %s is chosen on the provider’s page, paid, and stands on the order', async (_, price, shipping, shippingPrice, shippingMethod) => {
  const buyer = await aCustomer(uk.db);
  const sofa = await aProduct(uk.db, { stock: 1, price });
  const { url, sessionId } = await ukDesk.checkout(buyer, [aLine(sofa)]);
  await pay(url, { email: buyer.email, shipping: String(shipping) });
  expect(await ukDesk.orderOf(sessionId)).toMatchObject({
    status: 'placed',
    shippingMethod,
    shippingPrice,
    subTotalPrice: price,
    totalPrice: price + shippingPrice,
  });
  await runJobs(uk.services);
  const [mail] = await mailsOf(uk.dataDir, buyer.email);
  expect(mail?.text).toContain(shippingPrice === 0 ? 'Delivery: Free' : `Delivery: £${(shippingPrice / 100).toFixed(2)}`);
});

test('uk: express chosen in the shop is what the provider’s page offers first', async () => {
  const sofa = await aProduct(uk.db, { stock: 1, price: 40_000 });
  const { url, sessionId } = await ukDesk.checkout(await aCustomer(uk.db), [aLine(sofa)], { shippingMethod: 'express' });
  expect(await (await fetch(url)).text()).toMatch(/value="0" checked>Express delivery: £99\.00/);
  await pay(url);
  expect(await ukDesk.orderOf(sessionId)).toMatchObject({ shippingMethod: 'express', totalPrice: 49_900 });
});

test('uk: of any methods of the owner the page offers at most five, the chosen one first, without days below one (§9.9)', async () => {
  const { delivery } = uk.services.config;
  const { methods } = delivery;
  const [usual] = methods;
  const names = ['Collection', 'Standard', 'Express', 'Saturday', 'Evening', 'Assembly'];
  // Three of them cost the same.
  const six = names.map((label, days) => ({
    ...usual,
    id: label.toLowerCase(),
    label,
    price: days < 3 ? 0 : days * 1_000,
    minDays: days,
    maxDays: days,
  }));
  Object.assign(delivery, { methods: six });
  onTestFinished(() => void Object.assign(delivery, { methods }));
  const sofa = await aProduct(uk.db, { stock: 2, price: 40_000 });
  const { url, sessionId } = await ukDesk.checkout(await aCustomer(uk.db), [aLine(sofa)], { shippingMethod: 'assembly' });
  const page = await (await fetch(url)).text();
  expect([...page.matchAll(/name="shipping"[^>]*>(\w+)/g)].map(([, label]) => label)).toEqual([
    'Assembly',
    'Collection',
    'Standard',
    'Express',
    'Saturday',
  ]);
  await pay(url, { shipping: '2' });
  expect(await ukDesk.orderOf(sessionId)).toMatchObject({ status: 'placed', shippingMethod: 'standard', shippingLabel: 'Standard' });
  // A lost webhook is made up for by the same words.
  const again = await ukDesk.checkout(await aCustomer(uk.db), [aLine(sofa)], { shippingMethod: 'collection' });
  uk.services.payments.readEvent = () => undefined;
  await pay(again.url, { shipping: '2' });
  Reflect.deleteProperty(uk.services.payments, 'readEvent');
  await ukDesk.reconcile();
  expect(await ukDesk.orderOf(again.sessionId)).toMatchObject({ status: 'placed', shippingMethod: 'express' });
});

test('an order of more than the provider takes is refused before its page, and its stock is free', async () => {
  const sofa = await aProduct(db, { stock: 2, price: 50_000_000 });
  const { reply } = await checkout(await aCustomer(db), [aLine(sofa, { qty: 2 })]);
  expect([reply.statusCode, reply.json().message]).toEqual([
    400,
    'Card payment ends at £999,999.99. Please place several orders, or contact us.',
  ]);
  expect(await stockOf(sofa._id)).toBe(2);
});

test('uk: a late express payment for what is sold is refunded in full, and the mail says how much', async () => {
  const buyer = await aCustomer(uk.db);
  const sofa = await aProduct(uk.db, { stock: 1, price: 40_100 });
  const { url, sessionId } = await ukDesk.checkout(buyer, [aLine(sofa)]);
  const { id } = await ukDesk.orderOf(sessionId);
  // As if the hold had been given back and the piece sold before the payment came in.
  await forceOrder(uk.db, id, { status: 'expired' });
  await pay(url, { email: buyer.email, shipping: '1' });
  await runJobs(uk.services);
  await runJobs(uk.services);
  expect(await ukDesk.refunds()).toEqual([50_000]);
  expect((await mailsOf(uk.dataDir, buyer.email))[0]?.text).toContain('We have refunded £500.00 to the card or account that you paid with');
});

test('what is paid by cash takes the market’s shipping price, whatever the client sends', async () => {
  const sofa = await aProduct(uk.db, { stock: 5, price: 40_000 });
  const buyer = await aCustomer(uk.db);
  const place = async (shippingMethod: string) =>
    uk.app.inject({
      method: 'POST',
      url: '/api/orders',
      headers: buyer.headers,
      payload: aPayload([aLine(sofa)], { shippingMethod, shippingPrice: 0 }),
    });
  expect((await place('express')).json()).toMatchObject({ shippingPrice: 9_900, totalPrice: 49_900 });
  expect((await place('standard')).json()).toMatchObject({ shippingPrice: 4_900, totalPrice: 44_900 });
});

test('a notice that cannot be stored is answered with an error, so that the provider sends it again', async () => {
  const { log, text } = readableLog();
  const gone = connect('postgres://nobody@127.0.0.1:9/nothing');
  const cut = await buildApp({ ...services, log, db: gone.db, pool: gone.pool }, async () => ({
    status: 200,
    head: '',
    body: '',
    state: {},
    modules: [],
  }));
  const sofa = await aProduct(db, { stock: 1 });
  const { sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  const paid = { status: 'complete', payment_status: 'paid', payment_intent: 'pi_x' };
  const told = await notice('checkout.session.completed', sessionId, paid, 'evt_told_again');
  expect((await cut.inject(told)).statusCode).toBe(503);
  expect((await orderOf(sessionId)).status).toBe('awaiting_payment');
  expect((await shop.wire.pretend(sessionId, paid, () => app.inject(told))).statusCode).toBe(200);
  expect((await orderOf(sessionId)).status).toBe('placed');
  expect(text()).not.toContain('payer@example.com');
  await cut.close();
  await gone.close();
});

test('ten deliveries of one notice at the same time are one payment', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const { sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  const paid = { status: 'complete', payment_status: 'paid', payment_intent: 'pi_y' };
  const told = await notice('checkout.session.completed', sessionId, paid, 'evt_ten');
  const replies = await shop.wire.pretend(sessionId, paid, () => Promise.all(Array.from({ length: 10 }, () => app.inject(told))));
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(await eventsOf((await orderOf(sessionId)).id)).toEqual(['payment started', 'paid']);
});
