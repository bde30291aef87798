import { expect, test } from 'vitest';
import { type RateSum, ratesOf } from '#contract/invoices/vat.ts';
import type { Correction, Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { recordDispute } from '#server/orders/refunds/refund-outcomes.service.ts';
import { applyRefunds } from '#server/payments/refunds.jobs.ts';
import { cardOrders } from '#server/testing/card-orders.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { migrateAgain } from '#server/testing/migrate-again.ts';

const shop = await testShop({ env: { ...MANY_ORDERS, STORE_MARKET: 'uk', VAT_NUMBER: 'GB123456789' } });
const { app, db, services, sandbox } = shop;
const { stripe, checkout, orderOf } = cardDesk(shop);
const admin = await anAdmin(db);
const { post, put, paid } = cardOrders(shop, admin);
/** A card whose refunds are pending until the bank has made them. */
const SLOW_REFUNDS = '4000 0000 0000 7726';

/** The invoices less the credit notes of an order, `[gross, vat]` by rate. */
async function leftByRate(id: string): Promise<Record<number, [number, number]>> {
  const documents = await db.selectFrom('invoices').selectAll().where('orderId', '=', id).execute();
  const sums: Record<number, [number, number]> = {};
  for (const document of documents)
    for (const { rate, gross, vat } of ratesOf({ ...document, vatRates: document.vatRates as RateSum[] | null })) {
      const sign = document.kind === 'invoice' ? 1 : -1;
      const [grossBefore, vatBefore] = sums[rate] ?? [0, 0];
      sums[rate] = [grossBefore + sign * gross, vatBefore + sign * vat];
    }
  return sums;
}

/** A book of £50 without VAT, two sofas of £600 and a lamp of £40 at 5 %. */
async function aSlowOrder() {
  const book = await aProduct(db, { name: 'Book', price: 5_000, vatClass: 'zero' });
  const sofa = await aProduct(db, { name: 'Sofa', price: 60_000 });
  const lamp = await aProduct(db, { name: 'Lamp', price: 4_000, vatClass: 'reduced' });
  return slowOrder([aLine(book), aLine(sofa), aLine(sofa), aLine(lamp)]);
}

/** An order paid by a card whose refunds wait for the bank. */
async function slowOrder(lines: ReturnType<typeof aLine>[]) {
  const { url, sessionId } = await checkout(await aCustomer(db), lines);
  await pay(url, { card: SLOW_REFUNDS });
  const { id, providerPaymentId } = await orderOf(sessionId);
  const paymentId = providerPaymentId ?? '';
  const atDashboard = (form: Record<string, string>) =>
    fetch(`${sandbox.url}/payments/${sessionId}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  const read = async () => (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json<Order>();
  /** The bank makes or refuses the pending refund of an amount, or returns one that it has made. */
  const settle = async (amount: number, action: 'succeed' | 'fail', status = 'pending') => {
    await runJobs(services);
    const { data } = await stripe.refunds.list({ payment_intent: paymentId });
    await atDashboard({ action, refund: data.find((one) => one.amount === amount && one.status === status)?.id ?? '' });
    await applyRefunds(services, paymentId);
  };
  return {
    id,
    read,
    atDashboard,
    paymentId,
    settle,
    /** The bank returns a refund that it has made. */
    returned: (amount: number) => settle(amount, 'fail', 'succeeded'),
    cancel: async (line: number, qty = 1) => {
      await post(`/api/office/orders/${id}/cancel`, { reason: 'Another reason', pieces: [{ line, qty }] });
      await runJobs(services);
    },
    dispute: (amount: number, status: 'open' | 'won' | 'lost') =>
      db
        .transaction()
        .execute((tx) => recordDispute(tx, services, paymentId, { id: `dp_${id}`, paymentId, amount, reason: 'general', status })),
    /** Staff pay a failed refund by hand, or try it again and the bank makes it. */
    payFailed: async (refund: string | undefined, way: 'retry' | 'paid', amount: number) => {
      expect((await post(`/api/office/refunds/${refund}/${way}`, { paidBackBy: 'transfer' })).statusCode).toBe(200);
      if (way === 'retry') await settle(amount, 'succeed');
    },
    refund: (body: object) => post(`/api/office/orders/${id}/refunds`, { reason: 'Goodwill', ...body }),
    credits: async () =>
      (await read()).invoices
        .filter(({ kind }) => kind === 'credit_note')
        .map(({ rates }) => rates.map(({ rate, gross }) => [rate, gross])),
  };
}

test('pieces whose refund failed and that are refunded by the form are no longer owed by it: each credit note names its own (§20.6)', async () => {
  const order = await aSlowOrder();
  for (const line of [1, 3]) await order.cancel(line);
  await order.settle(60_000, 'fail');
  await order.settle(4_000, 'fail');
  await order.refund({ lines: [{ line: 3, qty: 1 }] });
  await order.settle(4_000, 'succeed');
  const { refunds } = await order.read();
  expect(refunds.map(({ status, openPrice }) => [status, openPrice])).toEqual([
    ['failed', 60_000],
    ['failed', 0],
    ['done', 0],
  ]);
  await order.payFailed(refunds[0]?._id, 'paid', 60_000);
  expect(await order.credits()).toEqual([[[500, 4_000]], [[2000, 60_000]]]);
});

test('what is cancelled after two refunds have failed takes nothing off them (§20.6)', async () => {
  const order = await aSlowOrder();
  await order.cancel(1);
  await order.settle(60_000, 'fail');
  await order.refund({ amount: 60_000 });
  await order.settle(60_000, 'fail');
  const openPrices = async () => (await order.read()).refunds.map(({ openPrice }) => openPrice);
  expect(await openPrices()).toEqual([0, 60_000]);
  await order.cancel(3);
  await order.settle(4_000, 'fail');
  expect(await openPrices()).toEqual([0, 60_000, 4_000]);
});

test('pieces whose refund failed and that are refunded by the form leave nothing to pay for others that a bank held', async () => {
  const order = await aSlowOrder();
  await order.cancel(1);
  await order.settle(60_000, 'fail');
  await order.refund({ lines: [{ line: 1, qty: 1 }] });
  await order.settle(60_000, 'succeed');
  const { totalPrice, refundedPrice } = await order.read();
  await order.dispute(totalPrice - refundedPrice, 'open');
  await order.cancel(0);
  await order.dispute(totalPrice - refundedPrice, 'won');
  const { refunds, owedPrice } = await order.read();
  expect([owedPrice, refunds[0]]).toMatchObject([5_000, { status: 'failed', openPrice: 0 }]);
  // A part of other pieces that are owed stays payable by a failed refund.
  await order.cancel(2);
  await order.settle(60_000, 'fail');
  expect((await order.read()).refunds.map(({ openPrice }) => openPrice)).toEqual([0, 0, 60_000]);
  await order.refund({ lines: [{ line: 0, qty: 1 }] });
  expect((await order.read()).refunds.map(({ openPrice }) => openPrice)).toEqual([0, 0, 60_000, 0]);
});

test('delivery that a correction makes free is credited at the rates, and of the invoice, at which it was invoiced (§22.3)', async () => {
  const lamp = await aProduct(db, { name: 'Lamp', price: 3_333, vatClass: 'reduced' });
  const bed = await aProduct(db, { name: 'Bed', price: 61_000 });
  const order = await paid([aLine(lamp, { qty: 2 })]);
  const { revision } = await order.read();
  const wish = { revision, lines: [], added: [{ product: bed._id, qty: 1 }] };
  const url = `/api/office/orders/${order.id}/correction`;
  const { difference } = (await post(url, wish)).json<Correction>();
  expect(difference).toBe(61_000 - 4_900);
  await post(url, { ...wish, expected: difference });
  await pay((await post(`/api/orders/${order.id}/correction/payment`, {}, order.buyer)).json<{ url: string }>().url);
  await eventually(async () => expect((await order.read()).totalPrice).toBe(2 * 3_333 + 4_900 + 61_000));
  expect((await order.read()).invoices.map(({ kind, gross, rates }) => [kind, gross, rates.map(({ rate }) => rate)])).toEqual([
    ['invoice', 2 * 3_333 + 4_900, [500]],
    ['invoice', 61_000, [2000]],
    ['credit_note', 4_900, [500]],
  ]);
  // Two lamps at 5 % and a bed at 20 %, and no delivery.
  expect(await leftByRate(order.id)).toEqual({ 500: [6_666, 317], 2000: [61_000, 10_167] });
  await order.cancel();
  await runJobs(services);
  expect(await leftByRate(order.id)).toEqual({ 500: [0, 0], 2000: [0, 0] });
});

test('refunds that are under way at the same time are each credited at the rate of their own pieces, in any order (§22.3)', async () => {
  const order = await aSlowOrder();
  await order.cancel(1);
  await order.cancel(0);
  await order.settle(5_000, 'succeed');
  expect(await order.credits()).toEqual([[[0, 5_000]]]);
  await order.settle(60_000, 'succeed');
  expect(await order.credits()).toEqual([[[0, 5_000]], [[2000, 60_000]]]);
  expect(await leftByRate(order.id)).toEqual({ 0: [0, 0], 500: [4_000, 190], 2000: [60_000, 10_000] });
});

test('a refund has the VAT of its own pieces while another has failed, and so has that one once it is made in another way (§22.3)', async () => {
  const order = await aSlowOrder();
  await order.cancel(1);
  await order.settle(60_000, 'fail');
  await order.cancel(0);
  await order.settle(5_000, 'succeed');
  expect(await order.credits()).toEqual([[[0, 5_000]]]);
  // The sofa’s refund, by an amount and not by its row.
  await order.refund({ amount: 60_000 });
  await order.settle(60_000, 'succeed');
  expect(await order.credits()).toEqual([[[0, 5_000]], [[2000, 60_000]]]);
});

test('of two refunds that failed, the one that staff pay back by hand has the VAT of its pieces (§22.3)', async () => {
  const order = await aSlowOrder();
  await order.cancel(1);
  await order.settle(60_000, 'fail');
  await order.cancel(0);
  await order.settle(5_000, 'fail');
  const refunds = (await order.read()).refunds;
  const book = refunds.find(({ amount }) => amount === 5_000);
  const sofa = refunds.find(({ amount }) => amount === 60_000);
  await post(`/api/office/refunds/${book?._id}/paid`, { paidBackBy: 'transfer' });
  expect(await order.credits()).toEqual([[[0, 5_000]]]);
  await post(`/api/office/refunds/${sofa?._id}/retry`);
  await order.settle(60_000, 'succeed');
  expect(await order.credits()).toEqual([[[0, 5_000]], [[2000, 60_000]]]);
});

test('staff who choose one of two pieces whose refunds failed credit that one (§22.3)', async () => {
  const order = await aSlowOrder();
  await order.cancel(1);
  await order.settle(60_000, 'fail');
  await order.cancel(3);
  await order.settle(4_000, 'fail');
  await order.refund({ lines: [{ line: 3, qty: 1 }] });
  await order.settle(4_000, 'succeed');
  expect(await order.credits()).toEqual([[[500, 4_000]]]);
});

test('goodwill while a refund is under way is credited in proportion to what is left beside that (§22.3)', async () => {
  const order = await aSlowOrder();
  await order.cancel(1);
  // The sofa that stays, the book and the lamp.
  await order.refund({ amount: 6_900 });
  await order.settle(6_900, 'succeed');
  expect(await order.credits()).toEqual([
    [
      [2000, 6_000],
      [500, 400],
      [0, 500],
    ],
  ]);
  await order.settle(60_000, 'succeed');
  expect((await order.credits())[1]).toEqual([[2000, 60_000]]);
});

test('a refund at the provider that leaves no room for the shop’s own is credited for the pieces of that (§22.3)', async () => {
  const order = await aSlowOrder();
  await post(`/api/office/orders/${order.id}/cancel`, { reason: 'Another reason', lines: [1] });
  // Before the job of the shop’s refund.
  await stripe.refunds.create({ payment_intent: order.paymentId, amount: 70_000 });
  await applyRefunds(services, order.paymentId);
  await order.settle(70_000, 'succeed');
  const { refunds } = await order.read();
  expect(refunds.map(({ amount, status }) => [amount, status])).toEqual([
    [60_000, 'failed'],
    [70_000, 'done'],
  ]);
  // £600 for the sofa, and £100 in proportion to what was left.
  expect(await order.credits()).toEqual([
    [
      [2000, 60_000 + 8_695],
      [500, 580],
      [0, 725],
    ],
  ]);
});

/** Two sofas of £600 and books of £50 without VAT, paid by the slow card. */
async function sofasAndBooks(books: number) {
  const sofa = await aProduct(db, { name: 'Sofa', price: 60_000 });
  const book = await aProduct(db, { name: 'Book', price: 5_000, vatClass: 'zero', stock: 500 });
  return slowOrder([aLine(sofa, { qty: 2 }), aLine(book, { qty: books })]);
}

/** Of ten books and two sofas, the refunds of a sofa and then of two books have failed. */
async function twoFailed() {
  const order = await sofasAndBooks(10);
  await order.cancel(0, 1);
  await order.settle(60_000, 'fail');
  await order.cancel(1, 2);
  await order.settle(10_000, 'fail');
  const { refunds } = await order.read();
  const sofaRefund = refunds.find(({ amount }) => amount === 60_000)?._id;
  const booksRefund = refunds.find(({ amount }) => amount === 10_000)?._id;
  return { ...order, sofaRefund, booksRefund };
}

for (const way of ['retry', 'paid'] as const) {
  test(`what ${way} pays of a failed refund is what its row shows, none twice (§20.6)`, async () => {
    const order = await twoFailed();
    await order.refund({ amount: 30_000 });
    await order.settle(30_000, 'succeed');
    const openOf = async () => {
      const { refunds, owedPrice } = await order.read();
      const open = (id: string | undefined) => refunds.find(({ _id }) => _id === id)?.openPrice;
      return [open(order.sofaRefund), open(order.booksRefund), owedPrice];
    };
    expect(await openOf()).toEqual([30_000, 10_000, 40_000]);
    await order.payFailed(order.sofaRefund, way, 30_000);
    expect(await openOf()).toEqual([0, 10_000, 10_000]);
  });

  test(`an older failed refund, which was paid by its pieces, is not paid by ${way} for others that are owed since (§20.6)`, async () => {
    const order = await sofasAndBooks(20);
    await order.cancel(0, 1);
    await order.settle(60_000, 'fail');
    await order.refund({ lines: [{ line: 0, qty: 1 }] });
    await order.settle(60_000, 'succeed');
    await order.cancel(1, 12);
    await order.settle(60_000, 'fail');
    const [older, , newer] = (await order.read()).refunds;
    expect([older?.openPrice, newer?.openPrice]).toEqual([0, 60_000]);
    const reply = await post(`/api/office/refunds/${older?._id}/${way}`, { paidBackBy: 'transfer' });
    expect([reply.statusCode, (await order.read()).owedPrice]).toEqual([409, 60_000]);
    await order.payFailed(newer?._id, way, 60_000);
    expect([(await order.read()).owedPrice, await leftByRate(order.id)]).toEqual([0, { 0: [40_000, 0], 2000: [60_000, 10_000] }]);
  });

  test(`a failed refund of which a part was paid otherwise is credited by ${way} at the rates of what is left (§22.3)`, async () => {
    for (const other of ['a sum', 'a bank'] as const) {
      const order = await twoFailed();
      if (other === 'a sum') {
        await order.refund({ amount: 30_000 });
        await order.settle(30_000, 'succeed');
      } else for (const status of ['open', 'lost'] as const) await order.dispute(30_000, status);
      // In proportion to the sofa and the books, which are off the order.
      expect(await order.credits()).toEqual([
        [
          [2000, 25_714],
          [0, 4_286],
        ],
      ]);
      await order.payFailed(order.sofaRefund, way, 30_000);
      await order.payFailed(order.booksRefund, way, 10_000);
      expect((await order.credits()).slice(1)).toEqual([
        [[2000, 30_000]],
        [
          [2000, 4_286],
          [0, 5_714],
        ],
      ]);
      // A sofa and eight books are with the customer.
      expect([(await order.read()).owedPrice, await leftByRate(order.id)]).toEqual([0, { 0: [40_000, 0], 2000: [60_000, 10_000] }]);
    }
  });
}

/** Two books were refunded, and their bank has returned that. */
async function returnedBooks() {
  const order = await sofasAndBooks(10);
  await order.cancel(1, 2);
  await order.settle(10_000, 'succeed');
  await order.returned(10_000);
  const [books] = (await order.read()).refunds;
  expect(await order.credits()).toEqual([[[0, 10_000]]]);
  return { ...order, books: books?._id };
}

const WAYS: [string, (order: Awaited<ReturnType<typeof returnedBooks>>) => Promise<unknown>][] = [
  ['tried again', (order) => order.payFailed(order.books, 'retry', 10_000)],
  ['paid by hand', (order) => order.payFailed(order.books, 'paid', 10_000)],
  ['paid by a sum', (order) => order.refund({ amount: 10_000 }).then(() => order.settle(10_000, 'succeed'))],
  ['paid by its pieces', (order) => order.refund({ lines: [{ line: 1, qty: 2 }] }).then(() => order.settle(10_000, 'succeed'))],
  ['covered by a lost dispute', (order) => order.dispute(10_000, 'lost')],
];
test.each(WAYS)(
  'a refund that its bank has returned takes nothing from the next credit note, and has no second one once it is %s (§22.3)',
  async (_, payAgain) => {
    const order = await returnedBooks();
    await order.cancel(0);
    await order.settle(60_000, 'succeed');
    const credits = [[[0, 10_000]], [[2000, 60_000]]];
    expect(await order.credits()).toEqual(credits);
    await payAgain(order);
    expect([(await order.read()).owedPrice, await order.credits()]).toEqual([0, credits]);
    expect(await leftByRate(order.id)).toEqual({ 0: [40_000, 0], 2000: [60_000, 10_000] });
  },
);

test('what staff would keep of a refund that was credited and returned is refused, also while the next one is under way (§20.5)', async () => {
  const order = await returnedBooks();
  await order.cancel(0);
  expect((await order.refund({ amount: 2_000, lines: [{ line: 1, qty: 2 }] })).statusCode).toBe(409);
});

test('goodwill that was credited before pieces leave takes nothing of their rates (§22.3)', async () => {
  const order = await sofasAndBooks(10);
  await order.refund({ amount: 34_000 });
  await order.settle(34_000, 'succeed');
  await order.cancel(0);
  await order.settle(60_000, 'fail');
  await order.payFailed((await order.read()).refunds[1]?._id, 'retry', 60_000);
  expect(await order.credits()).toEqual([
    [
      [2000, 24_000],
      [0, 10_000],
    ],
    [[2000, 60_000]],
  ]);
  // All that is left of the books, and the rest of the sofa.
  await order.cancel(1, 10);
  await order.settle(50_000, 'succeed');
  expect(await leftByRate(order.id)).toEqual({ 0: [0, 0], 2000: [26_000, 4_333] });
});

test('what earlier versions credited too little for a returned refund is credited once that is paid, and what they began is credited whole (§22.3)', async () => {
  const setRates = (orderId: string, amount: number, forRates: object[] | null) =>
    db
      .updateTable('orderRefunds')
      .set({ forRates: forRates && JSON.stringify(forRates) })
      .where('orderId', '=', orderId)
      .where('amount', '=', amount)
      .execute();
  const order = await returnedBooks();
  await order.cancel(0);
  // The sofa's note was less by what the returned books' has.
  await setRates(order.id, 60_000, [{ part: 0, rate: 2000, price: 50_000 }]);
  await order.settle(60_000, 'succeed');
  const whole = await returnedBooks();
  // Goodwill had no rates while it was under way.
  const kept = await sofasAndBooks(10);
  await kept.refund({ amount: 1_700 });
  await setRates(kept.id, 1_700, []);
  for (const one of [order, whole]) for (const amount of [10_000, 60_000]) await setRates(one.id, amount, null);
  await migrateAgain(db, '1017_what_is_credited');
  for (const one of [order, whole]) await one.payFailed(one.books, 'paid', 10_000);
  await kept.settle(1_700, 'succeed');
  expect(await order.credits()).toEqual([[[0, 10_000]], [[2000, 50_000]], [[2000, 10_000]]]);
  expect(await whole.credits()).toEqual([[[0, 10_000]]]);
  expect(await kept.credits()).toEqual([
    [
      [2000, 1_200],
      [0, 500],
    ],
  ]);
});

test.each(['is not paid', 'was paid in cash, until the record is undone'])(
  'pieces that come back after others for which staff kept something are credited at their own rate: the order %s (§22.3)',
  async (name) => {
    const isPaid = name !== 'is not paid';
    const sofa = await aProduct(db, { name: 'Sofa', price: 60_000 });
    const lamp = await aProduct(db, { name: 'Lamp', price: 4_000, vatClass: 'reduced' });
    const payload = aPayload([aLine(sofa), aLine(lamp), aLine(sofa)], { phone: '07700 900123' });
    const { headers } = await aCustomer(db);
    const { _id: id } = (await app.inject({ method: 'POST', url: '/api/orders', headers, payload })).json<Order>();
    const read = async () => (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json<Order>();
    const comesBack = async (line: number, more: object = {}) => {
      await post(`/api/office/orders/${id}/returns`, { lines: [{ line, qty: 1 }], reason: 'I changed my mind' });
      const approved = (await read()).returns.find(({ status }) => status === 'approved');
      const received = { lines: [{ line, restocked: 1, spoiled: 0 }], ...more };
      expect((await post(`/api/office/returns/${approved?._id}/received`, received)).statusCode).toBe(200);
    };
    await put(`/api/orders/${id}/deliver`, { isDelivered: true });
    if (isPaid) await put(`/api/orders/${id}/cash`, { isPaid: true, receivedBy: 'cash' });
    await comesBack(0, { amount: 50_000, answer: 'It is scratched.' });
    await comesBack(1);
    if (isPaid) await put(`/api/orders/${id}/cash`, { isPaid: false });
    // A sofa, and £100 of the other one.
    expect(await leftByRate(id)).toEqual({ 500: [0, 0], 2000: [70_000, 11_667] });
  },
);
