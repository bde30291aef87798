import { rmSync } from 'node:fs';
import { type Ask, clients, flood, oneByOne, summaryOf } from './load.ts';
import { generate, newFolder, openBare, openShop, type Running } from './shop.ts';
import { ms, type Row, ratio, whole } from './table.ts';

const SECONDS = 2;
const ROUNDS = 4;
const CLIENTS = 8;

interface List {
  products: { _id: string }[];
  pages: number;
}
const listOf = async (url: string, query: string) => (await (await fetch(`${url}/api/products?${query}`)).json()) as List;

/** First, second, middle and last page of each list. */
async function pagesOf(url: string, queries: string[]): Promise<Ask[]> {
  const asks: Ask[] = [];
  for (const query of queries) {
    const { pages } = await listOf(url, query);
    for (const page of [1, 2, Math.ceil(pages / 2), pages]) asks.push({ path: `/api/products?${query}&pageNumber=${page}` });
  }
  return asks;
}

const FILTERS = [
  '',
  'categoryQuery=Sofa',
  'categoryQuery=Lamp&inStockQuery=true',
  'minPriceQuery=100&maxPriceQuery=400',
  'categoryQuery=Chair_Bench',
];
const SORTS = ['bestmatch', 'ascprice', 'descprice', 'rating'];
const LISTS = FILTERS.flatMap((filter) => SORTS.map((sort) => `${filter}&sortBy=${sort}`));
const WORDS = [
  'sofa',
  'oak',
  'velvet corner sofas',
  'walnut bench',
  'table lam',
  'wardr',
  'wardorbe',
  'linen press',
  'ashford',
  'rocking chairs',
];
const SEARCHES = WORDS.map((words) => `search=${encodeURIComponent(words)}`);

async function details(url: string): Promise<Ask[]> {
  const { pages } = await listOf(url, 'sortBy=name');
  const lists = await Promise.all(
    Array.from({ length: 20 }, (_, n) => listOf(url, `sortBy=name&pageNumber=${1 + Math.floor((pages * n) / 20)}`)),
  );
  return lists.flatMap(({ products }) => products.map(({ _id }) => ({ path: `/api/products/${_id}` })));
}

/** What one size of shop answers to one kind of request. */
class Subject {
  readonly #shop: Running;
  #asks: Ask[] = [];
  #times: number[] = [];
  /** The first time that each list is asked for since the catalogue changed. */
  first = 0;

  constructor(shop: Running) {
    this.#shop = shop;
  }

  async prepare(kind: string): Promise<void> {
    const { url } = this.#shop;
    const queries = kind === 'list' ? LISTS : SEARCHES;
    if (kind !== 'detail')
      this.first = (
        await oneByOne(
          url,
          queries.map((query) => ({ path: `/api/products?${query}` })),
        )
      ).p50;
    this.#asks = kind === 'detail' ? await details(url) : await pagesOf(url, queries);
    await oneByOne(url, this.#asks);
    this.#times = [];
  }

  async load(): Promise<void> {
    // Clients start at different places, so that hardly any two ask for the same at a time.
    const next = (client: number, turn: number): Ask => this.#asks[(client * 13 + turn) % this.#asks.length] ?? { path: '/' };
    this.#times.push(...(await clients(this.#shop.url, CLIENTS, SECONDS, next)).times);
  }

  get result() {
    return summaryOf(this.#times, ROUNDS * SECONDS);
  }
}

/** Lists, searches and details without the page cache in a small shop and a large one, in turn. */
export async function measureGrowth(sizes: [number, number]): Promise<{ rows: Row[]; seconds: number }> {
  const dirs = sizes.map(newFolder);
  const began = performance.now();
  for (const [n, dir] of dirs.entries()) await generate(dir, sizes[n] ?? 0);
  const seconds = (performance.now() - began) / 1000;
  const shops = await Promise.all(dirs.map((dir) => openShop(dir, { PAGE_CACHE_MB: '0' })));
  const bare = await openBare(shops[0]?.url ?? '', '/api/products');
  const limit = (await flood(bare.url, 3)).perSecond;
  await bare.stop();
  const rows: Row[] = [];
  for (const kind of ['list', 'search', 'detail']) {
    const subjects = shops.map((shop) => new Subject(shop));
    for (const subject of subjects) await subject.prepare(kind);
    for (let round = 0; round < ROUNDS; round += 1) for (const subject of subjects) await subject.load();
    const [small, large] = subjects.map(({ result }) => result);
    for (const [n, subject] of subjects.entries()) {
      const { perSecond, p50, p99 } = subject.result;
      const growth = n === 0 ? '' : ratio((large?.p50 ?? 0) / (small?.p50 ?? 1));
      const first = kind === 'detail' ? '' : ms(subject.first);
      rows.push([kind, whole(sizes[n] ?? 0), whole(perSecond), ratio(perSecond / limit), ms(p50), ms(p99), growth, first]);
    }
  }
  for (const shop of shops) await shop.stop();
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
  return { rows, seconds };
}
