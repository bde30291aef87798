import { spawn, spawnSync } from 'node:child_process';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildApp } from '#server/app/app.ts';
import { aCustomer, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { readableLog } from '#server/testing/logs.ts';
import { withoutAddresses } from './log.ts';
import { ROOT } from './root.ts';

const shop = await testShop();
const { log, lines, text } = readableLog();
const app = await buildApp({ ...shop.services, log }, async () => ({ status: 200, head: '', body: '', state: {}, modules: [] }));

test('a request leaves one line: what, how it ended and how long it took; nobody’s data', async () => {
  const user = await aCustomer(shop.db);
  const headers = { ...user.headers, 'user-agent': 'a browser' };
  await app.inject({ url: `/api/orders/myorders?search=${user.email}`, headers });
  await app.inject({ method: 'POST', url: '/api/users/login', payload: { email: user.email, password: PASSWORD } });
  expect(lines.map(({ method, path, status, msg }) => [method, path, status, msg])).toEqual([
    ['GET', '/api/orders/myorders', 200, 'request'],
    ['POST', '/api/users/login', 200, 'request'],
  ]);
  for (const secret of [user.email, user.name, user.token, PASSWORD]) expect(text()).not.toContain(secret);
});

test('a link’s secret is in no log', async () => {
  const before = lines.length;
  const secret = 'aTRTQTB4-the-secret-of-a-link_x1';
  for (const path of ['/api/payment-links', '/pay', '/api/wishlists', '/api/order-attempts'])
    await app.inject({ url: `${path}/${secret}?x=1` });
  // However it is spelled; other paths are logged as they came.
  for (const path of [`/%70ay/${secret}`, `/PAY/${secret}`, `/api//payment-links/${secret}`, '/%63ontact?x'])
    await app.inject({ url: path });
  expect(lines.slice(before).map(({ path }) => path)).toEqual([
    '/api/payment-links/…',
    '/pay/…',
    '/api/wishlists/…',
    '/api/order-attempts/…',
    '/pay/…',
    '/PAY/…',
    '/api//payment-links/…',
    '/%63ontact',
  ]);
  expect(text()).not.toContain(secret);
});

test('an error that nobody foresaw is logged with its place, but without the row that it happened to (§7.1)', async () => {
  await sql`alter table users add constraint no_bob check (name <> 'Bob')`.execute(shop.db);
  const payload = { name: 'Bob', email: 'bob-in-the-row@example.com', password: 'long enough' };
  const reply = await app.inject({ method: 'POST', url: '/api/users', payload });
  expect([reply.statusCode, reply.json()]).toEqual([500, { message: 'Something went wrong. Please try again.' }]);
  const complaint = lines.find(({ level, err }) => level === 50 && err);
  expect(complaint?.err).toMatchObject({ code: '23514', constraint: 'no_bob', stack: expect.stringContaining('accounts.service') });
  for (const secret of ['bob-in-the-row', 'argon2id']) expect(text()).not.toContain(secret);
});

test.each([
  ['550 <nia@example.com> unknown', '550 <…@…> unknown'],
  ['Key (lower(email))=(nia@example.com) exists', 'Key (lower(email))=(…@…) exists'],
  ['no address at all', 'no address at all'],
])('of %j a log keeps %j', (told, kept) => {
  expect(withoutAddresses(told)).toBe(kept);
});

test('a batch keeps every line whole and in its order, the long ones and those beyond ASCII too', async () => {
  const written = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { openLog } from '#server/platform/log.ts'; const log = openLog('info');
       for (let n = 0; n < 2000; n += 1) log.info({ n, text: (n % 2 ? '£€😀' : 'x').repeat(n === 700 ? 70_000 : n % 50) }, 'line');`,
    ],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 10_000_000 },
  ).stdout;
  const read = written
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { n: number; text: string });
  expect(read.map(({ n, text }) => [n, text])).toEqual(
    Array.from({ length: 2000 }, (_, n) => [n, (n % 2 ? '£€😀' : 'x').repeat(n === 700 ? 70_000 : n % 50)]),
  );
});

/** What a process of its own has written that logs with `openLog`, then does `last`. */
async function outputOf(last: string): Promise<string> {
  const program = `import { openLog } from '#server/platform/log.ts'; const log = openLog('info'); log.info('first'); ${last}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let out = '';
  for await (const part of child.stdout.setEncoding('utf8')) {
    out += part;
    // One that would run on for ever has said what it has to say.
    if (out.includes('\n')) child.kill('SIGKILL');
  }
  return out;
}

const ending = [
  ['ends', ''],
  ['exits', 'process.exit(1)'],
  ['fails', "throw new Error('broken')"],
  ['runs on', 'setInterval(() => {}, 1000)'],
  ['is killed after a warning', "log.warn('second'); process.kill(process.pid, 'SIGKILL')"],
] as const;
test.concurrent.each(ending)('lines are written in batches, and none is lost where a process %s', async (_, last) => {
  expect(await outputOf(last)).toContain('"msg":"first"');
});
