import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '#server/base/ports.ts';
import { ROOT } from '#server/base/root.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testDatabase } from '#server/testing/harness.ts';
import { lockWaits } from '#server/testing/while-waiting.ts';

const { db, url: databaseUrl } = await testDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'shop-workers-'));

/** The production build with two workers. */
async function openShop() {
  const port = await freePort();
  const { PATH = '', HOME = '' } = process.env;
  const settings = { PORT: String(port), DATABASE_URL: databaseUrl, SHOP_DATA_DIR: dataDir, WORKERS: '2', LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: ROOT,
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, so that a signal can be sent to all of it.
    detached: true,
  });
  let said = '';
  child.stdout.on('data', (text: Buffer) => {
    said += text;
  });
  await eventually(() => expect(said).toContain('The shop is open'), 50);
  return { url: `http://127.0.0.1:${port}`, child, said: () => said };
}

const { url, child, said } = await openShop();
afterAll(async () => {
  if (child.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await rm(dataDir, { recursive: true, force: true });
});

interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

/** A request on a connection of its own: these go to one worker after the other. */
async function send(path: string, { body, ...options }: Ask = {}): Promise<{ status: number | undefined; text: string }> {
  const asked = request(url + path, { ...options, agent: false }).end(body);
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of reply) text += part;
  return { status: reply.statusCode, text };
}
const fourTimes = <T>(ask: () => Promise<T>) => Promise.all([1, 2, 3, 4].map(ask));

/** The metrics as Prometheus reads them: a value for each name with its labels. */
async function scrape(ask: Ask = {}): Promise<Map<string, number>> {
  const { text } = await send('/metrics', ask);
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}
const PROCESSES = ['1', '2', 'primary'];
const startTimes = async (ask: Ask = {}) => {
  const read = await scrape(ask);
  return PROCESSES.map((process) => read.get(`process_start_time_seconds{process="${process}"}`));
};

test('requests are served by both workers, and whichever is asked tells what all processes count', async () => {
  const looks = () => fourTimes(() => send('/api/products/newarrivals'));
  for (let n = 0; n < 3; n += 1) await looks();
  for (const read of [await scrape(), await scrape()]) {
    const of = (process: string) =>
      read.get(`shop_http_requests_total{method="GET",route="/api/products/newarrivals",status="200",process="${process}"}`);
    expect([Number(of('1')) > 0, Number(of('2')) > 0, Number(of('1')) + Number(of('2'))]).toEqual([true, true, 12]);
    expect(PROCESSES.map((process) => read.get(`shop_process_up{process="${process}"}`))).toEqual([1, 1, 1]);
    // Payments are looked after by the primary, which serves nobody.
    expect(read.get('shop_payments_total{outcome="missing",process="primary"}')).toBe(0);
    expect(read.get('shop_database_up')).toBe(1);
  }
});

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
  await eventually(async () => expect(await stocks()).toEqual([4]));
  expect((await send(path, { method: 'DELETE', headers: admin.headers })).status).toBe(200);
  await eventually(async () => expect(await stocks()).toEqual([undefined]));
});

test('a worker that dies is replaced, under the same name in the metrics', async () => {
  const before = await startTimes();
  const { stdout } = spawn('ps', ['-o', 'pid=', '--ppid', String(child.pid)]);
  let listed = '';
  for await (const text of stdout) listed += text;
  const [victim] = listed.trim().split(/\s+/).map(Number);
  if (!victim) throw new Error('No worker was found.');
  // A request that was given to a worker as it died is never answered.
  const patience = () => ({ signal: AbortSignal.timeout(5_000) });
  // The primary is asking the workers for their metrics all the time, and so also when one has died and it does not know yet.
  let isAsking = true;
  const asking = Array.from({ length: 20 }, async () => {
    while (isAsking) await scrape(patience()).catch(() => undefined);
  });
  process.kill(victim, 'SIGKILL');
  await eventually(async () => {
    const now = await startTimes(patience());
    expect([now.filter(Boolean).length, now.filter((time, index) => time !== before[index]).length]).toEqual([3, 1]);
  }, 40);
  isAsking = false;
  await Promise.all(asking);
});

/** Whether nobody listens any more. */
const isRefused = () =>
  new Promise<boolean>((resolve) => {
    const socket = dial(Number(new URL(url).port), '127.0.0.1', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });

// The last: it stops the shop.
test('a signal to the whole group lets every worker finish what it has begun', async () => {
  const product = await aProduct(db, { stock: 50 });
  const buyers = await Promise.all([1, 2, 3, 4].map(() => aCustomer(db)));
  const before = said().length;
  const orders = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('products').select('id').where('id', '=', product._id).forUpdate().execute();
    const sent = buyers.map(({ headers }) =>
      send('/api/orders', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(aPayload([aLine(product)])),
      }),
    );
    await eventually(async () => expect(await lockWaits(db)).toBe(4));
    // As Ctrl-C in a terminal does, and then once more, as npm does.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(-Number(child.pid), signal);
    await eventually(async () => expect(await isRefused()).toBe(true));
    return sent;
  });
  expect((await Promise.all(orders)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  expect([code, said().slice(before)]).toEqual([0, '']);
});
