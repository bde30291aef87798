import { expect, test } from 'vitest';
import { PAYER } from '#sandbox/payer.ts';
import { buildApp } from '#server/app/app.ts';
import { runJobs } from '#server/app/jobs.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import { reconcilePayments } from '#server/payments/payments.jobs.ts';
import { connect } from '#server/platform/database/connect.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { aCustomer, aLine, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { Metrics } from './metrics.ts';

const shop = await testShop();
const { app, db, services } = shop;
const noPages = async () => ({ status: 200, head: '', body: '', state: {}, modules: [] });

/** Reads the metrics as Prometheus does: a value for each name with its labels. */
async function scrape(from = app): Promise<Map<string, number>> {
  const reply = await from.inject({ url: '/metrics' });
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const lines = reply.body.split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

test('requests are counted by route and status, never by address, and how long they took', async () => {
  const sofa = await aProduct(db);
  for (const id of [sofa._id, sofa._id, 'nonsense']) await app.inject({ url: `/api/products/${id}?secret=1` });
  const read = await scrape();
  expect(read.get('shop_http_requests_total{method="GET",route="/api/products/:id",status="200"}')).toBe(2);
  expect(read.get('shop_http_requests_total{method="GET",route="/api/products/:id",status="404"}')).toBe(1);
  const duration = (rest: string) => read.get(`shop_http_request_duration_seconds_${rest}`);
  expect(duration('count{method="GET",route="/api/products/:id"}')).toBe(3);
  expect(duration('bucket{le="+Inf",method="GET",route="/api/products/:id"}')).toBe(3);
  expect(duration('sum{method="GET",route="/api/products/:id"}')).toBeGreaterThan(0);
  expect([...read.keys()].join()).not.toMatch(new RegExp(`${sofa._id}|secret`));
});

test('a histogram’s buckets hold everything up to their bound', async () => {
  const metrics = new Metrics();
  for (const seconds of [0.001, 0.02, 0.02, 99]) metrics.requestEnded('GET', '/x', 200, seconds);
  const text = await metrics.registry.metrics();
  for (const [bound, count] of Object.entries({ '0.001': 1, '0.01': 1, '0.025': 3, '10': 3, '+Inf': 4 }))
    expect(text).toContain(`shop_http_request_duration_seconds_bucket{le="${bound}",method="GET",route="/x"} ${count}\n`);
  expect(text).toContain('shop_http_request_duration_seconds_sum{method="GET",route="/x"} 99.041\n');
});

test('the page cache’s hits and misses are counted apart', async () => {
  const sofa = await aProduct(db);
  const before = await scrape();
  for (let n = 0; n < 3; n += 1) await app.inject({ url: `/api/products/${sofa._id}` });
  const after = await scrape();
  const grown = (result: string) =>
    Number(after.get(`shop_page_cache_answers_total{result="${result}"}`)) -
    Number(before.get(`shop_page_cache_answers_total{result="${result}"}`));
  expect([grown('miss'), grown('hit')]).toEqual([1, 2]);
});

test('orders are counted by method, once each, and payments by what became of them', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db);
  const order = (key: string) =>
    app.inject({
      method: 'POST',
      url: '/api/orders',
      headers: { ...buyer.headers, 'idempotency-key': key },
      payload: aPayload([aLine(sofa)]),
    });
  for (const key of ['one', 'one', 'other']) await order(key);
  const { url } = (
    await app.inject({
      method: 'POST',
      url: '/stripe/create-checkout-session',
      headers: buyer.headers,
      payload: { orderItems: [aLine(sofa)] },
    })
  ).json<{ url: string }>();
  await fetch(url, { method: 'POST', body: new URLSearchParams(PAYER), redirect: 'manual' });
  await reconcilePayments(services);
  const read = await scrape();
  expect(read.get('shop_orders_placed_total{method="Cash on Delivery"}')).toBe(2);
  expect(read.get('shop_orders_placed_total{method="Credit Card"}')).toBe(1);
  expect(read.get('shop_payments_total{outcome="settled"}')).toBe(1);
  expect(read.get('shop_payments_total{outcome="refunded"}')).toBe(0);
});

test('the queue says what is due, what waits and what failed for good', async () => {
  await runJobs(services);
  const mail = { to: 'a@example.com', subject: 'x', text: 'x', html: 'x' };
  await enqueue(db, mailJobs.sendMail, mail);
  await enqueue(db, mailJobs.sendMail, mail, { runAt: new Date(Date.now() + 3_600_000).toISOString() });
  await enqueue(db, mailJobs.sendMail, mail, { maxAttempts: 1 });
  const failing = { ...services, mailer: { ...services.mailer, send: () => Promise.reject(new Error('no')), close: () => undefined } };
  const before = await scrape();
  const jobs = (read: Map<string, number>, state: string) => read.get(`shop_jobs{task="sendMail",state="${state}"}`);
  expect(['due', 'waiting', 'running', 'dead'].map((state) => jobs(before, state))).toEqual([2, 1, 0, 0]);
  await runJobs(failing);
  const after = await scrape();
  expect(['due', 'waiting', 'running', 'dead'].map((state) => jobs(after, state))).toEqual([0, 2, 0, 1]);
});

test('the process and its connections are measured', async () => {
  const read = await scrape();
  for (const name of ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes', 'process_cpu_seconds_total'])
    expect(read.get(name)).toBeGreaterThan(0);
  expect(read.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  expect(read.get('shop_database_connections_limit')).toBe(10);
  expect(read.get('shop_database_connections{state="idle"}')).toBeGreaterThan(0);
  expect([read.get('shop_database_waiting'), read.get('shop_database_up')]).toEqual([0, 1]);
});

test('without the database the rest is still told', async () => {
  const gone = connect('postgres://nobody@127.0.0.1:9/nothing');
  const lost = await buildApp({ ...services, db: gone.db, pool: gone.pool }, noPages);
  expect((await scrape(lost)).get('shop_database_up')).toBe(0);
  await lost.close();
  await gone.close();
});

test.each([
  ['another machine', { remoteAddress: '203.0.113.7' }],
  ['a visitor through a proxy on this machine', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
])('without a token %s finds nothing', async (_, request) => {
  const reply = await app.inject({ url: '/metrics', ...request });
  expect([reply.statusCode, reply.json()]).toEqual([404, { message: 'Not found.' }]);
});

test('with a token only its holder reads them, from anywhere', async () => {
  const guarded = await buildApp({ ...services, config: { ...services.config, metricsToken: 'a long secret' } }, noPages);
  const ask = async (authorization?: string) =>
    (await guarded.inject({ url: '/metrics', remoteAddress: '203.0.113.7', headers: authorization ? { authorization } : {} })).statusCode;
  expect([await ask('Bearer a long secret'), await ask('Bearer a long secrex'), await ask('Bearer '), await ask()]).toEqual([
    200, 401, 401, 401,
  ]);
  expect((await guarded.inject({ url: '/metrics' })).statusCode).toBe(401);
  await guarded.close();
});
