import { expect, test } from 'vitest';
import type { Session, UserDetail } from '#contract/accounts/users.ts';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, anAdmin, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';

const shop = await testShop({ env: { TRUST_PROXY: '127.0.0.1' } });
const { app, db } = shop;

let visitors = 0;
/** Each visitor has an IP address of their own, so rate limits do not leak between tests. */
const aVisitor = () => ({ 'x-forwarded-for': `10.0.${Math.floor(++visitors / 250)}.${visitors % 250}` });
async function send(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  headers: Record<string, string> = aVisitor(),
) {
  return app.inject({ method, url, headers, ...(payload && { payload }) });
}
const logIn = (email: string, password: string, headers = aVisitor()) => send('POST', '/api/users/login', { email, password }, headers);
const isLoggedIn = async (token: string) => (await send('GET', '/api/orders/myorders', undefined, { bearer: token })).statusCode === 200;

/** The newest code mailed to an address. */
async function otpOf(email: string): Promise<string> {
  await runJobs(shop.services);
  const mail = (await mailsOf(shop.dataDir, email)).findLast(({ subject }) => /code/.test(subject ?? ''));
  return /\d{6}/.exec(mail?.text ?? '')?.[0] ?? '';
}

test('a visitor registers, is logged in, and logs out', async () => {
  const reply = await send('POST', '/api/users', { name: 'Nia', email: 'Nia@Example.com', password: 'long enough' });
  expect(reply.statusCode).toBe(201);
  const session = reply.json<Session>();
  expect(session).toEqual({ _id: expect.any(String), name: 'Nia', email: 'Nia@Example.com', isAdmin: false, token: expect.any(String) });
  expect(await isLoggedIn(session.token)).toBe(true);
  expect((await send('POST', '/api/users/logout', {}, { bearer: session.token })).statusCode).toBe(200);
  expect(await isLoggedIn(session.token)).toBe(false);
});

test('an address is taken whatever the case of its letters, also when two ask at once (§13.1)', async () => {
  const register = (email: string) => send('POST', '/api/users', { name: 'A', email, password: 'long enough' });
  const replies = await Promise.all(['twin@example.com', 'TWIN@example.com'].map(register));
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
  expect((await register('Twin@Example.com')).json().message).toBe('User Already Exists');
});

test.each([
  [{ name: '', email: 'a@b.co', password: 'long enough' }, 'name', 'Name is required'],
  [{ name: 'A', email: 'nonsense', password: 'long enough' }, 'email', 'Email is invalid'],
  [{ name: 'A', email: 'a@b.co', password: 'short' }, 'password', 'Password must be at least 8 characters'],
  [{}, 'name', 'Name is required'],
])('registering with %j is refused by field (§13.1)', async (payload, field, message) => {
  const reply = await send('POST', '/api/users', payload);
  expect([reply.statusCode, reply.json().errors[field]]).toEqual([400, message]);
});

test('a wrong password and an unknown address get the same answer (§13.1)', async () => {
  const user = await aCustomer(db);
  const replies = [await logIn(user.email, 'wrong'), await logIn('nobody@example.com', 'wrong')];
  for (const reply of replies) expect([reply.statusCode, reply.json()]).toEqual([401, { message: 'Invalid email or password' }]);
  expect((await logIn(user.email.toUpperCase(), PASSWORD)).json()).toMatchObject({ _id: user._id, isAdmin: false });
});

test('a success clears the count of those who mistyped', async () => {
  const user = await aCustomer(db);
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < 9; n += 1) await logIn(user.email, 'typo');
    expect((await logIn(user.email, PASSWORD)).statusCode).toBe(200);
  }
});

test('the token travels in either header (§6.1)', async () => {
  const user = await aCustomer(db);
  const ways: Record<string, string>[] = [{ bearer: user.token }, { authorization: `Bearer ${user.token}` }];
  for (const headers of ways) expect((await send('GET', '/api/orders/myorders', undefined, headers)).statusCode).toBe(200);
  expect((await send('GET', '/api/orders/myorders', undefined, { bearer: 'x' })).statusCode).toBe(401);
});

test('a profile changes the session’s own user, whatever the body names', async () => {
  const [user, other] = [await aCustomer(db), await aCustomer(db)];
  const reply = await send(
    'PUT',
    '/api/users/profile',
    { _id: other._id, token: other.token, name: 'New Name', isAdmin: true },
    user.headers,
  );
  expect(reply.json()).toEqual({ _id: user._id, name: 'New Name', email: user.email, isAdmin: false, token: user.token });
  expect(
    (await send('PUT', '/api/users/profile', { name: 'X', email: other.email, currentPassword: PASSWORD }, user.headers)).json().message,
  ).toBe('User Already Exists');
  expect((await send('PUT', '/api/users/profile', { name: '' }, user.headers)).statusCode).toBe(400);
  expect((await send('PUT', '/api/users/profile', { name: 'X' })).statusCode).toBe(401);
});

test('a new password ends the other sessions and is told by mail; a new address is told to both (§13.2)', async () => {
  const user = await aCustomer(db);
  const other = (await logIn(user.email, PASSWORD)).json<Session>();
  const change = { name: user.name, email: 'moved@example.com', password: 'another one', currentPassword: PASSWORD };
  await send('PUT', '/api/users/profile', change, user.headers);
  expect([await isLoggedIn(user.token), await isLoggedIn(other.token)]).toEqual([true, false]);
  expect((await logIn('moved@example.com', 'another one')).statusCode).toBe(200);
  await runJobs(shop.services);
  expect((await mailsOf(shop.dataDir, user.email)).map(({ subject }) => subject)).toEqual([
    'Your password was changed',
    'Your email address was changed',
  ]);
  expect(await mailsOf(shop.dataDir, 'moved@example.com')).toHaveLength(1);
});

test('a forgotten password is reset by the mailed code, which then is used up and ends all sessions', async () => {
  const user = await aCustomer(db);
  const replies = [
    await send('POST', '/api/users/forgot-password', { email: user.email }),
    await send('POST', '/api/users/forgot-password', { email: 'nobody@example.com' }),
  ];
  expect(replies[0]?.json()).toEqual(replies[1]?.json());
  const otp = await otpOf(user.email);
  expect((await send('POST', '/api/users/verify-otp', { email: user.email, otp })).statusCode).toBe(200);
  const reset = () => send('POST', '/api/users/reset-password', { email: user.email, otp, newPassword: 'brand new one' });
  expect((await reset()).statusCode).toBe(200);
  expect((await reset()).statusCode).toBe(400);
  expect(await isLoggedIn(user.token)).toBe(false);
  expect((await logIn(user.email, 'brand new one')).statusCode).toBe(200);
});

test('a code dies after five wrong tries, also when they come at once, and a new code replaces the old (§13.3)', async () => {
  const user = await aCustomer(db);
  await send('POST', '/api/users/forgot-password', { email: user.email });
  const first = await otpOf(user.email);
  const wrong = first === '000000' ? '000001' : '000000';
  await Promise.all(Array.from({ length: 5 }, () => send('POST', '/api/users/verify-otp', { email: user.email, otp: wrong })));
  expect((await send('POST', '/api/users/verify-otp', { email: user.email, otp: first })).statusCode).toBe(400);
  await send('POST', '/api/users/forgot-password', { email: user.email });
  const second = await otpOf(user.email);
  expect((await send('POST', '/api/users/verify-otp', { email: user.email, otp: second })).statusCode).toBe(200);
});

test('a code dies after ten minutes (§13.3)', async () => {
  const user = await aCustomer(db);
  await send('POST', '/api/users/forgot-password', { email: user.email });
  const otp = await otpOf(user.email);
  await db
    .updateTable('passwordResets')
    .set({ expiresAt: new Date(Date.now() - 1).toISOString() })
    .where('userId', '=', user._id)
    .execute();
  expect((await send('POST', '/api/users/verify-otp', { email: user.email, otp })).statusCode).toBe(400);
});

test('administrators list, find, read, promote and delete users (§7.3)', async () => {
  const [admin, user] = [await anAdmin(db), await aCustomer(db, { name: 'Quentin Quirk' })];
  const find = async (query: string) => (await send('GET', `/api/users?${query}`, undefined, admin.headers)).json();
  for (const search of ['quentin', user.email, user._id]) {
    expect((await find(`search=${encodeURIComponent(search)}`)).users.map(({ _id }: Session) => _id)).toEqual([user._id]);
  }
  const past = await find('pageNumber=999');
  expect([past.users, past.page, past.pages >= 1]).toEqual([[], 999, true]);
  const edit = await send('PUT', `/api/users/${user._id}`, { name: 'Quentin', email: user.email, isAdmin: true }, admin.headers);
  expect(edit.json()).toMatchObject({ name: 'Quentin', isAdmin: true });
  const detail = (await send('GET', `/api/users/${user._id}`, undefined, admin.headers)).json();
  expect(detail).toMatchObject({
    orderCount: 0,
    spent: 0,
    changes: [{ actor: 'Ada Admin', change: 'Changed: name from “Quentin Quirk” to “Quentin”, made an administrator' }],
  });
  expect((await send('DELETE', `/api/users/${user._id}`, undefined, admin.headers)).statusCode).toBe(200);
  expect(await isLoggedIn(user.token)).toBe(false);
  for (const id of [user._id, 'nonsense']) expect((await send('GET', `/api/users/${id}`, undefined, admin.headers)).statusCode).toBe(404);
});

test('nobody deletes themselves, and the last administrator stays, also when two demote each other at once', async () => {
  const [a, b] = [await anAdmin(db), await anAdmin(db)];
  await db.updateTable('users').set({ isAdmin: false }).where('id', 'not in', [a._id, b._id]).execute();
  expect((await send('DELETE', `/api/users/${a._id}`, undefined, a.headers)).statusCode).toBe(409);
  const demote = (who: typeof a, whom: typeof a) =>
    send('PUT', `/api/users/${whom._id}`, { name: whom.name, email: whom.email, isAdmin: false }, who.headers);
  const replies = await Promise.all([demote(a, b), demote(b, a)]);
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  const { n } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('isAdmin', '=', true)
    .executeTakeFirstOrThrow();
  expect(n).toBe(1);
});

test('staff see whether anybody has proven that an address is theirs', async () => {
  const admin = await anAdmin(db);
  const email = 'unproven@example.com';
  const { _id } = (await send('POST', '/api/users', { name: 'Una Proven', email, password: PASSWORD })).json<Session>();
  const isConfirmed = async () => (await send('GET', `/api/users/${_id}`, undefined, admin.headers)).json<UserDetail>().isConfirmed;
  expect(await isConfirmed()).toBe(false);
  await send('POST', '/api/users/forgot-password', { email });
  await send('POST', '/api/users/reset-password', { email, otp: await otpOf(email), newPassword: 'Another-horse-1' });
  expect(await isConfirmed()).toBe(true);
});
