import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Product, ProductList } from '#contract/catalogue/catalogue.ts';
import { cachedPage, isPlainUrl, normalisedUrl } from '#server/pages/page-key.ts';
import { newId } from '#server/platform/ids.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { inTurn } from '#server/testing/processes.ts';
import { countRequest, headOf, makeSmall, prepare } from './cached-answer.ts';
import { openCatalogueCaches } from './catalogue-caches.ts';
import { ANYTHING, type CatalogueChange, catalogueChanged } from './catalogue-changes.ts';
import { FactsCache } from './facts-cache.ts';
import { CatalogueInvalidation } from './invalidation.ts';

const shop = await testShop();
const { db, services } = shop;
const buyer = await aCustomer(db);

async function get(path: string, headers: Record<string, string> = {}) {
  const reply = await fetch(shop.url + path, { headers });
  return { reply, cache: reply.headers.get('server-timing')?.replace('cache;desc=', ''), text: await reply.text() };
}
const timing = async (path: string) => (await get(path)).cache;

async function order(product: { _id: string; name: string; price: number }, qty: number) {
  const payload = aPayload([aLine(product, { qty })]);
  const reply = await shop.app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
  expect(reply.statusCode).toBe(201);
}

/** Everything has changed, as after an edit in the back office. */
async function changeSomething() {
  await catalogueChanged(db);
  await services.invalidation.catchUp();
}

test('a page that is handed out is the page that was made: same bytes, same headers', async () => {
  await aProduct(db, { category: 'Same' });
  for (const encoding of ['br', 'gzip', 'identity']) {
    await changeSomething();
    const ask = () => get('/api/products?categoryQuery=same', { 'accept-encoding': encoding });
    // Made quickly for who asks first, as small as it can be for the second, handed out to all others.
    const [made, again, handed] = [await ask(), await ask(), await ask()];
    expect([made.cache, again.cache, handed.cache]).toEqual(['miss', 'hit', 'hit']);
    expect([again.text, handed.text]).toEqual([made.text, made.text]);
    const headersOf = ({ reply }: typeof made) =>
      Object.fromEntries([...reply.headers].filter(([name]) => !['date', 'server-timing', 'x-request-id'].includes(name)));
    expect(headersOf(handed)).toEqual(headersOf(again));
    const { 'content-length': first, ...others } = headersOf(made);
    expect(headersOf(handed)).toMatchObject(others);
    // Of some hundred bytes thorough compression may save none.
    expect(Number(headersOf(handed)['content-length'])).toBeLessThanOrEqual(Number(first) + 8);
    expect(handed.reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(handed.reply.headers.get('x-request-id')).not.toBe(made.reply.headers.get('x-request-id'));
  }
});

test('the first client of a large page gets it nearly as small as the next, so that it arrives in as few round trips', async () => {
  const body = await readFile('docs/specification.md', 'utf8');
  const answer = prepare({ status: 200, type: 'text/html; charset=utf-8', body, dependsOn: [], keepEmpty: true }, 'br');
  const first = answer.br?.length ?? 0;
  await makeSmall(answer, 'br');
  expect(first / (answer.br?.length ?? 1)).toBeLessThan(1.03);
});

test('a page that many ask for becomes smaller still, once, with a head that says so', async () => {
  const body = await readFile('docs/specification.md', 'utf8');
  const answer = prepare({ status: 200, type: 'text/html; charset=utf-8', body, dependsOn: [], keepEmpty: true }, 'br');
  await makeSmall(answer, 'br');
  const sent = { encoding: 'br', requestId: '', cacheControl: '' } as const;
  const before = answer.br?.length ?? 0;
  expect(headOf(answer, sent)).toContain(String(before));
  const outcomes = Array.from({ length: 30 }, () => countRequest(answer, 'br')).filter(Boolean);
  expect(outcomes).toHaveLength(1);
  await outcomes[0];
  const after = answer.br?.length ?? 0;
  expect(after / before).toBeLessThan(0.95);
  expect(headOf(answer, sent)).toContain(String(after));
  expect(brotliDecompressSync(answer.br ?? Buffer.alloc(0)).toString()).toBe(body);
});

test('who has the page already hears 304, until it changes', async () => {
  const product = await aProduct(db);
  const path = `/api/products/${product._id}`;
  const tag = (await get(path)).reply.headers.get('etag') ?? '';
  for (let time = 0; time < 2; time += 1) {
    const again = await get(path, { 'if-none-match': tag });
    expect([again.reply.status, again.text, again.reply.headers.get('content-type')]).toEqual([304, '', null]);
  }
  await order(product, 1);
  expect((await get(path, { 'if-none-match': tag })).reply.status).toBe(200);
});

test('addresses that mean the same share one answer, and unknown parameters make none', async () => {
  for (let n = 0; n < 13; n += 1) await aProduct(db, { name: 'Oak chair', category: 'Lamp' });
  await changeSomething();
  expect(await timing('/api/products?categoryQuery=Sofa_Lamp&search=Oak%20chairs')).toBe('miss');
  for (const same of [
    'categoryQuery=lamp_sofa&search=oak+chairs',
    'search=OAK,chairs&categoryQuery=Sofa_lamp_sofa&pageNumber=1&sortBy=bestmatch',
    'categoryQuery=Sofa_Lamp&search=Oak%20chairs&utm_source=mail&pageNumber=-3&minPriceQuery=cheap&inStockQuery=null',
  ])
    expect([same, await timing(`/api/products?${same}`)]).toEqual([same, 'hit']);
  expect(await timing('/api/products?categoryQuery=Sofa_Lamp&search=oak%20chairs&pageNumber=2')).toBe('miss');
});

test('another spelling of a path or an id is no answer of its own', async () => {
  const { _id } = await aProduct(db);
  const moved = async (path: string) => {
    const reply = await fetch(shop.url + path, { redirect: 'manual' });
    return [reply.status, reply.headers.get('location')];
  };
  expect(await moved(`/product/${_id.toUpperCase()}?x=1`)).toEqual([308, `/product/${_id}?x=1`]);
  expect(await moved('/%73hop?search=sofa')).toEqual([308, '/shop?search=sofa']);
  expect(await moved('/%2F%73hop/%2E%20')).toEqual([308, '/%2Fshop/%2E%20']);
  for (const call of ['', '/related']) {
    await get(`/api/products/${_id}${call}`);
    expect([call, await timing(`/api/products/${_id.toUpperCase()}${call}`)]).toEqual([call, 'hit']);
  }
});

test.each([
  ['/shop?query=Sofa&utm_source=mail', '/shop?query=Sofa'],
  ['/shop?currPage=1&sortBy=bestmatch&inStock=', '/shop'],
  ['/shop?currPage=02', '/shop?currPage=2'],
  ['/shop?currPage=2abc&search=null&minPrice=undefined', '/shop'],
  ['/shop?sortBy=stock', '/shop'],
  ['/shop?sortBy=RATING', '/shop?sortBy=rating'],
  ['/shop?sortBy=rating&query=Sofa', '/shop?query=Sofa&sortBy=rating'],
  ['/product/018c?x=1', '/product/018c'],
  ['/product/018c?reviewSort=LOWEST&x=1&reviewPage=02', '/product/018c?reviewPage=2&reviewSort=lowest'],
  ['/product/018c?reviewPage=1&reviewSort=newest', '/product/018c'],
  ['/product/018c?reviewPage=-1&reviewSort=sideways', '/product/018c'],
  ['/cart', '/cart'],
  ['/cart?left=x', undefined],
  ['/checkout', undefined],
  [`/shop?search=${'x'.repeat(200)}&brand=${'y'.repeat(200)}`, undefined],
])('the page %s is kept as %s (§18.2)', (url, key) => expect(cachedPage(url)?.key).toBe(key));

test('a page with a search depends on what is in stock, which stands first', () => {
  const isOfStock = (url: string) => cachedPage(url)?.dependsOn.includes('stock');
  expect(['/', '/?search=oak', '/?inStock=true', '/shop', '/newarrivals', '/contact'].map(isOfStock)).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('nobody waits in the queue of the network that asked first for a page that a change has dropped', async () => {
  const busy = await testShop({ env: { TRUST_PROXY: '127.0.0.1' } });
  const { pages } = busy.services.making;
  const ends: (() => void)[] = [];
  const hold = () => pages.run('10.0.0.1', () => new Promise<void>((end) => void ends.push(end)));
  const flood = Array.from({ length: 50 }, hold);
  const ask = (ip: string) =>
    busy.app.inject({ url: '/newarrivals', headers: { 'x-forwarded-for': ip } }).then(({ statusCode }) => statusCode);
  const floods = ask('10.0.0.1');
  const visitors = ask('10.0.0.2');
  await eventually(() => expect(pages.isAwaited).toBe(true));
  // The first place that is free goes to the other network.
  ends.shift()?.();
  expect(await visitors).toBe(200);
  expect(ends.length).toBeLessThan(10);
  while (ends.length > 0) {
    for (const end of ends.splice(0)) end();
    await setTimeout(5);
  }
  await Promise.all(flood);
  expect(await floods).toBe(200);
});

test('an answer that names more products than a proxy takes in a head is kept by no cache in front', async () => {
  const behind = await testShop({ env: { FRONT_CACHE_SECONDS: '600', PURGE_URL: 'http://127.0.0.1:9/purge' } });
  const keysOf = async (description: string) => {
    const { _id } = await aProduct(behind.db, { description });
    await behind.services.invalidation.catchUp();
    const { headers } = await behind.app.inject({ url: `/api/products/${_id}` });
    return [String(headers['surrogate-key']).includes(_id), headers['cache-control']];
  };
  expect(await keysOf('A chair.')).toEqual([true, expect.stringContaining('s-maxage=600')]);
  expect(await keysOf(Array.from({ length: 200 }, () => newId()).join(' '))).toEqual([false, 'no-cache']);
});

test('one address of each answer is kept by a cache in front, none with parameters that change nothing or with other spellings', async () => {
  const behind = await testShop({ env: { FRONT_CACHE_SECONDS: '600', PURGE_URL: 'http://127.0.0.1:9/purge' } });
  const { _id } = await aProduct(behind.db, { brand: "Plainly's" });
  await behind.services.invalidation.catchUp();
  const controlOf = async (url: string) => {
    await behind.app.inject({ url });
    return String((await behind.app.inject({ url })).headers['cache-control']);
  };
  for (const url of [
    '/api/products',
    '/api/products?brandQuery=Plainly%27s&pageNumber=1&sortBy=ascprice',
    `/api/products/${_id}`,
    '/sitemap.xml',
  ])
    expect([url, await controlOf(url)]).toEqual([url, expect.stringContaining('s-maxage')]);
  for (const url of [
    '/api/products?zz=1',
    '/api/products?pageNumber=01',
    '/api/products?search=',
    '/api/products?brandQuery=Plainly%27s&brandQuery=x',
    '/api/products?brandQuery=%50lainly%27s',
    '/api/products?%62randQuery=Plainly%27s',
    '/api/products?pageNumber=1&brandQuery=Plainly%27s',
    '/api/products?&&',
    '/api/products/',
    '/api/%70roducts',
    `/api/products/${_id}?zz=1`,
    `/api/products/${_id}?&`,
    `/api/products/%${_id.charCodeAt(0).toString(16)}${_id.slice(1)}`,
    `/api/products/${_id.toUpperCase()}`,
    '/sitemap.xml?zz=1',
    '/robots.txt?zz=1',
    '/api/docs?zz=1',
  ])
    expect([url, await controlOf(url)]).toEqual([url, 'no-cache']);
});

test.each([
  ['/cart', true],
  ['/shop?query=Sofa&sortBy=rating', true],
  ['/shop?search=kids%27+sofa', true],
  ['/shop?search=kids%27%20sofa', true],
  ['/shop?search=a+b%20sofa', false],
  ['/product/p1?size=two-seat&colour=slate', true],
  ['/shop?sortBy=rating&query=Sofa', false],
  ['/shop?query=Sofa&utm_source=mail', false],
  ['/shop?query=%53ofa', false],
  ['/shop?currPage=02', false],
  ['/shop?', false],
  ['/shop?&&', false],
  ['/shop/', false],
])('whether a cache in front may keep %s: %s', (url, isPlain) => {
  expect(isPlainUrl(url, cachedPage(normalisedUrl(url))?.key ?? '')).toBe(isPlain);
});

test('an order drops the pages that show its products, and no others', async () => {
  await changeSomething();
  const [sold, other] = [await aProduct(db, { category: 'Sold', stock: 3 }), await aProduct(db, { category: 'Other' })];
  const paths = [
    '/api/products?categoryQuery=sold',
    `/api/products/${sold._id}`,
    '/api/products?categoryQuery=other',
    `/api/products/${other._id}`,
  ];
  const stocked = '/api/products?categoryQuery=other&inStockQuery=true';
  const timings = () => Promise.all([...paths, stocked].map(timing));
  await timings();
  expect(await timings()).toEqual(['hit', 'hit', 'hit', 'hit', 'hit']);
  await order(sold, 1);
  expect(await timings()).toEqual(['miss', 'miss', 'hit', 'hit', 'hit']);
  expect(JSON.parse((await get(`/api/products/${sold._id}`)).text)).toMatchObject({ countInStock: 2 });
  // Sold out: any list of what is in stock may have lost a row.
  await order(sold, 2);
  expect(await timings()).toEqual(['miss', 'miss', 'hit', 'hit', 'miss']);
});

test('an edit drops the answers that show the product and all that are chosen among products, and no others', async () => {
  const admin = await anAdmin(db);
  const [deleted, other] = [await aProduct(db, { category: 'Edited' }), await aProduct(db, { category: 'Unedited' })];
  await changeSomething();
  const dropped = [
    // One that is missing may come back.
    `/api/products/compare?ids=${other._id}`,
    `/api/products/${other._id}/related`,
    '/api/products?categoryQuery=unedited',
    '/shop?category=Unedited',
    `/product/${other._id}`,
    '/sitemap.xml',
  ];
  const kept = [`/api/products/${other._id}`, '/privacy'];
  const timings = (paths: string[]) => Promise.all(paths.map(async (path) => [path, await timing(path)]));
  for (const path of [...dropped, ...kept]) expect([path, await timing(path)]).toEqual([path, 'miss']);
  await shop.app.inject({ method: 'DELETE', url: `/api/products/${deleted._id}`, headers: admin.headers });
  expect(await timings(dropped)).toEqual(dropped.map((path) => [path, 'miss']));
  expect(await timings(kept)).toEqual(kept.map((path) => [path, 'hit']));
  await changeSomething();
  expect(await timings(kept)).toEqual(kept.map((path) => [path, 'miss']));
});

test('a list of what is in stock loses what is sold out, though nothing on the page was ordered', async () => {
  const products = [];
  for (let n = 0; n < 13; n += 1) products.push(await aProduct(db, { category: 'Rare', stock: 1, price: 100 + n }));
  const path = '/api/products?categoryQuery=rare&inStockQuery=true&sortBy=ascprice';
  const total = async () => (JSON.parse((await get(path)).text) as ProductList).total;
  expect(await total()).toBe(13);
  const last = products.at(-1);
  if (last) await order(last, 1);
  expect(await total()).toBe(12);
});

test('what another site may read is known to differ by origin, from the cache too', async () => {
  const open = await testShop({ env: { CORS_ORIGINS: 'https://app.example' } });
  await aProduct(open.db);
  for (const origin of [undefined, 'https://app.example', undefined, 'https://other.example', undefined]) {
    const reply = await fetch(`${open.url}/api/products`, { headers: origin ? { origin } : {} });
    expect(reply.headers.get('vary')?.toLowerCase().split(', ')).toEqual(expect.arrayContaining(['origin', 'accept-encoding']));
    expect(reply.headers.get('access-control-allow-origin')).toBe(origin === 'https://app.example' ? origin : null);
  }
});

test('only an administrator gets the back office’s list; its parameters count for nothing in the shop, for administrators too (§9.1, §9.2)', async () => {
  const admin = await anAdmin(db);
  for (let n = 0; n < 13; n += 1) await aProduct(db, { category: 'Office', stock: n });
  await changeSomething();
  const ask = async (path: string, headers = {}) => {
    const { reply, text } = await get(path, headers);
    return [reply.status, reply.ok ? (JSON.parse(text) as ProductList).products.length : 0];
  };
  const office = '/api/office/products?categoryQuery=office';
  expect(await ask(`${office}&sortBy=stock`, admin.headers)).toEqual([200, 10]);
  expect(await ask(`${office}&stockQuery=out`, admin.headers)).toEqual([200, 1]);
  expect(await ask(office, buyer.headers)).toEqual([403, 0]);
  expect(await ask(office, { bearer: 'ended' })).toEqual([401, 0]);
  const path = '/api/products?categoryQuery=office';
  for (const headers of [{}, buyer.headers, admin.headers, { bearer: 'ended' }]) expect(await ask(path, headers)).toEqual([200, 12]);
  for (const query of ['&pageSize=10', '&sortBy=stock', '&stockQuery=out', '&sortBy=name', '&pageSize=10&sortBy=newest']) {
    expect([query, await ask(path + query, admin.headers), await timing(path + query)]).toEqual([query, [200, 12], 'hit']);
  }
});

test('signing in and other changes leave the pages as they are', async () => {
  await changeSomething();
  await timing('/api/products/newarrivals');
  await shop.app.inject({ method: 'POST', url: '/api/users/login', payload: { email: buyer.email, password: 'wrong password' } });
  await aCustomer(db);
  expect(await timing('/api/products/newarrivals')).toBe('hit');
});

test('a change in one process reaches the others: by notice at once, and without one by asking', async () => {
  const send = await inTurn(shop);
  const admin = await anAdmin(db);
  for (const canNotify of [true, false]) {
    const memory = openCatalogueCaches(services.pool, services.log, services.config);
    memory.invalidation.watch({ canNotify });
    const product = await aProduct(db);
    await memory.invalidation.catchUp();
    let made = 0;
    const readFact = () =>
      memory.facts.getOrMake('a fact', ['products'], async () => {
        made += 1;
        return { made };
      });
    await readFact();
    const before = made;
    await send({ method: 'DELETE', url: `/api/products/${product._id}`, headers: admin.headers });
    await eventually(async () => {
      await readFact();
      expect(made).toBeGreaterThan(before);
    });
    await memory.invalidation.stop();
  }
});

test('a fact that is being made is kept over changes on which it does not depend', async () => {
  const readDuring = async (change: CatalogueChange) => {
    const facts = new FactsCache();
    let made = 0;
    const read = () =>
      facts.getOrMake('a fact', ['products'], async () => {
        made += 1;
        return { made };
      });
    const first = read();
    facts.invalidate(change);
    await first;
    return (await read()).made;
  };
  expect(await readDuring(['stock', 'a product'])).toBe(1);
  expect(await readDuring(['products', 'a product'])).toBe(2);
});

test('searches evict no other fact, such as the feed', async () => {
  const facts = new FactsCache();
  let made = 0;
  const readFeed = () => facts.getOrMake('feed', ['products'], async () => ({ made: ++made }));
  await readFeed();
  const reading = 'x'.repeat(100_000);
  for (let n = 0; n < 50; n += 1) await facts.getOrMakeByInput(`search ${n}`, ['products', 'stock'], async () => ({ reading }));
  expect((await readFeed()).made).toBe(1);
  facts.invalidate(['products']);
  expect((await readFeed()).made).toBe(2);
});

test('who makes a change through one process sees it there at once, though nothing notifies that process', async () => {
  const product = await aProduct(db, { stock: 5 });
  const path = `/api/products/${product._id}`;
  for (let left = 4; left > 0; left -= 1) {
    await order(product, 1);
    expect((JSON.parse((await get(path)).text) as Product).countInStock).toBe(left);
  }
});

test('changes are heard in whatever order their transactions end, each once', async () => {
  const heard: CatalogueChange[] = [];
  const invalidation = new CatalogueInvalidation(services.pool, services.log, (change) => heard.push(change));
  // What others in the same server have not ended yet may be told once more at first.
  await invalidation.catchUp();
  await invalidation.catchUp();
  heard.length = 0;
  const slow = await services.pool.connect();
  await slow.query('begin; insert into catalogue_changes (moves_lists) values (true)');
  await catalogueChanged(db);
  await invalidation.catchUp();
  await invalidation.catchUp();
  expect(heard.length).toBe(1);
  await slow.query('commit');
  slow.release();
  await invalidation.catchUp();
  await invalidation.catchUp();
  expect(heard.length).toBe(2);
});

test('a process that cannot ask shows nothing old', async () => {
  const heard: CatalogueChange[] = [];
  const invalidation = new CatalogueInvalidation(services.pool, services.log, (change) => heard.push(change));
  await invalidation.catchUp();
  await sql`alter table catalogue_changes rename to gone`.execute(db);
  await invalidation.catchUp();
  await sql`alter table gone rename to catalogue_changes`.execute(db);
  await invalidation.catchUp();
  expect(heard).toEqual([ANYTHING, ANYTHING, ANYTHING]);
});

test('with no memory for pages, every answer is made anew', async () => {
  const bare = await testShop({ env: { PAGE_CACHE_MB: '0' } });
  for (let time = 0; time < 2; time += 1) {
    const reply = await fetch(`${bare.url}/api/products`);
    expect([reply.status, reply.headers.get('server-timing')]).toEqual([200, 'cache;desc=miss']);
  }
});

describe('with a cache in front', () => {
  test('an answer says how long that may keep it and by which keys it is found, and each change names those of what it drops', async () => {
    const asked: string[] = [];
    let status = 200;
    const front = createServer((request, response) => {
      if (status === 200) asked.push(String(request.headers['surrogate-key']));
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void front.close());
    await once(front, 'listening');
    const purgeUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}/purge`;
    const behind = await testShop({ env: { FRONT_CACHE_SECONDS: '600', PURGE_URL: purgeUrl } });
    const [sofa, other] = [await aProduct(behind.db, { stock: 5 }), await aProduct(behind.db)];
    await behind.services.invalidation.catchUp();
    await eventually(() => expect(asked).toEqual(['catalogue', 'catalogue']), 20);
    const headers = async (path: string) => (await fetch(behind.url + path)).headers;
    for (const path of [`/api/products/${sofa._id}`, `/api/products/${sofa._id}`])
      expect(Object.fromEntries(await headers(path))).toMatchObject({
        'cache-control': 'public, max-age=0, must-revalidate, s-maxage=600',
        'surrogate-key': `catalogue ${sofa._id}`,
      });
    const inStock = (await headers('/api/products?inStockQuery=true')).get('surrogate-key')?.split(' ');
    expect(inStock).toEqual(expect.arrayContaining(['catalogue', 'stock', sofa._id, other._id]));
    for (const path of ['/api/products/x', '/api/orders/myorders', '/checkout']) {
      expect((await headers(path)).get('cache-control')).toMatch(/^no-(store|cache)$/);
      expect((await headers(path)).has('surrogate-key')).toBe(false);
    }
    // What cannot be sent is sent once it can be, and twice: an answer from before may have been on its way.
    asked.length = 0;
    status = 503;
    const buying = await aCustomer(behind.db);
    const payload = aPayload([aLine(sofa, { qty: 1 })]);
    await behind.app.inject({ method: 'POST', url: '/api/orders', headers: buying.headers, payload });
    await setTimeout(100);
    status = 200;
    await eventually(() => expect(asked).toEqual([sofa._id, sofa._id]), 20);
  });
});
