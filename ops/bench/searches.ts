/**
 * `npm run bench:searches`: what first pages, later pages, searches, suggestions and counts cost without the page cache, the first time after a change of the
 * catalogue, at ten thousand and a million products. `npm run bench:searches -- FOLDER ...` takes the data folders of shops that are there already, `--quick`
 * makes 100,000 products instead of a million, and `--each` prints every request.
 */

import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { catalogueChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { withDatabase } from '#server/platform/database/with-database.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import { newFolder } from '#server/testing/new-folder.ts';
import { cpuOf, postmasterOf } from './cpu.ts';
import { type Ask, oneByOne } from './load.ts';
import { generate, openShop } from './shop.ts';
import { median, ms, printTable } from './table.ts';

const ROUNDS = 5;
/** A notice of PostgreSQL reaches the shop in some milliseconds. */
const NOTICE_MS = 100;

const searches = (path: string, texts: string[]) =>
  texts.map((text) => ({ path: `/api/products${path}?search=${encodeURIComponent(text)}` }));
const queries = (path: string, all: string[]) => all.map((query) => ({ path: `/api/products${path}?${query}` }));

const KINDS: Record<string, Ask[]> = {
  'a list': queries('', ['', 'sortBy=ascprice', 'sortBy=rating', 'inStockQuery=true&sortBy=ascprice', 'newQuery=true', 'ratingQuery=4.5']),
  'a category, a brand, a colour': queries('', [
    'categoryQuery=Sofa',
    'brandQuery=Carlcote Upholstery',
    'colourQuery=grey',
    'fitQuery=Bedroom',
  ]),
  'a category and a filter': queries('', [
    'categoryQuery=Sofa&colourQuery=grey',
    'categoryQuery=Lamp&colourQuery=green&sortBy=ascprice',
    'materialQuery=oak&categoryQuery=Bench',
    'categoryQuery=Sofa&subCategoryQuery=Two-seat',
    'categoryQuery=Sofa&minPriceQuery=20&sortBy=ascprice',
    'seatsQuery=2&minPriceQuery=20&sortBy=ascprice',
  ]),
  'a range of prices': queries('', [
    'minPriceQuery=100&maxPriceQuery=400&sortBy=rating',
    'minPriceQuery=100&maxPriceQuery=120',
    'maxPriceQuery=60&sortBy=descprice',
    'minPriceQuery=400&sortBy=ascprice',
  ]),
  'a length': queries('', [
    'maxWidthQuery=60',
    'minWidthQuery=200&categoryQuery=Sofa',
    'minWidthQuery=120&maxWidthQuery=122&sortBy=ascprice',
  ]),
  'a broad word': searches('', ['sofa', 'oak', 'lamp', 'bedroom', 'couch', 'farmhouse']),
  'a rare word': searches('', ['ashford', 'carlcote', 'wakestow']),
  'two words': searches('', ['oak bench', 'velvet sofa', 'linen press', 'living room']),
  'a typing error': searches('', ['wardorbe', 'velvte sofa', 'benhc']),
  'colour and kind': searches('', ['grey sofa', 'green lamp', 'brown bench']),
  'price or length': searches('', ['sofa under 200 cm', 'lamp under £60', 'bench 120cm wide']),
  'a broad word by price': queries('', ['search=sofa&sortBy=ascprice', 'search=lamp&sortBy=descprice', 'search=bench&sortBy=ascprice']),
  'a broad word, a range': queries('', [
    'search=sofa&minPriceQuery=100&maxPriceQuery=200',
    'search=sofa&minPriceQuery=700&maxPriceQuery=900',
    'search=lamp&minPriceQuery=900',
    'search=bedroom&maxPriceQuery=60&sortBy=descprice',
  ]),
  'nothing found': queries('', [
    'search=qqzzx',
    'search=rug',
    'search=purple wardrobe&maxPriceQuery=10',
    'categoryQuery=Sofa&maxPriceQuery=5',
    'search=sofa&brandQuery=nobody',
  ]),
  'page 40': queries('', [
    'pageNumber=40',
    'categoryQuery=Sofa&sortBy=ascprice&pageNumber=40',
    'minPriceQuery=100&maxPriceQuery=400&sortBy=rating&pageNumber=40',
    'search=sofa&pageNumber=40',
    'search=oak bench&pageNumber=40',
    'search=bedroom&pageNumber=40',
  ]),
  'page 84, the last': queries('', [
    'pageNumber=84',
    'categoryQuery=Sofa&sortBy=ascprice&pageNumber=84',
    'minPriceQuery=100&maxPriceQuery=400&sortBy=rating&pageNumber=84',
    'search=sofa&pageNumber=84',
    'search=oak bench&pageNumber=84',
    'search=bedroom&pageNumber=84',
  ]),
  'suggestions, 1 letter': searches('/suggestions', ['s', 'o', 'w', 'b', 'l', 'c']),
  'suggestions, 2 letters': searches('/suggestions', ['so', 'oa', 'wa', 'be', 'la', 'ch']),
  'suggestions, 3 letters': searches('/suggestions', ['sof', 'oak', 'war', 'ben', 'lam', 'cha']),
  'suggestions, 6 letters': searches('/suggestions', ['sofa b', 'oak be', 'wardro', 'bench ', 'lamps ', 'velvet']),
  'counts for filters': queries('/facets', ['', 'categoryQuery=Sofa', 'search=sofa', 'search=ashford', 'colourQuery=grey']),
  'counts within a range': queries('/facets', [
    'minPriceQuery=100&maxPriceQuery=400',
    'minPriceQuery=400&categoryQuery=Sofa',
    'maxPriceQuery=60&inStockQuery=true',
    'search=sofa&minPriceQuery=700&maxPriceQuery=900',
    'maxWidthQuery=60',
  ]),
};

/** A kind of request: the middle and the longest time, and PostgreSQL's processor time for one request, in milliseconds. */
interface Cost {
  p50: number;
  slowest: number;
  database: number;
}

async function costOf(url: string, db: Db, postmaster: number, asks: Ask[]): Promise<Cost> {
  const times: number[][] = asks.map(() => []);
  await oneByOne(url, asks);
  let database = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await catalogueChanged(db);
    await setTimeout(NOTICE_MS);
    const before = cpuOf(postmaster);
    for (const [index, time] of (await oneByOne(url, asks)).entries()) times[index]?.push(time);
    database += cpuOf(postmaster).database - before.database;
  }
  const middles = times.map(median);
  return { p50: median(times.flat()), slowest: Math.max(...middles), database: database / ROUNDS / asks.length };
}

/** What each kind costs in a shop, or with `--each` each request. */
async function measure(dataDir: string): Promise<Map<string, Cost>> {
  const shop = await openShop(dataDir, { PAGE_CACHE_MB: '0' });
  const kinds = process.argv.includes('--each')
    ? Object.values(KINDS).flatMap((asks) => asks.map((ask) => [ask.path, [ask]] as const))
    : Object.entries(KINDS);
  const costs = new Map<string, Cost>();
  await withDatabase(readConfig({ SHOP_DATA_DIR: dataDir }), async ({ db }) => {
    for (const [kind, asks] of kinds) costs.set(kind, await costOf(shop.url, db, postmasterOf(dataDir), [...asks]));
  });
  await shop.stop();
  return costs;
}

const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const dirs = given.length > 0 ? given : [newFolder('bench'), newFolder('bench')];
if (given.length === 0) {
  const sizes = [10_000, process.argv.includes('--quick') ? 100_000 : 1_000_000];
  for (const [index, dir] of dirs.entries()) await generate(dir, sizes[index] ?? 0);
}
const shops: Map<string, Cost>[] = [];
for (const dir of dirs) shops.push(await measure(dir));
if (given.length === 0) for (const dir of dirs) rmSync(dir, { recursive: true, force: true });

const head = shops.flatMap((_, index) => [`p50, shop ${index + 1}`, 'slowest', 'processor time of PostgreSQL']);
const rows = [...(shops[0]?.keys() ?? [])].map((kind) => [
  kind,
  ...shops.flatMap((costs) => {
    const { p50 = 0, slowest = 0, database = 0 } = costs.get(kind) ?? {};
    return [ms(p50), ms(slowest), ms(database)];
  }),
]);
printTable(['the first time', ...head], rows);
