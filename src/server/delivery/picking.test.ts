import { beforeEach, expect, test } from 'vitest';
import type { PickingList, Slips } from '#contract/delivery/dispatch.ts';
import type { Order } from '#contract/orders/orders.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { forceOrder } from '#server/testing/orders.ts';

const { app, db } = await testShop({ env: MANY_ORDERS });
const admin = await anAdmin(db);
let buyer: SignedIn;

const get = async <T>(url: string) => (await app.inject({ url, headers: admin.headers })).json<T>();
const call = (method: 'POST' | 'PUT', url: string, payload: object) => app.inject({ method, url, headers: admin.headers, payload });
const picking = (more = '') => get<PickingList>(`/api/office/picking-list?user=${buyer._id}${more}`);
const slips = (more = '') => get<Slips>(`/api/office/slips?user=${buyer._id}${more}`);
const place = async (lines: ReturnType<typeof aLine>[], payload = {}) =>
  (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload(lines, payload) })).json<Order>();

beforeEach(async () => {
  buyer = await aCustomer(db, { name: 'Pia Picker' });
});

test('the pieces of many orders are listed by product, size and colour, with the orders that each goes to; what has left is not among them (§20.12)', async () => {
  const bed = await aProduct(db, { name: 'Bed', stock: 50, colors: ['#47503b'], sizes: [{ size: '2 m' }, { size: '10 m' }] });
  const lamp = await aProduct(db, { name: 'Åland Lamp', stock: 50 });
  const line = (size: string, qty: number) => aLine(bed, { size, qty, color: '#47503b' });
  const first = await place([line('10 m', 2), aLine(lamp, { qty: 3 })]);
  const second = await place([line('10 m', 1), aLine(bed, { size: '2 m', qty: 1 })]);
  const gone = await place([aLine(lamp)]);
  const unpaid = await place([aLine(lamp)], { paymentMethod: 'Online Payment', orderPaymentID: 'BACS 1' });
  const big = await place([aLine(lamp)]);
  const failed = await place([aLine(lamp)]);
  await forceOrder(db, big._id, { awaitsApproval: true });
  await call('POST', `/api/office/orders/${first._id}/parcels`, { lines: [{ line: 1, qty: 1 }] });
  await call('POST', `/api/office/orders/${first._id}/cancel`, { reason: 'Not in stock', lines: [0] });
  await call('PUT', `/api/orders/${gone._id}/deliver`, { isDelivered: true });
  await call('POST', `/api/office/orders/${failed._id}/parcels`, {});
  await call('PUT', `/api/orders/${failed._id}/stage`, { stage: 'delivery_failed' });
  const third = await place([line('10 m', 4)]);
  expect(await picking()).toMatchObject({ orders: 3, others: 4, more: 0 });
  const { pieces } = await picking();
  expect(
    pieces.map(({ name, size, colourName, isColourOpen, qty, orders }) => [name, size, colourName, isColourOpen, qty, orders]),
  ).toEqual([
    ['Åland Lamp', null, null, false, 2, [{ reference: first.reference, qty: 2, tags: [] }]],
    ['Bed', '2 m', null, true, 1, [{ reference: second.reference, qty: 1, tags: [] }]],
    [
      ...['Bed', '10 m', 'Moss', false, 5],
      [
        { reference: second.reference, qty: 1, tags: [] },
        { reference: third.reference, qty: 4, tags: [] },
      ],
    ],
  ]);
  const chosen = await picking(`&orders=${third.reference},${unpaid.reference}`);
  expect([chosen.orders, chosen.others, chosen.pieces.map(({ qty }) => qty)]).toEqual([1, 1, [4]]);
  expect(await picking('&orders=nonsense')).toEqual({ orders: 0, others: 0, more: 0, pieces: [] });
});

test('a part of a set is picked beside the same piece bought alone (§20.12)', async () => {
  const chair = await aProduct(db, { name: 'Ash Chair', stock: 50 });
  const table = await aProduct(db, { name: 'Oak Table', stock: 50 });
  const bench = await aProduct(db, { name: 'Bench', stock: 50 });
  const set = await aProduct(db, { name: 'Breakfast Set', setParts: `1 x ${table._id}; 2 x ${chair._id}` });
  await place([aLine(set), aLine(bench), aLine(chair)]);
  const { pieces } = await picking();
  expect(pieces.map(({ name, qty }) => [name, qty])).toEqual([
    ['Ash Chair', 1],
    ['Breakfast Set: Ash Chair', 2],
    ['Bench', 1],
    ['Breakfast Set: Oak Table', 1],
  ]);
});

test('slips have what is left to be sent of each order, who gets it and what is to be collected; what failed goes out again (§20.12)', async () => {
  const lamp = await aProduct(db, { name: 'Lamp', stock: 50, price: 10_000 });
  const first = await place([aLine(lamp, { qty: 3 })]);
  const failed = await place([aLine(lamp)]);
  const cancelled = await place([aLine(lamp)]);
  await call('POST', `/api/office/orders/${first._id}/parcels`, { lines: [{ line: 0, qty: 1 }] });
  await call('POST', `/api/office/orders/${failed._id}/parcels`, {});
  await call('PUT', `/api/orders/${failed._id}/stage`, { stage: 'delivery_failed' });
  await call('POST', `/api/office/orders/${cancelled._id}/cancel`, { reason: 'Not in stock' });
  await db.updateTable('products').set({ sku: 'LAMP-1' }).where('id', '=', lamp._id).execute();
  const answer = await slips();
  expect(answer).toMatchObject({ others: 1, more: 0 });
  expect(
    answer.slips.map(({ reference, lines, amountDue, status }) => [reference, lines.map(({ qty }) => qty), amountDue, status]),
  ).toEqual([
    [first.reference, [2], 20_000, 'partly_dispatched'],
    [failed.reference, [1], 10_000, 'delivery_failed'],
  ]);
  expect(answer.slips[0]?.lines[0]).toMatchObject({ name: 'Lamp', sku: 'LAMP-1' });
  expect(answer.slips[0]).toMatchObject({ userName: 'Pia Picker', shippingAddress: { line1: '1 High Street' }, phone: '07700 900123' });
});

test('of more orders than fit on one print the oldest come, and the others are counted (§20.12)', async () => {
  const lamp = await aProduct(db, { stock: 50 });
  const { _id } = await place([aLine(lamp)]);
  const { rows } = await copies(_id, 201);
  expect(rows).toBe(201);
  const list = await picking();
  expect([list.orders, list.more]).toEqual([200, 2]);
  expect((await slips()).slips).toHaveLength(200);
});

/** Copies an order and its line `count` times. */
async function copies(id: string, count: number): Promise<{ rows: number }> {
  const order = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const item = await db.selectFrom('orderItems').selectAll().where('orderId', '=', id).executeTakeFirstOrThrow();
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  const { reference: _, idempotencyKey: __, deliveryOffer: ___, ...rest } = order;
  await db
    .insertInto('orders')
    .values(ids.map((one) => ({ ...rest, id: one })))
    .execute();
  await db
    .insertInto('orderItems')
    .values(ids.map((one) => ({ ...item, orderId: one })))
    .execute();
  return { rows: ids.length };
}
