/**
 * `npm run bench:searches`: how long first pages, searches, suggestions and counts take without the page cache, at ten thousand and a million
 * products, the first time after a change of the catalogue and again. `npm run bench:searches -- SMALL LARGE` takes the data folders of shops
 * that are there already, `--quick` makes 100,000 products instead of a million.
 */

import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { catalogueChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { withDatabase } from '#server/platform/database/with-database.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import { newFolder } from '#server/testing/new-folder.ts';
import { type Ask, oneByOne } from './load.ts';
import { generate, openShop } from './shop.ts';
import { median, ms, printTable, type Row, ratio } from './table.ts';

const ROUNDS = 5;
/** A notice of PostgreSQL reaches the shop in some milliseconds. */
const NOTICE_MS = 100;

const searches = (path: string, texts: string[]) =>
  texts.map((text) => ({ path: `/api/products${path}?search=${encodeURIComponent(text)}` }));
const queries = (path: string, all: string[]) => all.map((query) => ({ path: `/api/products${path}?${query}` }));

const KINDS: Record<string, Ask[]> = {
  'first pages of lists': queries('', [
    '',
    'categoryQuery=Sofa',
    'inStockQuery=true&sortBy=ascprice',
    'minPriceQuery=100&maxPriceQuery=400&sortBy=rating',
    'colourQuery=grey',
    'maxWidthQuery=60',
    'brandQuery=Carlcote Upholstery',
    'materialQuery=oak&categoryQuery=Bench',
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
  'suggestions, 1 letter': searches('/suggestions', ['s', 'o', 'w', 'b', 'l', 'c']),
  'suggestions, 2 letters': searches('/suggestions', ['so', 'oa', 'wa', 'be', 'la', 'ch']),
  'suggestions, 3 letters': searches('/suggestions', ['sof', 'oak', 'war', 'ben', 'lam', 'cha']),
  'suggestions, 6 letters': searches('/suggestions', ['sofa b', 'oak be', 'wardro', 'bench ', 'lamps ', 'velvet']),
  'counts for filters': queries('/facets', ['', 'categoryQuery=Sofa', 'search=sofa', 'search=ashford', 'colourQuery=grey']),
};

interface Times {
  first: number;
  again: number;
}

/** The median time of each kind of request in a shop, the first time after a change of the catalogue and again. */
async function measureKinds(url: string, db: Db): Promise<Record<string, Times>> {
  const middles: Record<string, Times> = {};
  for (const [kind, asks] of Object.entries(KINDS)) {
    const times = { first: [] as number[], again: [] as number[] };
    await oneByOne(url, asks);
    for (let round = 0; round < ROUNDS; round += 1) {
      await catalogueChanged(db);
      await setTimeout(NOTICE_MS);
      times.first.push(...(await oneByOne(url, asks)));
      times.again.push(...(await oneByOne(url, asks)));
    }
    middles[kind] = { first: median(times.first), again: median(times.again) };
  }
  return middles;
}

async function measure(dataDir: string): Promise<Record<string, Times>> {
  const shop = await openShop(dataDir, { PAGE_CACHE_MB: '0' });
  const middles = await withDatabase(readConfig({ SHOP_DATA_DIR: dataDir }), ({ db }) => measureKinds(shop.url, db));
  await shop.stop();
  return middles;
}

const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const large = process.argv.includes('--quick') ? 100_000 : 1_000_000;
const dirs = [10_000, large].map((products, index) => ({
  products,
  dir: given[index] ?? newFolder('bench'),
  isNew: given[index] === undefined,
}));
for (const { products, dir, isNew } of dirs) if (isNew) await generate(dir, products);
const [small, big] = [await measure(dirs[0]?.dir ?? ''), await measure(dirs[1]?.dir ?? '')];
for (const { dir, isNew } of dirs) if (isNew) rmSync(dir, { recursive: true, force: true });

const cells = (one: Times, other: Times, which: keyof Times) => [ms(one[which]), ms(other[which]), ratio(other[which] / one[which])];
const rows: Row[] = Object.entries(small).flatMap(([kind, one]) => {
  const other = big[kind];
  return other ? [[kind, ...cells(one, other, 'first'), ...cells(one, other, 'again')]] : [];
});
printTable(['p50', 'first time, small', 'large', 'growth', 'again, small', 'large', 'growth'], rows);
