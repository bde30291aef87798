import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { runJobs } from '#server/app/jobs.ts';
import { freePort } from '#server/platform/ports.ts';
import { ROOT } from '#server/platform/root.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { pay } from '#server/testing/card-payments.ts';
import { collector, type ReceivedSpan } from '#server/testing/collector.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, aProduct, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { readableLog } from '#server/testing/logs.ts';
import { startShop } from '#server/testing/shop-process.ts';
import { reportError } from './error-reports.ts';
import { startTracing } from './open-telemetry.ts';
import { withoutSecrets } from './request-log.ts';

const told = await collector();
const tracing = startTracing({
  endpoint: told.url,
  headers: { Authorization: 'Bearer key' },
  share: 1,
  believesParent: false,
  release: 'abc1234',
});
// The tests have loaded these before; the shop loads them after its instrumentation.
for (const name of ['node:http', 'node:https', 'pg']) createRequire(import.meta.url)(name);
afterAll(async () => {
  await tracing.stop();
  await told.close();
});
const { log, lines, text } = readableLog();
const shop = await testShop({
  log,
  /** A page with products. */
  render: async ({ call }) => {
    await call('GET /api/products', { query: {} }).catch(() => undefined);
    return { status: 200, head: '', body: '', state: {}, modules: [] };
  },
  env: { RELEASE: 'abc1234', SENTRY_DSN: `http://key@127.0.0.1:${told.port}/7` },
});
const { app, db, services } = shop;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;

const named = (name: string) => told.spans.filter((span) => span.name === name);
/** The names of the spans within one, however deep. */
function within(around: ReceivedSpan | undefined, spans = told.spans): string[] {
  const isWithin = (span: ReceivedSpan): boolean => {
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
    return parent !== undefined && (parent === around || isWithin(parent));
  };
  return spans.filter(isWithin).map(({ name }) => name);
}

test('a card order leaves its route, statements, calls of the provider and job as spans, without anybody’s data', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db);
  const headers = { ...buyer.headers, 'content-type': 'application/json' };
  const body = JSON.stringify({ orderItems: [aLine(sofa)] });
  const reply = await fetch(`${shop.url}/stripe/create-checkout-session`, { method: 'POST', headers, body });
  const { url } = (await reply.json()) as { url: string };
  await pay(url);
  await eventually(async () => {
    // The notice arrives when it likes, and queues the mail.
    await runJobs(services);
    const [checkout] = named('POST /stripe/create-checkout-session');
    expect(within(checkout)).toEqual(expect.arrayContaining(['sql insert', 'POST']));
    const [notice] = named('POST /stripe/webhook');
    expect(within(notice)).toEqual(expect.arrayContaining(['sql update', 'GET']));
    expect(named('job sendMail').length).toBeGreaterThan(0);
  }, 20);
  const statements = told.spans.filter(({ name }) => name.startsWith('sql '));
  expect(statements.some(({ attributes }) => String(attributes['db.query.text']).includes('$1'))).toBe(true);
  for (const secret of [buyer.email, buyer.name, buyer.token, '07700 900123', 'Low Road', sofa._id])
    expect(JSON.stringify(told.spans)).not.toContain(secret);
  expect(told.resources[0]).toMatchObject({ 'service.name': 'shop', 'service.version': 'abc1234' });
  expect(told.asked.find((one) => one.url === '/v1/traces')?.authorization).toBe('Bearer key');
});

test('the built shop traces what it loads from its start, and sends the last spans when it stops', async () => {
  const [buyer, sofa, built] = [await aCustomer(db), await aProduct(db), await collector()];
  const { secretKey, webhookSecret, apiBase = '' } = services.config.stripe ?? {};
  const traced = await startShop(await freePort(), {
    SHOP_DATA_DIR: aFolder('traced'),
    SHOP_DEMO: '0',
    DATABASE_URL: shop.databaseUrl,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: apiBase,
    OTEL_EXPORTER_OTLP_ENDPOINT: built.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20key',
    RELEASE: 'built',
  });
  const headers = { ...buyer.headers, 'content-type': 'application/json' };
  const body = JSON.stringify({ orderItems: [aLine(sofa)] });
  await fetch(`${traced.url}/stripe/create-checkout-session`, { method: 'POST', headers, body });
  expect(await traced.stop()).toBe(0);
  const checkout = built.spans.find(({ name }) => name === 'POST /stripe/create-checkout-session');
  expect(within(checkout, built.spans)).toEqual(expect.arrayContaining(['sql insert', 'POST']));
  expect(built.resources[0]).toMatchObject({ 'service.version': 'built' });
  expect(built.asked[0]).toMatchObject({ url: '/v1/traces', authorization: 'Bearer key' });
  await built.close();
});

test('a trace that a request names is linked and not continued; what is no trace is left out; a ready answer is a span too', {
  tags: ['thorough'],
}, async () => {
  for (const traceparent of [
    TRACEPARENT,
    'x',
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `${TRACEPARENT}${'f'.repeat(5_000)}`,
    TRACEPARENT,
  ])
    await fetch(`${shop.url}/api/products?limit=1`, { headers: { traceparent } });
  await eventually(() => expect(named('GET /api/products')).toHaveLength(5), 20);
  const spans = named('GET /api/products');
  expect(spans.map(({ links }) => links.map(({ traceId }) => traceId))).toEqual([[TRACE], [], [], [], [TRACE]]);
  expect(spans.some(({ traceId }) => traceId === TRACE)).toBe(false);
  expect(spans.at(-1)?.attributes).toMatchObject({ 'shop.cache': 'hit', 'http.response.status_code': 200 });
});

test('an error that nobody foresaw is one line of the log and one envelope, with release and request id and without the row', async () => {
  await sql`alter table users add constraint no_bob check (name <> 'Bob')`.execute(db);
  const payload = { name: 'Bob', email: 'bob-in-the-row@example.com', password: PASSWORD };
  const headers = { 'x-request-id': 'the-request', 'content-type': 'application/json' };
  const reply = await fetch(`${shop.url}/api/users`, { method: 'POST', body: JSON.stringify(payload), headers });
  expect(reply.status).toBe(500);
  expect(lines.find(({ msg }) => msg === 'error report')).toMatchObject({
    level: 50,
    reqId: 'the-request',
    source: 'server',
    release: 'abc1234',
    place: '/api/users',
    err: { code: '23514', stack: expect.stringContaining('accounts.service') },
  });
  await eventually(() => expect(told.envelopes).toHaveLength(1), 20);
  expect(told.asked.find(({ url }) => url.startsWith('/api/7/envelope/?'))?.url).toContain('sentry_key=key');
  expect(told.envelopes[0]?.at(-1)).toMatchObject({
    release: 'abc1234',
    transaction: '/api/users',
    tags: { source: 'server', request_id: 'the-request', code: '23514' },
    exception: { values: [{ stacktrace: { frames: expect.arrayContaining([expect.objectContaining({ filename: expect.anything() })]) } }] },
  });
  expect(JSON.stringify([told.envelopes, text()])).not.toContain('bob-in-the-row');
  await eventually(() => expect(named('POST /api/users')[0]).toMatchObject({ isFailed: true, attributes: { 'error.type': '500' } }), 20);
});

test('an error while a page is made names the request that it was made for', async () => {
  await sql`alter table product_sizes rename to gone`.execute(db);
  const reply = await app.inject({ url: '/shop', headers: { 'x-request-id': 'the-page' } });
  await sql`alter table gone rename to product_sizes`.execute(db);
  expect(reply.statusCode).toBe(500);
  expect(lines.findLast(({ msg }) => msg === 'error report')).toMatchObject({
    reqId: 'the-page',
    source: 'server',
    release: 'abc1234',
    place: 'GET /api/products, for a page',
  });
});

const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' };
const send = (payload: string, headers: Record<string, string> = own) =>
  app.inject({ method: 'POST', url: '/api/browser-errors', headers: { referer: `${shop.url}/shop?search=my+name`, ...headers }, payload });

test('reports of browsers, which anybody can invent, use up nothing of what the server may send', { tags: ['thorough'] }, async () => {
  const place = 'a flood';
  const report = (source: 'browser' | 'server') => reportError(services, { source, error: new Error('x'), place });
  // Within one minute of the clock, by which reports are counted.
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 5_000) await setTimeout(left);
  for (let n = 0; n < 100; n += 1) report('browser');
  report('server');
  const sources = () =>
    told.envelopes.flatMap(([, , event]: unknown[]) => (Object(event).transaction === place ? [Object(event).tags.source as string] : []));
  await eventually(() => expect(sources()).toContain('server'));
  expect(sources().length).toBeLessThanOrEqual(31);
});

test('an uncaught error of a page goes the same way; what is not one of the shop’s pages, too large, empty or too much is refused', async () => {
  const stack =
    'TypeError: x of ann@example.com is not a function\nrender@http://shop/assets/a.js?who=ann:1:20\nat http://shop/pay/a-secret:2:1\n\u0007';
  expect((await send(stack)).statusCode).toBe(204);
  const line = lines.findLast(({ msg }) => msg === 'error report');
  expect(line).toMatchObject({ source: 'browser', release: 'abc1234', place: '/shop', reqId: expect.any(String) });
  const { message, stack: kept } = Object(line?.err) as { message: string; stack: string };
  expect(message).toBe('TypeError: x of …@… is not a function');
  expect(kept).toContain('render at http://shop/assets/a.js:1:20');
  for (const secret of ['ann@', 'who=ann', 'my+name', 'a-secret', '\u0007']) expect(JSON.stringify(line)).not.toContain(secret);
  const statuses = [
    await send('x', { ...own, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
    await send('x', { 'content-type': 'text/plain' }),
    await send('{}', { ...own, 'content-type': 'application/json' }),
    await send('x'.repeat(5_000)),
    await send('  '),
  ].map(({ statusCode }) => statusCode);
  expect(statuses).toEqual([403, 403, 415, 413, 400]);
  const flood: number[] = [];
  for (let n = 0; n < 6; n += 1) flood.push((await send(`Error: ${n}`)).statusCode);
  expect(flood).toEqual([204, 204, 204, 204, 429, 429]);
});

test('without settings nothing of either SDK is loaded: only two files import more than the API, and those are only loaded when asked for', () => {
  const src = join(ROOT, 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'),
  );
  const matching = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(join(src, file), 'utf8')));
  const importers = matching(/from '@(opentelemetry\/(?!api')|sentry\/)/).sort();
  expect(importers).toEqual(['server/platform/telemetry/open-telemetry.ts', 'server/platform/telemetry/sentry.ts']);
  expect(
    matching(/^import (?!type ).*telemetry\/(open-telemetry|sentry)\.ts|^import (?!type ).*'\.\/(open-telemetry|sentry)\.ts/m),
  ).toEqual([]);
});

test('the secrets of links are taken out in a time that grows with the path alone', () => {
  expect(withoutSecrets('//pay//one /api/wishlists/two /api/payment-links/three/x')).toBe(
    '//pay//… /api/wishlists/… /api/payment-links/…/x',
  );
  expect(withoutSecrets('/PAY/one /api//payment-links/two')).toBe('/PAY/… /api//payment-links/…');
  const start = performance.now();
  for (const path of ['/'.repeat(15_000), '/pay'.repeat(4_000), `/pay${'/'.repeat(15_000)}`, `/api${'/'.repeat(15_000)}`])
    withoutSecrets(path);
  // A cost that grows with the square was 160 ms.
  expect(performance.now() - start).toBeLessThan(40);
});
