import { connect as dial } from 'node:net';
import type { InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { apiRoutes, buildApp } from '#server/app/app.ts';
import { connect } from '#server/platform/database/connect.ts';
import { requestId } from '#server/platform/request-id.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, anAdmin, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { readableLog } from '#server/testing/logs.ts';

const shop = await testShop();
const { app, db, services } = shop;
const page = async () => ({ status: 200, head: '', body: '<p>A page</p>', state: {}, modules: [] });
const { log, lines, text } = readableLog();
const logged = await buildApp({ ...services, log }, page);

const EXPECTED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

const answers: [string, InjectOptions, number][] = [
  ['a page', { url: '/' }, 200],
  ['a call', { url: '/api/products' }, 200],
  ['a refusal', { url: '/api/orders' }, 401],
  ['an unknown call', { url: '/api/nothing' }, 404],
  ['a method that the address does not have', { method: 'DELETE', url: '/api/orders/x/deliver' }, 404],
  ['an address that cannot be read', { url: '/api/products/%zz' }, 404],
  ['a check of life', { url: '/healthz' }, 200],
];
test.each(answers)('%s carries the whole set of protecting headers', async (_, request, status) => {
  const { headers, statusCode } = await logged.inject(request);
  expect(statusCode).toBe(status);
  expect(headers['x-request-id']).toMatch(/^[\w-]{12}-[\da-z]+$/);
  expect(headers['x-powered-by']).toBeUndefined();
  expect(headers['strict-transport-security']).toBeUndefined();
  expect(headers).toMatchObject(EXPECTED);
  const policy = new Map(
    String(headers['content-security-policy'])
      .split(';')
      .map((rule) => [rule.split(' ')[0], rule]),
  );
  expect(policy.get('default-src')).toBe("default-src 'none'");
  // The shop's own files, and the one script in its pages.
  expect(policy.get('script-src')).toMatch(/^script-src 'self' 'sha256-[\w+/]{43}='$/);
  for (const rule of ['base-uri', 'frame-ancestors']) expect(policy.get(rule)).toBe(`${rule} 'none'`);
  expect(policy.get('form-action')).toBe("form-action 'self'");
});

test('behind https browsers are told to stay there', async () => {
  const secure = await buildApp({ ...services, config: { ...services.config, publicUrl: 'https://shop.example' } }, page);
  expect((await secure.inject({ url: '/healthz' })).headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  await secure.close();
});

test('what is somebody’s own is kept by no browser and no proxy', async () => {
  const { headers } = await aCustomer(db);
  expect((await app.inject({ url: '/api/orders/myorders', headers })).headers['cache-control']).toBe('no-store');
  expect((await app.inject({ url: '/api/orders/myorders' })).headers['cache-control']).toBe('no-store');
});

test('other sites may call the API only where a setting names them', async () => {
  const open = await buildApp({ ...services, config: { ...services.config, corsOrigins: ['https://app.example'] } }, page);
  const ask = (from: typeof app, origin: string, method: 'GET' | 'OPTIONS' = 'GET') =>
    from.inject({ method, url: '/api/products', headers: { origin, 'access-control-request-method': 'PUT' } });
  const allowed = await ask(open, 'https://app.example');
  expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example');
  expect(allowed.headers['access-control-allow-credentials']).toBeUndefined();
  const preflight = await ask(open, 'https://app.example', 'OPTIONS');
  expect([preflight.statusCode, preflight.headers['access-control-allow-methods']]).toEqual([204, 'GET, POST, PUT, DELETE']);
  expect(preflight.headers['access-control-allow-headers']).toContain('bearer');
  expect((await ask(open, 'https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
  expect((await ask(app, 'https://app.example')).headers['access-control-allow-origin']).toBeUndefined();
  await open.close();
});

const json = { 'content-type': 'application/json' };
const wrong: [string, InjectOptions, number, string][] = [
  [
    'a body that is too large',
    { method: 'POST', url: '/api/users/login', headers: json, payload: 'x'.repeat(256 * 1024 + 1) },
    413,
    'That is too large.',
  ],
  [
    'a body that is no JSON',
    { method: 'POST', url: '/api/users/login', headers: json, payload: '{"email":' },
    400,
    'The request cannot be read.',
  ],
  [
    'a body of another type',
    { method: 'POST', url: '/api/users', headers: { 'content-type': 'text/xml' }, payload: '<a/>' },
    415,
    'That type of content is not accepted.',
  ],
  [
    'a form',
    { method: 'POST', url: '/api/users', headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=b' },
    415,
    'That type of content is not accepted.',
  ],
  [
    'a notice that is too large',
    { method: 'POST', url: '/stripe/webhook', headers: json, payload: 'x'.repeat(256 * 1024 + 1) },
    413,
    'That is too large.',
  ],
  ['a page that nobody made', { method: 'POST', url: '/shop', headers: json, payload: '{}' }, 404, 'Not found.'],
  ['an unknown picture', { url: '/images/x' }, 404, 'There is no such picture.'],
  ['an unknown file', { url: '/assets/x.js' }, 404, 'Not found.'],
];
test.each(wrong)('%s is answered in JSON', async (_, request, status, message) => {
  const reply = await logged.inject(request);
  expect([reply.statusCode, reply.headers['content-type'], reply.json()]).toEqual([status, 'application/json; charset=utf-8', { message }]);
});

test('a call without a body may carry the JSON type all the same, as every call does by default (§7.1)', async () => {
  const admin = await anAdmin(db);
  const { _id } = await aCustomer(db);
  const headers = { ...admin.headers, ...json };
  expect((await app.inject({ method: 'DELETE', url: `/api/users/${_id}`, headers })).json()).toEqual({ message: 'User deleted' });
  const login = await app.inject({ method: 'POST', url: '/api/users/login', headers: json });
  expect([login.statusCode, login.json().message]).toEqual([400, 'Email is required']);
  expect((await app.inject({ method: 'POST', url: '/api/users/logout', headers })).statusCode).toBe(200);
});

/** What the server says to raw bytes. */
function sayTo(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = dial(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(heard));
  });
}

test.each([
  ['noise', 'nonsense\r\n\r\n', '400 Bad Request', 'The request cannot be read.'],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    '400 Bad Request',
    'The request cannot be read.',
  ],
  [
    'endless headers',
    `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
    'The headers are too large.',
  ],
])('%s on the line is answered in JSON too, and the line is closed', async (_, bytes, status, message) => {
  const heard = await sayTo(Number(new URL(shop.url).port), bytes);
  expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status}\r\n`));
  expect(JSON.parse(heard.split('\r\n\r\n')[1] ?? '')).toEqual({ message });
});

test('a request keeps the id that a proxy gave it, where that is one, and both its line and its errors carry it', async () => {
  lines.length = 0;
  const id = 'trace-0123456789abcdef';
  const reply = await logged.inject({ url: '/api/nothing', headers: { 'x-request-id': id } });
  expect(reply.headers['x-request-id']).toBe(id);
  expect(lines.map(({ reqId, msg }) => [reqId, msg])).toEqual([[id, 'request']]);
  for (const given of ['', 'short', 'x'.repeat(200), 'with space 123', 'line\nbreak-123', '<script>alert(1)</script>'])
    expect(requestId({ headers: { 'x-request-id': given } })).toMatch(/^[\w-]{12}-[\da-z]+$/);
});

test('a request leaves one structured line, whatever became of it, and none of what was sent', async () => {
  lines.length = 0;
  const user = await aCustomer(db, { name: 'Nia Private' });
  const requests: InjectOptions[] = [
    { url: `/api/products?search=${encodeURIComponent(user.email)}` },
    { url: '/api/orders/myorders', headers: { authorization: `Bearer ${user.token}`, cookie: 'secret=cookie' } },
    { method: 'POST', url: '/api/users/login', payload: { email: user.email, password: PASSWORD } },
    { method: 'POST', url: '/api/users/login', payload: { email: user.email, password: 'wrong guess' } },
    { method: 'PUT', url: '/api/users/profile', headers: user.headers, payload: { name: 'Nia Newname', email: user.email } },
    { method: 'POST', url: '/api/users/login', headers: json, payload: `{"email":"${user.email}"` },
  ];
  for (const request of requests) await logged.inject(request);
  expect(lines).toHaveLength(requests.length);
  for (const line of lines) {
    expect(line).toMatchObject({
      msg: 'request',
      method: expect.any(String),
      path: expect.stringMatching(/^\/[^?]*$/),
      status: expect.any(Number),
    });
    expect(line.ms).toBeGreaterThanOrEqual(0);
  }
  for (const secret of [user.email, user.token, PASSWORD, 'wrong guess', 'Nia', 'secret=cookie']) expect(text()).not.toContain(secret);
});

test('the process is alive without the database; ready only with it, and it says so in the log (§17.2)', async () => {
  lines.length = 0;
  const gone = connect('postgres://nobody@127.0.0.1:9/nothing');
  const cut = await buildApp({ ...services, log, db: gone.db, readDb: gone.db, pool: gone.pool }, page);
  expect((await cut.inject({ url: '/healthz' })).statusCode).toBe(200);
  const ready = await cut.inject({ url: '/readyz' });
  expect([ready.statusCode, ready.json(), ready.headers['retry-after']]).toEqual([503, { message: 'The database does not answer.' }, '5']);
  expect(lines.find(({ msg }) => msg === 'the database does not answer')).toMatchObject({
    reason: expect.stringContaining('ECONNREFUSED'),
  });
  const call = await cut.inject({ url: '/api/products' });
  expect([call.statusCode, call.json().message]).toEqual([503, 'The shop is not available right now. Please try again in a moment.']);
  expect((await app.inject({ url: '/readyz' })).json()).toEqual({ status: 'ready' });
  await cut.close();
  await gone.close();
});

/** Something to wait for. */
function aGate(): { isOpen: Promise<void>; open: () => void } {
  const gate = new AbortController();
  return {
    isOpen: new Promise((resolve) => gate.signal.addEventListener('abort', () => resolve())),
    open: () => gate.abort(),
  };
}

test('a server that is told to stop finishes what it is doing, and takes nothing new', async () => {
  const [started, released] = [aGate(), aGate()];
  const slow = async () => {
    started.open();
    await released.isOpen;
    return page();
  };
  const stopping = await buildApp({ ...services, log }, slow);
  const url = await stopping.listen({ port: 0, host: '127.0.0.1' });
  const inFlight = fetch(`${url}/privacy`);
  await started.isOpen;
  let isClosed = false;
  const closed = stopping.close().then(() => {
    isClosed = true;
  });
  const ask = () =>
    fetch(`${url}/healthz`).then(
      ({ status }) => status,
      () => 'refused',
    );
  await eventually(async () => expect(await ask()).toBe('refused'));
  expect(isClosed).toBe(false);
  released.open();
  const reply = await inFlight;
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('<p>A page</p>')]);
  await closed;
});

test.each([
  ['GET', '/metrics', 404],
  ['POST', '/api/users/login', 401],
  ['POST', '/api/users/forgot-password', 200],
] as const)('%s %s causes no error when its client is gone before it is read', async (method, url, status) => {
  const empty = await buildApp({ ...services, log }, page);
  // Node's error for a connection that has ended.
  empty.addHook('onRequest', async ({ raw }) => void Object.defineProperty(raw.socket, 'remoteAddress', { value: undefined }));
  lines.length = 0;
  const payload = { email: 'gone@example.com', password: PASSWORD };
  const reply = await empty.inject({ method, url, ...(method === 'POST' && { payload }) });
  expect([reply.statusCode, lines.filter(({ level }) => Number(level) >= 50)]).toEqual([status, []]);
});

const REQUIRED: Record<string, string> = {
  quarter: '2026-Q3',
  by: 'day',
  from: '2026-11-01',
  to: '2026-11-02',
  day: '2026-11-01',
  ids: 'x',
};
test('a parameter that is empty, null or undefined is absent, whichever call reads it (§7.4)', async () => {
  const { headers } = await anAdmin(db);
  const calls = apiRoutes.map(({ endpoint }) => endpoint).filter(({ method, query }) => method === 'GET' && query);
  expect(calls.length).toBeGreaterThan(20);
  for (const { name, url, query, params } of calls) {
    const path = url.replace(/:\w+/g, 'terms');
    const shape = query instanceof z.ZodObject ? query.shape : {};
    const optional = Object.entries(shape).flatMap(([field, schema]) =>
      (schema as z.ZodType).safeParse(undefined).success ? [field] : [],
    );
    const needed = Object.keys(shape).filter((field) => !optional.includes(field));
    const base = needed.map((field) => `${field}=${REQUIRED[field]}`).join('&');
    const bare = await app.inject({ url: `${path}?${base}`, headers });
    if (!params) expect([name, bare.statusCode]).toEqual([name, expect.toBeOneOf([200, 403])]);
    for (const text of ['', 'null', 'undefined', '%20']) {
      const { statusCode } = await app.inject({ url: `${path}?${base}&${optional.map((field) => `${field}=${text}`).join('&')}`, headers });
      expect([name, text, statusCode]).toEqual([name, text, bare.statusCode]);
    }
  }
});
