import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { PageCache } from '#server/platform/cache/page-cache.ts';
import { Semaphore } from '#server/platform/semaphore.ts';
import { aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const MEGABYTE = 1024 * 1024;
const SETTING_MB = 2;
/** Memory besides the setting: spellings of addresses, list indexes, statements, connections. */
const REST_MB = 5;
/** Requests of each way before the measurement, so that what fills up only once is full by then. */
const TRIES_BEFORE = 50;
/** Requests of each way during the measurement. */
const TRIES = 100;

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

const shop = await testShop({
  env: { PAGE_CACHE_MB: String(SETTING_MB), CORS_ORIGINS: 'https://app.example' },
  render: async ({ url }) => ({ status: 200, head: '', body: `<p>${url} ${'x'.repeat(3_000)}</p>`, state: {}, modules: [] }),
});
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
afterAll(() => agent.destroy());

const { hostname, port } = new URL(shop.url);
function get(path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, headers, agent }, (reply) => {
      reply.resume().on('end', () => resolve(reply.statusCode ?? 0));
    });
    outgoing.on('error', reject).end();
  });
}

/** Bytes that this process holds after garbage collection. */
function held(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const LIST = '/api/products?';
const word = (n: number) => `w${n}x${randomBytes(4).toString('hex')}`;
const many = (n: number, of: (n: number) => string) => Array.from({ length: 20 }, (_, m) => of(n * 20 + m));

/** Ways to make addresses without end, most of which no list links to. */
const WAYS: Record<string, (n: number) => [path: string, headers?: Record<string, string>]> = {
  'pages past the end': (n) => [`${LIST}pageNumber=${1_000 + n}`],
  'lowest prices': (n) => [`${LIST}minPriceQuery=${n / 100}`],
  'highest prices': (n) => [`${LIST}maxPriceQuery=${1_000 + n / 100}`],
  'both prices': (n) => [`${LIST}minPriceQuery=${n / 100}&maxPriceQuery=${2_000 + n}`],
  'unknown categories': (n) => [`${LIST}categoryQuery=${word(n)}`],
  'unknown brands': (n) => [`${LIST}brandQuery=${word(n)}`],
  'unknown subcategories': (n) => [`${LIST}subCategoryQuery=${word(n)}`],
  'many categories': (n) => [`${LIST}categoryQuery=sofa_${many(n, word).join('_')}`],
  'many brands': (n) => [`${LIST}brandQuery=${many(n, (m) => `b${m}`).join('_')}`],
  'unknown words': (n) => [`${LIST}search=${word(n)}`],
  'a known word beside a number': (n) => [`${LIST}search=sofa%20${n}`],
  'words of another alphabet': (n) => [`${LIST}search=${encodeURIComponent(`диван${n}`)}`],
  'long searches': (n) => [`${LIST}search=${'sofa '.repeat(30).replaceAll(' ', '+')}${n}`],
  'searches of ids': () => [`${LIST}search=${randomUUID()}`],
  'pages of what is in stock': (n) => [`${LIST}inStockQuery=true&pageNumber=${n}`],
  'pages of each sort': (n) => [`${LIST}sortBy=${['ascprice', 'descprice', 'rating'][n % 3]}&pageNumber=${n}`],
  'pages of the back office': (n) => [`${LIST}pageSize=10&pageNumber=${n}`],
  'sorts of the back office': (n) => [`${LIST}sortBy=stock&pageNumber=${n}&x=${n}`],
  'the filter of the back office': (n) => [`${LIST}stockQuery=low&minPriceQuery=${n}`],
  'unknown parameters': (n) => [`${LIST}utm_source=${word(n)}`],
  'other spellings of one address': (n) => [`${LIST}page%4eumber=1&${'&'.repeat(n)}`],
  'repeated parameters': (n) => [`${LIST}minPriceQuery=${n}&minPriceQuery=${word(n)}`],
  'capitals in values': (n) => [`${LIST}categoryQuery=SoFa_${n}`],
  'unknown products': () => [`/api/products/${randomUUID()}`],
  'product pages with a query': (n) => [`/product/${word(n)}?x=${n}`],
  'pages of the shop past the end': (n) => [`/shop?currPage=${n}`],
  'searches in the shop': (n) => [`/shop?search=${word(n)}`],
  'prices in the shop': (n) => [`/shop?minPrice=${n}`],
  'sorts of the shop that are none': (n) => [`/shop?sortBy=${word(n)}`],
  'lists at home': (n) => [`/?query=${word(n)}&currPage=${n}`],
  'paths that are none': (n) => [`/${word(n)}/${word(n)}`],
  'encodings and tags': (n) => [`${LIST}minPriceQuery=${n}.5`, { 'accept-encoding': `br;q=0.${n}`, 'if-none-match': word(n) }],
  origins: (n) => [`${LIST}maxPriceQuery=${900 + n}`, { origin: `https://${word(n)}.example` }],
};

test('answers that name no product are not kept where the address holds what anybody may choose', async () => {
  await aProduct(shop.db);
  await shop.services.invalidation.catchUp();
  for (const path of [`${LIST}pageNumber=1000`, `${LIST}search=nothinglikeit`, `${LIST}minPriceQuery=99999999`, '/shop?currPage=7']) {
    await get(path);
    expect([path, shop.services.cache.size]).toEqual([path, 0]);
  }
  await get('/privacy');
  await get('/api/products');
  expect(shop.services.cache.size).toBe(2);
});

test('however the page cache is filled, it holds no more than its setting, with what changes have dropped', async () => {
  for (let n = 0; n < 60; n += 1) await aProduct(shop.db, { name: `Sofa ${n}`, category: 'Sofa', price: 100_000 + n });
  const ask = async (first: number, tries: number) => {
    for (const way of Object.values(WAYS)) {
      const statuses = await Promise.all(Array.from({ length: tries }, (_, n) => get(...way(first + n))));
      for (const status of statuses) expect(status).toBeLessThan(500);
    }
  };
  await ask(1, TRIES_BEFORE);
  const before = held();
  for (let n = 0; n < 4; n += 1) {
    shop.services.cache.invalidate();
    await ask(1 + TRIES_BEFORE + (n * TRIES) / 4, TRIES / 4);
  }
  expect(shop.services.cache.size).toBeGreaterThan(10);
  expect((held() - before) / MEGABYTE).toBeLessThan(SETTING_MB + REST_MB);
});

test('what an entry is counted as is what it holds', async () => {
  const max = MEGABYTE;
  const products = Array.from({ length: 12 }, () => randomUUID());
  const reply = { header: () => reply, getHeader: () => undefined, getHeaders: () => ({ vary: 'x' }), request: { routeOptions: {} } };
  const answer = Object.assign(reply, { status: () => reply, type: () => reply, send: () => reply });
  const ask = (cache: PageCache, n: number, body: string) =>
    cache.answer(
      `key ${n}`,
      { raw: { method: 'HEAD' }, headers: { 'accept-encoding': 'br' } } as never,
      answer as never,
      async () => ({ status: 200, type: 'application/json', body, dependsOn: ['named'] as const, keepEmpty: true }),
      { places: new Semaphore(1, 1), network: '' },
    );
  const filled: PageCache[] = [];
  const fill = async (body: () => string) => {
    const cache = new PageCache(max);
    filled.push(cache);
    for (let n = 0; n < 1_200; n += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, m) => ask(cache, n + m, body())));
      if (n % 300 === 0) cache.invalidate();
    }
  };
  // The memory that Node keeps for its first compressions is not the cache's.
  await fill(() => '{}');
  for (const body of [() => '{}', () => `${products.map((id) => `{"_id":"${id}"}`)}`, () => randomBytes(3_000).toString('hex')]) {
    const before = held();
    await fill(body);
    expect(held() - before).toBeLessThan(max * 1.15);
  }
  for (const cache of filled) expect(cache.size).toBeGreaterThan(0);
});
