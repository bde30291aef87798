import { expect, test } from 'vitest';
import type { UserList } from '#contract/accounts/users.ts';
import type { PickingList } from '#contract/delivery/dispatch.ts';
import { MAX_TAGS, type StaffTags } from '#contract/office/office.schema.ts';
import type { OfficeOrderList, Order } from '#contract/orders/orders.ts';
import { newId } from '#server/platform/ids.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { demote, whileWaiting } from '#server/testing/while-waiting.ts';

const { app, db } = await testShop({ pool: 12 });
const admin = await anAdmin(db);
const send = (who: SignedIn, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
const tagsOf = async (url: string) => (await send(admin, 'GET', url)).json<StaffTags>().tags;
const anOrder = async (buyer: SignedIn, product?: Awaited<ReturnType<typeof aProduct>>) =>
  (await send(buyer, 'POST', '/api/orders', aPayload([aLine(product ?? (await aProduct(db)))]))).json<Order>();
const ofOrder = (id: string) => `/api/office/orders/${id}/tags`;
const listed = async (query: string) => (await send(admin, 'GET', `/api/orders?${query}`)).json<OfficeOrderList>().orders;
const found = async (query: string) => (await listed(query)).map(({ _id }) => _id);

test('a tag of an order or a customer is in the lists and narrows them, in any case; customers never see it (§23.9)', async () => {
  const [buyer, other] = [await aCustomer(db, { name: 'Bea Buyer' }), await aCustomer(db)];
  const [first, second] = [await anOrder(buyer), await anOrder(buyer)];
  await anOrder(other);
  await send(admin, 'POST', ofOrder(first._id), { tag: '  Gift   wrap ' });
  const both = await send(admin, 'POST', ofOrder(first._id), { tag: 'Regular', isOnCustomer: true });
  expect(both.json<StaffTags>().tags).toMatchObject([
    { tag: 'Gift wrap', isOnCustomer: false },
    { tag: 'Regular', isOnCustomer: true },
  ]);
  // A tag that is there already is not added again.
  expect((await send(admin, 'POST', ofOrder(first._id), { tag: 'gift WRAP' })).json<StaffTags>().tags).toHaveLength(2);
  expect(await tagsOf(ofOrder(second._id))).toMatchObject([{ tag: 'Regular', isOnCustomer: true }]);
  expect(await tagsOf(`/api/office/users/${buyer._id}/tags`)).toMatchObject([{ tag: 'Regular' }]);
  expect(await listed('tag=gift%20wrap')).toMatchObject([{ _id: first._id, tags: ['Gift wrap'], customerTags: ['Regular'] }]);
  expect(await found('tag=REGULAR')).toEqual([second._id, first._id]);
  expect(await found('tag=nobody%20has%20it')).toEqual([]);
  const { users } = (await send(admin, 'GET', '/api/users?tag=regular')).json<UserList>();
  expect(users).toMatchObject([{ name: 'Bea Buyer', tags: ['Regular'] }]);
  expect((await send(admin, 'GET', '/api/office/tags')).json()).toEqual({ tags: ['Gift wrap', 'Regular'] });
  const { pieces } = (await send(admin, 'GET', '/api/office/picking-list')).json<PickingList>();
  expect(pieces.flatMap(({ orders }) => orders).find(({ reference }) => reference === first.reference)?.tags).toEqual(['Gift wrap']);
  for (const url of ['/api/orders/myorders', `/api/orders/${first._id}`, '/api/office/slips'])
    expect((await send(url.includes('office') ? admin : buyer, 'GET', url)).body).not.toMatch(/Regular|Gift wrap/);
  for (const [method, url] of [
    ['GET', ofOrder(first._id)],
    ['POST', ofOrder(first._id)],
    ['GET', '/api/office/tags'],
  ] as const)
    expect((await send(buyer, method, url, method === 'POST' ? { tag: 'Mine' } : undefined)).statusCode).toBe(403);
  expect((await send(await anAdmin(db, { staffRole: 'catalogue' }), 'GET', '/api/office/tags')).statusCode).toBe(403);
  const [tag] = await tagsOf(ofOrder(first._id));
  expect((await send(admin, 'DELETE', `/api/office/tags/${tag?._id}`)).statusCode).toBe(200);
  expect((await send(admin, 'DELETE', `/api/office/tags/${tag?._id}`)).statusCode).toBe(404);
  expect(await found('tag=gift%20wrap')).toEqual([]);
});

test('an empty tag, one that is too long, one about nobody and one too many are refused, also of two at once (§23.9)', async () => {
  const { _id } = await anOrder(await aCustomer(db));
  for (const tag of ['', '  ', 'x'.repeat(31), 'two\nlines'])
    expect((await send(admin, 'POST', ofOrder(_id), { tag })).statusCode).toBe(400);
  for (const path of [`orders/${newId()}`, `users/${newId()}`, 'orders/nonsense'])
    expect((await send(admin, 'POST', `/api/office/${path}/tags`, { tag: 'Hello' })).statusCode).toBe(404);
  const replies = await Promise.all(Array.from({ length: MAX_TAGS + 2 }, (_, n) => send(admin, 'POST', ofOrder(_id), { tag: `tag ${n}` })));
  expect(replies.filter(({ statusCode }) => statusCode === 409)).toHaveLength(2);
  expect(await tagsOf(ofOrder(_id))).toHaveLength(MAX_TAGS);
});

test('an administrator who is demoted before the turn comes tags nothing, and removes no tag (§23.9)', async () => {
  const buyer = await aCustomer(db);
  const url = `/api/office/users/${buyer._id}/tags`;
  const [tag] = (await send(admin, 'POST', url, { tag: 'Pays late' })).json<StaffTags>().tags;
  for (const act of [
    (who: SignedIn) => send(who, 'POST', url, { tag: 'Never mind' }),
    (who: SignedIn) => send(who, 'DELETE', `/api/office/tags/${tag?._id}`),
  ]) {
    const who = await anAdmin(db);
    expect((await whileWaiting(db, who, () => act(who), demote(who))).statusCode).toBe(403);
  }
  expect(await tagsOf(url)).toEqual([tag]);
});

test('staff find a product by its SKU or that of a size, in any case (§20.16)', async () => {
  const [lamp, sofa] = [await aProduct(db, { name: 'Lamp' }), await aProduct(db, { name: 'Sofa', sizes: [{ size: 'S' }] })];
  await db.updateTable('products').set({ sku: 'LMP-07' }).where('id', '=', lamp._id).execute();
  await db.updateTable('productSizes').set({ sku: 'SF-S' }).where('productId', '=', sofa._id).execute();
  for (const [search, id] of [
    ['lmp-07', lamp._id],
    ['SF-S', sofa._id],
  ] as const) {
    const { products } = (await send(admin, 'GET', `/api/office/products?search=${search}&stateQuery=live`)).json();
    expect(products.map((one: { _id: string }) => one._id)).toEqual([id]);
  }
});
