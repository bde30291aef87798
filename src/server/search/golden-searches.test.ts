import { expect, test } from 'vitest';
import type { ProductList } from '#contract/catalogue/catalogue.ts';
import { addDemoProducts, demoProducts } from '#server/testing/demo-products.ts';
import { readGoldenSearches } from '#server/testing/golden-searches.ts';
import { testShop } from '#server/testing/harness.ts';

const searches = readGoldenSearches(demoProducts.map(({ slug }) => slug));

/** The share of the golden searches whose first page is right; a change of the search may raise it and must not lower it. */
const FLOOR = 0.95;

test('the golden set is well formed: at least 200 searches, a fifth kept aside, none twice, none that contradicts itself', () => {
  expect(searches.length).toBeGreaterThanOrEqual(200);
  expect(searches.filter(({ isKeptAside }) => isKeptAside).length / searches.length).toBeCloseTo(0.2, 1);
  expect(new Set(searches.map(({ search }) => search)).size).toBe(searches.length);
  expect(searches.filter(({ has, hasNot }) => has.some((slug) => hasNot.includes(slug)))).toEqual([]);
  expect(searches.filter(({ has }) => has.length > 12)).toEqual([]);
});

test('the first page of a search shows what a person means by it (§12.1)', async () => {
  const { app, db } = await testShop();
  const slugs = await addDemoProducts(db);
  const wrong: Record<'open' | 'aside', string[]> = { open: [], aside: [] };
  for (const { search, has, hasNot, isNothing, isKeptAside } of searches) {
    const reply = await app.inject({ url: '/api/products', query: { search } });
    const shown = reply.json<ProductList>().products.map(({ _id }) => slugs.get(_id) ?? '');
    const missing = has.filter((slug) => !shown.includes(slug));
    const foreign = shown.filter((slug) => isNothing || hasNot.includes(slug));
    if (missing.length + foreign.length > 0)
      wrong[isKeptAside ? 'aside' : 'open'].push(`${search}: missing ${missing.join(' ')}; not wanted ${foreign.join(' ')}`);
  }
  const aside = searches.filter(({ isKeptAside }) => isKeptAside).length;
  const share = (faults: number, all: number) => 1 - faults / all;
  process.stdout.write(
    `golden searches: ${share(wrong.open.length + wrong.aside.length, searches.length).toFixed(3)} of ${searches.length} right, ` +
      `${share(wrong.aside.length, aside).toFixed(3)} of the ${aside} kept aside\n`,
  );
  expect(share(wrong.open.length + wrong.aside.length, searches.length), wrong.open.join('\n')).toBeGreaterThanOrEqual(FLOOR);
});
