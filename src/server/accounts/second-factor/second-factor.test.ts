import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runJobs } from '#server/app/jobs.ts';
import { reseal, unseal } from '#server/platform/database/sealed-secret.ts';
import { LIMITS } from '#server/sessions/rate-limit.service.ts';
import { aCustomer, anAdmin, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { inTurn } from '#server/testing/processes.ts';
import { appCode, aSecondFactor } from '#server/testing/second-factor.ts';
import { SEALED_FACTORS } from './second-factor.service.ts';

const KEY = 'a key of at least thirty-two signs';
const shop = await testShop({ env: { TRUST_PROXY: '127.0.0.1', SECOND_FACTOR_KEY: KEY } });
const { app, db } = shop;
const ask = await inTurn(shop);
const URL = '/api/users/second-factor';

let count = 0;
const anAddress = () => `10.9.${Math.floor(++count / 250)}.${count % 250}`;
const logIn = (email: string, rest: { code?: string; device?: string; password?: string } = {}, ip = anAddress()) =>
  ask({ method: 'POST', url: '/api/users/login', headers: { 'x-forwarded-for': ip }, payload: { email, password: PASSWORD, ...rest } });
const statusOf = async (reply: ReturnType<typeof logIn>) => (await reply).statusCode;
const admin = await anAdmin(db);
const { secret, recoveryCodes } = await aSecondFactor(shop, admin);

test('after the password the login asks for a code, which is accepted once', async () => {
  const asked = await logIn(admin.email);
  expect([asked.statusCode, asked.json()]).toEqual([
    401,
    {
      message: 'Enter the 6-digit code from your authenticator app.',
      errors: { code: 'Enter the 6-digit code from your authenticator app.' },
    },
  ]);
  const code = appCode(secret);
  expect((await logIn(admin.email, { code, password: 'a guess' })).json()).toEqual({ message: 'Invalid email or password' });
  const both = await Promise.all([
    statusOf(logIn(admin.email, { code: `${code.slice(0, 3)} ${code.slice(3)}` })),
    statusOf(logIn(admin.email, { code })),
  ]);
  expect(both.sort()).toEqual([200, 401]);
  expect((await logIn(admin.email, { code })).json().errors.code).toBe('This code has already been used. Please wait for the next one.');
  expect((await logIn(admin.email, { code: appCode(secret, 5) })).json().errors.code).toBe('This code is wrong. Please try again.');
  expect(await statusOf(logIn(admin.email, { code: appCode(secret, 1) }))).toBe(200);
});

test('a recovery code lets in once, in any case of letters, and its owner hears of it', async () => {
  const [code = ''] = recoveryCodes;
  expect(recoveryCodes).toHaveLength(10);
  const both = await Promise.all([statusOf(logIn(admin.email, { code: code.toLowerCase() })), statusOf(logIn(admin.email, { code }))]);
  expect(both.sort()).toEqual([200, 401]);
  expect((await app.inject({ url: URL, headers: admin.headers })).json()).toMatchObject({
    isOn: true,
    recoveryCodes: 9,
    isRequired: false,
  });
  await runJobs(shop.services);
  const mails = await mailsOf(shop.dataDir, admin.email);
  expect(mails.map(({ subject }) => subject)).toEqual(['Two-step login was set up', 'One of your recovery codes was used']);
  expect(mails.at(-1)?.text).toContain('You have 9 left');
});

test('the database holds neither secret nor recovery codes in clear', async () => {
  const { rows } = await sql<{ row: string }>`
    select f::text as row from second_factors f where secret is not null union all select c::text from recovery_codes c`.execute(db);
  const bytes = Buffer.from(
    BigInt(`0b${[...secret].map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0')).join('')}`)
      .toString(16)
      .padStart(40, '0'),
    'hex',
  );
  expect(rows.length).toBe(10);
  for (const { row } of rows) {
    expect(row).not.toContain(bytes.toString('hex'));
    for (const code of recoveryCodes) expect(row).not.toContain(code);
  }
});

test('guesses at the code are limited for all networks together; on a known device the owner still gets in', async () => {
  const owner = await anAdmin(db);
  const device = randomBytes(32).toString('hex');
  const factor = await aSecondFactor(shop, owner);
  expect(await statusOf(logIn(owner.email, { code: appCode(factor.secret), device }))).toBe(200);
  const guesses: number[] = [];
  for (let n = 0; n < LIMITS.code.account; n += 1)
    guesses.push(await statusOf(logIn(owner.email, { code: appCode(factor.secret, 100 + n) })));
  expect(guesses).toEqual(guesses.map(() => 401));
  expect(await statusOf(logIn(owner.email, { code: appCode(factor.secret, 1) }))).toBe(429);
  // Wrong passwords from strangers also use up the login's own limit.
  for (let n = 0; n < LIMITS.login.account; n += 1) await logIn(owner.email, { password: 'a guess' });
  expect(await statusOf(logIn(owner.email, { code: appCode(factor.secret, 1) }))).toBe(429);
  expect(await statusOf(logIn(owner.email, { code: appCode(factor.secret, 1), device }))).toBe(200);
});

test('an unconfirmed secret changes nothing; a confirmed one ends the sessions that were begun without it', async () => {
  const owner = await anAdmin(db);
  const before = (await logIn(owner.email)).json<{ token: string }>();
  const { secret: first } = (await app.inject({ method: 'POST', url: URL, headers: owner.headers })).json();
  expect(await statusOf(logIn(owner.email))).toBe(200);
  const confirm = (code: string) => app.inject({ method: 'POST', url: `${URL}/confirm`, headers: owner.headers, payload: { code } });
  expect((await confirm(appCode(first, 7))).json().errors.code).toMatch(/^This code is wrong/);
  const factor = await aSecondFactor(shop, owner);
  expect((await confirm(appCode(first))).json().errors.code).toMatch(/^Please start again/);
  const lists = await Promise.all([before.token, owner.token].map((bearer) => app.inject({ url: '/api/users', headers: { bearer } })));
  expect(lists.map(({ statusCode }) => statusCode)).toEqual([401, 200]);
  const again = await aSecondFactor(shop, owner);
  expect(await statusOf(logIn(owner.email, { code: appCode(factor.secret) }))).toBe(401);
  expect(await statusOf(logIn(owner.email, { code: factor.recoveryCodes[0] ?? '' }))).toBe(401);
  expect(await statusOf(logIn(owner.email, { code: appCode(again.secret) }))).toBe(200);
  const removed = await app.inject({ method: 'DELETE', url: URL, headers: owner.headers });
  expect(removed.json()).toEqual({ message: 'Two-step login is switched off.' });
  expect(await statusOf(logIn(owner.email))).toBe(200);
  const { changes } = (await app.inject({ url: `/api/users/${owner._id}`, headers: admin.headers })).json<{
    changes: { change: string }[];
  }>();
  expect(changes.map(({ change }) => change)).toEqual(['Switched two-step login off', 'Set up two-step login', 'Set up two-step login']);
});

test('a second factor that was begun and never confirmed cannot be switched off, since it is not on', async () => {
  const owner = await anAdmin(db);
  await app.inject({ method: 'POST', url: URL, headers: owner.headers });
  const removed = await app.inject({ method: 'DELETE', url: URL, headers: owner.headers });
  expect([removed.statusCode, removed.json()]).toEqual([409, { message: 'Two-step login is not switched on.' }]);
  await runJobs(shop.services);
  expect(await mailsOf(shop.dataDir, owner.email)).toEqual([]);
});

test('a login that meets the setting up of a second factor leaves no session without it', async () => {
  for (let round = 0; round < 5; round += 1) {
    const owner = await anAdmin(db);
    const [reply] = await Promise.all([logIn(owner.email), aSecondFactor(shop, owner)]);
    const { token = '' } = reply.json<{ token?: string }>();
    expect((await app.inject({ url: '/api/users', headers: { bearer: token } })).statusCode).toBe(401);
  }
});

test('nobody sets up or switches off a second factor in a session that was left open, and a customer has none', async () => {
  const [owner, customer] = [await anAdmin(db), await aCustomer(db)];
  await db.updateTable('sessions').set({ provenAt: null }).where('userId', '=', owner._id).execute();
  for (const method of ['POST', 'DELETE'] as const) {
    const reply = await app.inject({ method, url: URL, headers: owner.headers });
    expect([reply.statusCode, reply.json().errors]).toEqual([403, { password: 'Please enter your password again to continue.' }]);
    expect((await app.inject({ method, url: URL, headers: customer.headers })).statusCode).toBe(403);
  }
});

test('a code that was used while the clock was forty days ahead keeps nobody out once it is right again', async () => {
  const user = await anAdmin(db);
  const factor = await aSecondFactor(shop, user);
  const ahead = Math.floor(Date.now() / 30_000) + 40 * 24 * 120;
  await db.updateTable('secondFactors').set({ lastStep: ahead }).where('userId', '=', user._id).execute();
  const code = appCode(factor.secret);
  expect(await statusOf(logIn(user.email, { code }))).toBe(200);
  expect((await logIn(user.email, { code })).json().errors.code).toBe('This code has already been used. Please wait for the next one.');
});

test('a key is changed while the app goes on: both are set, secrets are sealed by the new one at the start, and the old one is dropped', async () => {
  const owner = await anAdmin(db);
  const { secret: own } = await aSecondFactor(shop, owner);
  const next = 'another key of thirty-two signs or more';
  const stored = async () =>
    (await db.selectFrom('secondFactors').select('secret').where('userId', '=', owner._id).executeTakeFirstOrThrow()).secret as Buffer;
  const before = await stored();
  expect(unseal(before, owner._id, [next])).toBeUndefined();
  expect(await reseal(db, [next, KEY], SEALED_FACTORS)).toBeGreaterThan(0);
  expect(await reseal(db, [next, KEY], SEALED_FACTORS)).toBe(0);
  expect(unseal(await stored(), owner._id, [next])).toEqual(unseal(before, owner._id, [KEY]));
  expect(unseal(await stored(), owner._id, [KEY])).toBeUndefined();
  expect(await reseal(db, [KEY, next], SEALED_FACTORS)).toBeGreaterThan(0);
  expect(await statusOf(logIn(owner.email, { code: appCode(own, 1) }))).toBe(200);
});
