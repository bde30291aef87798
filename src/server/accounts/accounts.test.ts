import { expect, test } from 'vitest';
import type { Session } from '#contract/accounts/users.ts';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { type Method, userCalls } from '#server/testing/user-calls.ts';

const shop = await testShop({ env: { RATE_LIMIT_FACTOR: '1000' } });
const { db } = shop;
const { ask, send, customer, admin, logIn, isLoggedIn, edit } = await userCalls(shop);
const countAdmins = async () =>
  (
    await db
      .selectFrom('users')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('isAdmin', '=', true)
      .executeTakeFirstOrThrow()
  ).n;

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const roles = { visitor: {}, customer: customer.headers, admin: admin.headers };
const good = { name: 'A', email: 'a@example.com', password: 'long enough' };
const long = 'x'.repeat(300);

const mistakes: [keyof typeof roles, Method, string, object, string, string][] = [
  ['visitor', 'POST', '', { ...good, name: undefined }, 'name', 'Name is required'],
  ['visitor', 'POST', '', { ...good, name: '   ' }, 'name', 'Name is required'],
  ['visitor', 'POST', '', { ...good, name: 7 }, 'name', 'Name is required'],
  ['visitor', 'POST', '', { ...good, name: long }, 'name', 'Name is too long'],
  ['visitor', 'POST', '', { ...good, name: 'A\u0007B' }, 'name', 'Name must be one line of text'],
  ['visitor', 'POST', '', { ...good, name: 'A\r\nBcc: x' }, 'name', 'Name must be one line of text'],
  ['visitor', 'POST', '', { ...good, email: '' }, 'email', 'Email is required'],
  ['visitor', 'POST', '', { ...good, email: 'a@b' }, 'email', 'Email is invalid'],
  ['visitor', 'POST', '', { ...good, email: 'a@example.com, b@example.com' }, 'email', 'Email is invalid'],
  ['visitor', 'POST', '', { ...good, email: `${long}@example.com` }, 'email', 'Email is invalid'],
  ['visitor', 'POST', '', { ...good, email: { $ne: null } }, 'email', 'Email is required'],
  ['visitor', 'POST', '', { ...good, password: undefined }, 'password', 'Password is required'],
  ['visitor', 'POST', '', { ...good, password: '1234567' }, 'password', 'Password must be at least 8 characters'],
  ['visitor', 'POST', '', { ...good, password: long }, 'password', 'Password is too long'],
  ['visitor', 'POST', '/login', {}, 'email', 'Email is required'],
  ['visitor', 'POST', '/login', { email: 'a@example.com' }, 'password', 'Password is required'],
  ['visitor', 'POST', '/login', { email: ['a@example.com'], password: 'x' }, 'email', 'Email is required'],
  ['visitor', 'POST', '/forgot-password', {}, 'email', 'Email is required'],
  ['visitor', 'POST', '/forgot-password', { email: 'nonsense' }, 'email', 'Email is invalid'],
  ['visitor', 'POST', '/verify-otp', { email: 'a@example.com' }, 'otp', 'The code is required'],
  ['visitor', 'POST', '/verify-otp', { email: 'a@example.com', otp: '12345' }, 'otp', 'The code has 6 digits'],
  ['visitor', 'POST', '/verify-otp', { email: 'a@example.com', otp: 123_456 }, 'otp', 'The code is required'],
  ['visitor', 'POST', '/reset-password', { email: 'a@example.com', otp: '123456' }, 'newPassword', 'Password is required'],
  [
    'visitor',
    'POST',
    '/reset-password',
    { email: 'a@example.com', otp: '123456', newPassword: 'short' },
    'newPassword',
    'Password must be at least 8 characters',
  ],
  ['customer', 'PUT', '/profile', {}, 'name', 'Name is required'],
  ['customer', 'PUT', '/profile', { name: 'A', email: 'nonsense' }, 'email', 'Email is invalid'],
  ['customer', 'PUT', '/profile', { name: 'A', password: 'short' }, 'password', 'Password must be at least 8 characters'],
  ['customer', 'PUT', '/profile', { name: 'A', password: 'long enough' }, 'currentPassword', 'Current password is required'],
  [
    'customer',
    'PUT',
    '/profile',
    { name: 'A', email: 'b@example.com', currentPassword: '' },
    'currentPassword',
    'Current password is required',
  ],
  [
    'customer',
    'PUT',
    '/profile',
    { name: 'A', email: 'b@example.com', currentPassword: 7 },
    'currentPassword',
    'Current password is required',
  ],
  [
    'customer',
    'PUT',
    '/profile',
    { name: 'A', password: 'long enough', currentPassword: 'a guess' },
    'currentPassword',
    'Current password is wrong',
  ],
  [
    'customer',
    'PUT',
    '/profile',
    { name: 'A', email: 'b@example.com', currentPassword: long },
    'currentPassword',
    'Current password is wrong',
  ],
  ['admin', 'PUT', `/${UNKNOWN}`, { name: '', email: 'a@example.com', isAdmin: false }, 'name', 'Name is required'],
  ['admin', 'PUT', `/${UNKNOWN}`, { name: 'A', email: 'nonsense', isAdmin: false }, 'email', 'Email is invalid'],
  ['admin', 'PUT', `/${UNKNOWN}`, { name: 'A', email: 'a@example.com' }, 'isAdmin', 'isAdmin must be true or false'],
  ['admin', 'PUT', `/${UNKNOWN}`, { name: 'A', email: 'a@example.com', isAdmin: 'true' }, 'isAdmin', 'isAdmin must be true or false'],
];
test.each(mistakes)('%s: %s /api/users%s with %j is refused by field (§2.10.5)', async (role, method, url, payload, field, message) => {
  const reply = await send(method, url, payload, roles[role]);
  expect([reply.statusCode, reply.json().errors[field]]).toEqual([400, message]);
  expect(typeof reply.json().message).toBe('string');
});

let registrations = 0;
const aStranger = () => `common-${++registrations}`;

test.each(['password123', 'changeme1', 'Test1234', '11111111', 'ｐａｓｓｗｏｒｄ'])(
  'the common password %s has 8 characters, so the calls take it wherever one is chosen: the forms advise against it (§13.1)',
  async (password) => {
    const registered = await send('POST', '', { ...good, email: `${aStranger()}@example.com`, password });
    expect(registered.statusCode).toBe(201);
    const user = await aCustomer(db);
    const changed = await send('PUT', '/profile', { name: 'A', password, currentPassword: PASSWORD }, user.headers);
    expect(changed.statusCode).toBe(200);
    await send('POST', '/forgot-password', { email: user.email });
    await runJobs(shop.services);
    const otp = /^\d{6}$/m.exec((await mailsOf(shop.dataDir, user.email)).at(-1)?.text ?? '')?.[0];
    expect((await send('POST', '/reset-password', { email: user.email, otp, newPassword: password })).statusCode).toBe(200);
    expect((await send('POST', '/login', { email: user.email, password })).statusCode).toBe(200);
  },
);

test('an administrator changes their own address in the list of users, and both addresses hear of it (§2.10.5)', async () => {
  const me = await anAdmin(db);
  const email = `new-${me.email}`;
  const reply = await send('PUT', `/${me._id}`, { name: me.name, email, isAdmin: true }, me.headers);
  expect([reply.statusCode, reply.json()]).toMatchObject([200, { email }]);
  await runJobs(shop.services);
  const subjects = async (to: string) => (await mailsOf(shop.dataDir, to)).map(({ subject }) => subject);
  expect(await subjects(me.email)).toEqual(['Your email address was changed']);
  expect(await subjects(email)).toEqual(['Please confirm your email address']);
});

const refusals: [keyof typeof roles, Method, string, object | undefined, number, string][] = [
  ['visitor', 'POST', '/login', { email: 'nobody@example.com', password: 'x' }, 401, 'Invalid email or password'],
  ['visitor', 'POST', '/login', { email: 'no\u0000body@example.com', password: 'x' }, 401, 'Invalid email or password'],
  ['visitor', 'POST', '', { ...good, email: customer.email.toUpperCase() }, 409, 'User Already Exists'],
  ['visitor', 'POST', '/logout', {}, 401, 'Please log in.'],
  ['visitor', 'PUT', '/profile', { name: 'A' }, 401, 'Please log in.'],
  ['visitor', 'GET', '', undefined, 401, 'Please log in.'],
  ['visitor', 'GET', `/${customer._id}`, undefined, 401, 'Please log in.'],
  ['visitor', 'PUT', `/${customer._id}`, { isAdmin: true }, 401, 'Please log in.'],
  ['visitor', 'DELETE', `/${customer._id}`, undefined, 401, 'Please log in.'],
  ['customer', 'PUT', '/profile', { name: 'A', email: admin.email, currentPassword: PASSWORD }, 409, 'User Already Exists'],
  ['customer', 'GET', '', undefined, 403, 'Only administrators may do this.'],
  ['customer', 'GET', `/${customer._id}`, undefined, 403, 'Only administrators may do this.'],
  ['customer', 'PUT', `/${customer._id}`, { isAdmin: true }, 403, 'Only administrators may do this.'],
  ['customer', 'DELETE', `/${admin._id}`, undefined, 403, 'Only administrators may do this.'],
  ['admin', 'GET', `/${UNKNOWN}`, undefined, 404, 'User not found'],
  ['admin', 'GET', "/1'; drop table users; --", undefined, 404, 'User not found'],
  ['admin', 'PUT', `/${UNKNOWN}`, { ...good, isAdmin: false }, 404, 'User not found'],
  ['admin', 'PUT', '/nonsense', { ...good, isAdmin: true }, 404, 'User not found'],
  ['admin', 'PUT', `/${customer._id}`, { name: 'A', email: admin.email, isAdmin: false }, 409, 'User Already Exists'],
  ['admin', 'DELETE', `/${UNKNOWN}`, undefined, 404, 'User not found'],
  ['admin', 'DELETE', '/nonsense', undefined, 404, 'User not found'],
  ['admin', 'DELETE', `/${admin._id}`, undefined, 409, 'You cannot delete your own account.'],
];
test.each(refusals)('%s: %s /api/users%s with %j is answered %i, %s', async (role, method, url, payload, status, message) => {
  const reply = await send(method, url, payload, roles[role]);
  expect([reply.statusCode, reply.json().message]).toEqual([status, message]);
});

test('no body names more of an account than its fields: nobody registers or edits themselves into an administrator (§13.1)', async () => {
  const extra = { isAdmin: true, is_admin: true, _id: UNKNOWN, role: 'admin', passwordHash: 'x', createdAt: '2000-01-01' };
  const session = (await send('POST', '', { ...good, email: 'plain@example.com', ...extra })).json<Session>();
  await send('PUT', '/profile', { name: 'A', ...extra }, { bearer: session.token });
  const [row] = await db.selectFrom('users').selectAll().where('email', '=', 'plain@example.com').execute();
  expect(row).toMatchObject({
    id: session._id,
    isAdmin: false,
    passwordHash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
  });
  expect(Date.parse(row?.createdAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
});

test('what a change leaves out stays, also when two changes of one profile meet', async () => {
  const user = await aCustomer(db);
  await Promise.all([
    send('PUT', '/profile', { name: 'Only a name' }, user.headers),
    send('PUT', '/profile', { name: 'Only a name', email: `moved-${user.email}`, currentPassword: PASSWORD }, user.headers),
    send('PUT', '/profile', { name: 'Only a name', email: '', password: '' }, user.headers),
  ]);
  expect((await logIn(`moved-${user.email}`, PASSWORD)).json()).toMatchObject({ _id: user._id, name: 'Only a name' });
});

test('of two profiles that want one address at the same time one gets it', async () => {
  const users = [await aCustomer(db), await aCustomer(db)];
  const replies = await Promise.all(
    users.map(({ headers }) => send('PUT', '/profile', { name: 'A', email: 'wanted@example.com', currentPassword: PASSWORD }, headers)),
  );
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
});

test('a changed address is confirmed by mail to the old and the new one, by its owner’s change or an administrator’s; the same address in other letters is not', async () => {
  const user = await aCustomer(db, { email: 'same-old@example.com' });
  await send('PUT', '/profile', { name: 'A', email: 'Same-Old@example.com' }, user.headers);
  await edit(admin, user, { name: 'B', email: 'SAME-OLD@example.com' });
  await runJobs(shop.services);
  expect(await mailsOf(shop.dataDir, 'same-old@example.com')).toEqual([]);
  await edit(admin, user, { email: 'brand-new@example.com' });
  await runJobs(shop.services);
  const [told] = await mailsOf(shop.dataDir, 'SAME-OLD@example.com');
  expect([told?.subject, told?.text?.replaceAll('\u200b', '')]).toEqual([
    'Your email address was changed',
    expect.stringContaining('from SAME-OLD@example.com to brand-new@example.com'),
  ]);
  const [asked] = await mailsOf(shop.dataDir, 'brand-new@example.com');
  expect([asked?.subject, asked?.text]).toEqual(['Please confirm your email address', expect.not.stringMatching(/same-old/i)]);
});

test('what administrators do to users is written down in words, without secrets', async () => {
  const user = await aCustomer(db, { name: 'Before' });
  await edit(admin, user, { name: 'After', email: `new-${user.email}` });
  await edit(admin, user, { name: 'After', email: `new-${user.email}` });
  await edit(admin, user, { name: 'After', email: `new-${user.email}`, isAdmin: true });
  const { changes } = (await send('GET', `/${user._id}`, undefined, admin.headers)).json();
  expect(changes.map(({ actor, change }: Record<string, string>) => [actor, change])).toEqual([
    ['Ada Admin', 'Changed: made an administrator'],
    ['Ada Admin', 'Changed: name from “Before” to “After”, email address'],
  ]);
  await edit(admin, user, { isAdmin: false });
});

test('a user’s detail counts their orders and what they spent, in pence', async () => {
  const user = await aCustomer(db);
  const product = await aProduct(db, { price: 1_250 });
  for (const qty of [1, 2])
    await ask({ method: 'POST', url: '/api/orders', headers: user.headers, payload: aPayload([aLine(product, { qty })]) });
  const detail = (await send('GET', `/${user._id}`, undefined, admin.headers)).json();
  expect(detail).toEqual({
    _id: user._id,
    staffRole: 'owner',
    name: user.name,
    email: user.email,
    isAdmin: false,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    orderCount: 2,
    isConfirmed: true,
    spent: 3_750,
    changes: [],
  });
});

test('a deleted user is logged out everywhere; the orders keep name and address, and the address is free again (§7.8, §13.2)', async () => {
  const user = await aCustomer(db, { name: 'Soon Gone' });
  const payload = aPayload([aLine(await aProduct(db))]);
  const order = (await ask({ method: 'POST', url: '/api/orders', headers: user.headers, payload })).json();
  expect((await send('DELETE', `/${user._id}`, undefined, admin.headers)).statusCode).toBe(200);
  expect([await isLoggedIn(user.token), (await logIn(user.email, PASSWORD)).statusCode]).toEqual([false, 401]);
  const kept = (await ask({ url: `/api/orders/${order._id}`, headers: admin.headers })).json();
  expect([kept.user, kept.totalPrice]).toEqual([{ _id: null, name: 'Soon Gone', email: user.email }, order.totalPrice]);
  const again = (await send('POST', '', { ...good, email: user.email })).json<Session>();
  const orders = (await ask({ url: '/api/orders/myorders', headers: { bearer: again.token } })).json();
  expect(orders.orders).toEqual([]);
});

test('an account that is deleted while it orders or logs in ends in a clear answer, never in a broken shop', async () => {
  const product = await aProduct(db, { stock: 1_000 });
  for (let round = 0; round < 8; round += 1) {
    const user = await aCustomer(db);
    const replies = await Promise.all([
      logIn(user.email, PASSWORD),
      ask({ method: 'POST', url: '/api/orders', headers: user.headers, payload: aPayload([aLine(product)]) }),
      send('PUT', '/profile', { name: 'A', email: `b-${user.email}`, currentPassword: PASSWORD }, user.headers),
      send('DELETE', `/${user._id}`, undefined, admin.headers),
    ]);
    for (const { statusCode } of replies) expect([200, 201, 401]).toContain(statusCode);
  }
});

test('however administrators demote and delete each other at once, one stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    await db.updateTable('users').set({ isAdmin: false }).where('isAdmin', '=', true).execute();
    const admins = [await anAdmin(db), await anAdmin(db), await anAdmin(db)];
    const replies = await Promise.all(
      admins.flatMap((who, n) => {
        const [next, after] = [admins[(n + 1) % 3] ?? who, admins[(n + 2) % 3] ?? who];
        return [
          edit(who, next, { isAdmin: false }),
          send('DELETE', `/${after._id}`, undefined, who.headers),
          edit(who, who, { isAdmin: false }),
        ];
      }),
    );
    for (const { statusCode } of replies) expect([200, 401, 403, 404, 409]).toContain(statusCode);
    expect(await countAdmins()).toBeGreaterThanOrEqual(1);
  }
  const [last] = await db.selectFrom('users').select(['id', 'name', 'email']).where('isAdmin', '=', true).execute();
  expect(last).toBeDefined();
});

test('the last administrator is told why they stay one', async () => {
  await db.updateTable('users').set({ isAdmin: false }).where('isAdmin', '=', true).execute();
  const only = await anAdmin(db);
  const reply = await edit(only, only, { isAdmin: false });
  expect([reply.statusCode, reply.json().message]).toEqual([409, 'This is the last administrator. Give someone else the role first.']);
  expect((await edit(only, only, { name: 'New Name', isAdmin: true })).statusCode).toBe(200);
});
