import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { exportCustomer } from '#server/accounts/privacy.service.ts';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, anAdmin, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { inTurn } from '#server/testing/processes.ts';
import { isKnownDevice } from './devices.service.ts';
import { HOURLY_MAILS } from './mail-limit.service.ts';
import { LIMITS } from './rate-limit.service.ts';

/** Attacks on someone else's login and reset, through two processes, with the default limits. */
const shop = await testShop({ env: { TRUST_PROXY: '127.0.0.1' } });
const { db } = shop;
const ask = await inTurn(shop);

let count = 0;
const anAddress = () => `10.${Math.floor(++count / 62_500)}.${Math.floor(count / 250) % 250}.${count % 250}`;
const aDevice = () => randomBytes(32).toString('hex');

const send = (url: string, payload: object, ip: string) =>
  ask({ method: 'POST', url: `/api/users${url}`, payload, headers: { 'x-forwarded-for': ip } });
const statusOf = async (reply: ReturnType<typeof send>) => (await reply).statusCode;
const logIn = (email: string, ip: string, device?: string, password = PASSWORD) =>
  statusOf(send('/login', { email, password, device }, ip));
const askForCode = (email: string, ip: string, device?: string) => statusOf(send('/forgot-password', { email, device }, ip));
const verify = (email: string, otp: string, ip: string, device?: string) => statusOf(send('/verify-otp', { email, otp, device }, ip));
const reset = (email: string, otp: string, ip: string, device?: string) =>
  statusOf(send('/reset-password', { email, otp, newPassword: 'a new password', device }, ip));

/** What the mails with a code to an address have that matches, oldest first. */
async function inMails(email: string, pattern: RegExp): Promise<string[]> {
  await runJobs(shop.services);
  const mails = (await mailsOf(shop.dataDir, email)).filter(({ subject }) => subject === 'Your code for a new password');
  return mails.map(({ text }) => pattern.exec(text ?? '')?.[0] ?? '');
}
const codesOf = (email: string) => inMails(email, /^\d{6}$/m);
/** The secrets of the links in the mails. */
const linksOf = (email: string) => inMails(email, /(?<=otp=)[a-z]+/);
const wrong = (otp: string, n = 1) => String((Number(otp) + n) % 1_000_000).padStart(6, '0');

async function inOrder<T>(times: number, run: (n: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let n = 0; n < times; n += 1) answers.push(await run(n));
  return answers;
}

const fromEverywhere = <T>(times: number, run: (ip: string) => Promise<T>): Promise<T[]> => inOrder(times, () => run(anAddress()));

test.each([
  ['a customer', aCustomer],
  ['an administrator', anAdmin],
])('25 requests from one address keep %s from nothing (§13.4)', async (_, aUser) => {
  const { email } = await aUser(db);
  const attacker = anAddress();
  for (let n = 0; n < 10; n += 1) await logIn(email, attacker, undefined, 'a guess');
  for (let n = 0; n < 5; n += 1) await askForCode(email, attacker);
  for (let n = 0; n < 10; n += 1) await verify(email, '000000', attacker);
  expect([await logIn(email, attacker), await askForCode(email, attacker), await verify(email, '000000', attacker)]).toEqual([
    429, 429, 429,
  ]);
  const owner = anAddress();
  expect(await logIn(email, owner)).toBe(200);
  expect(await askForCode(email, owner)).toBe(200);
  const code = (await codesOf(email)).at(-1) ?? '';
  expect([await verify(email, code, owner), await reset(email, code, owner)]).toEqual([200, 200]);
});

test('however much one network tries, others’ logins stay open: it cannot use up what the account allows', async () => {
  const { email } = await aCustomer(db);
  const attacker = anAddress();
  for (let n = 0; n < LIMITS.login.account + 10; n += 1) await logIn(email, attacker, undefined, 'a guess');
  expect(await logIn(email, anAddress())).toBe(200);
});

test('an attacker with many networks is slowed, even with the right guess; the owner logs in on a known device (§13.4)', async () => {
  const { email } = await aCustomer(db);
  const [home, device] = [anAddress(), aDevice()];
  expect(await logIn(email, home, device)).toBe(200);
  const guesses = await fromEverywhere(LIMITS.login.account, (ip) => logIn(email, ip, aDevice(), 'a guess'));
  expect(guesses).toEqual(guesses.map(() => 401));
  const refused = await send('/login', { email, password: PASSWORD }, anAddress());
  expect([refused.statusCode, refused.json().message]).toEqual([
    429,
    expect.stringMatching(
      /^Too many attempts. Please wait 1\d minutes and try again. You can also choose a new password with “Forgot your password\?”\.$/,
    ),
  ]);
  expect(await logIn(email, anAddress(), aDevice())).toBe(429);
  expect(await logIn(email, anAddress(), device)).toBe(200);
});

test('under such an attack a code by mail opens the account on a new device as well', { tags: ['thorough'] }, async () => {
  const { email } = await aCustomer(db);
  await fromEverywhere(LIMITS.login.account + 1, (ip) => logIn(email, ip, undefined, 'a guess'));
  const [ip, device] = [anAddress(), aDevice()];
  expect(await logIn(email, ip, device)).toBe(429);
  expect(await askForCode(email, ip, device)).toBe(200);
  const [code = ''] = await codesOf(email);
  expect(await reset(email, code, ip, device)).toBe(200);
  await fromEverywhere(LIMITS.login.account + 1, (other) => logIn(email, other, undefined, 'a guess'));
  expect(await logIn(email, ip, device, 'a new password')).toBe(200);
});

test('a known device has tries of its own: a thief of it guesses no faster than anybody', async () => {
  const { email } = await aCustomer(db);
  const device = aDevice();
  await logIn(email, anAddress(), device);
  const guesses = await fromEverywhere(LIMITS.login.pair, (ip) => logIn(email, ip, device, 'a guess'));
  expect(guesses).toEqual(guesses.map(() => 401));
  expect(await logIn(email, anAddress(), device)).toBe(429);
  expect(await logIn(email, anAddress())).toBe(200);
});

test('a device is known to its own account only, and to none after a new password', { tags: ['thorough'] }, async () => {
  const [one, other] = [await aCustomer(db), await aCustomer(db)];
  const device = aDevice();
  await logIn(one.email, anAddress(), device);
  await fromEverywhere(LIMITS.login.account + 1, (ip) => logIn(other.email, ip, undefined, 'a guess'));
  expect(await logIn(other.email, anAddress(), device)).toBe(429);
  const second = aDevice();
  await logIn(one.email, anAddress(), second);
  const change = { name: 'A', password: 'a new password', currentPassword: PASSWORD, device: second };
  expect((await ask({ method: 'PUT', url: '/api/users/profile', headers: one.headers, payload: change })).statusCode).toBe(200);
  await fromEverywhere(LIMITS.login.account + 1, (ip) => logIn(one.email, ip, undefined, 'a guess'));
  expect(await logIn(one.email, anAddress(), device, 'a new password')).toBe(429);
  expect(await logIn(one.email, anAddress(), second, 'a new password')).toBe(200);
});

test('a device’s token is written nowhere, at most twenty are known, and the owner’s export counts them', async () => {
  const { email, _id } = await aCustomer(db);
  const devices = Array.from({ length: 22 }, aDevice);
  for (const device of devices) expect(await logIn(email, anAddress(), device)).toBe(200);
  const { rows } = await shop.services.pool.query('select row::text from known_devices row where user_id = $1', [_id]);
  expect(rows).toHaveLength(20);
  for (const device of devices) expect(JSON.stringify(rows)).not.toContain(device);
  expect((await exportCustomer(db, email)).knownDevices).toHaveLength(20);
  // Twenty that a clock ahead of ours has dated keep no other out.
  await sql`update known_devices set used_at = now() + interval '40 days' where user_id = ${_id}`.execute(db);
  const device = aDevice();
  expect(await logIn(email, anAddress(), device)).toBe(200);
  expect(await isKnownDevice(db, email, device, { mustBeConfirmed: false })).toBe(true);
});

test.each(['short', '', 'x'.repeat(101), 'has a blank in the middle of it', null, 7, ['x'.repeat(40)]])(
  'a client whose device is %j is served like one without',
  async (device) => {
    const { email, _id } = await aCustomer(db);
    expect((await send('/login', { email, password: PASSWORD, device }, anAddress())).statusCode).toBe(200);
    expect(await db.selectFrom('knownDevices').selectAll().where('userId', '=', _id).execute()).toEqual([]);
  },
);

test('guesses of others use up none of the tries of the one who asked for the code (§13.3)', async () => {
  const { email } = await aCustomer(db);
  const [ip, device] = [anAddress(), aDevice()];
  expect(await askForCode(email, ip, device)).toBe(200);
  const [code = ''] = await codesOf(email);
  await fromEverywhere(30, (other) => verify(email, wrong(code), other));
  await fromEverywhere(30, (other) => verify(email, wrong(code), other, aDevice()));
  expect(await verify(email, code, anAddress(), device)).toBe(200);
  expect(await reset(email, code, anAddress(), device)).toBe(200);
});

test('an account has one live code; requests by others do not hold back the owner’s next one (§13.3)', async () => {
  const { email } = await aCustomer(db);
  const device = aDevice();
  expect(await askForCode(email, anAddress(), device)).toBe(200);
  const [first = ''] = await codesOf(email);
  await fromEverywhere(3, (other) => askForCode(email, other, aDevice()));
  expect(await codesOf(email)).toHaveLength(4);
  expect(await verify(email, first, anAddress(), device)).toBe(400);
  expect(await askForCode(email, anAddress(), device)).toBe(200);
  const last = (await codesOf(email)).at(-1) ?? '';
  const { live } = await db
    .selectFrom('passwordResets')
    .innerJoin('users', 'users.id', 'passwordResets.userId')
    .select((eb) => eb.fn.countAll().as('live'))
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  expect(Number(live)).toBe(1);
  expect(await reset(email, last, anAddress(), device)).toBe(200);
});

test('an owner on a known device gets and uses a code while many networks ask for codes and guess at them', async () => {
  const { email } = await aCustomer(db);
  const device = aDevice();
  await logIn(email, anAddress(), device);
  await fromEverywhere(LIMITS.forgot.account, (ip) => askForCode(email, ip));
  const before = (await codesOf(email)).length;
  expect(await askForCode(email, anAddress(), device)).toBe(200);
  const code = (await codesOf(email))[before] ?? '';
  await fromEverywhere(20, (ip) => verify(email, wrong(code), ip));
  expect([await verify(email, code, anAddress(), device), await reset(email, code, anAddress(), device)]).toEqual([200, 200]);
});

test('whatever strangers use up, the link of the latest mail lets the owner in on a new device (§13.4)', async () => {
  const { email } = await aCustomer(db);
  const guessPasswords = () => fromEverywhere(LIMITS.login.account + 1, (ip) => logIn(email, ip, undefined, 'a guess'));
  // The second time on the network of a stranger, and soon after the first.
  for (const ownersIp of [anAddress(), undefined]) {
    await guessPasswords();
    const strangers = await inOrder(LIMITS.forgot.account, async () => anAddress());
    for (const ip of strangers) await inOrder(LIMITS.forgot.pair, () => askForCode(email, ip));
    const [code = ''] = (await codesOf(email)).slice(-1);
    for (const ip of strangers) await inOrder(LIMITS.otp.pair, () => verify(email, wrong(code), ip));
    const [ip, device] = [ownersIp ?? strangers[0] ?? '', aDevice()];
    expect(await logIn(email, ip, device)).toBe(429);
    if (ownersIp) expect([await askForCode(email, ip, device), await verify(email, code, ip, device)]).toEqual([200, 400]);
    const [link = ''] = (await linksOf(email)).slice(-1);
    expect([await verify(email, link, ip, device), await reset(email, link, ip, device)]).toEqual([200, 200]);
    await guessPasswords();
    expect(await logIn(email, ip, device, 'a new password')).toBe(200);
  }
});

test('many registered addresses of one mailbox get it no more codes than one mailbox may have', { tags: ['thorough'] }, async () => {
  const addresses = await inOrder(4, async (n) => `many+${n}@example.com`);
  for (const email of addresses) await statusOf(send('', { name: 'A', email, password: PASSWORD }, anAddress()));
  for (const email of addresses) {
    await fromEverywhere(LIMITS.forgot.account, (ip) => askForCode(email, ip));
    await sql`update rate_limits set resets_at = now() - interval '1 second' where key like 'forgot:%'`.execute(db);
  }
  await runJobs(shop.services);
  const received = await Promise.all(addresses.map((email) => mailsOf(shop.dataDir, email)));
  expect(received.flat()).toHaveLength(HOURLY_MAILS.unconfirmed);
});

test('variants of an address that nobody confirmed, registered by strangers, keep its owner from no code', async () => {
  const [owner, ...variants] = ['owner@example.com', ...(await inOrder(HOURLY_MAILS.unconfirmed, async (n) => `Owner+${n}@example.com`))];
  for (const email of [owner, ...variants]) await statusOf(send('', { name: 'A', email, password: PASSWORD }, anAddress()));
  for (const email of variants) await askForCode(email, anAddress());
  expect(await codesOf(owner)).toEqual([]);
  expect(await askForCode(owner, anAddress())).toBe(200);
  const [code = ''] = await codesOf(owner);
  expect(await verify(owner, code, anAddress())).toBe(200);
});

test('a code that was asked for on the phone works on the computer, with five wrong tries from all other places together', async () => {
  const { email } = await aCustomer(db);
  const phone = aDevice();
  await askForCode(email, anAddress(), phone);
  const [code = ''] = await codesOf(email);
  expect(await verify(email, code, anAddress(), aDevice())).toBe(200);
  for (let n = 1; n <= 5; n += 1) expect(await verify(email, wrong(code, n), anAddress())).toBe(400);
  expect(await verify(email, code, anAddress(), aDevice())).toBe(400);
  expect(await verify(email, code, anAddress(), phone)).toBe(200);
  for (let n = 1; n <= 5; n += 1) expect(await verify(email, wrong(code, n), anAddress(), phone)).toBe(400);
  expect(await verify(email, code, anAddress(), phone)).toBe(400);
});

test('however many networks ask and guess, a code is guessed at ten times at most, and after ten codes of an hour six minutes make one', async () => {
  const { email } = await aCustomer(db);
  const ask = () => fromEverywhere(LIMITS.forgot.account + 5, (ip) => askForCode(email, ip, aDevice()));
  expect(new Set(await ask())).toEqual(new Set([200]));
  expect(await codesOf(email)).toHaveLength(LIMITS.forgot.account + 1);
  const answers = [
    await send('/forgot-password', { email }, anAddress()),
    await send('/forgot-password', { email: 'a@b.cc' }, anAddress()),
  ];
  expect(answers.map((answer) => answer.json().message)).toEqual(answers.map(() => answers[1]?.json().message));
  expect(answers[0]?.json().nextCodeIn).toBeGreaterThan(300);
  await sql`update rate_limits set resets_at = now() - interval '1 second' where key like 'forgot:spacing:%'`.execute(db);
  expect(new Set(await ask())).toEqual(new Set([200]));
  expect(await codesOf(email)).toHaveLength(LIMITS.forgot.account + 2);
  const rows = await db
    .selectFrom('passwordResets')
    .innerJoin('users', 'users.id', 'userId')
    .select(['triesLeft', 'othersTriesLeft'])
    .where('email', '=', email)
    .execute();
  expect(rows).toEqual(rows.map(() => ({ triesLeft: 5, othersTriesLeft: 5 })));
  await fromEverywhere(12, (ip) => verify(email, '000000', ip));
  const left = await db
    .selectFrom('passwordResets')
    .innerJoin('users', 'users.id', 'userId')
    .select('othersTriesLeft')
    .where('email', '=', email)
    .execute();
  expect(left.map(({ othersTriesLeft }) => othersTriesLeft).sort()).toEqual([0, ...rows.slice(1).map(() => 5)]);
});

test('the addresses of one mailbox are one for codes: a network has few, and leaves the owner the others', async () => {
  const { email } = await aCustomer(db);
  const tagged = (n: number) => email.replace('@', `+${n}@`);
  const attacker = anAddress();
  const asked = await inOrder(10, (n) => askForCode(tagged(n), attacker));
  expect(asked.filter((status) => status === 200)).toHaveLength(LIMITS.forgot.pair);
  expect(await askForCode(email, anAddress())).toBe(200);
  expect(await codesOf(email)).toHaveLength(1);
  const left = await inOrder(LIMITS.forgot.account, (n) => askForCode(tagged(n), anAddress()));
  expect(left).toEqual(left.map(() => 200));
  expect(await codesOf(email)).toHaveLength(1);
  // The mailbox has had its codes: the owner's address has one in six minutes.
  const owners = await inOrder(3, () => askForCode(email, anAddress()));
  expect([owners, (await codesOf(email)).length]).toEqual([[200, 200, 200], 2]);
});

test('guesses from many networks of one IPv6 /48 lock nobody out, and nobody guesses without end from there', {
  tags: ['thorough'],
}, async () => {
  const { email } = await aCustomer(db);
  const statuses: number[] = [];
  for (let n = 0; n < 60; n += 1) statuses.push(await logIn(email, `2001:db8:77:${n.toString(16)}::1`, undefined, 'a guess'));
  expect(statuses.filter((status) => status === 401)).toHaveLength(LIMITS.login.pair);
  expect(await logIn(email, '2001:db8:78::1')).toBe(200);
  expect(await logIn(email, anAddress())).toBe(200);

  // All accounts together: a /48 has more than one /64, but still a limit.
  const many = await Promise.all(
    Array.from({ length: LIMITS.login.network * 2 + 5 }, (_, n) =>
      logIn(`nobody-${n}@example.com`, `2001:db8:79:${(n % 100).toString(16)}::1`),
    ),
  );
  expect(many.filter((status) => status === 429)).toHaveLength(5);
  expect(await logIn('somebody@example.com', '2001:db8:79:1234::1')).toBe(401);
});

test('a clock that was forty days ahead locks nobody out once it is right again', async () => {
  const { email } = await aCustomer(db);
  const ip = anAddress();
  for (let n = 0; n <= LIMITS.login.pair; n += 1) await logIn(email, ip, undefined, 'a guess');
  for (let n = 0; n <= LIMITS.forgot.pair; n += 1) await askForCode(email, ip);
  expect([await logIn(email, ip), await askForCode(email, ip)]).toEqual([429, 429]);
  const [otp = ''] = await codesOf(email);
  const ahead = sql<string>`now() + interval '40 days'`;
  await db.updateTable('rateLimits').set({ resetsAt: ahead }).execute();
  await db.updateTable('passwordResets').set({ expiresAt: ahead }).execute();
  expect(await verify(email, otp, ip)).toBe(400);
  expect([await logIn(email, ip), await askForCode(email, ip)]).toEqual([200, 200]);
  const fresh = (await codesOf(email)).at(-1) ?? '';
  expect(await reset(email, fresh, ip)).toBe(200);
});

test('devices of an address that nobody confirmed switch no limit on its mails and codes off', async () => {
  const ip = anAddress();
  const email = `stranger-${++count}@example.com`;
  expect(await statusOf(send('', { name: 'A', email, password: PASSWORD, device: aDevice() }, ip))).toBe(201);
  const [asked, guessed]: [number[], number[]] = [[], []];
  for (let n = 0; n <= LIMITS.otp.pair; n += 1) {
    const device = aDevice();
    expect(await logIn(email, ip, device)).toBe(200);
    asked.push(await askForCode(email, ip, device));
    guessed.push(await verify(email, '000000', ip, device));
  }
  expect(asked.filter((status) => status === 200)).toHaveLength(LIMITS.forgot.pair);
  expect(guessed.filter((status) => status === 400)).toHaveLength(LIMITS.otp.pair);
  expect(await codesOf(email)).toHaveLength(LIMITS.forgot.pair);
});

test('all known devices of a confirmed address together get a bounded number of codes and guesses', { tags: ['thorough'] }, async () => {
  const { email } = await aCustomer(db);
  const [asked, guessed]: [number[], number[]] = [[], []];
  for (let n = 0; n < 15; n += 1) {
    const device = aDevice();
    expect(await logIn(email, anAddress(), device)).toBe(200);
    for (let ask = 0; ask < 2; ask += 1) asked.push(await askForCode(email, anAddress(), device));
    for (let guess = 0; guess < 8; guess += 1) guessed.push(await verify(email, '000000', anAddress(), device));
  }
  expect(asked.filter((status) => status === 200)).toHaveLength(LIMITS.forgot.devices);
  expect(guessed.filter((status) => status !== 429)).toHaveLength(LIMITS.otp.devices);
});
