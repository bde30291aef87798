/** `npm run soak -- MINUTES`: browsing and ordering at a fixed rate on the production build; prints the waits of each minute, and fails on any error, on growing memory and on books that do not add up. Loopback only. */

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { audit, fillStock, finishJobs } from '#ops/drills/books.ts';
import { Buyers, diceOf, reachShop } from '#ops/drills/buyers.ts';
import { quantile, Readers } from '#ops/drills/readers.ts';
import { openSandbox } from '#ops/drills/sandbox.ts';
import { connect } from '#server/platform/database/connect.ts';
import { reachEmbedded } from '#server/platform/database/embedded.ts';
import { freePort } from '#server/platform/ports.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { newFolder } from '#server/testing/new-folder.ts';
import { type ShopProcess, startShop } from '#server/testing/shop-process.ts';

const MINUTES = Number(process.argv[2] ?? 3);
if (!(MINUTES >= 1 && MINUTES <= 60)) throw new Error('How many minutes, from 1 to 60? npm run soak -- 5');
/** Each reader looks at ten pages a second at most, each buyer orders twice a second. */
const READERS = 10;
const READER_PAUSE_MS = 100;
const BUYERS = 6;
const BUYER_PAUSE_MS = 500;
/** The heap fills and is emptied in waves: what counts is the lowest of several looks in a minute. */
const LOOKS_A_MINUTE = 12;
const GROWTH_MB = 60;

const dataDir = newFolder('soak');

const memory = ({ pid }: ShopProcess) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** One minute's figures; what was measured before is left out. */
async function minute(shop: ShopProcess, readers: Readers, buyers: Buyers) {
  const [pages, orders] = [readers.latencies.length, buyers.latencies.length];
  const looks: number[] = [];
  for (let n = 0; n < LOOKS_A_MINUTE; n += 1) {
    await setTimeout(60_000 / LOOKS_A_MINUTE);
    looks.push(memory(shop));
  }
  const [read, bought] = [readers.latencies.slice(pages), buyers.latencies.slice(orders)];
  return { mb: Math.min(...looks), text: textOf(read, bought, looks) };
}

function textOf(read: number[], bought: number[], looks: number[]): string {
  const waits = (figures: number[]) => [0.5, 0.95, 0.99].map((share) => `${quantile(figures, share).toFixed(0)}`).join(' / ');
  return `${read.length} pages, p50/p95/p99 ${waits(read)} ms | ${bought.length} orders, ${waits(bought)} ms | memory ${Math.min(...looks).toFixed(0)} to ${Math.max(...looks).toFixed(0)} MB`;
}

async function soak(shop: ShopProcess, readers: Readers, buyers: Buyers): Promise<string[]> {
  const faults: string[] = [];
  const minutes = [];
  for (let n = 1; n <= MINUTES; n += 1) {
    const figures = await minute(shop, readers, buyers);
    minutes.push(figures);
    console.log(`minute ${n}: ${figures.text}`);
  }
  await Promise.all([readers.stop(), buyers.stop()]);
  // The first minute compiles code and fills caches.
  const [from, to] = [minutes[1] ?? minutes[0], minutes.at(-1)];
  if (from && to && to.mb > from.mb + GROWTH_MB) faults.push(`memory grew from ${from.mb.toFixed(0)} to ${to.mb.toFixed(0)} MB`);
  if (buyers.interrupted > 0) faults.push(`${buyers.interrupted} orders got no answer, or 503`);
  return [...faults, ...new Set(readers.failures.map((failure) => `a page was answered ${failure}`))];
}

async function run(): Promise<string[]> {
  const port = await freePort();
  const sandbox = await openSandbox(`http://127.0.0.1:${port}`, join(dataDir, 'sandbox'));
  const shop = await startShop(port, { SHOP_DATA_DIR: dataDir, ...sandbox.env, ...MANY_ORDERS });
  const postgres = await reachEmbedded(join(dataDir, 'postgres'));
  const { db, close } = connect(postgres.url, { max: 4 });
  try {
    const stock = await fillStock(db);
    const target = await reachShop(() => shop.url);
    const [readers, buyers] = [new Readers(), new Buyers(target, diceOf(7))];
    const products = target.products.flatMap(({ _id }) => [`/product/${_id}`, `/api/products/${_id}`]);
    const lists = [
      '/',
      '/shop',
      '/newarrivals',
      '/shop?query=Sofa',
      '/shop?search=oak',
      '/shop?sortBy=ascprice&currPage=2',
      '/api/products?search=lamp',
    ];
    console.log(`memory before ${memory(shop).toFixed(0)} MB`);
    readers.start(
      READERS,
      [...lists, ...products].map((path) => shop.url + path),
      READER_PAUSE_MS,
    );
    await buyers.start(BUYERS, BUYER_PAUSE_MS);
    const faults = await soak(shop, readers, buyers);
    await finishJobs(db);
    console.log(
      `memory after ${memory(shop).toFixed(0)} MB; ${readers.served} pages, ${buyers.acknowledged.size} cash orders, ${buyers.paid.size} payments`,
    );
    return [...faults, ...(await audit({ db, buyers, payments: sandbox.payments, stock, mail: join(dataDir, 'mail') }))];
  } finally {
    await close();
    await shop.stop();
    await sandbox.close();
  }
}

const faults = await run().finally(() => rmSync(dataDir, { recursive: true, force: true }));
console.log(faults.length === 0 ? 'No error, no leak.' : faults.slice(0, 20).join('\n'));
process.exit(faults.length === 0 ? 0 : 1);
