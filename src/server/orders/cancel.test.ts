import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { listBrokenRuleTexts } from '#server/books/shop-rules.ts';
import { signedIn } from '#server/context/context.ts';
import { lockName } from '#server/platform/database/name-lock.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, aPromotion, type SignedIn, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { cancelOwnOrder } from './cancel.service.ts';

const shop = await testShop({ env: { STORE_MARKET: 'uk', RATE_LIMIT_FACTOR: '1000' } });
const { app, db } = shop;
const admin = await anAdmin(db);
const WHY = 'Another reason';
const DELIVERY = 4_900;

let buyer: SignedIn;
let sofa: Awaited<ReturnType<typeof aProduct>>;
let lamp: Awaited<ReturnType<typeof aProduct>>;
let order: Order;

beforeEach(async () => {
  buyer = await aCustomer(db);
  sofa = await aProduct(db, { name: 'Sofa', price: 30_000, stock: 5, sizes: [{ size: 'S', quantity: 3 }] });
  lamp = await aProduct(db, { name: 'Lamp', price: 2_500, stock: 9 });
  const lines = [aLine(sofa, { size: 'S' }), aLine(lamp, { qty: 2 })];
  order = (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload(lines) })).json<Order>();
});

const post = (who: SignedIn, url: string, payload: object = {}) => app.inject({ method: 'POST', url, headers: who.headers, payload });
const cancel = (payload: object = {}, who = buyer) => post(who, `/api/orders/${order._id}/cancel`, { reason: WHY, ...payload });
const cancelAsAdmin = (payload: object = {}) => post(admin, `/api/office/orders/${order._id}/cancel`, { reason: WHY, ...payload });
const put = (what: string, payload: object) =>
  app.inject({ method: 'PUT', url: `/api/orders/${order._id}/${what}`, headers: admin.headers, payload });
const read = async (who = admin) => (await app.inject({ url: `/api/orders/${order._id}`, headers: who.headers })).json<Order>();

const moveTo = (category: string, { _id }: { _id: string }) => db.updateTable('products').set({ category }).where('id', '=', _id).execute();

/** Pieces in stock: of the sofa, of its size, of the lamp. */
async function stock(): Promise<number[]> {
  const of = async (id: string) =>
    (await db.selectFrom('products').select('countInStock').where('id', '=', id).executeTakeFirstOrThrow()).countInStock;
  const size = await db.selectFrom('productSizes').select('quantity').where('productId', '=', sofa._id).executeTakeFirstOrThrow();
  return [await of(sofa._id), size.quantity, await of(lamp._id)];
}

async function subjects(): Promise<(string | undefined)[]> {
  await runJobs(shop.services);
  return (await mailsOf(shop.dataDir, buyer.email)).map(({ subject }) => subject?.replace(order.reference, 'REF')).sort();
}

test('a customer cancels before the order is packed: the pieces are back, of the size too, nothing is owed, and one mail says so (§20.3)', async () => {
  expect(await stock()).toEqual([4, 2, 7]);
  expect((await read(buyer)).isCancellable).toBe(true);
  const reply = await cancel();
  expect(reply.json<Order>()).toMatchObject({
    status: 'cancelled',
    amountDue: 0,
    waivedPrice: 35_000 + DELIVERY,
    isCancellable: false,
    refunds: [],
    events: [],
  });
  expect(await stock()).toEqual([5, 3, 9]);
  const again = await cancel();
  expect([again.statusCode, again.json().message]).toEqual([409, `Order ${order.reference} was cancelled; it can no longer be cancelled.`]);
  expect(await stock()).toEqual([5, 3, 9]);
  expect(await subjects()).toEqual(['Thank you for your order REF', 'Your order REF was cancelled']);
  expect((await mailsOf(shop.dataDir, buyer.email)).at(-1)?.text).toContain('as you asked');
});

test('single lines are cancelled, and with the last one the order and its delivery (§20.3)', async () => {
  expect((await cancel({ lines: [1] })).json<Order>()).toMatchObject({
    status: 'placed',
    waivedPrice: 5_000,
    amountDue: 30_000 + DELIVERY,
  });
  expect(await stock()).toEqual([4, 2, 9]);
  const twice = await cancel({ lines: [1] });
  expect([twice.statusCode, twice.json().message]).toEqual([409, 'This item is no longer part of the order.']);
  expect((await cancel({ lines: [0] })).json<Order>()).toMatchObject({ status: 'cancelled', waivedPrice: 35_000 + DELIVERY, amountDue: 0 });
  expect(await stock()).toEqual([5, 3, 9]);
  expect(await subjects()).toEqual([
    'Part of your order REF was cancelled',
    'Thank you for your order REF',
    'Your order REF was cancelled',
  ]);
  expect((await read()).events.map(({ kind, actor }) => [kind, actor])).toEqual([
    ['placed', buyer.name],
    ['partly cancelled', 'The customer'],
    ['cancelled', 'The customer'],
  ]);
});

test('an unpaid order is cancelled while another cancellation is being checked', async () => {
  await db.transaction().execute(async (tx) => {
    await lockName(tx, 'cancelled by customers');
    expect((await cancel()).json<Order>().status).toBe('cancelled');
  });
});

describe('a customer keeps the sum that something of the order needs, or cancels all of it; staff may cancel it', () => {
  const armchair = aProduct(db, { name: 'Armchair', price: 60_000, stock: 99 });

  /** Orders a lamp and an armchair, and tries to cancel the armchair. */
  async function withoutArmchair(promotion: { code: string; amount: number } | undefined) {
    const lines = [aLine(lamp), aLine(await armchair)];
    order = (await post(buyer, '/api/orders', aPayload(lines, promotion && { discount: promotion }))).json<Order>();
    const refused = await cancel({ lines: [1] });
    const asStaff = await cancelAsAdmin({ lines: [1] });
    return { refused: [refused.statusCode, refused.json().message], asStaff: asStaff.statusCode };
  }

  test('free delivery (§20.3)', async () => {
    expect(await withoutArmchair(undefined)).toEqual({
      refused: [409, 'Without 1 × Armchair, delivery would cost £49.00. Please cancel the whole order and order again, or contact us.'],
      asStaff: 200,
    });
    expect((await cancel()).json()).toMatchObject({ status: 'cancelled' });
  });

  test('free delivery, from the sum of then (§20.3)', async () => {
    const [stool, chair] = [await aProduct(db, { name: 'Stool', price: 1_000 }), await aProduct(db, { name: 'Chair', price: 25_000 })];
    const lines = [aLine(stool), aLine(chair), aLine(sofa, { size: 'S' })];
    order = (await post(buyer, '/api/orders', aPayload(lines))).json<Order>();
    expect(order.shippingPrice).toBe(0);
    const { config } = shop.services;
    const methods = config.delivery.methods.map((method) => ({ ...method, freeFrom: 90_000 }));
    const services = { ...shop.services, config: { ...config, delivery: { ...config.delivery, methods } } };
    const who = await signedIn({ db, token: buyer.token, ip: '127.0.0.1' });
    const without = (line: number) => cancelOwnOrder(services, who, order._id, { lines: [line], reason: WHY });
    await expect(without(1)).rejects.toMatchObject({ status: 409 });
    expect((await without(0)).waivedPrice).toBe(1_000);
  });

  test('a gift, and free delivery by a code (§20.3)', async () => {
    const gift = await aPromotion(db, { name: 'A free lamp', kind: 'first_free', value: 1, products: [lamp._id], leastSubtotal: 50_000 });
    const free = await aPromotion(db, { name: 'Free delivery', kind: 'free_delivery', value: 0, leastSubtotal: 3_000 });
    const refusal = 'needs an order of £500.00. Please cancel the whole order and order again, or contact us.';
    expect(await withoutArmchair({ code: gift.code, amount: 2_500 })).toEqual({ refused: [409, `“A free lamp” ${refusal}`], asStaff: 200 });
    const lines = [aLine(lamp), aLine(sofa, { size: 'S' })];
    order = (await post(buyer, '/api/orders', aPayload(lines, { discount: { code: free.code, amount: 0 } }))).json<Order>();
    expect((await cancel({ lines: [1] })).json().message).toContain('“Free delivery” needs an order of £30.00.');
    expect((await cancel({ lines: [0] })).statusCode).toBe(200);
  });

  test('free delivery for certain goods (§20.3)', async () => {
    const free = await aPromotion(db, { name: 'Sofas free', kind: 'free_delivery', value: 0, products: [sofa._id] });
    const lines = [aLine(lamp), aLine(sofa, { size: 'S' })];
    order = (await post(buyer, '/api/orders', aPayload(lines, { discount: { code: free.code, amount: 0 } }))).json<Order>();
    expect((await cancel({ lines: [1] })).json().message).toBe(
      '“Sofas free” does not apply without 1 × Sofa (S). Please cancel the whole order and order again, or contact us.',
    );
    expect((await cancel({ lines: [0] })).statusCode).toBe(200);
  });

  test('certain pieces at a lower price, while some of them stay (§20.3)', async () => {
    const half = await aPromotion(db, {
      name: 'Lamps at half price',
      kind: 'percent',
      value: 50,
      products: [lamp._id],
      leastSubtotal: 50_000,
    });
    const discount = { code: half.code, amount: 1_250 };
    const refusal = '“Lamps at half price” needs an order of £500.00. Please cancel the whole order and order again, or contact us.';
    expect(await withoutArmchair(discount)).toEqual({ refused: [409, refusal], asStaff: 200 });
    const lines = [aLine(lamp), aLine(await armchair)];
    order = (await post(buyer, '/api/orders', aPayload(lines, { discount }))).json<Order>();
    expect((await cancel({ lines: [0] })).statusCode).toBe(200);
  });

  test('by what its promotions were then, whatever staff make of them afterwards (§20.3)', async () => {
    const terms = { kind: 'percent', value: 50, products: [lamp._id], leastSubtotal: 50_000 };
    const half = await aPromotion(db, { name: 'Half price', ...terms });
    const place = async () => {
      const lines = [aLine(lamp), aLine(await armchair), aLine(sofa, { size: 'S' })];
      return (await post(buyer, '/api/orders', aPayload(lines, { discount: { code: half.code, amount: 1_250 } }))).json<Order>();
    };
    const earlier = await place();
    const usedBefore = { kind: null, value: null, goods: null, meantFor: null };
    await db.updateTable('redemptions').set(usedBefore).where('orderId', '=', earlier._id).execute();
    order = await place();
    // The same code for everything. Uses of earlier versions have not stored their terms, so these apply.
    await db.updateTable('promotions').set({ value: 10, products: [] }).where('id', '=', half._id).execute();
    expect((await cancel({ lines: [1] })).json().message).toContain('“Half price” needs an order of £500.00.');
    order = earlier;
    expect((await cancel({ lines: [1] })).json().message).toContain('delivery would cost');
  });

  test('by the categories that its products had then, whatever staff make of them afterwards (§20.3)', async () => {
    await moveTo('Lamps', lamp);
    const terms = { kind: 'percent', value: 50, categories: ['Lamps'], leastSubtotal: 50_000 };
    const half = await aPromotion(db, { name: 'Half price', ...terms });
    const place = async () => {
      const lines = [aLine(lamp), aLine(await armchair), aLine(sofa, { size: 'S' })];
      return (await post(buyer, '/api/orders', aPayload(lines, { discount: { code: half.code, amount: 1_250 } }))).json<Order>();
    };
    const earlier = await place();
    await db.updateTable('redemptions').set({ meantFor: null }).where('orderId', '=', earlier._id).execute();
    order = await place();
    await moveTo('Lighting', lamp);
    await db
      .updateTable('promotions')
      .set({ categories: ['Lighting'] })
      .where('id', '=', half._id)
      .execute();
    expect((await cancel({ lines: [1] })).json().message).toContain('“Half price” needs an order of £500.00.');
    // Uses of earlier versions have not stored for which products they were.
    order = earlier;
    expect((await cancel({ lines: [1] })).json().message).toContain('delivery would cost');
  });

  test('but a product that was added later counts by the category that it has now (§20.3)', async () => {
    await moveTo('Lamps', lamp);
    const free = await aPromotion(db, { name: 'Lamps free', kind: 'free_delivery', value: 0, categories: ['Lamps'] });
    const lines = [aLine(lamp), aLine(sofa, { size: 'S' })];
    order = (await post(buyer, '/api/orders', aPayload(lines, { discount: { code: free.code, amount: 0 } }))).json<Order>();
    await moveTo('Lamps', sofa);
    expect((await cancel({ lines: [0] })).json().message).toContain('“Lamps free” does not apply without 1 × Lamp.');
    const { _id: product } = await aProduct(db, { price: 1_000, category: 'Lamps' });
    const { revision } = await read();
    const wish = { revision, lines: [], added: [{ product, qty: 1 }], expected: 1_000 };
    expect((await post(admin, `/api/office/orders/${order._id}/correction`, wish)).statusCode).toBe(200);
    expect((await cancel({ lines: [0] })).statusCode).toBe(200);
  });

  test('but not for the sake of a smaller discount of certain pieces (§20.3)', async () => {
    const tenth = await aPromotion(db, { kind: 'percent', value: 10, products: [(await armchair)._id], leastSubtotal: 62_000 });
    const lines = [aLine(lamp), aLine(await armchair)];
    order = (await post(buyer, '/api/orders', aPayload(lines, { discount: { code: tenth.code, amount: 6_000 } }))).json<Order>();
    expect((await cancel({ lines: [0] })).json<Order>()).toMatchObject({ status: 'placed', waivedPrice: 2_500 });
  });

  test('certain pieces at a lower price, also in two steps (§20.3)', async () => {
    const vase = await aProduct(db, { name: 'Vase', price: 2_000, stock: 9 });
    const half = await aPromotion(db, {
      name: 'Half price',
      kind: 'percent',
      value: 50,
      products: [vase._id, lamp._id],
      leastSubtotal: 52_000,
    });
    const lines = [aLine(vase), aLine(lamp), aLine(await armchair)];
    const discount = { code: half.code, amount: 2_250 };
    order = (await post(buyer, '/api/orders', aPayload(lines, { discount }))).json<Order>();
    expect((await cancel({ lines: [1] })).statusCode).toBe(200);
    expect((await cancel({ lines: [2] })).json().message).toContain('“Half price” needs an order of £520.00.');
    expect((await cancel()).statusCode).toBe(200);
  });

  test('a gift beside free delivery, by the sum of then (§20.3)', async () => {
    const vase = await aProduct(db, { name: 'Vase', price: 2_000, stock: 9 });
    const free = await aPromotion(db, { kind: 'free_delivery', value: 0 });
    const gift = await aPromotion(db, {
      name: 'A free vase',
      code: null,
      kind: 'first_free',
      value: 1,
      products: [vase._id],
      leastSubtotal: 20_000,
    });
    const lines = [aLine(vase), aLine(sofa, { size: 'S' })];
    order = (await post(buyer, '/api/orders', aPayload(lines, { discount: { code: free.code, amount: 2_000 } }))).json<Order>();
    await db.updateTable('promotions').set({ leastSubtotal: 90_000 }).where('id', '=', gift._id).execute();
    expect((await cancel({ lines: [1] })).json().message).toContain('“A free vase” needs an order of £200.00.');
  });
});

test('a cancellation takes its turn among orders, before it holds a connection', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // More than may run at once.
  const orders = Array.from({ length: 20 }, () => shop.services.orderTurns.run('198.51.100.1', () => held));
  const cancelled = cancel();
  expect(await Promise.race([cancelled, setTimeout(300, 'waits')])).toBe('waits');
  release();
  await Promise.all(orders);
  expect((await cancelled).statusCode).toBe(200);
});

test('a request of staff that arrives twice takes pieces once: each names the revision that was seen', async () => {
  const office = (what: string, payload: object) => post(admin, `/api/office/orders/${order._id}/${what}`, payload);
  const lines = [aLine(sofa, { size: 'S', qty: 2 }), aLine(lamp, { qty: 7 })];
  await cancelAsAdmin();
  order = (await post(buyer, '/api/orders', aPayload(lines))).json<Order>();
  const pieces = [{ line: 1, qty: 1 }];
  for (const [what, payload] of [
    ['cancel', { pieces, reason: WHY }],
    ['parcels', { lines: pieces }],
    ['returns', { lines: pieces, reason: 'Wrong piece' }],
  ] as const) {
    if (what === 'returns') await put('deliver', { isDelivered: true });
    const { revision } = await read();
    const statuses = [];
    for (const _ of [1, 2]) statuses.push((await office(what, { ...payload, revision })).statusCode);
    expect([what, statuses]).toEqual([what, [200, 409]]);
  }
  const { orderItems, parcels, returns } = await read();
  expect([orderItems[1]?.cancelledQty, parcels[0]?.pieces, returns.length]).toEqual([1, pieces, 1]);
});

test('a customer is too late once the order is being packed, an administrator once it is dispatched; what could not be delivered can be cancelled (§20.3)', async () => {
  await put('stage', { stage: 'packing' });
  const late = await cancel();
  expect([late.statusCode, late.json().message]).toEqual([409, `Order ${order.reference} is being packed; it can no longer be cancelled.`]);
  expect((await cancelAsAdmin({ lines: [1] })).statusCode).toBe(200);
  await put('stage', { stage: 'dispatched' });
  expect([(await cancelAsAdmin()).statusCode, (await read()).isCancellable]).toEqual([409, false]);
  await put('stage', { stage: 'delivery_failed' });
  expect((await cancelAsAdmin()).json<Order>()).toMatchObject({ status: 'cancelled' });
  expect(await stock()).toEqual([5, 3, 9]);
  for (const [what, payload] of [
    ['deliver', { isDelivered: true }],
    ['cash', { isPaid: true }],
    ['stage', { stage: 'dispatched' }],
  ] as const)
    expect((await put(what, payload)).statusCode).toBe(409);
});

test('nobody cancels somebody else’s order, without a reason, or lines that it does not have (§20.3)', async () => {
  expect((await cancel({}, await aCustomer(db))).statusCode).toBe(404);
  expect((await post(buyer, `/api/office/orders/${order._id}/cancel`, { reason: WHY })).statusCode).toBe(403);
  expect((await app.inject({ method: 'POST', url: `/api/orders/${order._id}/cancel`, payload: { reason: WHY } })).statusCode).toBe(401);
  expect((await cancel({ reason: 'Not in stock' })).json().message).toBe('Choose a reason.');
  expect((await cancel({ lines: [] })).statusCode).toBe(400);
  expect((await cancel({ lines: [0, 7] })).statusCode).toBe(409);
  expect((await read()).status).toBe('placed');
});

test('cash that was received for what is then cancelled is owed to the customer, until an administrator says that it was paid back (§20.5)', async () => {
  await put('cash', { isPaid: true });
  const [refund] = (await cancel({ lines: [1] })).json<Order>().refunds;
  expect(refund).toMatchObject({ amount: 5_000, status: 'pending', isByHand: true, reason: 'Cancelled', detail: '2 × Lamp' });
  expect(await read()).toMatchObject({ isRefundDue: true, refundedPrice: 5_000, refundable: 30_000 + DELIVERY, waivedPrice: 0 });
  const url = `/api/office/refunds/${refund?._id}`;
  expect((await post(admin, `${url}/retry`)).statusCode).toBe(409);
  expect((await post(buyer, `${url}/paid`, { paidBackBy: 'cash' })).statusCode).toBe(403);
  expect((await post(admin, `${url}/paid`, { paidBackBy: 'cash' })).json<Order>()).toMatchObject({
    isRefundDue: false,
    refunds: [{ status: 'done' }],
  });
  expect((await post(admin, `${url}/paid`, { paidBackBy: 'cash' })).statusCode).toBe(409);
  const back = await put('cash', { isPaid: false });
  expect([back.statusCode, back.json().message]).toEqual([409, 'Some of this order has already been refunded.']);
  expect(await subjects()).toEqual(['Part of your order REF was cancelled', 'Thank you for your order REF', 'Your refund for order REF']);
});

test('an order that is cancelled while it is dispatched is either cancelled and back in stock, or dispatched and sold (§20.3)', async () => {
  for (let round = 0; round < 8; round += 1) {
    const payload = aPayload([aLine(lamp), aLine(sofa, { size: 'S' })]);
    order = (await app.inject({ method: 'POST', url: '/api/orders', headers: admin.headers, payload })).json<Order>();
    const before = await stock();
    await Promise.all([
      cancelAsAdmin(),
      put('stage', { stage: 'dispatched' }),
      cancelAsAdmin({ lines: [0] }),
      cancel({ lines: [1] }, admin),
    ]);
    const { orderItems, status, amountDue } = await read();
    const [lamps = 0, sofas = 0] = orderItems.map(({ cancelledQty }) => cancelledQty);
    expect(await stock()).toEqual([(before[0] ?? 0) + sofas, (before[1] ?? 0) + sofas, (before[2] ?? 0) + lamps]);
    expect(status).toBe(lamps + sofas < 2 ? 'dispatched' : 'cancelled');
    expect(amountDue).toBe(lamps + sofas < 2 ? (1 - sofas) * 30_000 + (1 - lamps) * 2_500 + DELIVERY : 0);
    if (status === 'dispatched') await put('stage', { stage: 'delivery_failed' });
    await cancelAsAdmin();
  }
});

test('what was cancelled does not count as sold, spent, unpaid or to be delivered, and the CSV says so (§20.3)', async () => {
  await cancel({ lines: [1] });
  const user = async () => (await app.inject({ url: `/api/users/${buyer._id}`, headers: admin.headers })).json();
  expect(await user()).toMatchObject({ orderCount: 1, spent: 30_000 + DELIVERY });
  await cancel();
  expect(await user()).toMatchObject({ orderCount: 0, spent: 0 });
  const found = async (query: string) =>
    (await app.inject({ url: `/api/orders?search=${order._id}&${query}`, headers: admin.headers })).json().total as number;
  expect([await found(''), await found('delivered=false'), await found('paid=false')]).toEqual([1, 0, 0]);
  const csv = await app.inject({ url: `/api/orders/export?search=${order._id}`, headers: admin.headers });
  expect(csv.body).toContain(`,Cancelled,${order.reference}`);
});

test.each([
  ['a size that was removed while its pieces were out', ['L'], 0],
  ['a product whose sizes were all removed', [], 1],
])('pieces of %s come back as stock that can be bought, or are left to the office (§20.3)', async (_, sizes, back) => {
  await db.deleteFrom('productSizes').where('productId', '=', sofa._id).execute();
  for (const [position, size] of sizes.entries())
    await db
      .insertInto('productSizes')
      .values({ productId: sofa._id, position, size, quantity: 2, price: 0, measurements: '[]' })
      .execute();
  const left = await stockOf(db, sofa._id);
  await cancel({ lines: [0] });
  expect(await stockOf(db, sofa._id)).toBe(left + back);
  const notes = (await read()).events.filter(({ kind }) => kind === 'not back in stock');
  expect(notes.map(({ detail }) => detail)).toEqual(
    back === 0 ? ['1 × Sofa (S). The product no longer has this size: add the pieces to another one'] : [],
  );
});

test('an administrator cancels single pieces of a line: they are back, and their price is not owed; with the last one goes the delivery (§20.3)', async () => {
  const pieces = (line: number, qty: number) => cancelAsAdmin({ pieces: [{ line, qty }] });
  expect((await pieces(1, 1)).json<Order>()).toMatchObject({ status: 'placed', waivedPrice: 2_500, amountDue: 32_500 + DELIVERY });
  expect(await stock()).toEqual([4, 2, 8]);
  const more = await pieces(1, 2);
  expect([more.statusCode, more.json().message]).toEqual([409, 'Only 1 of Lamp can still be cancelled.']);
  expect((await pieces(5, 1)).json().message).toBe('This item is no longer part of the order.');
  expect((await cancelAsAdmin({ pieces: [] })).json().errors).toEqual({ pieces: 'Choose at least one piece.' });
  await put('cash', { isPaid: true });
  expect((await pieces(1, 1)).json<Order>()).toMatchObject({ waivedPrice: 2_500, refundedPrice: 2_500, refundable: 30_000 + DELIVERY });
  const { status, refundedPrice, invoices } = (await pieces(0, 1)).json<Order>();
  expect([status, refundedPrice]).toEqual(['cancelled', 32_500 + DELIVERY]);
  expect(invoices.map(({ gross }) => gross)).toEqual([32_500 + DELIVERY]);
  expect(await stock()).toEqual([5, 3, 9]);
});

describe('pieces that staff cancel because they are not there, or cannot be sold, are not for sale again (§20.3)', () => {
  const lastEvent = async () => (await read()).events.at(-1);
  const lastEntry = () =>
    db.selectFrom('auditEntries').select('change').where('entityId', '=', order._id).orderBy('id', 'desc').executeTakeFirstOrThrow();

  test.each(['Not in stock', 'Damaged in the warehouse'])('“%s” leaves them out of stock, and the history says so', async (reason) => {
    expect((await cancelAsAdmin({ reason, pieces: [{ line: 1, qty: 1 }] })).json<Order>()).toMatchObject({ waivedPrice: 2_500 });
    expect(await stock()).toEqual([4, 2, 7]);
    expect(await lastEvent()).toMatchObject({ kind: 'partly cancelled', detail: `1 × Lamp. ${reason}. Not put back in stock` });
    expect(await lastEntry()).toEqual({ change: 'Cancelled 1 × Lamp, not put back in stock' });
    expect((await cancelAsAdmin({ reason })).json<Order>()).toMatchObject({ status: 'cancelled', amountDue: 0 });
    expect(await stock()).toEqual([4, 2, 7]);
    expect(await lastEntry()).toEqual({ change: 'Cancelled, not put back in stock' });
    expect(await listBrokenRuleTexts(db)).toEqual([]);
  });

  test('nobody can buy the last piece after that', async () => {
    const last = await aProduct(db, { name: 'Last Sofa', stock: 1 });
    order = (await post(buyer, '/api/orders', aPayload([aLine(last)]))).json<Order>();
    await cancelAsAdmin({ reason: 'Not in stock' });
    const next = await post(await aCustomer(db), '/api/orders', aPayload([aLine(last)]));
    expect([next.statusCode, next.json().message]).toEqual([409, 'Last Sofa is sold out.']);
  });

  test('staff choose otherwise for any reason: a lost parcel ends without its pieces', async () => {
    await cancelAsAdmin({ reason: 'Not in stock', lines: [1], isRestocked: true });
    expect([await stock(), (await lastEvent())?.detail]).toEqual([[4, 2, 9], '2 × Lamp. Not in stock']);
    await put('stage', { stage: 'dispatched' });
    await put('stage', { stage: 'delivery_failed' });
    const lost = await cancelAsAdmin({ reason: 'Cannot be delivered', isRestocked: false });
    expect([lost.json<Order>().status, await stock()]).toEqual(['cancelled', [4, 2, 9]]);
  });

  test('a customer’s own cancellation puts them back, whatever the call says', async () => {
    await cancel({ isRestocked: false });
    expect(await stock()).toEqual([5, 3, 9]);
  });
});

test('a customer cancels whole lines only: a call with pieces is refused, and cancels nothing', async () => {
  const reply = await cancel({ pieces: [{ line: 1, qty: 1 }] });
  expect([reply.statusCode, reply.json().errors.pieces]).toEqual([
    400,
    'Customers cancel whole lines. To keep some pieces of a line, please contact us.',
  ]);
});
