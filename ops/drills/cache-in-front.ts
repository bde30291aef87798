/**
 * `npm run front`: the shop behind a real Varnish with the shipped `deploy/varnish.vcl`. While visitors read and buy through it, an administrator edits: a page
 * may be stale for at most a second after a change, and nothing personal may be cached. Then the same reading is measured with and without Varnish.
 * Loopback only, about a minute.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Product, ProductList } from '#contract/catalogue/catalogue.ts';
import { STATE_ID } from '#contract/page.ts';
import { cpuOf } from '#ops/bench/cpu.ts';
import { freePort } from '#server/platform/ports.ts';
import { ROOT } from '#server/platform/root.ts';
import { eventually } from '#server/testing/eventually.ts';
import { endProcess, type ShopProcess, startShop } from '#server/testing/shop-process.ts';
import { logIn, orderOne } from './buyers.ts';
import { Editor } from './editor.ts';
import { quantile, Readers } from './readers.ts';

const VARNISH = ['/usr/sbin/varnishd', '/usr/local/sbin/varnishd', '/opt/homebrew/sbin/varnishd'].find(existsSync);
const EDIT_MS = 10_000;
const READ_MS = 8_000;
const ORDERS = 8;
const READERS = 8;
const say = (text: string) => void process.stdout.write(`${text}\n`);
const faults: string[] = [];
const check = (isRight: boolean, sentence: string) => void (isRight || faults.push(sentence));

/** Starts Varnish with the shipped rules on other ports. */
async function startVarnish(dir: string, port: number, shopPort: number): Promise<ChildProcess> {
  if (!VARNISH) throw new Error('There is no Varnish. On Debian: apt-get install varnish');
  const rules = readFileSync(join(ROOT, 'deploy/varnish.vcl'), 'utf8').replace('.port = "3000"', `.port = "${shopPort}"`);
  const file = join(dir, 'shop.vcl');
  writeFileSync(file, rules);
  chmodSync(file, 0o644);
  const options = ['-F', '-a', `127.0.0.1:${port}`, '-f', file, '-n', join(dir, 'varnish'), '-s', 'malloc,64m'];
  const child = spawn(VARNISH, options, { stdio: 'ignore' });
  await eventually(() => fetch(`http://127.0.0.1:${port}/purge`), 20);
  return child;
}

const isHit = (reply: Response) => reply.headers.get('x-cache') === 'hit';

/** Personal answers never come from the cache. */
async function tryOwnPages(front: string): Promise<void> {
  const tokens = [
    await logIn(front, 'customer@example.com', 'Customer123!'),
    await logIn(front, 'admin@example.com', 'Admin123!'),
  ] as const;
  for (const path of ['/api/users/profile', '/api/orders/myorders', '/api/products']) {
    // Twice each: a first answer could not come from the cache.
    for (const token of [...tokens, ...tokens]) {
      const reply = await fetch(front + path, { headers: { bearer: token } });
      check(!isHit(reply), `${path} of somebody who is logged in was answered from the cache`);
    }
    const stranger = await fetch(front + path);
    if (path !== '/api/products') check(stranger.status === 401, `${path} answered ${stranger.status} to a stranger`);
  }
  for (const path of ['/checkout', '/profile', '/admin/orderlist', '/login'])
    for (let n = 0; n < 2; n += 1) check(!isHit(await fetch(front + path)), `${path} was answered from the cache`);
}

/** Of each answer one address is kept: anybody could make up any number of others. */
async function trySpellings(front: string, paths: string[]): Promise<void> {
  const named = ['/api/products?categoryQuery=Sofa&sortBy=ascprice', '/shop?query=Sofa&sortBy=ascprice'];
  for (const path of [...paths, ...named]) {
    for (let n = 0; n < 3; n += 1) await fetch(front + path);
    check(isHit(await fetch(front + path)), `${path} was not answered from the cache`);
    const sign = path.includes('?') ? '&' : '?';
    const escaped = path.replace(/[a-z](?=[^/]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    const others = [`${path}${sign}zz=1`, `${path}${sign}&&`, escaped, path.replace(/\?(.*)&(.*)/, '?$2&$1'), `/${path}`];
    for (const other of others.filter((one) => one !== path))
      for (let n = 0; n < 4; n += 1)
        check(!isHit(await fetch(front + other, { redirect: 'manual' })), `${other} was answered from the cache`);
  }
  for (const path of [
    '/robots.txt?1',
    '/favicon.svg?1',
    '/api/docs?1',
    '/api/docs/static/swagger-ui.css?1',
    '/api/policies/privacy?at=2026-11-24T09:30:00.000Z',
  ])
    for (let n = 0; n < 4; n += 1) check(!isHit(await fetch(front + path)), `${path} was answered from the cache`);
}

/** An edit shows through the cache within a second, even under load. */
async function tryEdits(shop: string, front: string, urls: string[]): Promise<void> {
  const token = await logIn(shop, 'admin@example.com', 'Admin123!');
  const { products } = (await (await fetch(`${shop}/api/products`)).json()) as ProductList;
  const [product] = products;
  if (!product) throw new Error('The demo has no products.');
  const detail = (await (await fetch(`${shop}/api/products/${product._id}`)).json()) as ConstructorParameters<typeof Editor>[2];
  const editor = new Editor(shop, token, detail, () => [front]);
  const readers = new Readers();
  readers.start(READERS, [...urls, `${front}/product/${product._id}`], 5);
  editor.start();
  await setTimeout(EDIT_MS);
  await editor.stop();
  await readers.stop();
  faults.push(...editor.faults, ...readers.failures);
  const oldest = Math.max(...editor.ages);
  check(editor.changes > 2, `only ${editor.changes} changes were made`);
  check(oldest <= 1_000, `a page that was asked for ${Math.round(oldest)} ms after a change was from before it`);
  const middle = Math.round(quantile(editor.ages, 0.5));
  say(
    `${editor.changes} edits while ${readers.served} pages were read: the last old page ${middle} ms after the change in the middle, ${Math.round(oldest)} ms at most`,
  );
}

/** A product with enough stock, as cached. */
async function pieceToOrder(front: string): Promise<Product> {
  const { products } = (await (await fetch(`${front}/api/products?inStockQuery=true`)).json()) as ProductList;
  const { _id } = products.find(({ countInStock }) => countInStock > ORDERS) ?? {};
  if (!_id) throw new Error('The demo has no product of which there are enough.');
  return (await (await fetch(`${front}/api/products/${_id}`)).json()) as Product;
}

/** The stock on a product's page or in its JSON. */
function stockOn(text: string): number {
  const [, state] = new RegExp(`id="${STATE_ID}">(.*?)</script>`, 's').exec(text) ?? [];
  return (state ? JSON.parse(state).store.productDetail.product : JSON.parse(text)).countInStock;
}

/** Waits until an address shows a stock; returns the time after `start` of the last request that still showed another. */
async function lastOld(url: string, stock: number, start: number): Promise<number> {
  for (let last = 0; ; ) {
    const asked = performance.now() - start;
    if (stockOn(await (await fetch(url)).text()) === stock) return last;
    last = asked;
    if (last > 10_000) return last;
  }
}

/** An order through the cache shows in the product's stock within a second, even under load. */
async function tryOrders(front: string): Promise<void> {
  const token = await logIn(front, 'customer@example.com', 'Customer123!');
  const product = await pieceToOrder(front);
  const urls = [`${front}/product/${product._id}`, `${front}/api/products/${product._id}`];
  const readers = new Readers();
  readers.start(READERS, urls, 5);
  const ages: number[] = [];
  for (let n = 1; n <= ORDERS; n += 1) {
    await eventually(async () => {
      for (const url of urls) if (!isHit(await fetch(url))) throw new Error(`${url} is not in the cache, though people read it`);
    }, 5);
    await orderOne(front, token, product);
    const start = performance.now();
    ages.push(...(await Promise.all(urls.map((url) => lastOld(url, product.countInStock - n, start)))));
  }
  await readers.stop();
  faults.push(...readers.failures);
  const oldest = Math.max(...ages);
  check(oldest <= 1_000, `a stock that was asked for ${Math.round(oldest)} ms after an order was from before it`);
  say(
    `${ORDERS} orders while ${readers.served} pages were read: the last old stock ${Math.round(quantile(ages, 0.5))} ms after the order in the middle, ${Math.round(oldest)} ms at most`,
  );
}

/** The number of requests that the shop has answered. */
async function answeredBy(shop: string): Promise<number> {
  const text = await (await fetch(`${shop}/metrics`)).text();
  return [...text.matchAll(/^shop_http_requests_total\{[^}]*\} (\d+)/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
}

interface Reading {
  served: number;
  /** How many of them the shop answered. */
  asked: number;
  cpuMs: number;
}

/** Reads for a while and returns the shop's share of the work. */
async function read(shop: ShopProcess, urls: string[]): Promise<Reading> {
  const [asked, cpu] = [await answeredBy(shop.url), cpuOf(shop.pid).server];
  const readers = new Readers();
  readers.start(READERS, urls, 5);
  await setTimeout(READ_MS);
  await readers.stop();
  faults.push(...readers.failures);
  // One request more was for the metrics themselves.
  return { served: readers.served, asked: (await answeredBy(shop.url)) - asked - 1, cpuMs: cpuOf(shop.pid).server - cpu };
}

async function pathsOf(shop: string): Promise<string[]> {
  const { products } = (await (await fetch(`${shop}/api/products`)).json()) as ProductList;
  const own = products.flatMap(({ _id }) => [`/product/${_id}`, `/api/products/${_id}`]);
  const image = products.flatMap(({ images }) => images).find((one) => one.startsWith('/images/'));
  return ['/', '/shop', '/newarrivals', '/api/products', '/sitemap.xml', ...own, ...(image ? [image] : [])];
}

async function compare(shop: ShopProcess, front: string, paths: string[]): Promise<void> {
  const direct = await read(
    shop,
    paths.map((path) => shop.url + path),
  );
  const behind = await read(
    shop,
    paths.map((path) => front + path),
  );
  const each = ({ cpuMs, served }: Reading) => `${((cpuMs / served) * 1000).toFixed(0)} µs`;
  const hitRate = 1 - behind.asked / behind.served;
  say(`without it: ${direct.served} answers, ${direct.asked} by the shop, ${each(direct)} of its processor for each`);
  say(`with it:    ${behind.served} answers, ${behind.asked} by the shop, ${each(behind)} of its processor for each`);
  say(`hit rate ${(hitRate * 100).toFixed(1)} per cent`);
  check(hitRate > 0.9, `only ${(hitRate * 100).toFixed(1)} per cent were answered by the cache`);
  const [before, after] = [direct.cpuMs / direct.served, behind.cpuMs / behind.served];
  check(after < before * (1 - hitRate + 0.3), 'the shop’s own load has not fallen by the hit rate');
}

const dir = mkdtempSync(join(tmpdir(), 'shop-front-'));
// Varnish runs as a user of its own.
chmodSync(dir, 0o755);
const [port, shopPort] = [await freePort(), await freePort()];
const front = `http://127.0.0.1:${port}`;
let [varnish, shop]: [ChildProcess | undefined, ShopProcess | undefined] = [undefined, undefined];
try {
  varnish = await startVarnish(dir, port, shopPort);
  shop = await startShop(shopPort, {
    SHOP_DATA_DIR: join(dir, 'data'),
    FRONT_CACHE_SECONDS: '86400',
    PURGE_URL: `${front}/purge`,
    RATE_LIMIT_FACTOR: '1000',
    TRUST_PROXY: '127.0.0.1',
    PUBLIC_URL: front,
  });
  const paths = await pathsOf(shop.url);
  await tryOwnPages(front);
  await trySpellings(front, paths);
  const purged = await fetch(`${front}/purge`, {
    method: 'POST',
    headers: { 'surrogate-key': 'catalogue', 'x-forwarded-for': '192.0.2.1' },
  });
  check(purged.status === 405, 'a visitor could empty the cache');
  const urls = paths.map((path) => front + path);
  await tryEdits(shop.url, front, urls);
  await tryOrders(front);
  await compare(shop, front, paths);
  check(!/cannot be told of changes/.test(shop.output()), 'a purge failed');
} catch (error) {
  faults.push((error as Error).message);
} finally {
  await shop?.stop();
  if (varnish) await endProcess(varnish);
  rmSync(dir, { recursive: true, force: true });
}
for (const fault of new Set(faults)) say(`WRONG: ${fault}`);
say(faults.length === 0 ? 'All is as it should be.' : `${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;
