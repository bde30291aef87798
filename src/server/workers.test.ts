import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { ROOT } from './root.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from './testing/factories.ts';
import { testDatabase } from './testing/harness.ts';

const { db, url: databaseUrl } = await testDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'shop-workers-'));

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** The production build with two workers. */
async function openShop() {
  const port = await freePort();
  const { PATH = '', HOME = '' } = process.env;
  const settings = { PORT: String(port), DATABASE_URL: databaseUrl, SHOP_DATA_DIR: dataDir, WORKERS: '2', LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: ROOT,
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text));
  await vi.waitFor(() => expect(said).toContain('The shop is open'), { timeout: 50_000, interval: 20 });
  return { url: `http://127.0.0.1:${port}`, child };
}

const { url, child } = await openShop();
afterAll(async () => {
  child.kill('SIGTERM');
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  await rm(dataDir, { recursive: true, force: true });
  expect(code).toBe(0);
});

interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A request on a connection of its own: these go to one worker after the other. One that was given to a worker as it died is never answered. */
async function send(path: string, { body, ...options }: Ask = {}): Promise<{ status: number | undefined; text: string }> {
  const asked = request(url + path, { ...options, agent: false, signal: AbortSignal.timeout(5_000) }).end(body);
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of reply) text += part;
  return { status: reply.statusCode, text };
}
const fourTimes = <T>(ask: () => Promise<T>) => Promise.all([1, 2, 3, 4].map(ask));

async function startTimes(): Promise<Set<string | undefined>> {
  const texts = await fourTimes(async () => (await send('/metrics')).text);
  return new Set(texts.map((text) => /^process_start_time_seconds (.*)/m.exec(text)?.[1]));
}

test('requests are served by both workers', async () => expect((await startTimes()).size).toBe(2));

test('a session that one worker knows is known to all, and ends for all', async () => {
  const customer = await aCustomer(db);
  const mine = async () => (await send('/api/orders/myorders', { headers: customer.headers })).status;
  expect(await fourTimes(mine)).toEqual([200, 200, 200, 200]);
  await send('/api/users/logout', { method: 'POST', headers: customer.headers });
  expect(await fourTimes(mine)).toEqual([401, 401, 401, 401]);
});

test('tries are counted over all workers', async () => {
  const { email } = await aCustomer(db);
  const body = JSON.stringify({ email, password: 'a wrong guess' });
  const answers: (number | undefined)[] = [];
  for (let time = 0; time < 12; time += 1)
    answers.push((await send('/api/users/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status);
  expect(answers).toEqual([...new Array<number>(10).fill(401), 429, 429]);
});

test('a change through one worker changes the pages of all', async () => {
  const [admin, buyer, product] = [await anAdmin(db), await aCustomer(db), await aProduct(db, { stock: 5 })];
  const path = `/api/products/${product._id}`;
  const stocks = async () => {
    const replies = await fourTimes(async () => JSON.parse((await send(path)).text) as { countInStock?: number });
    return [...new Set(replies.map(({ countInStock }) => countInStock))];
  };
  expect(await stocks()).toEqual([5]);
  const order = {
    method: 'POST',
    headers: { ...buyer.headers, 'content-type': 'application/json' },
    body: JSON.stringify(aPayload([aLine(product)])),
  };
  expect((await send('/api/orders', order)).status).toBe(201);
  await vi.waitFor(async () => expect(await stocks()).toEqual([4]), { timeout: 10_000, interval: 20 });
  expect((await send(path, { method: 'DELETE', headers: admin.headers })).status).toBe(200);
  await vi.waitFor(async () => expect(await stocks()).toEqual([undefined]), { timeout: 10_000, interval: 20 });
});

test('a worker that dies is replaced', async () => {
  const before = await startTimes();
  const { stdout } = spawn('ps', ['-o', 'pid=', '--ppid', String(child.pid)]);
  let listed = '';
  for await (const text of stdout) listed += text;
  const [victim] = listed.trim().split(/\s+/).map(Number);
  if (!victim) throw new Error('No worker was found.');
  process.kill(victim, 'SIGKILL');
  await vi.waitFor(
    async () => {
      const now = await startTimes();
      expect([now.size, [...now].filter((time) => before.has(time)).length]).toEqual([2, 1]);
    },
    { timeout: 18_000, interval: 50 },
  );
});
