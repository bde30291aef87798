import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import type { Promotion, PromotionList } from '#contract/promotions/promotions.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, aPromotion } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop();
const [admin, buyer] = [await anAdmin(db), await aCustomer(db)];
const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url: `/api/office/promotions${url}`, headers: admin.headers, ...(payload && { payload }) });
const BODY = {
  name: 'Friends of the shop',
  code: 'friends-15',
  kind: 'percent',
  value: 15,
  goods: { categories: ['Sofa'], brands: [], products: [] },
  leastSubtotal: 10_000,
  startsAt: '',
  endsAt: '2030-01-01 09:00',
  mostUses: 2,
  mostUsesEach: null,
  isFirstOrder: false,
  isOn: true,
};
const buy = async (code: string) => {
  const payload = aPayload([aLine(await aProduct(db, { price: 20_000 }))], { discount: { code } });
  return (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json<Order>();
};
const logOf = async (id: string) =>
  (
    await db
      .selectFrom('auditEntries')
      .select('change')
      .where('entity', '=', 'promotion')
      .where('entityId', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ change }) => change);

test('a code is made, used, changed and switched off; the list says how often it was used, and the log who did what', async () => {
  const made = await send('POST', '', BODY);
  expect(made.statusCode).toBe(201);
  const promotion = made.json<Promotion>();
  expect(promotion).toMatchObject({ code: 'FRIENDS-15', state: 'on', uses: 0, isUnused: true, endsAt: '2030-01-01T09:00:00.000Z' });
  const order = await buy('Friends-15');
  expect(order.discount).toBe(3_000);
  const listed = async () => (await send('GET', '')).json<PromotionList>().promotions.find(({ _id }) => _id === promotion._id);
  expect(await listed()).toMatchObject({ state: 'on', uses: 1, given: 3_000, isUnused: false });
  await buy('FRIENDS-15');
  expect(await listed()).toMatchObject({ state: 'used up', uses: 2 });
  const url = `/${promotion._id}`;
  expect((await send('PUT', url, { ...BODY, value: 20, mostUses: null })).json<Promotion>()).toMatchObject({ value: 20, state: 'on' });
  expect((await app.inject({ url: `/api/orders/${order._id}`, headers: buyer.headers })).json<Order>().discount).toBe(3_000);
  expect((await send('PUT', `${url}/on`, { isOn: false })).json<Promotion>()).toMatchObject({ isOn: false, state: 'off' });
  expect((await send('DELETE', url)).json()).toEqual({
    message: 'Orders have used this promotion, so it stays in the list. Switch it off instead.',
  });
  expect(await logOf(promotion._id)).toEqual([
    'Created Friends of the shop, FRIENDS-15: 15% off, Sofa, from £100.00, 2 uses, until 2030-01-01 09:00',
    'Changed to Friends of the shop, FRIENDS-15: 20% off, Sofa, from £100.00, until 2030-01-01 09:00',
    'Switched off Friends of the shop',
  ]);
});

test('a promotion that nobody has used can be deleted, and its code is free again', async () => {
  const body = { ...BODY, code: 'BRIEF' };
  const { _id } = (await send('POST', '', body)).json<Promotion>();
  expect((await send('POST', '', { ...body, code: ' brief ' })).json()).toMatchObject({
    errors: { code: 'There is already a code BRIEF.' },
  });
  expect((await send('DELETE', `/${_id}`)).statusCode).toBe(200);
  expect((await send('POST', '', body)).statusCode).toBe(201);
  expect((await logOf(_id)).at(-1)).toBe('Deleted Friends of the shop');
});

test('a code counts with and without its hyphens, and no other may differ from it only by them', async () => {
  const body = { ...BODY, code: 'WEEKEND-10', mostUses: null };
  const { _id } = (await send('POST', '', body)).json<Promotion>();
  expect((await buy('weekend 10')).discount).toBe(3_000);
  expect((await buy('WEEK-END10')).discounts).toMatchObject([{ code: 'WEEKEND-10' }]);
  const taken = { errors: { code: 'There is already a code WEEKEND-10.' } };
  expect((await send('POST', '', { ...body, code: 'WEEKEND10' })).json()).toMatchObject(taken);
  expect((await send('PUT', `/${_id}`, { ...body, code: 'WEEK-END-10' })).json()).toMatchObject({ code: 'WEEK-END-10' });
});

test('of two older codes that differ only by a hyphen each can be changed, and the typed one counts', async () => {
  const [with5, with20] = [await aPromotion(db, { code: 'OLD-ER', value: 5 }), await aPromotion(db, { code: 'OLDER', value: 20 })];
  expect([(await buy('old-er')).discount, (await buy('older')).discount]).toEqual([1_000, 4_000]);
  for (const { _id, code } of [with5, with20]) expect((await send('PUT', `/${_id}`, { ...BODY, code })).json()).toMatchObject({ code });
  await send('PUT', `/${with20._id}/on`, { isOn: false });
  expect((await buy('OL-DER')).discounts).toMatchObject([{ code: 'OLD-ER' }]);
});

test.each([
  [{ code: 'no spaces!' }, 'code', 'A code has 3 to 30 letters, digits and hyphens, such as WELCOME-10.'],
  [{ name: ' ' }, 'name', 'Name is required'],
  [{ value: 101 }, 'value', 'The reduction can be at most 100%.'],
  [{ kind: 'amount', value: 0 }, 'value', 'The reduction must be at least 1.'],
  [{ startsAt: '2030-01-02 09:00' }, 'endsAt', 'The promotion must end after it begins.'],
  [{ mostUses: 0 }, 'mostUses', 'Total uses must be at least 1.'],
  [{ goods: { ...BODY.goods, products: ['sofa'] } }, 'goods.products', 'One of these is not the ID of a piece. Find the pieces by name.'],
  [{ endsAt: '2026-01-01 09:00' }, 'endsAt', 'The end is in the past.'],
])('a promotion with %o is refused at its field', async (change, field, message) => {
  const reply = await send('POST', '', { ...BODY, code: 'REFUSED', ...change });
  expect([reply.statusCode, reply.json().errors?.[field]]).toEqual([400, message]);
});

test('a form with three faults names all three; a promotion that has ended can be renamed once it is switched off', async () => {
  const faults = { value: 110, leastSubtotal: Number.NaN, endsAt: '2026-01-01 09:00' };
  expect((await send('POST', '', { ...BODY, ...faults })).json().errors).toEqual({
    value: 'The reduction can be at most 100%.',
    leastSubtotal: 'The minimum spend must be a number of pence.',
    endsAt: 'The end is in the past.',
  });
  const { _id } = (await send('POST', '', { ...BODY, code: 'ENDED' })).json<Promotion>();
  const ended = { ...BODY, code: 'ENDED', endsAt: '2026-01-01 09:00', name: 'Last winter' };
  expect((await send('PUT', `/${_id}`, ended)).statusCode).toBe(400);
  expect((await send('PUT', `/${_id}`, { ...ended, isOn: false })).json<Promotion>()).toMatchObject({ name: 'Last winter' });
});

test('only administrators see and make promotions', async () => {
  const as = (method: 'GET' | 'POST') =>
    app.inject({ method, url: '/api/office/promotions', headers: buyer.headers, ...(method === 'POST' && { payload: BODY }) });
  expect([(await as('GET')).statusCode, (await as('POST')).statusCode]).toEqual([403, 403]);
});
