import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { may, RIGHTS, ROLE_INFO, STAFF_ROLES, type StaffRole } from '#contract/accounts/roles.ts';
import type { EditedUser } from '#contract/accounts/users.ts';
import type { Today } from '#contract/office/office.schema.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { OfficeReviewList } from '#contract/reviews/reviews.ts';
import { apiRoutes } from '#server/app/app.ts';
import { newId } from '#server/platform/ids.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { aReview } from '#server/testing/reviews.ts';
import { whileWaiting } from '#server/testing/while-waiting.ts';

const shop = await testShop({ env: { RATE_LIMIT_FACTOR: '1000' } });
const { app, db } = shop;
const staff = Object.fromEntries(
  await Promise.all(STAFF_ROLES.map(async (staffRole) => [staffRole, await anAdmin(db, { name: staffRole, staffRole })] as const)),
) as Record<StaffRole, SignedIn>;
const send = (who: SignedIn, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
const edit = (who: SignedIn, { _id, name, email }: SignedIn, change: object) =>
  send(who, 'PUT', `/api/users/${_id}`, { name, email, isAdmin: true, ...change });

const calls = apiRoutes.flatMap(({ endpoint }) => (endpoint.right ? [{ ...endpoint, right: endpoint.right }] : []));
const table = calls.flatMap((call) => STAFF_ROLES.map((role) => ({ title: `${role} × ${call.name}`, call, role })));

test('every call of the back office names a right, and every right is needed by some call', () => {
  expect(calls.length).toBeGreaterThan(100);
  expect([...new Set(calls.map(({ right }) => right))].sort()).toEqual([...RIGHTS].sort());
  expect(ROLE_INFO.owner.rights).toEqual(RIGHTS);
  // Who only sees must not change: each call that changes something needs another right than one to see.
  const seeing = calls.filter(({ right }) => right.startsWith('see '));
  expect(seeing.filter(({ method }) => method !== 'GET').map(({ name }) => name)).toEqual(['POST /api/office/sale-prices/preview']);
  expect(calls.filter(({ right, method }) => /^(change|move)/.test(right) && method === 'GET')).toEqual([]);
});

test.each(table)('$title is refused without its right, and with words (§13.5)', async ({ call, role }) => {
  const reply = await send(staff[role], call.method, call.url.replace(':id', newId()).replace(':section', 'contact'));
  const isRefused = reply.statusCode === 403 && Boolean(reply.json().errors?.right);
  expect(isRefused).toBe(!may({ isAdmin: true, staffRole: role }, call.right));
  if (isRefused) expect(reply.json().message).toBe('Your role does not allow this. Please ask an owner.');
});

test('an order is read, and its steps are offered, as far as the role goes; own orders are everybody’s (§13.5)', async () => {
  const buyer = await aCustomer(db);
  const place = async (who: SignedIn) => (await send(who, 'POST', '/api/orders', aPayload([aLine(await aProduct(db))]))).json<Order>();
  const { _id, invoices } = await place(buyer);
  const read = (role: StaffRole, id = _id) => send(staff[role], 'GET', `/api/orders/${id}`);
  expect((await read('catalogue')).statusCode).toBe(404);
  expect((await send(staff.catalogue, 'GET', `/api/invoices/${invoices[0]?._id}`)).statusCode).toBe(404);
  expect((await read('catalogue', (await place(staff.catalogue))._id)).statusCode).toBe(200);
  await send(staff.orders, 'PUT', `/api/orders/${_id}/cash`, { isPaid: true });
  const stepsOf = async (role: StaffRole) => (await read(role)).json<Order>().can;
  expect(await stepsOf('owner')).toEqual(expect.arrayContaining(['pack', 'refund']));
  expect([(await stepsOf('orders')).includes('pack'), (await stepsOf('orders')).includes('refund')]).toEqual([true, false]);
  expect([await stepsOf('money'), await stepsOf('read-only')]).toEqual([['refund'], []]);
});

test('today counts what the role may see, and says its rights', async () => {
  const today = async (role: StaffRole) => (await send(staff[role], 'GET', '/api/office/today')).json<Today>();
  const places = async (role: StaffRole) => [...new Set((await today(role)).waiting.map(({ place }) => place))];
  expect(await places('owner')).toEqual(['orders', 'stock', 'reviews', 'books', 'today']);
  expect(await places('catalogue')).toEqual(['stock', 'reviews']);
  expect(await places('orders')).toEqual(['orders', 'stock', 'reviews']);
  expect([(await today('catalogue')).orders.all, (await today('catalogue')).rights]).toEqual([0, ROLE_INFO.catalogue.rights]);
});

test('owners alone change administrators; who looks after customers cannot take over an account of staff (§13.5)', async () => {
  const customer = await aCustomer(db);
  const colleague = await anAdmin(db, { staffRole: 'catalogue' });
  expect((await edit(staff.orders, customer, { name: 'Renamed', isAdmin: false })).statusCode).toBe(200);
  for (const [who, change] of [
    [colleague, { email: 'thief@example.com' }],
    [colleague, { isAdmin: false }],
    [customer, { isAdmin: true }],
    [staff.orders, { staffRole: 'owner' }],
  ] as const) {
    const reply = await edit(staff.orders, who, change);
    expect([reply.statusCode, reply.json().errors]).toMatchObject([403, { right: expect.any(String) }]);
  }
  expect((await send(staff.orders, 'DELETE', `/api/users/${colleague._id}`)).statusCode).toBe(403);
  expect((await edit(staff.owner, colleague, { staffRole: 'cook' })).json().errors).toEqual({
    staffRole: 'The role must be one of owner, orders, catalogue, money, read-only.',
  });
  const changed = await edit(staff.owner, colleague, { staffRole: 'money' });
  expect(changed.json<EditedUser>().staffRole).toBe('money');
  // The specified call says nothing of roles: it leaves one as it is, and makes an owner of a new administrator.
  expect((await edit(staff.owner, colleague, {})).json<EditedUser>().staffRole).toBe('money');
  await edit(staff.owner, colleague, { isAdmin: false });
  expect((await edit(staff.owner, colleague, {})).json<EditedUser>().staffRole).toBe('owner');
  const { changes } = (await send(staff.owner, 'GET', `/api/users/${colleague._id}`)).json<{ changes: { change: string }[] }>();
  expect(changes.map(({ change }) => change)).toEqual([
    'Changed: made an administrator',
    'Changed: no longer an administrator',
    'Changed: role from Catalogue to Money',
  ]);
});

test('the history of an administrator’s account, and all that is held on it, is for owners and for themselves (§13.5)', async () => {
  const colleague = await anAdmin(db, { staffRole: 'orders' });
  await edit(staff.owner, colleague, { name: 'Renamed' });
  const seenBy = async (who: SignedIn) => [
    (await send(who, 'GET', `/api/users/${colleague._id}`)).json<{ changes: unknown[] }>().changes.length,
    (await send(who, 'POST', `/api/office/users/${colleague._id}/export`)).statusCode,
  ];
  expect([await seenBy(staff.orders), await seenBy(colleague), await seenBy(staff.owner)]).toEqual([
    [0, 403],
    [1, 200],
    [2, 200],
  ]);
});

test('the last owner keeps the role, whatever others are left', async () => {
  await db
    .updateTable('users')
    .set({ staffRole: 'read-only' })
    .where('id', '<>', staff.owner._id)
    .where('staffRole', '=', 'owner')
    .where('isAdmin', '=', true)
    .execute();
  for (const change of [{ staffRole: 'orders' }, { isAdmin: false }]) {
    const reply = await edit(staff.owner, staff.owner, change);
    expect([reply.statusCode, reply.json().message]).toEqual([409, 'This is the last owner. Make someone else an owner first.']);
  }
});

test('a right that was taken away before the turn comes does nothing any more', async () => {
  const who = await anAdmin(db, { staffRole: 'orders' });
  const buyer = await aCustomer(db);
  const url = `/api/office/users/${buyer._id}/notes`;
  const late = await whileWaiting(
    db,
    who,
    () => send(who, 'POST', url, { text: 'Too late' }),
    (tx) => tx.updateTable('users').set({ staffRole: 'read-only' }).where('id', '=', who._id).execute(),
  );
  expect([late.statusCode, late.json().errors]).toMatchObject([403, { right: expect.any(String) }]);
  expect((await send(staff.owner, 'GET', url)).json().notes).toEqual([]);
});

test('staff who only see change nothing of a customer’s order by the calls of customers either (§13.5)', async () => {
  const buyer = await aCustomer(db, { name: 'Benny Buyer' });
  const order = (await send(buyer, 'POST', '/api/orders', aPayload([aLine(await aProduct(db))]))).json<Order>();
  const own = apiRoutes.flatMap(({ endpoint: { role, method, url, name } }) =>
    role === 'customer' && method !== 'GET' && url.startsWith('/api/orders/:id') ? [{ method, url, name }] : [],
  );
  expect(own.length).toBeGreaterThan(2);
  const bodies = [
    { deliveryNote: 'Leave it next door', reason: 'Another reason', lines: [{ line: 0, qty: 1 }] },
    { reason: 'Another reason' },
  ];
  for (const { method, url, name } of own)
    for (const role of ['read-only', 'money', 'catalogue'] as const)
      for (const body of bodies) {
        const { statusCode } = await send(staff[role], method, url.replace(':id', order._id), body);
        expect([name, role, [400, 404].includes(statusCode)]).toEqual([name, role, true]);
      }
  const read = async () => (await send(staff.owner, 'GET', `/api/orders/${order._id}`)).json<Order>();
  expect(await read()).toMatchObject({ deliveryNote: '', status: 'placed' });
  const note = (who: SignedIn, deliveryNote: string) => send(who, 'PUT', `/api/orders/${order._id}/delivery-note`, { deliveryNote });
  expect([(await note(buyer, 'Ring twice')).statusCode, (await note(staff.orders, 'Ring once')).statusCode]).toEqual([200, 200]);
  const notes = (await read()).events.filter(({ kind }) => kind === 'note for the driver');
  expect(notes.map(({ actor }) => actor).sort()).toEqual(['The customer', 'orders']);
  const { rows } = await sql<{ change: string }>`select change from audit_entries where entity_id = ${order._id}`.execute(db);
  expect(rows.map(({ change }) => change)).toContain('Changed the note for the driver');
});

test('who gives no refunds by hand gives back what is due for a return, and no more (§13.5)', async () => {
  const buyer = await aCustomer(db);
  const product = await aProduct(db, { price: 10_000 });
  const order = (await send(buyer, 'POST', '/api/orders', aPayload([{ ...aLine(product), qty: 3 }]))).json<Order>();
  await send(staff.owner, 'PUT', `/api/orders/${order._id}/deliver`, { isDelivered: true });
  const wish = { lines: [{ line: 0, qty: 1 }], reason: 'It does not fit' };
  await send(staff.orders, 'POST', `/api/office/orders/${order._id}/returns`, wish);
  const id = (await send(staff.owner, 'GET', `/api/orders/${order._id}`)).json<Order>().returns[0]?._id;
  const receive = (amount: number) =>
    send(staff.orders, 'POST', `/api/office/returns/${id}/received`, {
      lines: [{ line: 0, restocked: 0, spoiled: 1 }],
      amount,
      answer: '',
    });
  const tooMuch = await receive(30_000);
  expect([tooMuch.statusCode, tooMuch.json().message]).toEqual([
    403,
    'At most £100.00 is due for these pieces. Only staff who may move money can refund more.',
  ]);
  expect((await receive(10_000)).statusCode).toBe(200);
  const { rows } = await sql<{
    change: string;
  }>`select change from audit_entries where entity_id = ${order._id} order by id desc limit 1`.execute(db);
  expect(rows[0]?.change).toMatch(/^Received the return of .*, waived £100\.00$/);
});

test('who sees no customers reads reviews with the public name of their author (§13.5)', async () => {
  const review = await aReview(shop, await aProduct(db), { text: 'Good', name: 'Quentin Fullname' });
  const nameFor = async (role: StaffRole) =>
    (await send(staff[role], 'GET', '/api/office/reviews')).json<OfficeReviewList>().reviews.find(({ _id }) => _id === review._id)
      ?.customer;
  expect([await nameFor('owner'), await nameFor('catalogue')]).toEqual(['Quentin Fullname', 'Quentin F.']);
});
