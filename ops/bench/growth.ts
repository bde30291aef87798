import { rmSync } from 'node:fs';
import { newFolder } from '#server/testing/new-folder.ts';
import { type Ask, type LoadResult, load, oneByOne } from './load.ts';
import { generate, openShop, type Running } from './shop.ts';
import { median, micros, ms, type Row, ratio, whole } from './table.ts';

const SECONDS = 2;
const ROUNDS = 4;
const CLIENTS = 8;
/** A shop runs for days: what Node has not compiled yet in its first thousands of requests is not measured. */
const WARM_UP_SECONDS = 8;
/** Pages are made so slowly that it takes longer until all has been compiled. */
const PAGES_WARM_UP_SECONDS = 24;

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
  const { pages } = await listOf(url, 'sortBy=ascprice');
  const lists = await Promise.all(
    Array.from({ length: 20 }, (_, n) => listOf(url, `sortBy=ascprice&pageNumber=${1 + Math.floor((pages * n) / 20)}`)),
  );
  return lists.flatMap(({ products }) => products.map(({ _id }) => ({ path: `/api/products/${_id}` })));
}

/** The same products as pages, each rendered again. */
const pagesOfProducts = (asks: Ask[]): Ask[] => asks.map(({ path }) => ({ path: path.replace('/api/products/', '/product/') }));

const KINDS = ['list', 'search', 'detail', 'product page'] as const;
type Kind = (typeof KINDS)[number];

/** Measures one kind of request at a shop of one size. */
class Subject {
  readonly #shop: Running;
  #asks: Ask[] = [];
  readonly #rounds: LoadResult[] = [];
  /** The first time that each list is asked for since the catalogue changed, in milliseconds. */
  first = { p50: 0, slowest: 0 };

  constructor(shop: Running) {
    this.#shop = shop;
  }

  async prepare(kind: Kind): Promise<void> {
    const { url } = this.#shop;
    if (kind === 'list' || kind === 'search') {
      const queries = kind === 'list' ? LISTS : SEARCHES;
      const times = await oneByOne(
        url,
        queries.map((query) => ({ path: `/api/products?${query}` })),
      );
      this.first = { p50: median(times), slowest: Math.max(...times) };
      this.#asks = await pagesOf(url, queries);
    } else {
      const asks = await details(url);
      this.#asks = kind === 'detail' ? asks : pagesOfProducts(asks);
    }
    await oneByOne(url, this.#asks);
    await load(this.#shop, this.#asks, CLIENTS, kind === 'product page' ? PAGES_WARM_UP_SECONDS : WARM_UP_SECONDS);
  }

  async load(): Promise<void> {
    this.#rounds.push(await load(this.#shop, this.#asks, CLIENTS, SECONDS));
  }

  /** The middle of the rounds. */
  figure(pick: (result: LoadResult) => number): number {
    return median(this.#rounds.map(pick));
  }
}

function rowOf(kind: Kind, size: number, subject: Subject, small: Subject | undefined): Row {
  const p50 = subject.figure((result) => result.p50);
  const isList = kind === 'list' || kind === 'search';
  return [
    kind,
    whole(size),
    whole(subject.figure((result) => result.perSecond)),
    ms(p50),
    ms(subject.figure((result) => result.p99)),
    micros(subject.figure((result) => result.cpu.server)),
    micros(subject.figure((result) => result.cpu.database)),
    small ? ratio(p50 / small.figure((result) => result.p50)) : '',
    isList ? `${ms(subject.first.p50)} / ${ms(subject.first.slowest)}` : '',
  ];
}

/** Lists, searches, details and product pages without the page cache in a small shop and a large one, in turn. */
export async function measureGrowth(sizes: [number, number]): Promise<{ rows: Row[]; seconds: number }> {
  const dirs = sizes.map(() => newFolder('bench'));
  const began = performance.now();
  for (const [n, dir] of dirs.entries()) await generate(dir, sizes[n] ?? 0);
  const seconds = (performance.now() - began) / 1000;
  const shops = await Promise.all(dirs.map((dir) => openShop(dir, { PAGE_CACHE_MB: '0' })));
  const rows: Row[] = [];
  for (const kind of KINDS) {
    const subjects = shops.map((shop) => new Subject(shop));
    for (const subject of subjects) await subject.prepare(kind);
    for (let round = 0; round < ROUNDS; round += 1) for (const subject of subjects) await subject.load();
    for (const [n, subject] of subjects.entries()) rows.push(rowOf(kind, sizes[n] ?? 0, subject, n === 0 ? undefined : subjects[0]));
  }
  for (const shop of shops) await shop.stop();
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
  return { rows, seconds };
}
