import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { demote, endSessionOf, whileWaiting } from '#server/testing/while-waiting.ts';

const { app, db } = await testShop();
const place = (who: SignedIn, payload: object, key?: string) =>
  app.inject({ method: 'POST', url: '/api/orders', payload, headers: { ...who.headers, ...(key && { 'idempotency-key': key }) } });
const note = (who: SignedIn, id: string, deliveryNote: unknown) =>
  app.inject({ method: 'PUT', url: `/api/orders/${id}/delivery-note`, payload: { deliveryNote }, headers: who.headers });
const read = async (who: SignedIn, id: string) =>
  (await app.inject({ method: 'GET', url: `/api/orders/${id}`, headers: who.headers })).json<Order>();

test('the note for the driver is kept with the order, changed by its customer and staff until all has left, and seen in the history', async () => {
  const [buyer, other, admin] = [await aCustomer(db), await aCustomer(db), await anAdmin(db, { name: 'Ada Admin' })];
  const { _id: id } = (await place(buyer, aPayload([aLine(await aProduct(db))], { deliveryNote: ' Gate code 1234 ' }))).json<Order>();
  expect((await read(buyer, id)).deliveryNote).toBe('Gate code 1234');
  expect((await note(other, id, 'Leave it outside')).statusCode).toBe(404);
  expect((await note(buyer, id, 'Ring twice')).json<Order>().deliveryNote).toBe('Ring twice');
  expect((await note(admin, id, '')).json<Order>().deliveryNote).toBe('');
  const { events } = await read(admin, id);
  expect(events.filter(({ kind }) => kind === 'note for the driver').map(({ detail }) => detail)).toEqual(['Ring twice', 'Removed']);
  await app.inject({ method: 'PUT', url: `/api/orders/${id}/deliver`, payload: { isDelivered: true }, headers: admin.headers });
  const late = await note(buyer, id, 'Too late');
  expect([late.statusCode, late.json<{ message: string }>().message]).toEqual([
    409,
    expect.stringMatching(/^Order \S+ was delivered, so its note for the driver can no longer be changed\.$/),
  ]);
});

test('a customer changes a note twenty times at most, staff as often as they need', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const { _id: id } = (await place(buyer, aPayload([aLine(await aProduct(db))]))).json<Order>();
  for (let n = 0; n < 20; n += 1) expect((await note(buyer, id, `Ring ${n} times`)).statusCode).toBe(200);
  const more = await note(buyer, id, 'Knock');
  expect([more.statusCode, more.json<{ message: string }>().message]).toEqual([
    409,
    'This note was changed 20 times. Please contact us to change it again.',
  ]);
  expect((await note(admin, id, 'Knock')).statusCode).toBe(200);
});

test.each(['x'.repeat(301), 'two\nlines', 7])('a note that is too long, has lines or is no text is refused', async (deliveryNote) => {
  const buyer = await aCustomer(db);
  const payload = aPayload([aLine(await aProduct(db))]);
  expect((await place(buyer, { ...payload, deliveryNote })).statusCode).toBe(400);
  const { _id: id } = (await place(buyer, payload)).json<Order>();
  expect((await note(buyer, id, deliveryNote)).statusCode).toBe(400);
});

test('an order that is sent again with another note is another order', async () => {
  const buyer = await aCustomer(db);
  const payload = aPayload([aLine(await aProduct(db))]);
  const key = 'a key of the browser';
  const first = (await place(buyer, payload, key)).json<Order>();
  // Older pages send no note, newer ones an empty one.
  expect((await place(buyer, { ...payload, deliveryNote: '' }, key)).json<Order>()._id).toBe(first._id);
  expect((await place(buyer, { ...payload, deliveryNote: 'Ring twice' }, key)).statusCode).toBe(409);
});

test('a note waits for the end of its writer’s session or role, and is then refused', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const { _id: id } = (await place(buyer, aPayload([aLine(await aProduct(db))]))).json<Order>();
  expect((await whileWaiting(db, admin, () => note(admin, id, 'From staff'), demote(admin))).statusCode).toBe(404);
  expect((await whileWaiting(db, buyer, () => note(buyer, id, 'Too late'), endSessionOf(buyer))).statusCode).toBe(401);
  expect(await db.selectFrom('orders').select('deliveryNote').where('id', '=', id).execute()).toEqual([{ deliveryNote: '' }]);
});
