import { expect, test } from 'vitest';
import { MAX_NOTES, type StaffNotes } from '#contract/office/office.schema.ts';
import type { Order } from '#contract/orders/orders.ts';
import { newId } from '#server/platform/ids.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { demote, whileWaiting } from '#server/testing/while-waiting.ts';

const { app, db } = await testShop();
const send = (who: SignedIn, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
const notes = async (who: SignedIn, url: string) => (await send(who, 'GET', url)).json<StaffNotes>().notes;
const anOrder = async (buyer: SignedIn) =>
  (await send(buyer, 'POST', '/api/orders', aPayload([aLine(await aProduct(db))]))).json<Order>()._id;

test('a note about an order stays with it, one about the customer is on all of their orders, and no customer reads any', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db, { name: 'Ada Admin' })];
  const [first, second] = [await anOrder(buyer), await anOrder(buyer)];
  const of = (id: string) => `/api/office/orders/${id}/notes`;
  await send(admin, 'POST', of(first), { text: ' Rang: wants Friday.\r\nAsk the depot. ' });
  const { notes: both } = (
    await send(admin, 'POST', of(first), { text: 'Third floor, no lift', isAboutCustomer: true })
  ).json<StaffNotes>();
  expect(both).toMatchObject([
    { text: 'Third floor, no lift', actor: 'Ada Admin', isAboutCustomer: true },
    { text: 'Rang: wants Friday.\nAsk the depot.', isAboutCustomer: false },
  ]);
  expect(await notes(admin, of(second))).toMatchObject([{ text: 'Third floor, no lift' }]);
  await send(admin, 'POST', `/api/office/users/${buyer._id}/notes`, { text: 'Pays by bank transfer' });
  expect((await notes(admin, `/api/office/users/${buyer._id}/notes`)).map(({ text }) => text)).toEqual([
    'Pays by bank transfer',
    'Third floor, no lift',
  ]);
  expect((await send(admin, 'DELETE', `/api/office/notes/${both[1]?._id}`)).statusCode).toBe(200);
  expect((await send(admin, 'DELETE', `/api/office/notes/${both[1]?._id}`)).statusCode).toBe(404);
  expect((await notes(admin, of(first))).map(({ text }) => text)).toEqual(['Pays by bank transfer', 'Third floor, no lift']);
  expect((await send(buyer, 'GET', of(first))).statusCode).toBe(403);
  expect(JSON.stringify((await send(buyer, 'GET', `/api/orders/${first}`)).json())).not.toContain('no lift');
});

test('an empty note, one that is too long, one about nobody and one too many are refused', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const url = `/api/office/orders/${await anOrder(buyer)}/notes`;
  for (const text of ['', '  ', 'x'.repeat(2_001)]) expect((await send(admin, 'POST', url, { text })).statusCode).toBe(400);
  for (const path of [`orders/${newId()}`, `users/${newId()}`, 'orders/nonsense'])
    expect((await send(admin, 'POST', `/api/office/${path}/notes`, { text: 'Hello' })).statusCode).toBe(404);
  const orderId = url.split('/')[4] ?? '';
  await db
    .insertInto('staffNotes')
    .values(Array.from({ length: MAX_NOTES }, () => ({ orderId, text: 'Hello', actor: 'Ada' })))
    .execute();
  expect((await send(admin, 'POST', url, { text: 'One more' })).statusCode).toBe(409);
});

test('an administrator who is demoted before the turn comes notes nothing, and deletes no note', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const url = `/api/office/users/${buyer._id}/notes`;
  const [note] = (await send(admin, 'POST', url, { text: 'Pays late' })).json<StaffNotes>().notes;
  for (const act of [
    (who: SignedIn) => send(who, 'POST', url, { text: 'Never mind' }),
    (who: SignedIn) => send(who, 'DELETE', `/api/office/notes/${note?._id}`),
  ]) {
    const who = await anAdmin(db);
    expect((await whileWaiting(db, who, () => act(who), demote(who))).statusCode).toBe(403);
  }
  expect(await notes(admin, url)).toEqual([note]);
});
