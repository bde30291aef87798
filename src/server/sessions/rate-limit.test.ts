import { expect, test } from 'vitest';
import { networkOf, networksOf } from '#server/platform/client-address.ts';
import { aCustomer, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { inTurn } from '#server/testing/processes.ts';
import { forgive, LIMITS, type LimitName, limit } from './rate-limit.service.ts';

const shop = await testShop({ env: { TRUST_PROXY: '127.0.0.1' } });
const { db } = shop;
const ask = await inTurn(shop);

let count = 0;
const anAddress = () => `10.${Math.floor(++count / 62_500)}.${Math.floor(count / 250) % 250}.${count % 250}`;
const anEmail = () => `someone-${++count}@example.com`;

const send = (url: string, payload: object, ip: string) =>
  ask({ method: 'POST', url: `/api/users${url}`, payload, headers: { 'x-forwarded-for': ip } });

const limited = [
  { what: 'login', url: '/login', payload: (email: string) => ({ email, password: 'a guess' }) },
  { what: 'register', url: '', payload: (email: string) => ({ name: 'A', email, password: 'long enough' }) },
  { what: 'forgot', url: '/forgot-password', payload: (email: string) => ({ email }) },
  { what: 'otp', url: '/verify-otp', payload: (email: string) => ({ email, otp: '123456' }) },
  { what: 'otp', url: '/reset-password', payload: (email: string) => ({ email, otp: '123456', newPassword: 'long enough' }) },
] as const;

test.each(limited)(
  'attempts of one network at one account at $url are bounded, whichever process they reach; nobody else’s are (§13.4)',
  async ({ what, url, payload }) => {
    const [email, ip] = [anEmail(), anAddress()];
    for (let n = 0; n < LIMITS[what].pair; n += 1) expect((await send(url, payload(email), ip)).statusCode).not.toBe(429);
    const reply = await send(url, payload(email.toUpperCase()), ip);
    expect([reply.statusCode, reply.json().message]).toEqual([429, expect.stringMatching(/^Too many attempts. Please wait \d+ minutes/)]);
    const wait = Number(reply.headers['retry-after']);
    expect(wait).toBeGreaterThan(LIMITS[what].seconds - 60);
    expect(wait).toBeLessThanOrEqual(LIMITS[what].seconds);
    expect((await send(url, payload(anEmail()), ip)).statusCode).not.toBe(429);
    expect((await send(url, payload(email), anAddress())).statusCode).not.toBe(429);
  },
);

test.each(limited)('attempts of one network at $url are bounded, whatever account they name', async ({ what, url, payload }) => {
  const ip = anAddress();
  for (let n = 0; n < LIMITS[what].network - 5; n += 1) await limit(db, what, { ip, account: anEmail(), factor: 1 });
  const replies = await Promise.all(Array.from({ length: 10 }, () => send(url, payload(anEmail()), ip)));
  expect(replies.filter(({ statusCode }) => statusCode === 429)).toHaveLength(5);
  expect((await send(url, payload(anEmail()), anAddress())).statusCode).not.toBe(429);
});

test('changing your own password is limited too, but a new name is not', async () => {
  const user = await aCustomer(db);
  const change = (payload: object) => shop.app.inject({ method: 'PUT', url: '/api/users/profile', headers: user.headers, payload });
  for (let n = 0; n < 15; n += 1) expect((await change({ name: `N${n}`, email: user.email })).statusCode).toBe(200);
  for (let n = 0; n < LIMITS.profile.pair; n += 1)
    expect((await change({ name: 'N', email: `n${n}-${user.email}`, currentPassword: PASSWORD })).statusCode).toBe(200);
  expect((await change({ name: 'N', password: 'another one', currentPassword: PASSWORD })).statusCode).toBe(429);
  expect((await change({ name: 'A name alone' })).statusCode).toBe(200);
});

test('someone who mistypes five times is let in, and starts afresh', async () => {
  const user = await aCustomer(db);
  const ip = anAddress();
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 5; n += 1) expect((await send('/login', { email: user.email, password: 'typo' }, ip)).statusCode).toBe(401);
    expect((await send('/login', { email: user.email, password: PASSWORD }, ip)).statusCode).toBe(200);
  }
});

test('an office behind one address logs in all day', async () => {
  const user = await aCustomer(db);
  const ip = anAddress();
  for (let n = 0; n < LIMITS.login.network + 20; n += 1) {
    expect((await send('/login', { email: user.email, password: PASSWORD }, ip)).statusCode).toBe(200);
  }
});

test('logins on a known device, which count by themselves, take nothing off what their network has guessed (§13.4)', async () => {
  const { email } = await aCustomer(db);
  const [ip, device] = [anAddress(), 'd'.repeat(64)];
  const logIn = async () => expect((await send('/login', { email, password: PASSWORD, device, code: '123456' }, ip)).statusCode).toBe(200);
  await logIn();
  for (const what of ['login', 'code'] as const) await limit(db, what, { ip, account: anEmail(), factor: 1 });
  const before = await triesOf('login', 'code');
  await logIn();
  expect(await triesOf('login', 'code')).toEqual(before);
});

/** The counts of all networks, devices and accounts. */
const triesOf = async (...whats: LimitName[]) =>
  (await db.selectFrom('rateLimits').select(['key', 'tries']).orderBy('key').execute()).filter(({ key }) =>
    whats.some((what) => key.startsWith(`${what}:`)),
  );

test('a success of a mailbox clears what its attempts raised, under any of its addresses', async () => {
  const [ip, email] = [anAddress(), anEmail()];
  const before = await triesOf('forgot');
  await forgive(db, await limit(db, 'forgot', { ip, account: email.replace('@', '+tag@'), factor: 1 }));
  expect((await triesOf('forgot')).filter(({ tries }) => tries > 0)).toEqual(before);
});

test('visitors without an account share none: each network has its own count; long waits are told in hours', async () => {
  for (let n = 0; n <= LIMITS.alert.account; n += 1) await limit(db, 'alert', { ip: anAddress(), account: '', factor: 1 });
  const attempt = { ip: anAddress(), account: anEmail(), factor: 1 };
  for (let n = 0; n < LIMITS.alert.pair; n += 1) await limit(db, 'alert', attempt);
  await expect(limit(db, 'alert', attempt)).rejects.toThrow('Too many attempts. Please wait 24 hours and try again.');
});

test('when the window is over the tries start again', async () => {
  const [email, ip] = [anEmail(), anAddress()];
  for (let n = 0; n <= LIMITS.forgot.pair; n += 1) await send('/forgot-password', { email }, ip);
  expect((await send('/forgot-password', { email }, ip)).statusCode).toBe(429);
  await db
    .updateTable('rateLimits')
    .set({ resetsAt: new Date(Date.now() - 1).toISOString() })
    .execute();
  expect((await send('/forgot-password', { email }, ip)).statusCode).toBe(200);
});

test('a visitor cannot take another address by saying so', async () => {
  const plain = await testShop();
  const email = anEmail();
  const tries = Array.from({ length: LIMITS.forgot.network + 1 }, (_, n) =>
    plain.app.inject({
      method: 'POST',
      url: '/api/users/forgot-password',
      payload: { email: `${n}-${email}` },
      headers: { 'x-forwarded-for': anAddress() },
    }),
  );
  expect((await Promise.all(tries)).filter(({ statusCode }) => statusCode === 429)).toHaveLength(1);
});

test('load tests may try more often, by one setting', async () => {
  const busy = await testShop({ env: { RATE_LIMIT_FACTOR: '3' } });
  const statuses = [];
  for (let n = 0; n <= LIMITS.forgot.pair * 3; n += 1) {
    const reply = await busy.app.inject({ method: 'POST', url: '/api/users/forgot-password', payload: { email: 'one@example.com' } });
    statuses.push(reply.statusCode);
  }
  expect(statuses.indexOf(429)).toBe(LIMITS.forgot.pair * 3);
});

test('the table of tries names nobody', async () => {
  await send('/login', { email: 'someone-known@example.com', password: 'a guess' }, '10.99.99.99');
  const keys = (await db.selectFrom('rateLimits').select('key').execute()).map(({ key }) => key);
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter((key) => !/^\w+:(network|pair|account|devices?):[\w-]{43}$/.test(key))).toEqual([]);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::1', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::ffff:1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s counts as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});

test.each([
  ['203.0.113.9', ['203.0.113.9']],
  ['::ffff:203.0.113.9', ['203.0.113.9']],
  ['2001:db8:1:2a3:3::6', ['2001:db8:1:2a3', '2001:db8:1:02/56', '2001:db8:1/48']],
  ['2001:db8:1:12a3:3::6', ['2001:db8:1:12a3', '2001:db8:1:12/56', '2001:db8:1/48']],
  ['2001:db8::1', ['2001:db8:0:0', '2001:db8:0:00/56', '2001:db8:0/48']],
])('%s lies in %j', (ip, networks) => {
  expect(networksOf(ip)).toEqual(networks);
});
