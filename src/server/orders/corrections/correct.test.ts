import { beforeEach, expect, test } from 'vitest';
import { dayText } from '#contract/delivery/delivery-window.ts';
import type { PickingList } from '#contract/delivery/dispatch.ts';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { shownItems } from '#contract/orders/alike.ts';
import type { Correction, Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { listBrokenRuleTexts } from '#server/books/shop-rules.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, aPromotion, type SignedIn, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';

const shop = await testShop({ pool: 15, env: { STORE_MARKET: 'uk', VAT_NUMBER: 'GB123456789', RATE_LIMIT_FACTOR: '1000' } });
const { app, db, services } = shop;
const { checkout, orderOf, stripe } = cardDesk(shop);
const admin = await anAdmin(db, { name: 'Ada Admin' });
const DELIVERY = 4_900;
const SIZES = [
  { size: 'S', quantity: 4, price: 30_000 },
  { size: 'L', quantity: 2, price: 36_000 },
];

let buyer: SignedIn;
let sofa: Awaited<ReturnType<typeof aProduct>>;
let lamp: Awaited<ReturnType<typeof aProduct>>;
let book: Awaited<ReturnType<typeof aProduct>>;

beforeEach(async () => {
  buyer = await aCustomer(db);
  sofa = await aProduct(db, { name: 'Sofa', price: 30_000, stock: 6, sizes: SIZES, colors: ['#112233', '#445566'] });
  lamp = await aProduct(db, { name: 'Lamp', price: 2_500, stock: 9 });
  book = await aProduct(db, { name: 'Book', price: 1_000, stock: 5, vatClass: 'zero' });
});

const send = (who: SignedIn, method: 'POST' | 'PUT', url: string, payload: object) =>
  app.inject({ method, url, headers: who.headers, payload });
const read = async (id: string) => (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json<Order>();
const lines = () => [aLine(sofa, { size: 'S', color: '#112233' }), aLine(lamp, { qty: 2 })];
async function byCash(more: object = {}): Promise<Order> {
  const { _id } = (await send(buyer, 'POST', '/api/orders', aPayload(lines(), { ...more }))).json<Order>();
  return read(_id);
}
async function byCard(more: object = {}): Promise<Order> {
  const { url, sessionId } = await checkout(buyer, lines(), more);
  await pay(url);
  return read((await orderOf(sessionId)).id);
}
const correct = ({ _id, revision }: Order, payload: object) =>
  send(admin, 'POST', `/api/office/orders/${_id}/correction`, { revision, ...payload });
/** Looks at what a correction comes to, then makes it. */
async function make(order: Order, payload: object): Promise<Order> {
  const seen = await correct(order, payload);
  expect(seen.statusCode, seen.body).toBe(200);
  expect(seen.json<Correction>().order).toBeNull();
  const reply = await correct(order, { ...payload, expected: seen.json<Correction>().difference });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<Correction>().order as Order;
}
const refusal = async (order: Order, payload: object) => {
  const reply = await correct(order, payload);
  return [reply.statusCode, reply.json<{ message: string }>().message];
};
const sizesOf = async () =>
  (await db.selectFrom('productSizes').select('quantity').where('productId', '=', sofa._id).orderBy('position').execute()).map(
    ({ quantity }) => quantity,
  );
const stage = (id: string, stage: string) => send(admin, 'PUT', `/api/orders/${id}/stage`, { stage });
async function corrections() {
  await runJobs(services);
  return (await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => subject?.endsWith('has changed'));
}
const refundedAtProvider = async (id: string) => {
  const { providerPaymentId } = await db.selectFrom('orders').select('providerPaymentId').where('id', '=', id).executeTakeFirstOrThrow();
  const { data } = await stripe.refunds.list({ payment_intent: providerPaymentId ?? '', limit: 100 });
  return data.reduce((sum, { amount }) => sum + amount, 0);
};

test('a cash order gets another size, one piece less and a piece more: stock, sums, documents, VAT, history and one mail follow (§20.14)', async () => {
  const { _id } = await byCash();
  // Its invoice is out, but it is not paid.
  for (const isPaid of [true, false]) await send(admin, 'PUT', `/api/orders/${_id}/cash`, { isPaid });
  const order = await read(_id);
  const wish = {
    lines: [
      { line: 0, qty: 1, size: 'L' },
      { line: 1, qty: 1 },
    ],
    added: [{ product: book._id, qty: 2 }],
  };
  const seen = (await correct(order, wish)).json<Correction>();
  expect(seen).toEqual({
    difference: 36_000 - 30_000 - 2_500 + 2_000,
    deliveryOff: 0,
    isToBePaid: false,
    takenOff: '1 × Sofa (S, Navy), 1 × Lamp',
    added: '1 × Sofa (L, Navy), 2 × Book',
    order: null,
  });
  expect([await read(order._id), await stockOf(db, lamp._id)]).toEqual([order, 7]);
  const after = await make(order, wish);
  expect(after).toMatchObject({ status: 'placed', isPaid: false, totalPrice: order.totalPrice + 38_000, waivedPrice: 32_500 });
  expect(after.amountDue).toBe(order.amountDue + seen.difference);
  expect([await stockOf(db, sofa._id), await sizesOf(), await stockOf(db, lamp._id), await stockOf(db, book._id)]).toEqual([
    5,
    [4, 1],
    8,
    3,
  ]);
  expect(after.orderItems.map(({ name, size, qty, cancelledQty }) => [name, size, qty, cancelledQty])).toEqual([
    ['Sofa', 'S', 1, 1],
    ['Lamp', null, 2, 1],
    ['Sofa', 'L', 1, 0],
    ['Book', null, 2, 0],
  ]);
  const [placed, added, credit] = after.invoices;
  expect([placed?.gross, added?.kind, added?.gross, credit?.kind, credit?.gross]).toEqual([
    order.totalPrice,
    'invoice',
    38_000,
    'credit_note',
    32_500,
  ]);
  expect(added?.rates.map(({ rate, gross }) => [rate, gross])).toEqual([
    [2000, 36_000],
    [0, 2_000],
  ]);
  const { corrects } = (await app.inject({ url: `/api/invoices/${credit?._id}`, headers: admin.headers })).json<Invoice>();
  expect(corrects?.number).toBe(placed?.number);
  expect(after.events.at(-1)).toMatchObject({
    kind: 'corrected',
    actor: 'Ada Admin',
    detail: 'Taken off: 1 × Sofa (S, Navy), 1 × Lamp. Added: 1 × Sofa (L, Navy), 2 × Book. £55.00 more',
  });
  const [mail, ...more] = await corrections();
  expect(more).toEqual([]);
  expect(mail?.text).toContain('Added: 1 × Sofa (L, Navy), 2 × Book.');
  expect(mail?.text).toContain(`Your order now costs £${after.amountDue / 100}.00.`);
  // A piece of a correction has its credit note from the correction's invoice, at its own rate.
  const again = await make(after, { lines: [{ line: 3, qty: 1 }] });
  expect(again.invoices.at(-1)?.rates).toEqual([{ rate: 0, net: 1_000, vat: 0, gross: 1_000 }]);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('one piece that becomes two of another colour is “2 ×” in the history, the mail, the picking list and the invoice (§20.14)', async () => {
  const order = await byCash();
  const more = await make(order, { lines: [{ line: 0, qty: 2, color: '#445566' }] });
  expect(more.events.at(-1)?.detail).toMatch(/Added: 2 × Sofa \(S, [^)]+\)\. £251\.00 more$/);
  const after = await make(more, { lines: [{ line: 1, qty: 3 }] });
  expect(shownItems(after.orderItems).map(({ name, qty, cancelledQty }) => [name, qty, cancelledQty])).toEqual([
    ['Sofa', 1, 1],
    ['Lamp', 3, 0],
    ['Sofa', 2, 0],
  ]);
  const [, mail] = await corrections();
  expect(mail?.text).toMatch(/\n2 × £300\.00 = £600\.00\n/);
  expect(mail?.text).toMatch(/\n3 × £25\.00 = £75\.00\n/);
  const picking = await app.inject({ url: `/api/office/picking-list?user=${buyer._id}`, headers: admin.headers });
  expect(picking.json<PickingList>().pieces.map(({ name, qty, orders }) => [name, qty, orders.map((one) => one.qty)])).toEqual([
    ['Lamp', 3, [3]],
    ['Sofa', 2, [2]],
  ]);
  await stage(order._id, 'dispatched');
  const [invoice] = (await read(order._id)).invoices;
  const document = (await app.inject({ url: `/api/invoices/${invoice?._id}`, headers: admin.headers })).json<Invoice>();
  expect(document.lines.map(({ name, qty, gross }) => [name, qty, gross])).toEqual([
    ['Lamp', 3, 7_500],
    ['Sofa', 2, 60_000],
  ]);
});

test('a correction before the invoice makes no document: the invoice has the pieces as they are then (§22.1)', async () => {
  const order = await byCash();
  const after = await make(order, { lines: [{ line: 0, qty: 1, size: 'L' }], added: [{ product: book._id, qty: 2 }] });
  expect(after.invoices).toMatchObject([{ kind: 'pro_forma', gross: after.amountDue }]);
  await stage(order._id, 'dispatched');
  const [invoice, ...others] = (await read(order._id)).invoices;
  expect([invoice?.kind, invoice?.gross, others]).toEqual(['invoice', after.amountDue, []]);
  const { lines: pieces } = (await app.inject({ url: `/api/invoices/${invoice?._id}`, headers: admin.headers })).json<Invoice>();
  expect(pieces.map(({ name, qty }) => `${qty} × ${name}`)).toEqual(['2 × Lamp', '1 × Sofa', '2 × Book', '1 × Delivery', '1 × Delivery']);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('a card order that becomes cheaper gets the difference back; another colour costs nothing, also of a discounted line (§20.14)', async () => {
  const { code } = await aPromotion(db, { kind: 'amount', value: 1_001 });
  const order = await byCard({ discount: { code } });
  const paid = order.totalPrice;
  const recoloured = await make(order, { lines: [{ line: 0, qty: 1, color: '#445566' }] });
  expect(recoloured).toMatchObject({ refundedPrice: 0, refundable: paid, refunds: [], isPaid: true });
  expect(recoloured.totalPrice - recoloured.waivedPrice).toBe(paid);
  expect(recoloured.discount).toBeGreaterThan(order.discount);
  const smaller = await make(recoloured, { lines: [{ line: 1, qty: 1 }], added: [{ product: book._id, qty: 1 }] });
  await runJobs(services);
  const back = (await read(order._id)).refundedPrice;
  expect(back).toBeGreaterThan(2_400 - 1_000);
  expect(back).toBeLessThan(2_500 - 1_000);
  expect([await refundedAtProvider(order._id), smaller.totalPrice - smaller.waivedPrice]).toEqual([back, paid]);
  const credits = (await read(order._id)).invoices.filter(({ kind }) => kind === 'credit_note').reduce((sum, { gross }) => sum + gross, 0);
  const invoiced = (await read(order._id)).invoices.filter(({ kind }) => kind === 'invoice').reduce((sum, { gross }) => sum + gross, 0);
  expect(invoiced - credits).toBe(paid - back);
  const [, mail] = await corrections();
  expect(mail?.text).toContain('to the card or account that you paid with');
  // What was exchanged is not refunded again: cancelled, the order gives back what is left of the payment.
  await send(admin, 'POST', `/api/office/orders/${order._id}/cancel`, { reason: 'Another reason' });
  await runJobs(services);
  expect(await refundedAtProvider(order._id)).toBe(paid);
  expect([await stockOf(db, sofa._id), await sizesOf(), await stockOf(db, lamp._id), await stockOf(db, book._id)]).toEqual([
    6,
    [4, 2],
    9,
    5,
  ]);
});

test('more of a line costs what it cost then, or what it costs today; delivery that becomes free is taken off once (§20.14)', async () => {
  const order = await byCash();
  await db.updateTable('products').set({ price: 3_000 }).where('id', '=', lamp._id).execute();
  const then = (await correct(order, { lines: [{ line: 1, qty: 3 }] })).json<Correction>();
  const now = (await correct(order, { lines: [{ line: 1, qty: 3, price: 'now' }] })).json<Correction>();
  expect([then.difference, now.difference]).toEqual([2_500, 3_000]);
  const wish = { lines: [{ line: 0, qty: 2 }] };
  expect((await correct(order, wish)).json<Correction>()).toMatchObject({ difference: 30_000 - DELIVERY, deliveryOff: DELIVERY });
  const after = await make(order, wish);
  expect(after.amountDue).toBe(65_000);
  expect((await make(after, { lines: [{ line: 1, qty: 3 }] })).amountDue).toBe(67_500);
  // What is small again does not pay for delivery after all.
  const small = await make(await read(order._id), { lines: [{ line: 0, qty: 0 }] });
  expect(small.amountDue).toBe(37_500);
});

test('a correction takes off delivery only what its new sum makes cheaper, whatever the settings are by now (§20.14)', async () => {
  const { delivery } = shop.services.config;
  const { methods: before, areas } = delivery;
  const small = await byCash();
  const there = { postcodes: 'LS', surcharge: 1_000, extraDays: 0, without: [], refusal: '' };
  const add = { added: [{ product: lamp._id, qty: 1 }] };
  const large = { lines: [{ line: 0, qty: 2 }] };
  const offOf = async (order: Order, wish: object) => (await correct(order, wish)).json<Correction>().deliveryOff;
  try {
    Object.assign(delivery, { areas: [there] });
    const far = await byCash({ shippingAddress: { ...ADDRESS, postalCode: 'LS1 4AP' } });
    expect(far.shippingPrice).toBe(DELIVERY + 1_000);
    // The owner lowers the price, raises the sum from which delivery is free, and drops the surcharge.
    Object.assign(delivery, { areas: [], methods: before.map((method) => ({ ...method, price: 900, freeFrom: 90_000 })) });
    expect([await offOf(small, add), await offOf(far, add)]).toEqual([0, 0]);
    expect([await offOf(small, large), await offOf(far, large)]).toEqual([DELIVERY, DELIVERY]);
  } finally {
    Object.assign(delivery, { methods: before, areas });
  }
});

test('further samples at the price of then are free only as far as the promotion has some left (§20.14)', async () => {
  const sample = await aProduct(db, { name: 'Sample', price: 200, stock: 50, category: 'Samples' });
  const other = await aProduct(db, { name: 'Other sample', price: 300, stock: 50, category: 'Samples' });
  const samples = await aPromotion(db, { kind: 'first_free', code: null, value: 3, categories: ['Samples'] });
  const percent = await aPromotion(db, { kind: 'percent', code: null, value: 10, categories: ['Samples'] });
  const place = async (cart: ReturnType<typeof aLine>[]) =>
    read((await send(buyer, 'POST', '/api/orders', aPayload(cart))).json<Order>()._id);
  const costOf = async (order: Order, wanted: number[]) =>
    (await correct(order, { lines: wanted.map((qty, line) => ({ line, qty })) })).json<Correction>().difference;
  const two = await place([aLine(sample, { qty: 2 })]);
  expect(two.discount).toBe(400);
  const three = await place([aLine(sample, { qty: 3 })]);
  const five = await place([aLine(sample, { qty: 5 })]);
  expect(five.discount).toBe(600 + 40);
  const both = await place([aLine(sample), aLine(other)]);
  // What they and the products are by now does not matter.
  await db.updateTable('promotions').set({ isOn: false }).where('id', 'in', [samples._id, percent._id]).execute();
  await db.updateTable('promotions').set({ value: 1, categories: [] }).where('id', '=', samples._id).execute();
  await db.updateTable('products').set({ category: 'Swatches' }).where('id', 'in', [sample._id, other._id]).execute();
  expect([await costOf(two, [3]), await costOf(two, [4]), await costOf(three, [10])]).toEqual([0, 200, 1_400]);
  // The percentage that the line had counts for its further pieces as well.
  expect(await costOf(five, [10])).toBe(900);
  // One is left for both lines together.
  expect([await costOf(both, [2, 1]), await costOf(both, [1, 2]), await costOf(both, [2, 2])]).toEqual([0, 0, 300]);
});

test('an order that was paid in cash is made more expensive once the difference is recorded as more money; made cheaper, the difference is owed to the customer (§20.15)', async () => {
  const { _id } = await byCash();
  const cash = (body: object) => send(admin, 'PUT', `/api/orders/${_id}/cash`, body);
  const recordMore = (amount: number, receivedBy: string) =>
    send(admin, 'POST', `/api/office/orders/${_id}/overpayments`, { amount, receivedBy });
  const moreOf = (order: Order) => order.overpayments.map(({ amount, receivedBy, status }) => `${amount} ${receivedBy} ${status}`).sort();
  await cash({ isPaid: true });
  const wish = { added: [{ product: book._id, qty: 1 }] };
  const missing = (sum: string) => [
    409,
    `This would cost £10.00 more, and the order is paid. Once the customer has paid ${sum}, press “Record more money”, then change the order.`,
  ];
  expect(await refusal(await read(_id), wish)).toEqual(missing('£10.00'));
  await recordMore(400, 'cash');
  expect(await refusal(await read(_id), wish)).toEqual(missing('£6.00'));
  await recordMore(900, 'transfer');
  const before = await read(_id);
  const after = await make(before, wish);
  expect(moreOf(after)).toEqual(['300 transfer owed', '400 cash used', '600 transfer used']);
  expect([after.totalPrice - before.totalPrice, after.amountDue, after.refundable]).toEqual([1_000, 0, after.totalPrice]);
  // What was used is no longer owed to the customer, nor undone by itself.
  const used = after.overpayments.find(({ status }) => status === 'used');
  const ended = ['undo', 'paid'].map((name) =>
    send(admin, 'POST', `/api/office/overpayments/${used?._id}/${name}`, { paidBackBy: 'cash' }),
  );
  for (const reply of await Promise.all(ended)) expect(reply.json().message).toBe('This has been used for the order.');
  const own = (await app.inject({ url: `/api/orders/${_id}`, headers: buyer.headers })).json<Order>();
  expect(moreOf(own)).toEqual(['300 transfer owed']);
  const cheaper = await make(after, { lines: [{ line: 1, qty: 1 }] });
  expect(cheaper.refunds).toMatchObject([{ amount: 2_500, isByHand: true, status: 'pending' }]);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('what was used for a change counts towards what is due once the order’s own receipt is undone', async () => {
  const { _id } = await byCash();
  const cash = (body: object) => send(admin, 'PUT', `/api/orders/${_id}/cash`, body);
  await cash({ isPaid: true });
  await send(admin, 'POST', `/api/office/orders/${_id}/overpayments`, { amount: 1_000, receivedBy: 'cash' });
  const after = await make(await read(_id), { added: [{ product: book._id, qty: 1 }] });
  // A lost answer, sent again.
  expect((await cash({ isPaid: true })).statusCode).toBe(200);
  const undone = (await cash({ isPaid: false })).json<Order>();
  expect([undone.amountDue, undone.overpayments]).toMatchObject([after.totalPrice - 1_000, [{ amount: 1_000, status: 'owed' }]]);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
  expect((await cash({ isPaid: true })).json()).toMatchObject({ isPaid: true, amountDue: 0 });
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('what an order cannot have is refused in words, and nothing changes', async () => {
  const order = await byCash();
  const nobody = '01890000-0000-7000-8000-000000000000';
  expect(await refusal(order, {})).toEqual([400, 'Change something first.']);
  expect(
    await refusal(order, {
      lines: [
        { line: 0, qty: 0 },
        { line: 1, qty: 0 },
      ],
    }),
  ).toEqual([409, 'Nothing would be left to send. Cancel the order instead.']);
  expect(await refusal(order, { lines: [{ line: 7, qty: 1 }] })).toEqual([409, 'This item is no longer part of the order.']);
  expect(await refusal(order, { lines: [{ line: 0, qty: 1, size: 'XL' }] })).toEqual([
    409,
    'Sofa is no longer sold in XL. Please choose another size.',
  ]);
  expect(await refusal(order, { lines: [{ line: 0, qty: 3, size: 'L' }] })).toEqual([409, 'Only 2 of Sofa (L) left.']);
  expect(await refusal(order, { added: [{ product: sofa._id, qty: 1 }] })).toEqual([400, 'Please choose a size of Sofa']);
  expect(await refusal(order, { added: [{ product: nobody, qty: 1 }] })).toEqual([409, 'This product is no longer sold.']);
  expect(await refusal(order, { lines: [{ line: 1, qty: 1 }], expected: -1 })).toEqual([
    409,
    'This now means: £25.00 less. Please check again.',
  ]);
  // The piece that is taken off counts as being there.
  const recoloured = (qty: number) => correct(order, { lines: [{ line: 0, qty, color: '#445566' }] });
  expect([(await recoloured(4)).statusCode, (await recoloured(5)).json().message]).toEqual([200, 'Only 4 of Sofa (S) left.']);
  expect(await read(order._id)).toEqual(order);
  await stage(order._id, 'dispatched');
  const gone = await read(order._id);
  expect(gone.can).not.toContain('correctPieces');
  expect((await refusal(gone, { lines: [{ line: 1, qty: 1 }] }))[1]).toMatch(/was dispatched; its pieces can no longer be changed\.$/);
});

test('after a failed delivery, and of what is left of an order that was dispatched in part, pieces are changed as well', async () => {
  const order = await byCash();
  await stage(order._id, 'dispatched');
  await stage(order._id, 'delivery_failed');
  const failed = await make(await read(order._id), { lines: [{ line: 0, qty: 1, size: 'L' }] });
  expect(failed.status).toBe('delivery_failed');
  const part = await byCash();
  await send(admin, 'POST', `/api/office/orders/${part._id}/parcels`, { lines: [{ line: 1, qty: 1 }] });
  const rest = await read(part._id);
  expect(rest.status).toBe('partly_dispatched');
  const after = await make(rest, { lines: [{ line: 1, qty: 0 }] });
  expect(after.orderItems[1]).toMatchObject({ qty: 2, cancelledQty: 1 });
  expect((await refusal(after, { lines: [{ line: 1, qty: 1 }] }))[1]).toBe('This item is no longer part of the order.');
});

test('what a correction takes off because it is damaged is not put back in stock, and does not count for what is added (§20.14)', async () => {
  const order = await byCash();
  const after = await make(order, { lines: [{ line: 1, qty: 1 }], isRestocked: false });
  expect(after.events.at(-1)?.detail).toBe('Taken off: 1 × Lamp, not put back in stock. £25.00 less');
  expect(await stockOf(db, lamp._id)).toBe(7);
  expect((await corrections()).at(-1)?.text).not.toContain('back in stock');
  // The damaged piece is replaced by one of another colour, which comes from the stock.
  const other = await make(after, { lines: [{ line: 0, qty: 1, color: '#445566' }], isRestocked: false });
  expect([await stockOf(db, sofa._id), await sizesOf()]).toEqual([4, [2, 2]]);
  await db.updateTable('productSizes').set({ quantity: 0 }).where('productId', '=', sofa._id).where('size', '=', 'S').execute();
  const again = { lines: [{ line: other.orderItems.length - 1, qty: 1, color: '#112233' }] };
  expect((await correct(other, { ...again, isRestocked: false })).statusCode).toBe(409);
  expect((await correct(other, again)).statusCode).toBe(200);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('of two corrections at once one is made; with a dispatch or the customer’s cancellation in between, the order is one or the other', async () => {
  const order = await byCash();
  const wish = { lines: [{ line: 1, qty: 1 }], expected: -2_500 };
  const both = await Promise.all([correct(order, wish), correct(order, wish)]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect((await read(order._id)).orderItems[1]?.cancelledQty).toBe(1);
  for (const act of [
    (id: string) => stage(id, 'dispatched'),
    (id: string) => send(buyer, 'POST', `/api/orders/${id}/cancel`, { lines: [1], reason: 'Another reason' }),
  ]) {
    const one = await byCash();
    const [corrected, other] = await Promise.all([correct(one, wish), act(one._id)]);
    const { events, orderItems, amountDue, totalPrice, waivedPrice } = await read(one._id);
    expect(other.statusCode).toBe(200);
    expect(events.some(({ kind }) => kind === 'corrected')).toBe(corrected.statusCode === 200);
    expect(amountDue).toBe(totalPrice - waivedPrice);
    expect(orderItems[1]?.cancelledQty).toBeLessThanOrEqual(2);
  }
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('a piece that is made to order moves the promised days', async () => {
  const order = await byCash();
  const bespoke = await aProduct(db, { name: 'Bespoke', price: 1_000, leadWeeks: 6 });
  const after = await make(order, { added: [{ product: bespoke._id, qty: 1 }] });
  const weeks = (Date.parse(after.deliveryWindow?.from ?? '') - Date.parse(order.deliveryWindow?.from ?? '')) / (7 * 86_400_000);
  expect(weeks).toBeGreaterThan(4);
  // A day that the customer has chosen goes with them, and they hear of it.
  const [day, other] = [order.deliveryWindow?.to ?? '', await byCash()];
  await db.updateTable('orders').set({ deliveryFrom: day, deliveryTo: day, isDayChosen: true }).where('id', '=', other._id).execute();
  const moved = await make(other, { added: [{ product: bespoke._id, qty: 1 }] });
  expect(moved).toMatchObject({ isDayChosen: false, deliveryWindow: after.deliveryWindow });
  await runJobs(services);
  const texts = (await mailsOf(shop.dataDir, buyer.email)).map(({ text }) => text);
  expect(texts.join()).toContain(`You chose ${dayText(day)}. The added pieces will not be ready by then`);
});

test('a piece that was refunded and stays is exchanged for nothing, also of a card order from before discounts', async () => {
  const order = await byCard();
  await db.updateTable('orders').set({ knowsDiscount: false }).where('id', '=', order._id).execute();
  await send(admin, 'POST', `/api/office/orders/${order._id}/refunds`, { lines: [{ line: 0, qty: 1 }], reason: 'Goodwill' });
  const after = await make(await read(order._id), { lines: [{ line: 0, qty: 1, color: '#445566' }] });
  expect(after).toMatchObject({ refundedPrice: 30_000, discount: 30_000 });
  expect(after.refundable).toBe(order.totalPrice - 30_000);
});

test('a piece that was refunded in part keeps that in another size too: at the same price it costs nothing more (§20.14)', async () => {
  await db.updateTable('productSizes').set({ price: 30_000 }).where('productId', '=', sofa._id).execute();
  const order = await byCard();
  const refund = { amount: 10_000, lines: [{ line: 0, qty: 1 }], reason: 'Goodwill' };
  await send(admin, 'POST', `/api/office/orders/${order._id}/refunds`, refund);
  const after = await make(await read(order._id), { lines: [{ line: 0, qty: 1, size: 'L' }] });
  expect(after).toMatchObject({ correction: null, refundedPrice: 10_000, discount: 10_000, refundable: order.totalPrice - 10_000 });
});
