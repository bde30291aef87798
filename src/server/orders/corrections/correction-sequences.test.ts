import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Correction, Order } from '#contract/orders/orders.ts';
import type { PhoneQuote } from '#contract/phone/phone.ts';
import { runJobs } from '#server/app/jobs.ts';
import { listBrokenRuleTexts } from '#server/books/shop-rules.ts';
import { closeCorrection } from '#server/payments/difference.service.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, aPromotion, type SignedIn, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { runs } from '#server/testing/runs.ts';
import type { Plan } from './plan.ts';

const shop = await testShop({
  pool: 20,
  env: { ...MANY_ORDERS, STORE_MARKET: 'uk', RATE_LIMIT_FACTOR: '1000', VAT_NUMBER: 'GB123456789' },
});
const { app, db, services } = shop;
const { checkout, orderOf, stripe } = cardDesk(shop);
const admin = await anAdmin(db);
const STOCK = 9_000;
const SIZES = [
  { size: 'S', quantity: STOCK, price: 4_999 },
  { size: 'L', quantity: STOCK, price: 7_777 },
];
const [sofa, lamp, rug] = [
  await aProduct(db, { price: 4_999, stock: 2 * STOCK, sizes: SIZES, colors: ['#112233', '#445566'] }),
  await aProduct(db, { price: 3_333, stock: STOCK, category: 'Lamp' }),
  await aProduct(db, { price: 7, stock: STOCK, category: 'Rug', vatClass: 'zero' }),
];
const { code } = await aPromotion(db, { kind: 'percent', value: 13, categories: [] });

const OTHERS = ['cancel pieces', 'customer cancels', 'refund pieces', 'refund', 'cash', 'part', 'fail'] as const;
/** About half of the steps are corrections. */
const action = fc.oneof({ weight: 6, arbitrary: fc.constant('correct' as const) }, { weight: 7, arbitrary: fc.constantFrom(...OTHERS) });
const step = fc.record({
  action,
  /** What becomes of a link to pay, if there is one. */
  link: fc.constantFrom('paid', 'paid', 'paid', 'left', 'withdrawn', 'not in time'),
  line: fc.nat(3),
  qty: fc.integer({ min: 0, max: 5 }),
  size: fc.constantFrom(undefined, 'S', 'L'),
  color: fc.constantFrom(undefined, '#112233', '#445566', null),
  price: fc.constantFrom('then' as const, 'now' as const),
  added: fc.constantFrom(undefined, lamp._id, rug._id),
  amount: fc.integer({ min: 1, max: 9_000 }),
  /** What staff cancel or take off is put back in stock. */
  isRestocked: fc.constantFrom(true, true, false),
  /** The same step is taken by another person at the same time. */
  isTwice: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const read = async (id: string) => (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json<Order>();
const send = async (who: SignedIn, method: 'POST' | 'PUT', url: string, payload: object) => {
  const reply = await app.inject({ method, url, headers: who.headers, payload });
  expect(reply.statusCode, reply.body).toBeLessThan(500);
  return reply;
};

/** Pieces that were cancelled or taken off, and not put back in stock. */
const lost: { productId: string; size: string | null; qty: number }[] = [];

async function correct({ _id, revision, orderItems }: Order, step: Step): Promise<void> {
  const { line, qty, size, color, price, added, isRestocked } = step;
  const url = `/api/office/orders/${_id}/correction`;
  const isSofa = orderItems[line]?._id === sofa._id;
  const wish = {
    revision,
    lines: orderItems[line] ? [{ line, qty, price, ...(isSofa && size && { size }), ...(isSofa && color !== undefined && { color }) }] : [],
    added: added ? [{ product: added, qty: qty + 1 }] : [],
    isRestocked,
  };
  const seen = await send(admin, 'POST', url, wish);
  if (seen.statusCode !== 200) return;
  const reply = await send(admin, 'POST', url, { ...wish, expected: seen.json<Correction>().difference });
  const { order: after, isToBePaid } = reply.json<Partial<Correction>>();
  // Those of a correction that is to be paid are in its plan.
  if (!after || isToBePaid || isRestocked) return;
  for (const [index, { _id: productId, size: ofSize, cancelledQty }] of orderItems.entries())
    lost.push({ productId, size: ofSize, qty: (after.orderItems[index]?.cancelledQty ?? 0) - cancelledQty });
}

async function cancelPieces({ _id }: Order, { line, qty: wanted, isRestocked }: Step): Promise<void> {
  const qty = Math.max(1, wanted);
  const body = { pieces: [{ line, qty }], reason: 'Another reason', isRestocked };
  const reply = await send(admin, 'POST', `/api/office/orders/${_id}/cancel`, body);
  const item = reply.json<Partial<Order>>().orderItems?.[line];
  if (item && !isRestocked) lost.push({ productId: item._id, size: item.size, qty });
}

async function payDifference(id: string, buyer: SignedIn): Promise<void> {
  const reply = await send(buyer, 'POST', `/api/orders/${id}/correction/payment`, {});
  if (reply.statusCode === 200) await pay(reply.json<{ url: string }>().url);
}

/** The corrections of an order are not paid in time. */
async function endAll(orderId: string): Promise<void> {
  const rows = await db.selectFrom('orderCorrections').select('id').where('orderId', '=', orderId).execute();
  for (const { id } of rows) await closeCorrection(services, { correctionId: id });
}

/** One thing that somebody does; many are refused. */
async function happen(order: Order, buyer: SignedIn, one: Step): Promise<void> {
  const { action, line, qty, amount, link } = one;
  const [office, reason] = [`/api/office/orders/${order._id}`, 'Another reason'];
  const pieces = [{ line, qty: Math.max(1, qty) }];
  if (action === 'correct') await correct(order, one);
  if (action === 'cancel pieces') await cancelPieces(order, one);
  if (action === 'customer cancels') await send(buyer, 'POST', `/api/orders/${order._id}/cancel`, { lines: [line], reason });
  if (action === 'refund pieces') await send(admin, 'POST', `${office}/refunds`, { lines: pieces, reason: 'Goodwill' });
  if (action === 'refund') await send(admin, 'POST', `${office}/refunds`, { amount, reason: 'Goodwill' });
  if (action === 'cash') await send(admin, 'PUT', `/api/orders/${order._id}/cash`, { isPaid: true });
  if (action === 'part') await send(admin, 'POST', `${office}/parcels`, { lines: pieces });
  if (action === 'fail') await send(admin, 'PUT', `/api/orders/${order._id}/stage`, { stage: 'delivery_failed' });
  if (link === 'paid') await payDifference(order._id, buyer);
  if (link === 'not in time') await endAll(order._id);
  if (link === 'withdrawn') await app.inject({ method: 'DELETE', url: `${office}/correction`, headers: admin.headers });
}

/** An order by phone with a payment link; one of its prices was agreed. */
async function takeByPhone({ name, email }: SignedIn, cart: ReturnType<typeof aLine>[], hasCode: boolean): Promise<string> {
  const wish = {
    lines: cart.map(({ _id: product, qty, size, color }, index) => ({
      product,
      qty,
      size,
      color,
      agreed: index === 1 ? { price: 2_999, reason: 'Loyal' } : null,
    })),
    code: hasCode ? code : null,
  };
  const { postalCode, country } = ADDRESS;
  const seen = (await send(admin, 'POST', '/api/office/orders/quote', { ...wish, email, postalCode, country })).json<PhoneQuote>();
  const rest = { email, fullName: name, phone: '07700 900123', shippingAddress: ADDRESS, payment: 'link', expected: seen.totalPrice };
  return (await send(admin, 'POST', '/api/office/orders', { ...wish, ...rest })).json<Order>()._id;
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0);

/** Whatever happened: no amount is negative, no more went back than was taken, and paper, provider and order agree. */
async function checkMoney(id: string): Promise<void> {
  await runJobs(services);
  const order = await read(id);
  const { subTotalPrice, discount, shippingPrice, totalPrice, waivedPrice, refundedPrice, amountDue, refundable, orderItems, invoices } =
    order;
  expect(totalPrice).toBe(subTotalPrice - discount + shippingPrice);
  expect(subTotalPrice).toBe(sum(orderItems.map(({ price, qty }) => price * qty)));
  expect(Math.min(totalPrice, waivedPrice, refundedPrice, amountDue, refundable, discount)).toBeGreaterThanOrEqual(0);
  expect(waivedPrice + refundedPrice).toBeLessThanOrEqual(totalPrice);
  const gross = (kind: string) => sum(invoices.filter((one) => one.kind === kind).map((one) => one.gross));
  const done = sum(order.refunds.filter(({ status }) => status === 'done').map(({ amount }) => amount));
  // A pro forma, or an invoice, has what is left of the order.
  const isInvoiced = gross('invoice') > 0;
  if (!isInvoiced && order.status !== 'cancelled') expect(gross('pro_forma')).toBe(amountDue);
  expect(gross('invoice')).toBeLessThanOrEqual(totalPrice);
  if (isInvoiced) expect(gross('invoice') - gross('credit_note')).toBe(totalPrice - waivedPrice - done);
  for (const { net, vat } of invoices) expect(Math.min(net, vat)).toBeGreaterThanOrEqual(0);
  if (order.paymentMethod !== 'Credit Card') return;
  const taken = (await stripe.checkout.sessions.retrieve(order.orderPaymentID ?? '')).amount_total ?? 0;
  const further = await db.selectFrom('orderPayments').select(['paymentId', 'amount']).where('orderId', '=', id).execute();
  const all = taken + sum(further.map(({ amount }) => amount));
  expect([totalPrice - waivedPrice, refundable]).toEqual([all, all - refundedPrice]);
  const { providerPaymentId } = await db.selectFrom('orders').select('providerPaymentId').where('id', '=', id).executeTakeFirstOrThrow();
  let back = 0;
  for (const { paymentId, amount: paid } of [{ paymentId: providerPaymentId ?? '', amount: taken }, ...further]) {
    const { data } = await stripe.refunds.list({ payment_intent: paymentId, limit: 100 });
    expect(sum(data.map(({ amount }) => amount))).toBeLessThanOrEqual(paid);
    back += sum(data.map(({ amount }) => amount));
  }
  expect(back).toBe(refundedPrice);
}

/** Pieces in stock, pieces that orders have and pieces that were not put back come to what there was, of products and sizes. */
async function checkStock(): Promise<void> {
  const rows = await db.selectFrom('orderItems').select(['productId', 'size', 'qty', 'cancelledQty']).execute();
  const plansOf = async (...states: string[]) =>
    (await db.selectFrom('orderCorrections').select('plan').where('status', 'in', states).execute()).map(({ plan }) => plan as Plan);
  const held = (await plansOf('open', 'closing')).flatMap(({ added }) => added);
  // A link for a whole order has an empty plan.
  const takenOff = (await plansOf('paid')).flatMap(({ off = [], isRestocked }) => (isRestocked === false ? off : []));
  rows.push(...[...held, ...takenOff, ...lost].map((line) => ({ ...line, cancelledQty: 0 })));
  const outOf = (id: string, size?: string) =>
    sum(rows.filter((row) => row.productId === id && (!size || row.size === size)).map(({ qty, cancelledQty }) => qty - cancelledQty));
  for (const [{ _id }, there] of [
    [sofa, 2 * STOCK],
    [lamp, STOCK],
    [rug, STOCK],
  ] as const)
    expect((await stockOf(db, _id)) + outOf(_id)).toBe(there);
  const sizes = await db.selectFrom('productSizes').select(['size', 'quantity']).where('productId', '=', sofa._id).execute();
  for (const { size, quantity } of sizes) expect(quantity + outOf(sofa._id, size)).toBe(STOCK);
}

const aLife = fc.record({
  kind: fc.constantFrom('card' as const, 'cash' as const, 'link' as const),
  hasCode: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
});

test('over any life of an order with corrections no money is negative, no more goes back than was taken, and no piece is lost (§20.14)', async () => {
  await fc.assert(
    fc.asyncProperty(aLife, async ({ kind, hasCode, steps }) => {
      const buyer = await aCustomer(db);
      const lines = [aLine(sofa, { size: 'S', color: '#112233', qty: 3 }), aLine(lamp, { qty: 2 }), aLine(rug, { qty: 5 })];
      const more = hasCode ? { discount: { code } } : {};
      let id = '';
      if (kind === 'card') {
        const { url, sessionId } = await checkout(buyer, lines, more);
        await pay(url);
        ({ id } = await orderOf(sessionId));
      } else if (kind === 'cash') id = (await send(buyer, 'POST', '/api/orders', aPayload(lines, more))).json<Order>()._id;
      else id = await takeByPhone(buyer, lines, hasCode);
      for (const one of steps) {
        const order = await read(id);
        await Promise.all([happen(order, buyer, one), one.isTwice && happen(order, buyer, one)]);
        await checkMoney(id);
      }
      // What has not left is cancelled: what was paid for it goes back, from each payment.
      await send(admin, 'POST', `/api/office/orders/${id}/cancel`, { reason: 'Another reason' });
      await checkMoney(id);
      const { status, totalPrice, waivedPrice, refundedPrice } = await read(id);
      if (status === 'cancelled') expect(waivedPrice + refundedPrice).toBe(totalPrice);
      await checkStock();
    }),
    { numRuns: runs(4) },
  );
  expect(await listBrokenRuleTexts(db)).toEqual([]);
}, 120_000);
