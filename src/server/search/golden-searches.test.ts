import { beforeAll, expect, test } from 'vitest';
import type { ProductList } from '#contract/catalogue/catalogue.ts';
import { namedColour } from '#contract/catalogue/colour.ts';
import { addDemoProducts, demoProducts } from '#server/testing/demo-products.ts';
import { type GoldenSearch, readGoldenSearches } from '#server/testing/golden-searches.ts';
import { testShop } from '#server/testing/harness.ts';

const { golden, everyday } = readGoldenSearches(demoProducts.map(({ slug }) => slug));
const { app, db } = await testShop();
let slugOf = new Map<string, string>();
beforeAll(async () => {
  slugOf = await addDemoProducts(db);
});

const listOf = async (search: string) => (await app.inject({ url: '/api/products', query: { search } })).json<ProductList>();
const slugsIn = ({ products }: ProductList) => products.map(({ _id }) => slugOf.get(_id) ?? '');

/** The least share that is right: a change of the search may raise it and must not lower it. */
const FLOOR = { all: 0.98, aside: 0.95, everyday: 0.99, everydayAside: 0.96 };

const SORTS: Record<string, string> = { lowest: 'ascprice', highest: 'descprice' };

/** What the reply to a search says, field by field, and what it ought to say. */
function factsOf(list: ProductList, { products: { first, top, has, only, not }, texts }: GoldenSearch): [string, unknown, unknown][] {
  const shown = slugsIn(list);
  const { asks } = list;
  const facts: [string, unknown, unknown][] = [];
  const say = (field: string, wanted: unknown, found: unknown) => wanted !== undefined && facts.push([field, wanted, found]);
  say('first', first && true, first?.includes(shown[0] ?? '') || shown[0]);
  say('top', top && true, (shown.length > 0 && shown.slice(0, 3).every((slug) => top?.includes(slug))) || shown.slice(0, 3).join(' '));
  say('has', has && '', has?.filter((slug) => !shown.includes(slug)).join(' '));
  say('only', only && '', shown.filter((slug) => !only?.includes(slug)).join(' '));
  say('not', not && '', shown.filter((slug) => not?.includes(slug)).join(' '));
  say('min', texts.min, asks.minPriceQuery);
  say('max', texts.max, asks.maxPriceQuery);
  say('sort', texts.sort && (SORTS[texts.sort] ?? texts.sort), asks.sortBy);
  say('stock', texts.stock && 'true', asks.inStockQuery);
  say('new', texts.new && 'true', asks.newQuery);
  say('everything', texts.everything && demoProducts.length, list.total);
  say('leftOut', texts.leftOut && true, list.leftOut.includes(texts.leftOut ?? '') || list.leftOut.join(', '));
  say('notSold', texts.notSold, list.notSold);
  say('corrected', texts.corrected && null, list.suggestion);
  const [product] = list.products;
  const variant = product?.variant;
  const [firstSize] = demoProducts.find(({ slug }) => slug === shown[0])?.sizes ?? [];
  say('size', texts.size, variant?.size ?? firstSize?.size);
  say('colour', texts.colour && namedColour(texts.colour).name, variant?.colour ?? product?.colors[0]?.name);
  say('help', texts.help && true, texts.help?.split(' ').some((page) => list.help.includes(page)) || list.help.join(' '));
  return facts;
}

/** The shares of some searches that are right, all of them and those kept aside; what is wrong with the others, but for those kept aside. */
async function judge(name: string, all: readonly GoldenSearch[]) {
  const wrong: Record<'open' | 'aside', string[]> = { open: [], aside: [] };
  for (const one of all) {
    const facts = factsOf(await listOf(one.search), one).filter(([, wanted, found]) => wanted !== found);
    const faults = facts.map(([field, wanted, found]) => `${field} is ${found}, not ${wanted}`);
    if (faults.length > 0) wrong[one.isKeptAside ? 'aside' : 'open'].push(`${one.search}: ${faults.join('; ')}`);
  }
  const aside = all.filter(({ isKeptAside }) => isKeptAside).length;
  const shares = { aside: 1 - wrong.aside.length / aside, open: 1 - wrong.open.length / (all.length - aside) };
  const whole = 1 - (wrong.open.length + wrong.aside.length) / all.length;
  process.stdout.write(
    `${name}: ${whole.toFixed(3)} of ${all.length} right, ${shares.aside.toFixed(3)} of the ${aside} kept aside\n${wrong.open.join('\n')}\n`,
  );
  return { ...shares, whole, wrong: wrong.open.join('\n') };
}

test('the golden set is well formed: at least 200 searches, a fifth kept aside, none twice, none that contradicts itself', () => {
  expect(golden.length).toBeGreaterThanOrEqual(200);
  expect(golden.filter(({ isKeptAside }) => isKeptAside).length / golden.length).toBeCloseTo(0.2, 1);
  expect(new Set(golden.map(({ search }) => search)).size).toBe(golden.length);
  expect(golden.filter(({ products: { has = [], not = [] } }) => has.some((slug) => not.includes(slug)))).toEqual([]);
  expect(golden.filter(({ products: { has = [] } }) => has.length > 12)).toEqual([]);
});

test('the first page of a search shows what a person means by it (§12.1, U12)', async () => {
  const { whole, aside, wrong } = await judge('golden searches', golden);
  expect(whole, wrong).toBeGreaterThanOrEqual(FLOOR.all);
  expect(aside).toBeGreaterThanOrEqual(FLOOR.aside);
});

test('everyday searches, written without seeing the search, show what they ask for and say what they leave out (§12.1)', {
  tags: ['thorough'],
}, async () => {
  const { open, aside, wrong } = await judge('everyday searches', everyday);
  expect(open, wrong).toBeGreaterThanOrEqual(FLOOR.everyday);
  expect(aside).toBeGreaterThanOrEqual(FLOOR.everydayAside);
});
