import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { ProductList } from '#contract/catalogue/catalogue.ts';
import { filtersOf } from '#server/catalogue/find/filters.ts';
import { foundBy } from '#server/catalogue/find/find.service.ts';
import { addDemoProducts } from '#server/testing/demo-products.ts';
import { aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { loadEnglish } from './english.ts';
import { singular, wordsOf } from './folded.ts';
import { Lookup } from './lookup.service.ts';
import { readSearch } from './search.service.ts';

const { app, db, services } = await testShop();
const { vocabulary } = services;

interface Texts {
  id: string;
  labels: string;
  description: string;
}

/** What each product is called, and what is told about it. */
const products: Texts[] = [];
beforeAll(async () => {
  await addDemoProducts(db);
  // As in a shop that runs, PostgreSQL knows how many words there are.
  await sql`analyze products, catalogue_words`.execute(db);
  const { rows } = await sql<Texts>`
    select id, concat_ws(' ', name, category, sub_category, fit, label_words, brand) as labels, description from products`.execute(db);
  products.push(...rows);
});

const wordsIn = (texts: readonly string[]) => [...new Set(texts.flatMap((text) => text.split(/[^\p{L}\p{M}\p{N}]+/u).flatMap(wordsOf)))];
const beginningsOf = (words: readonly string[]) => [
  ...new Set(words.flatMap((word) => [...word].map((_, end) => word.slice(0, end + 1)).slice(1))),
];

/** What the fullest reading of a search finds. */
async function found(search: string): Promise<Set<string>> {
  const { attempts } = await readSearch(db, search, vocabulary);
  const [whole] = attempts;
  if (!whole) return new Set();
  const { rows } = await sql<{
    id: string;
  }>`select id from products where ${foundBy({ filters: filtersOf(whole.asks), words: whole.words })}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The results of a question for each of many texts, some at a time. */
async function each<T>(texts: readonly string[], ask: (text: string) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let from = 0; from < texts.length; from += 20) answers.push(...(await Promise.all(texts.slice(from, from + 20).map(ask))));
  return answers;
}

test('every beginning, of two letters or more, of what a product is called finds it (§12.1)', { tags: ['thorough'] }, async () => {
  const words = wordsIn(products.map(({ labels }) => labels)).filter((word) => word.length > 2 && !/\d/.test(word));
  const beginnings = beginningsOf(words);
  expect(beginnings.length).toBeGreaterThan(500);
  const answers = await each(beginnings, found);
  const lost = beginnings.flatMap((beginning, index) =>
    products
      .filter(({ id, labels }) => wordsIn([labels]).some((word) => word.startsWith(beginning)) && !answers[index]?.has(id))
      .map(({ labels }) => [beginning, labels]),
  );
  // A beginning that is a word of the vocabulary is read as that word.
  const isWord = (beginning = '') => vocabulary.meanings.has(beginning) || vocabulary.meanings.has(singular(beginning));
  expect(lost.filter(([beginning]) => !isWord(beginning))).toEqual([]);
});

test('every word of a description, and every beginning that no product is called, finds the products that have it (§12.1)', {
  tags: ['thorough'],
}, async () => {
  const labels = wordsIn(products.map((product) => product.labels));
  const words = wordsIn(products.map(({ description }) => description)).filter((word) => word.length > 2 && !/\d/.test(word));
  const texts = beginningsOf(words).filter((text) => text.length > 2 && !labels.some((label) => label.startsWith(text)));
  expect(texts.length).toBeGreaterThan(1_000);
  const answers = await each(texts, found);
  const isMeant = (text: string) => vocabulary.meanings.has(text) || vocabulary.words.has(singular(text));
  const lost = texts.filter((text, index) => {
    const having = products.filter(({ description }) => wordsIn([description]).some((word) => word.startsWith(text)));
    return !isMeant(text) && having.some(({ id }) => !answers[index]?.has(id));
  });
  expect(lost).toEqual([]);
});

/** A word with one letter missing, doubled, exchanged with the next, or wrong, at every place. */
function misspellings(word: string): string[] {
  return [...word].flatMap((letter, at) => {
    const [before, after] = [word.slice(0, at), word.slice(at + 1)];
    const wrong = letter === 'q' ? 'x' : 'q';
    return [before + after, before + letter + letter + after, before + after.slice(0, 1) + letter + after.slice(1), before + wrong + after];
  });
}

test('every error of one letter in every word of four letters or more that a product is called is seen for what was meant (§12.1)', {
  tags: ['thorough'],
}, async () => {
  const words = wordsIn(products.map(({ labels }) => labels)).filter((word) => word.length >= 4 && !/\d/.test(word));
  const wrong = words.flatMap((word) => misspellings(word).map((form) => ({ word, form })));
  expect(wrong.length).toBeGreaterThan(3_000);
  const lost: unknown[] = [];
  let unseen = 0;
  for (let from = 0; from < wrong.length; from += 500) {
    const some = wrong.slice(from, from + 500);
    const lookup = new Lookup(db, vocabulary, await loadEnglish());
    const forms = some.map(({ form }) => form);
    await lookup.learn(forms, forms);
    for (const { word, form } of some) {
      const meant = lookup.meant(form, true);
      // What is itself a word, or begins one, cannot be seen to be an error.
      if (meant.includes(form)) unseen += 1;
      else if (!meant.includes(word)) lost.push([word, form, meant]);
    }
  }
  expect(lost).toEqual([]);
  expect(unseen / wrong.length).toBeLessThan(0.2);
});

const search = async (text: string) => (await app.inject({ url: '/api/products', query: { search: text } })).json<ProductList>();

test.each(['dini', 'cerami', 'adjustab', 'so', 'havn', 'foor', 'cae', 'hao', 'the so', 'pair of wardorbe', 'boucle'])(
  'the search %j finds something (§12.1)',
  async (text) => {
    expect((await search(text)).total).toBeGreaterThan(0);
  },
);

test('only when nothing has every word, what has most of them is found, and said to be so (§12.1)', async () => {
  const all = await search('velvet sofa');
  expect([all.total > 0, all.isPartial]).toEqual([true, false]);
  const most = await search('velvet sofa zzzzqqqq');
  expect([most.isPartial, most.suggestion]).toEqual([true, null]);
  expect(most.products.map(({ _id }) => _id).sort()).toEqual(all.products.map(({ _id }) => _id).sort());
  const mistyped = await search('zzzzqqqq velvte sofa');
  expect([mistyped.isPartial, mistyped.suggestion, mistyped.total]).toEqual([true, 'zzzzqqqq velvet sofa', all.total]);
  const elsewhere = await app.inject({ url: '/api/products', query: { search: 'wardorbe', categoryQuery: 'Lamp' } });
  expect(elsewhere.json<ProductList>()).toMatchObject({ total: 0, suggestion: 'wardrobe' });
  const nowhere = await app.inject({ url: '/api/products', query: { search: 'zzzzqqqq', categoryQuery: 'Lamp' } });
  expect(nowhere.json<ProductList>()).toMatchObject({ total: 0, suggestion: null });
  const none = await search('zzzzqqqq xxxxjjjj');
  expect([none.total, none.isPartial, none.suggestion]).toEqual([0, false, null]);
});

test('a length that no piece measures is the name of a size, unless another piece measures it (§12.1)', async () => {
  await aProduct(db, {
    name: 'Ferndale Oak Bench',
    category: 'Bench',
    subCategory: 'Dining benches',
    sizes: [{ size: '120 cm' }, { size: '160 cm' }],
  });
  for (const text of ['ferndale bench 160', 'ferndale bench 160cm'])
    expect(await search(text)).toMatchObject({
      total: 1,
      isPartial: false,
      leftOut: [],
      asks: {},
      products: [{ name: 'Ferndale Oak Bench' }],
    });
  expect((await search('bench 160')).asks).toEqual({ minWidthQuery: '153.6', maxWidthQuery: '166.4' });
});

test('when only some of a search is found, only what is in force is a filter (§12.6)', async () => {
  const asked = async (text: string) => {
    const { asks, isPartial } = await search(text);
    return [isPartial, asks];
  };
  expect(await asked('velvet sofa under £1,500')).toEqual([false, { materialQuery: 'Velvet', maxPriceQuery: '1500' }]);
  // A word that nothing has is left out; what is left holds for all that is shown.
  expect(await asked('velvet sofa under £1,500 zzzzqqqq')).toEqual([true, { materialQuery: 'Velvet', maxPriceQuery: '1500' }]);
  // Nothing velvet is a wardrobe: each of these has one of the two, so that neither can be taken back alone.
  expect(await asked('velvet wardrobe under £1,500')).toEqual([true, { maxPriceQuery: '1500' }]);
  // Nothing is so cheap: the price is left out at last.
  expect(await asked('velvet sofa under £2')).toEqual([true, { materialQuery: 'Velvet' }]);
});

test('where several words are one error away, each of them may have been meant, and all are named; none as common as “has” is (§12.1)', async () => {
  const { suggestion, products } = await search('hao');
  expect(suggestion).toBe('halo');
  expect(products.some(({ name }) => name.startsWith('Halo'))).toBe(true);
});
