import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { apiRoutes, buildApp } from '#server/app/app.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { readableLog } from '#server/testing/logs.ts';

const shop = await testShop({ env: { TRUST_PROXY: '127.0.0.1', CORS_ORIGINS: 'https://app.example' } });
const { db, services } = shop;
const { log, lines } = readableLog();
const app = await buildApp({ ...services, log }, async () => ({ status: 200, head: '', body: '', state: {}, modules: [] }));
const [customer, admin] = [await aCustomer(db), await anAdmin(db)];
const product = await aProduct(db, { stock: 1_000_000, sizes: [{ size: 'S' }] });
const ids = [product._id, customer._id, '01890000-0000-7000-8000-000000000000'];

/** Requests tried at each endpoint. */
const RUNS = 120;

const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '0',
    '-1',
    'NaN',
    'true',
    [],
    {},
    [[]],
    [null],
    { $ne: null },
    '%00',
    '../..',
  ),
  fc.constantFrom<unknown>(-1, 0.5, 1e308, -0, 2_147_483_648, Number.MAX_SAFE_INTEGER, '2147483648', '9'.repeat(400), 'x'.repeat(20_000)),
  fc.constantFrom<unknown>(
    "'; drop table users; --",
    '<script>alert(1)</script>',
    '{"a":1}',
    '\u202e',
    '🛋️'.repeat(100),
    'a@b.c\r\nBcc: x@y.z',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Payloads that are right, of which one field after the other goes wrong. */
const good: object[] = [
  { email: 'a@example.com', password: 'long enough', name: 'A', isAdmin: false, otp: '123456', newPassword: 'long enough' },
  { ...aPayload([aLine(product, { size: 'S' })]), isDelivered: true, isPaid: true },
];
const spoilt = fc.tuple(fc.constantFrom(...good), fc.array(fc.tuple(fc.nat(20), value), { maxLength: 3 })).map(([payload, changes]) => {
  const keys = Object.keys(payload);
  return JSON.stringify({ ...payload, ...Object.fromEntries(changes.map(([at, wrong]) => [keys[at % keys.length], wrong])) });
});
const spoiltLine = fc
  .tuple(fc.constantFrom('_id', 'name', 'image', 'price', 'qty', 'size', 'color'), value)
  .map(([field, wrong]) => JSON.stringify({ ...aPayload([]), orderItems: [{ ...aLine(product), [field]: wrong }] }));
const noise = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{}}}',
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    '{"a":',
    '\ufeff{}',
    '""',
    '7',
  ),
);

const FIELDS = { name: 'A', description: 'A', fit: 'A', category: 'A', subCategory: 'A', brand: 'A', price: '1', countInStock: '1' };
const field = fc.constantFrom(
  ...Object.keys(FIELDS),
  'images',
  'sizes',
  'colors',
  'measurements',
  'newArrivals',
  'isRecommend',
  'version',
  '',
  '__proto__',
);
const part = fc.record({
  name: field,
  text: value.map((wrong) => (typeof wrong === 'string' ? wrong : (JSON.stringify(wrong) ?? ''))),
  isFile: fc.boolean(),
});
const form = fc
  .tuple(fc.array(part, { maxLength: 5 }), fc.boolean(), fc.constantFrom('', '--x', 'garbage'))
  .map(([parts, isWhole, tail]) => {
    const all = [...Object.entries(FIELDS).map(([name, text]) => ({ name, text, isFile: false })), ...parts];
    const text = all.map(
      ({ name, text: content, isFile }) =>
        `--x\r\ncontent-disposition: form-data; name="${name}"${isFile ? '; filename="a.png"\r\ncontent-type: image/png' : ''}\r\n\r\n${content}\r\n`,
    );
    return `${text.join('')}${isWhole ? '--x--\r\n' : tail}`;
  });

const json = 'application/json';
const multipart = 'multipart/form-data; boundary=x';
const body = fc.oneof(
  fc.record({ type: fc.constant(json), payload: fc.oneof(spoilt, spoiltLine, noise) }),
  fc.record({ type: fc.constant(multipart), payload: fc.oneof(form, noise) }),
  fc.record({
    type: fc.constantFrom(
      '',
      'text/plain',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      `${json}; charset=utf-7`,
      'a/b/c',
      ';',
    ),
    payload: fc.oneof(spoilt, noise),
  }),
);
/** What a header may hold on the line: visible signs of one byte. */
const header = fc.string({ maxLength: 40 }).map((text) => text.replace(/[^\x21-\x7e]/g, '?'));
const query = fc.dictionary(
  fc.constantFrom(
    'search',
    'pageNumber',
    'sortBy',
    'minPriceQuery',
    'maxPriceQuery',
    'categoryQuery',
    'brandQuery',
    'inStockQuery',
    'from',
    'to',
    'paid',
    'user',
    'role',
    '__proto__',
  ),
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('null', '-1', '1e9', '9'.repeat(300), '%', '2026-02-31', '_', 'NaN'),
  ),
);
const request = fc.record({
  body,
  query,
  id: fc.oneof(fc.constantFrom(...ids), fc.string({ unit: 'binary', minLength: 1, maxLength: 120 })),
  who: fc.constantFrom('visitor', 'customer', 'admin', 'stranger'),
  odd: fc.record({
    'idempotency-key': header,
    'accept-encoding': header,
    'if-none-match': header,
    origin: header,
    'x-request-id': header,
    accept: header,
  }),
});
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

/** Half of a pair of surrogates cannot stand in an address. */
const wellFormed = (text: string) => Buffer.from(text).toString();

let address = 0;
/** Every try from somewhere else, so that the limits on tries do not answer for the rest. */
function optionsOf(method: string, path: string, { body: sent, query: params, who, odd }: Request): InjectOptions {
  address += 1;
  const token = {
    visitor: {},
    customer: customer.headers,
    admin: admin.headers,
    stranger: { bearer: odd.accept, authorization: odd.origin },
  }[who];
  const search = new URLSearchParams(Object.entries(params).map(([name, text]): [string, string] => [name, wellFormed(text)])).toString();
  return {
    method: method as 'GET',
    url: `${path}?${search}`,
    headers: {
      ...odd,
      ...token,
      'x-forwarded-for': `10.${address % 250}.${Math.floor(address / 250) % 250}.7`,
      ...(method !== 'GET' && sent.type && { 'content-type': sent.type }),
    },
    ...(method !== 'GET' && { payload: sent.payload }),
  };
}

const targets = [
  ...apiRoutes.map(({ endpoint }) => ({ name: endpoint.name, method: endpoint.method as string, url: endpoint.url })),
  { name: 'POST /stripe/webhook', method: 'POST', url: '/stripe/webhook' },
  { name: 'GET /images/:name', method: 'GET', url: '/images/:id' },
  { name: 'GET any page', method: 'GET', url: '/:id' },
  { name: 'GET /metrics', method: 'GET', url: '/metrics' },
];

test.each(targets)('$name answers whatever it is sent, and never with a 500', async ({ method, url }) => {
  // An ended session would turn every later try into that of a stranger.
  const ends = url === '/api/users/logout';
  await fc.assert(
    fc.asyncProperty(request, async (sent) => {
      const path = url.replace(':id', encodeURIComponent(wellFormed(sent.id)));
      const reply = await app.inject(optionsOf(method, path, ends ? { ...sent, who: 'stranger' } : sent));
      if (reply.statusCode >= 500) throw new Error(`${reply.statusCode} ${reply.body}\n${JSON.stringify(lines.slice(-2))}`);
      if (reply.statusCode >= 400) expect(typeof reply.json().message).toBe('string');
    }),
    { numRuns: RUNS },
  );
});

test('after all of it the roles and the stock are what they were, and nothing was logged as a bug', async () => {
  const rows = await db.selectFrom('users').select(['id', 'isAdmin']).where('id', 'in', [customer._id, admin._id]).orderBy('id').execute();
  expect(rows.filter(({ isAdmin }) => isAdmin).map(({ id }) => id)).toEqual([admin._id]);
  expect(lines.filter(({ level, err }) => Number(level) >= 50 && err)).toEqual([]);
  expect(lines.filter(({ msg }) => msg === 'request').length).toBeGreaterThanOrEqual(targets.length * RUNS * 0.95);
});
