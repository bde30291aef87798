import { expect, test } from 'vitest';
import { createSession } from '#server/sessions/session.service.ts';
import { aCustomer, anAdmin, PASSWORD, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { inTurn } from '#server/testing/processes.ts';
import { demote, endSessionOf, whileWaiting } from '#server/testing/while-waiting.ts';
import { endOtp, storeOtp } from './reset.service.ts';

/** Writes that were allowed on arrival, but no longer when their turn comes. */
const shop = await testShop({ env: { RATE_LIMIT_FACTOR: '1000' } });
const { db } = shop;
const ask = await inTurn(shop);

type Sent = ReturnType<typeof ask>;
const change = (token: string, payload: object) =>
  ask({ method: 'PUT', url: '/api/users/profile', headers: { bearer: token }, payload: { name: 'N', ...payload } });
const edit = (who: SignedIn, user: SignedIn, isAdmin: boolean) =>
  ask({
    method: 'PUT',
    url: `/api/users/${user._id}`,
    headers: who.headers,
    payload: { name: user.name, email: user.email, isAdmin },
  });
const remove = (who: SignedIn, user: SignedIn) => ask({ method: 'DELETE', url: `/api/users/${user._id}`, headers: who.headers });
const logIn = async (email: string, password: string) =>
  (await ask({ method: 'POST', url: '/api/users/login', payload: { email, password } })).statusCode;
const isLoggedIn = async (token: string) => (await ask({ url: '/api/orders/myorders', headers: { bearer: token } })).statusCode === 200;

test('of two new passwords at the same time, from the owner and from a thief of a session, one stands and the other hears of it (§13.2)', async () => {
  for (let round = 0; round < 10; round += 1) {
    const owner = await aCustomer(db);
    const tokens = [owner.token, await createSession(db, owner._id)];
    const passwords = ['the first of two', 'the second of two'];
    const replies = await Promise.all(tokens.map((token, n) => change(token, { password: passwords[n], currentPassword: PASSWORD })));
    // The other session is over by then, or its current password is no longer right, whichever is looked at first.
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, expect.toBeOneOf([400, 401])]);
    const won = replies.findIndex(({ statusCode }) => statusCode === 200);
    expect(await Promise.all(passwords.map((password) => logIn(owner.email, password)))).toEqual(won === 0 ? [200, 401] : [401, 200]);
    expect(await Promise.all(tokens.map(isLoggedIn))).toEqual([won === 0, won === 1]);
  }
});

test('of two new passwords at the same time in one session, the second is told that the current password is another one now', async () => {
  const owner = await aCustomer(db);
  const replies = await Promise.all(
    ['the first of two', 'the second of two'].map((password) => change(owner.token, { password, currentPassword: PASSWORD })),
  );
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
  const refused = replies.find(({ statusCode }) => statusCode === 400)?.json();
  expect(refused.errors).toEqual({ currentPassword: 'Current password is wrong' });
});

test.each([
  ['a new password', { password: 'a new password', currentPassword: PASSWORD }],
  ['a new address', { email: 'thief@example.com', currentPassword: PASSWORD }],
  ['a new name', { name: 'Thief' }],
])('%s is refused when the session ends before its turn comes', async (_, payload) => {
  const user = await aCustomer(db);
  const reply = await whileWaiting(db, user, () => change(user.token, payload), endSessionOf(user));
  expect([reply.statusCode, reply.json().message]).toEqual([401, 'Please log in.']);
  const row = await db.selectFrom('users').select(['name', 'email']).where('id', '=', user._id).executeTakeFirstOrThrow();
  expect(row).toEqual({ name: user.name, email: user.email });
  expect(await logIn(user.email, PASSWORD)).toBe(200);
});

test('an address that an administrator changes meanwhile is not put back without the current password', async () => {
  const user = await aCustomer(db);
  const moved = `moved-${user.email}`;
  const reply = await whileWaiting(
    db,
    user,
    () => change(user.token, { email: user.email }),
    (tx) => tx.updateTable('users').set({ email: moved }).where('id', '=', user._id).execute(),
  );
  expect([reply.statusCode, reply.json().errors]).toEqual([400, { currentPassword: 'Current password is required' }]);
  expect(await logIn(moved, PASSWORD)).toBe(200);
});

test('a code is not stored or mailed for an address that the account leaves meanwhile', async () => {
  const user = await aCustomer(db);
  const moved = `moved-${user.email}`;
  const stored = await whileWaiting(
    db,
    user,
    () => storeOtp(db, user.email, Buffer.alloc(32).toString('base64url'), { otp: '123456', link: 'a'.repeat(42) }),
    (tx) => tx.updateTable('users').set({ email: moved }).where('id', '=', user._id).execute(),
  );
  expect(stored).toBeUndefined();
  expect(await db.selectFrom('passwordResets').select('userId').where('userId', '=', user._id).execute()).toEqual([]);
});

test('a reset that meets a change of the same account is answered, and neither waits for the other in a circle', async () => {
  const user = await aCustomer(db);
  await storeOtp(db, user.email, Buffer.alloc(32).toString('base64url'), { otp: '123456', link: 'a'.repeat(42) });
  const payload = { email: user.email, otp: '123456', newPassword: 'a new password' };
  const reply = await whileWaiting(
    db,
    user,
    () => ask({ method: 'POST', url: '/api/users/reset-password', payload }),
    (tx) => endOtp(tx, user._id),
  );
  expect([reply.statusCode, reply.json().message]).toEqual([400, 'Invalid or expired code']);
  expect(await logIn(user.email, PASSWORD)).toBe(200);
});

const acts: [string, (who: SignedIn, victim: SignedIn) => Sent][] = [
  ['promotes', (who, victim) => edit(who, victim, true)],
  ['edits', (who, victim) => edit(who, { ...victim, name: 'Changed' }, false)],
  ['deletes', remove],
];
test.each(acts)('an administrator who is demoted before the turn comes %s nobody (§6.3)', async (_, act) => {
  await anAdmin(db);
  const [who, victim] = [await anAdmin(db), await aCustomer(db)];
  const reply = await whileWaiting(db, who, () => act(who, victim), demote(who));
  expect([reply.statusCode, reply.json().message]).toEqual([403, 'Only administrators may do this.']);
  const row = await db.selectFrom('users').select(['name', 'isAdmin']).where('id', '=', victim._id).executeTakeFirst();
  expect(row).toEqual({ name: victim.name, isAdmin: false });
});

test.each(acts)('an administrator whose session ends before the turn comes %s nobody', async (_, act) => {
  const [who, victim] = [await anAdmin(db), await aCustomer(db)];
  const reply = await whileWaiting(db, who, () => act(who, victim), endSessionOf(who));
  expect(reply.statusCode).toBe(401);
  expect(await db.selectFrom('users').select('isAdmin').where('id', '=', victim._id).executeTakeFirst()).toEqual({ isAdmin: false });
});

test('administrators who promote, demote and delete each other at once never wait for each other in a circle', async () => {
  for (let round = 0; round < 5; round += 1) {
    const admins = [await anAdmin(db), await anAdmin(db), await anAdmin(db)] as const;
    const [a, b, c] = admins;
    const plain = await aCustomer(db);
    const replies = await Promise.all([
      edit(a, b, false),
      edit(b, a, false),
      edit(c, plain, true),
      remove(a, c),
      remove(b, c),
      edit(plain, a, false),
    ]);
    for (const { statusCode } of replies) expect([200, 401, 403, 404]).toContain(statusCode);
  }
});
