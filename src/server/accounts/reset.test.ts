import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runJobs } from '#server/app/jobs.ts';
import { mailer } from '#server/gateways/mail.ts';
import { LIMITS } from '#server/sessions/rate-limit.service.ts';
import { aCustomer, anAdmin, PASSWORD, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { makeJobsDue, queuedJobs } from '#server/testing/jobs.ts';
import { readableLog } from '#server/testing/logs.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { inTurn } from '#server/testing/processes.ts';

// Out of the way here; the rate limits have tests of their own.
const shop = await testShop({ env: { RATE_LIMIT_FACTOR: '1000' } });
const { db } = shop;
const ask = await inTurn(shop);
const post = (url: string, payload: object) => ask({ method: 'POST', url: `/api/users/${url}`, payload });
const statusOf = async (reply: ReturnType<typeof post>) => (await reply).statusCode;
const verify = (email: string, otp: string) => statusOf(post('verify-otp', { email, otp }));
const reset = (email: string, otp: string, newPassword = 'a new password') => statusOf(post('reset-password', { email, otp, newPassword }));
const logIn = (email: string, password: string) => statusOf(post('login', { email, password }));

/** Requests a code, and reads what opens the account from the newest mail. */
async function secretsOf(email: string): Promise<{ otp: string; link: string }> {
  await post('forgot-password', { email });
  await runJobs(shop.services);
  const mails = (await mailsOf(shop.dataDir, email)).filter(({ subject }) => subject === 'Your code for a new password');
  const text = mails.at(-1)?.text ?? '';
  return { otp: /^\d{6}$/m.exec(text)?.[0] ?? 'no code', link: /\/change-password#\S*otp=([a-z]{42})$/m.exec(text)?.[1] ?? 'no link' };
}
const askForCode = async (email: string) => (await secretsOf(email)).otp;
const wrong = (otp: string, n = 1) => String((Number(otp) + n) % 1_000_000).padStart(6, '0');

test('five tries are all that anyone has, however many processes they ask at once', async () => {
  const { email } = await aCustomer(db);
  const otp = await askForCode(email);
  const guesses = await Promise.all(Array.from({ length: 20 }, (_, n) => verify(email, wrong(otp, n + 1))));
  expect(guesses).toEqual(guesses.map(() => 400));
  expect([await verify(email, otp), await reset(email, otp)]).toEqual([400, 400]);
  const [row] = await db.selectFrom('passwordResets').select('triesLeft').orderBy('createdAt', 'desc').limit(1).execute();
  expect(row?.triesLeft).toBe(0);
});

test('looking with the right code costs nothing and uses nothing up, but gives no tries back either', async () => {
  const { email } = await aCustomer(db);
  const otp = await askForCode(email);
  for (let n = 0; n < 7; n += 1) expect(await verify(email, otp)).toBe(200);
  for (let n = 1; n <= 4; n += 1) expect(await verify(email, wrong(otp, n))).toBe(400);
  expect(await verify(email, otp)).toBe(200);
  expect(await verify(email, wrong(otp, 5))).toBe(400);
  expect(await verify(email, otp)).toBe(400);
});

test('of two resets with one code at the same time exactly one sets its password', async () => {
  const { email } = await aCustomer(db);
  const otp = await askForCode(email);
  const passwords = ['the first of two', 'the second of two'];
  const outcomes = await Promise.all(passwords.map((password) => reset(email, otp, password)));
  expect([...outcomes].sort()).toEqual([200, 400]);
  const logins = await Promise.all(passwords.map((password) => logIn(email, password)));
  expect(logins).toEqual(outcomes.map((status) => (status === 200 ? 200 : 401)));
});

test('a reset ends every session, mails the owner, and uses up the code (§13.2)', async () => {
  const user = await aCustomer(db);
  const otp = await askForCode(user.email);
  expect(await reset(user.email, otp)).toBe(200);
  expect((await shop.app.inject({ url: '/api/orders/myorders', headers: user.headers })).statusCode).toBe(401);
  expect([await logIn(user.email, PASSWORD), await logIn(user.email, 'a new password')]).toEqual([401, 200]);
  expect([await verify(user.email, otp), await reset(user.email, otp)]).toEqual([400, 400]);
  await runJobs(shop.services);
  expect((await mailsOf(shop.dataDir, user.email)).map(({ subject }) => subject)).toContain('Your password was changed');
});

test('a code opens its own account only, and only the newest one does', async () => {
  const [one, other] = [await aCustomer(db), await aCustomer(db)];
  const [first, theirs] = [await askForCode(one.email), await askForCode(other.email)];
  if (first !== theirs) expect(await verify(one.email, theirs)).toBe(400);
  const second = await askForCode(one.email);
  if (second !== first) expect(await verify(one.email, first)).toBe(400);
  expect(await verify(one.email.toUpperCase(), second)).toBe(200);
});

const ways: [string, (user: SignedIn) => Promise<unknown>][] = [
  [
    'ten minutes are over',
    (user) => db.updateTable('passwordResets').set({ expiresAt: sql`now()` }).where('userId', '=', user._id).execute(),
  ],
  [
    'the owner set a new password meanwhile',
    ({ headers }) =>
      shop.app.inject({
        method: 'PUT',
        url: '/api/users/profile',
        headers,
        payload: { name: 'N', password: 'changed it', currentPassword: PASSWORD },
      }),
  ],
  [
    'the owner moved to another address',
    ({ _id, headers }) =>
      shop.app.inject({
        method: 'PUT',
        url: '/api/users/profile',
        headers,
        payload: { name: 'N', email: `moved-${_id}@example.com`, currentPassword: PASSWORD },
      }),
  ],
  [
    'an administrator changed the address',
    async ({ _id }) => {
      const payload = { name: 'N', email: `moved-${_id}@example.com`, isAdmin: false };
      return shop.app.inject({ method: 'PUT', url: `/api/users/${_id}`, headers: (await anAdmin(db)).headers, payload });
    },
  ],
  [
    'the account was deleted',
    async ({ _id }) => shop.app.inject({ method: 'DELETE', url: `/api/users/${_id}`, headers: (await anAdmin(db)).headers }),
  ],
];
test.each(ways)('a code is dead when %s', async (_, happens) => {
  const user = await aCustomer(db);
  const otp = await askForCode(user.email);
  expect(await verify(user.email, otp)).toBe(200);
  await happens(user);
  for (const email of [user.email, `moved-${user._id}@example.com`]) {
    expect([await verify(email, otp), await reset(email, otp)]).toEqual([400, 400]);
  }
});

test('the link of a mail opens its own account, after any number of wrong codes, once, and ends with its code (§13.3)', async () => {
  const [one, other] = [await aCustomer(db), await aCustomer(db)];
  const { otp, link } = await secretsOf(one.email);
  for (let n = 1; n <= 6; n += 1) expect(await verify(one.email, wrong(otp, n))).toBe(400);
  expect([await verify(one.email, otp), await verify(one.email, link), await verify(other.email, link)]).toEqual([400, 200, 400]);
  expect(await verify(one.email, `${link.startsWith('a') ? 'b' : 'a'}${link.slice(1)}`)).toBe(400);
  expect([await reset(other.email, link), await reset(one.email, link), await reset(one.email, link)]).toEqual([400, 200, 400]);
  expect(await logIn(one.email, 'a new password')).toBe(200);

  const earlier = await secretsOf(one.email);
  const later = await secretsOf(one.email);
  expect([await verify(one.email, earlier.link), await verify(one.email, later.link)]).toEqual([400, 200]);
  expect(await reset(one.email, later.otp)).toBe(200);
  expect(await verify(one.email, later.link)).toBe(400);
  const last = await secretsOf(one.email);
  await db.updateTable('passwordResets').set({ expiresAt: sql`now()` }).where('userId', '=', one._id).execute();
  expect(await reset(one.email, last.link)).toBe(400);
});

test('a new password that is refused costs neither the code nor a try', async () => {
  const { email } = await aCustomer(db);
  const otp = await askForCode(email);
  for (let n = 0; n < 6; n += 1) expect(await reset(email, otp, 'short')).toBe(400);
  expect(await reset(email, otp, 'long enough')).toBe(200);
});

test('a code works however its digits are spaced', async () => {
  const { email } = await aCustomer(db);
  const otp = await askForCode(email);
  for (const spaced of [` ${otp} `, otp.replace(/(...)/, '$1 '), otp.replace(/(...)/, '$1\u00a0'), otp.split('').join('-')])
    expect(await verify(email, spaced)).toBe(200);
  expect(await reset(email, ` ${otp.replace(/(...)/, '$1 ')}`)).toBe(200);
});

test('the answer to a request for a code says when the next may be made', async () => {
  const strict = await testShop();
  const ask = async () =>
    (await strict.app.inject({ method: 'POST', url: '/api/users/forgot-password', payload: { email: 'a@example.com' } })).json();
  const waits = [];
  for (let n = 0; n < LIMITS.forgot.pair; n += 1) waits.push((await ask()).nextCodeIn);
  expect(waits.slice(0, -1)).toEqual(waits.slice(1).map(() => 60));
  // After the last allowed request, the wait is the rest of the window.
  expect(waits.at(-1)).toBeGreaterThan(LIMITS.forgot.seconds - 60);
  expect(await ask()).toMatchObject({ message: expect.stringMatching(/^Too many attempts/) });
});

test('an unknown address gets the same answer as a known one, and no mail', async () => {
  const { email } = await aCustomer(db);
  const replies = [await post('forgot-password', { email }), await post('forgot-password', { email: 'nobody@example.com' })];
  expect(replies.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [200, replies[0]?.body],
    [200, replies[0]?.body],
  ]);
  await runJobs(shop.services);
  expect([(await mailsOf(shop.dataDir, email)).length, (await mailsOf(shop.dataDir, 'nobody@example.com')).length]).toEqual([1, 0]);
  const looks = [await post('verify-otp', { email: 'nobody@example.com', otp: '123456' }), await post('verify-otp', { email, otp: 'x' })];
  expect(looks.map((reply) => [reply.statusCode, reply.json().message])).toEqual([
    [400, 'Invalid or expired code'],
    [400, 'The code has 6 digits'],
  ]);
});

test('the code itself is written nowhere; a mail that fails goes out again with a new one, and only that works (§13.3)', async () => {
  const { email } = await aCustomer(db);
  const sent: string[] = [];
  const links: string[] = [];
  const server = await startMailServer({
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      stream.on('end', () => {
        sent.push(/^\d{6}$/m.exec(text.replaceAll('\r', ''))?.[0] ?? '');
        links.push(/otp=3D([a-z]{42})/.exec(text.replaceAll('=\r\n', ''))?.[1] ?? 'no link');
        done(sent.length === 1 ? Object.assign(new Error('lost it'), { responseCode: 451 }) : null);
      });
    },
  });
  const { log, text } = readableLog();
  const services = { ...shop.services, log, mailer: mailer({ ...shop.services.config, smtpUrl: server.url }, log) };
  await post('forgot-password', { email });
  await runJobs(services);
  const rows = await sql`select job::text as row from jobs job`.execute(db);
  const codes = await sql`select code::text as row from password_resets code`.execute(db);
  for (const secret of [...sent, ...links]) expect(JSON.stringify([rows, codes])).not.toContain(secret);
  expect(await queuedJobs(db, 'mailOtp')).toMatchObject([{ attempts: 1 }]);
  await makeJobsDue(db);
  await runJobs(services);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toMatch(/^\d{6}$/);
  if (sent[0] !== sent[1]) expect(await verify(email, sent[0] ?? '')).toBe(400);
  expect(await verify(email, sent[1] ?? '')).toBe(200);
  expect(await verify(email, links[1] ?? '')).toBe(200);
  for (const secret of [...sent, ...links, email]) expect(text()).not.toContain(secret);
  await server.close();
});
