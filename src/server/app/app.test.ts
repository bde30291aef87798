import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { aCustomer, anAdmin } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { apiRoutes } from './app.ts';

const { app, db, services } = await testShop({ env: { TRUST_PROXY: '127.0.0.1' } });
const [customer, admin] = [await aCustomer(db), await anAdmin(db)];
const UNKNOWN = '01890000-0000-7000-8000-000000000000';

const urlOf = (url: string) => url.replace(':id', UNKNOWN);

/** What each role must hear where it may not go; "let in" is anything that is not about the role. */
const cases = apiRoutes.flatMap(({ endpoint }) =>
  (['visitor', 'customer', 'admin'] as const).map((who) => {
    const isRefused = (endpoint.role !== 'visitor' && who === 'visitor') || (endpoint.role === 'admin' && who === 'customer');
    return {
      name: `${who} × ${endpoint.method} ${endpoint.url}`,
      who,
      endpoint,
      expected: isRefused ? (who === 'visitor' ? 401 : 403) : 'let in',
    };
  }),
);

test.each(cases)('$name: $expected (§2.2.3, §6.2)', async ({ who, endpoint, expected }) => {
  if (endpoint.url === '/api/users/logout' && who !== 'visitor') return expect(expected).toBe('let in');
  const headers = { visitor: {}, customer: customer.headers, admin: admin.headers }[who];
  const reply = await app.inject({
    method: endpoint.method,
    url: urlOf(endpoint.url),
    headers,
    ...(endpoint.method !== 'GET' && { payload: {} }),
  });
  // A visitor's login with an empty body is a bad payload, not a missing session.
  const status = reply.statusCode === 401 || reply.statusCode === 403 ? reply.statusCode : 'let in';
  expect(status).toBe(expected);
});

test('errors are JSON with a message and nothing of the inside (§7.1)', async () => {
  const replies = [
    await app.inject({ url: '/api/nothing' }),
    await app.inject({ method: 'POST', url: '/api/users/login', headers: { 'content-type': 'application/json' }, payload: '{"broken' }),
    await app.inject({ method: 'POST', url: '/api/users/login', headers: { 'content-type': 'text/plain' }, payload: 'x' }),
    await app.inject({ method: 'POST', url: '/api/users/login', payload: { email: 'x', password: 'x'.repeat(300_000) } }),
  ];
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 400, 415, 413]);
  for (const reply of replies) expect(Object.keys(reply.json())).toEqual(['message']);
});

/** Customers' changes that need no turn. */
const WITHOUT_TURN = [
  // A single statement, which waits for no other call.
  'POST /api/users/logout',
  // Ten attempts an hour.
  'POST /api/users/proof',
  // Forms with files take turns among themselves.
  'POST /api/products/:id/reviews',
  'PUT /api/reviews/:id',
  // Waits for the payment provider.
  'POST /api/orders/:id/correction/payment',
];
const changes = apiRoutes
  .map(({ endpoint }) => endpoint)
  .filter(({ role, method, name }) => role === 'customer' && method !== 'GET' && !WITHOUT_TURN.includes(name));

test('each change by a customer takes its turn before it holds a connection', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // More than may run at once.
  const orders = Array.from({ length: 20 }, () => services.orderTurns.run('198.51.100.1', () => held));
  const answered: string[] = [];
  const calls = changes.map(async ({ method, url, name }) => {
    await app.inject({ method, url: urlOf(url), headers: customer.headers, payload: {} });
    answered.push(name);
  });
  await setTimeout(300);
  expect(answered).toEqual([]);
  release();
  await Promise.all([...orders, ...calls]);
  expect(answered).toHaveLength(changes.length);
});

test('what a visitor asks of many products takes its turn, and a login needs none', async () => {
  const cart = { orderItems: [] };
  const calls = [
    { method: 'POST', url: '/api/cart/check', payload: cart },
    { method: 'POST', url: '/api/cart/discount', payload: cart },
    { method: 'POST', url: '/api/wishlists/pieces', payload: { wishes: [] } },
    { method: 'GET', url: `/api/wishlists/${UNKNOWN}` },
    { method: 'GET', url: `/api/delivery?products=${UNKNOWN}` },
  ] as const;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const running = Array.from({ length: 20 }, () => services.visitorTurns.run('198.51.100.1', () => held));
  const answered: string[] = [];
  const asked = calls.map(async (call) => {
    await app.inject(call);
    answered.push(call.url);
  });
  expect(
    (await app.inject({ method: 'POST', url: '/api/users/login', payload: { email: 'a@example.com', password: 'a guess' } })).statusCode,
  ).toBe(401);
  await setTimeout(300);
  expect(answered).toEqual([]);
  release();
  await Promise.all([...running, ...asked]);
  expect(answered).toHaveLength(calls.length);
});

test('what waits for a turn keeps no large body in memory', async () => {
  setFlagsFromString('--expose-gc');
  const heapMb = () => {
    runInNewContext('gc')();
    return process.memoryUsage().heapUsed / 1024 / 1024;
  };
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const running = Array.from({ length: 20 }, () => services.orderTurns.run('198.51.100.1', () => held));
  const orderItems = `[${Array.from({ length: 80_000 }, () => '{}').join(',')}]`;
  const request = {
    headers: { bearer: 'nobody-has-this-token', 'content-type': 'application/json' },
    payload: `{"orderItems":${orderItems}}`,
  };
  const before = heapMb();
  // Each is about 5 MB as objects.
  const calls = Array.from({ length: 50 }, () => app.inject({ method: 'POST', url: '/api/orders', ...request }));
  await setTimeout(1_000);
  expect(services.orderTurns.isAwaited).toBe(true);
  expect(heapMb() - before).toBeLessThan(60);
  release();
  expect((await Promise.all(calls)).map(({ statusCode }) => statusCode)).toEqual(calls.map(() => 401));
  await Promise.all(running);
  // A visitor's needs no turn to be refused.
  const cart = await app.inject({ method: 'POST', url: '/api/cart/check', ...request });
  expect([cart.statusCode, cart.json()]).toEqual([400, { message: 'The request has too many entries.' }]);
});

const largeOfStaff = apiRoutes.map(({ endpoint }) => endpoint).filter(({ role, maxBodyKb }) => role === 'admin' && maxBodyKb);

test.each(largeOfStaff)('a large body is not read of a stranger: $name', async ({ method, url }) => {
  const headers = { bearer: 'nobody-has-this-token', 'content-type': 'application/json' };
  // Read, it would be 400.
  expect((await app.inject({ method, url: urlOf(url), headers, payload: '{"broken' })).statusCode).toBe(401);
});
