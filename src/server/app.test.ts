import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aCustomer, anAdmin } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { apiRoutes } from './app.ts';

const { app, db } = await testShop({ env: { TRUST_PROXY: '127.0.0.1' } });
const [customer, admin] = [await aCustomer(db), await anAdmin(db)];
const UNKNOWN = '01890000-0000-7000-8000-000000000000';

const urlOf = (url: string) => url.replace(':id', UNKNOWN);

/** What each role must hear where it may not go; "let in" is anything that is not about the role. */
const cases = apiRoutes.flatMap(({ endpoint, role }) =>
  (['visitor', 'customer', 'admin'] as const).map((who) => {
    const isRefused = (role !== 'visitor' && who === 'visitor') || (role === 'admin' && who === 'customer');
    return {
      name: `${who} × ${endpoint.method} ${endpoint.url}`,
      who,
      endpoint,
      expected: isRefused ? (who === 'visitor' ? 401 : 403) : 'let in',
    };
  }),
);

test.each(cases)('$name: $expected', async ({ who, endpoint, expected }) => {
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

const hostile = fc.oneof(
  fc.json(),
  fc.string({ maxLength: 200 }),
  fc.constantFrom(
    '{"__proto__":{"isAdmin":true}}',
    '[[[[[[]]]]]]',
    '{"email":{"$ne":null},"password":[]}',
    '\u0000',
    `{"name":"${'x'.repeat(50_000)}"}`,
    '{"orderItems":[{"_id":"x","qty":1e308,"price":-0}]}',
  ),
);
const types = fc.constantFrom(
  'application/json',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  '',
  'application/json; charset=utf-7',
);

test('malformed bodies, headers, paths and queries never bring the server down: no 500 anywhere', async () => {
  const seen = new Map<number, number>();
  const request = fc.record({
    route: fc.constantFrom(...apiRoutes),
    body: hostile,
    type: types,
    query: fc.string({ maxLength: 60 }),
    id: fc.string({ minLength: 1, maxLength: 40 }),
    role: fc.constantFrom(undefined, customer, admin),
    key: fc.string({ maxLength: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ route: { endpoint }, body, type, query, id, role, key }) => {
      if (endpoint.url === '/api/users/logout') return;
      const url = `${endpoint.url.replace(':id', encodeURIComponent(id))}?${new URLSearchParams({ search: query, pageNumber: query, sortBy: query, minPriceQuery: query, categoryQuery: query })}`;
      const address = `10.${Math.floor(Math.random() * 255)}.${Math.floor(Math.random() * 255)}.1`;
      const headers = {
        'x-forwarded-for': address,
        'idempotency-key': Buffer.from(key)
          .toString('latin1')
          .replace(/[^\x20-\x7e]/g, '?'),
        ...(type && { 'content-type': type }),
        ...role?.headers,
      };
      const reply = await app.inject({ method: endpoint.method, url, headers, ...(endpoint.method !== 'GET' && { payload: body }) });
      seen.set(reply.statusCode, (seen.get(reply.statusCode) ?? 0) + 1);
      if (reply.statusCode >= 500) throw new Error(`${endpoint.method} ${url}: ${reply.statusCode} for ${body.slice(0, 200)}`);
      if (reply.statusCode >= 400) expect(reply.json()).toHaveProperty('message');
    }),
    { numRuns: 1_500 },
  );
  expect([...seen.keys()].every((status) => status < 500)).toBe(true);
}, 120_000);

test('errors are JSON with a message and nothing of the inside', async () => {
  const replies = [
    await app.inject({ url: '/api/nothing' }),
    await app.inject({ method: 'POST', url: '/api/users/login', headers: { 'content-type': 'application/json' }, payload: '{"broken' }),
    await app.inject({ method: 'POST', url: '/api/users/login', headers: { 'content-type': 'text/plain' }, payload: 'x' }),
    await app.inject({ method: 'POST', url: '/api/users/login', payload: { email: 'x', password: 'x'.repeat(300_000) } }),
  ];
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 400, 415, 413]);
  for (const reply of replies) expect(Object.keys(reply.json())).toEqual(['message']);
});
