import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Session } from '#contract/accounts/users.ts';
import { aCustomer, anAdmin, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { userCalls } from '#server/testing/user-calls.ts';
import { createSession } from './session.service.ts';

const shop = await testShop({ env: { RATE_LIMIT_FACTOR: '1000' } });
const { db } = shop;
const { send, admin, logIn, isLoggedIn, edit } = await userCalls(shop);

test('a session’s token is kept as a hash, reveals nothing, and ends after thirty days (§13.2)', async () => {
  const user = await aCustomer(db);
  const { token } = (await logIn(user.email, PASSWORD)).json<Session>();
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  const rows = await sql<{ row: string; days: number }>`
    select s::text as row, extract(epoch from s.expires_at - now()) / 86400 as days from sessions s where user_id = ${user._id}`.execute(
    db,
  );
  expect(rows.rows).toHaveLength(2);
  for (const { row, days } of rows.rows) {
    expect(row).not.toContain(token);
    expect(row).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
    expect(Math.round(Number(days))).toBe(30);
  }
  await db.updateTable('sessions').set({ expiresAt: sql`now()` }).where('userId', '=', user._id).execute();
  expect(await isLoggedIn(token)).toBe(false);
});

test('each login is a session of its own; logging out ends that one only (§13.2)', async () => {
  const user = await aCustomer(db);
  const sessions = (await Promise.all([logIn(user.email, PASSWORD), logIn(user.email, PASSWORD)])).map((reply) => reply.json<Session>());
  const [one = '', other = ''] = sessions.map(({ token }) => token);
  expect(one).not.toBe(other);
  expect((await send('POST', '/logout', {}, { bearer: one })).statusCode).toBe(200);
  expect([await isLoggedIn(one), await isLoggedIn(other), await isLoggedIn(user.token)]).toEqual([false, true, true]);
  expect((await send('POST', '/logout', {}, { bearer: one })).statusCode).toBe(401);
});

test.each(['', ' ', 'x', 'null', 'undefined', 'Bearer', '\u00e9'.repeat(50), 'x'.repeat(4_000), "' or 1=1 --"])(
  'the token %j opens nothing',
  async (token) => {
    expect((await send('GET', '', undefined, { bearer: token })).statusCode).toBe(401);
    expect((await send('GET', '', undefined, { authorization: `Bearer ${token}` })).statusCode).toBe(401);
  },
);

test('rights are those of the moment: a demoted administrator is one no more, with the same session (§6.3)', async () => {
  const demoted = await anAdmin(db);
  expect((await send('GET', '', undefined, demoted.headers)).statusCode).toBe(200);
  await edit(admin, demoted, { isAdmin: false });
  expect((await send('GET', '', undefined, demoted.headers)).statusCode).toBe(403);
  expect(await isLoggedIn(demoted.token)).toBe(true);
});

test('a login with the old password that meets a change of it opens nothing for long', async () => {
  for (let round = 0; round < 15; round += 1) {
    const user = await aCustomer(db);
    const [one, other] = await Promise.all([
      logIn(user.email, PASSWORD),
      logIn(user.email, PASSWORD),
      send('PUT', '/profile', { name: 'A', password: 'a new password', currentPassword: PASSWORD }, user.headers),
    ]);
    for (const reply of [one, other]) {
      expect([200, 401]).toContain(reply.statusCode);
      if (reply.statusCode === 200) expect(await isLoggedIn(reply.json<Session>().token)).toBe(false);
    }
    expect([await isLoggedIn(user.token), (await logIn(user.email, 'a new password')).statusCode]).toEqual([true, 200]);
  }
});

test('an account keeps its fifty latest sessions', async () => {
  const customer = await aCustomer(db);
  for (let n = 0; n < 60; n += 1) await createSession(db, customer._id);
  const { n } = await db
    .selectFrom('sessions')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('userId', '=', customer._id)
    .executeTakeFirstOrThrow();
  expect(Number(n)).toBe(50);
});

test('sessions that a clock ahead of ours has dated end for staff, and keep nobody from logging in', async () => {
  const staff = await anAdmin(db);
  for (let n = 0; n < 50; n += 1) await createSession(db, staff._id);
  expect(await isLoggedIn(staff.token)).toBe(false);
  const { token: during } = (await logIn(staff.email, PASSWORD)).json<Session>();
  await sql`update sessions set created_at = now() + interval '40 days' where user_id = ${staff._id}`.execute(db);
  expect(await isLoggedIn(during)).toBe(false);
  const { token } = (await logIn(staff.email, PASSWORD)).json<Session>();
  expect(await isLoggedIn(token)).toBe(true);
});
