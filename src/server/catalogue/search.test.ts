import { type RawBuilder, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { ProductList } from '#contract/catalogue.ts';
import { addDemoProducts, demoProducts } from '#server/testing/demo-products.ts';
import { testShop } from '#server/testing/harness.ts';
import { lookUp, queryOf } from './search.ts';

const { app, db } = await testShop();
/** The words of each product, by its id. */
const wordsOfProducts = new Map<string, Set<string>>();
beforeAll(async () => {
  const bySlug = new Map(demoProducts.map((product) => [product.slug, product]));
  for (const [id, slug] of await addDemoProducts(db)) {
    const { name = '', category = '', subCategory = '', brand = '', description = '' } = bySlug.get(slug) ?? {};
    const text = [name, category, subCategory, brand, description].join(' ').toLowerCase();
    wordsOfProducts.set(id, new Set(text.match(/[\p{L}\p{N}]+/gu)));
  }
  // As in a shop that runs, PostgreSQL knows how many words there are.
  await sql`analyze products, catalogue_words`.execute(db);
});

const vocabulary = () => [...new Set([...wordsOfProducts.values()].flatMap((words) => [...words]))];

/** The ids of the products that each of many searches finds. */
async function findAll(searches: readonly string[]): Promise<Set<string>[]> {
  const found: Set<string>[] = [];
  for (let from = 0; from < searches.length; from += 200) {
    const columns: RawBuilder<unknown>[] = searches
      .slice(from, from + 200)
      .map((search) => sql`array(select id::text from products where search @@ ${queryOf([[search]])})`);
    const { rows } = await sql<{
      ids: string[][];
    }>`select array_to_json(array[${sql.join(columns.map((ids) => sql`array_to_json(${ids})`))}]) as ids`.execute(db);
    found.push(...(rows[0]?.ids ?? []).map((ids) => new Set(ids)));
  }
  return found;
}

test('every beginning, of two letters or more, of every word of the catalogue finds the products that have the word', async () => {
  const beginnings = [...new Set(vocabulary().flatMap((word) => [...word].map((_, end) => word.slice(0, end + 1)).slice(1)))];
  expect(beginnings.length).toBeGreaterThan(1_500);
  const found = await findAll(beginnings);
  const lost = beginnings.flatMap((beginning, index) =>
    [...wordsOfProducts]
      .filter(([id, words]) => [...words].some((word) => word.startsWith(beginning)) && !found[index]?.has(id))
      .map(([id]) => [beginning, id]),
  );
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

test('every error of one letter in every word of four letters or more finds something that has the word', async () => {
  const words = vocabulary().filter((word) => word.length >= 4);
  const wrong = words.flatMap((word) => misspellings(word).map((form) => ({ word, form })));
  expect(wrong.length).toBeGreaterThan(9_000);
  const lookedUp: Awaited<ReturnType<typeof lookUp>> = [];
  for (let from = 0; from < wrong.length; from += 500)
    lookedUp.push(
      ...(await lookUp(
        db,
        wrong.slice(from, from + 500).map(({ form }) => form),
      )),
    );
  const { rows } = await sql<{ word: string }>`select word from catalogue_words where stem is null`.execute(db);
  const common = new Set(rows.map(({ word }) => word));
  // Nobody looks for words as common as "with". What is itself a word of the catalogue, or begins one, cannot be seen to be an error.
  const lost = wrong.filter(({ word }, index) => {
    const { isKnown, isBeginning, near } = lookedUp[index] ?? { isKnown: false, isBeginning: false, near: [] };
    return !isKnown && !isBeginning && !common.has(word) && !near.includes(word);
  });
  expect(lost).toEqual([]);
  const unseen = lookedUp.filter(({ isKnown, isBeginning }) => isKnown || isBeginning).length;
  expect(unseen / wrong.length).toBeLessThan(0.15);
}, 60_000);

const search = async (text: string) => (await app.inject({ url: '/api/products', query: { search: text } })).json<ProductList>();

test.each(['dini', 'cerami', 'adjustab', 'so', 'havn', 'foor', 'cae', 'hao', 'the so', 'pair of wardorbe', 'boucle'])(
  'the search %j finds something',
  async (text) => {
    expect((await search(text)).total).toBeGreaterThan(0);
  },
);

test('only when nothing has every word, what has most of them is found, and said to be so', async () => {
  const all = await search('velvet sofa');
  expect([all.total > 0, all.isPartial]).toEqual([true, false]);
  const most = await search('velvet sofa zzzzqqqq');
  expect([most.isPartial, most.suggestion]).toEqual([true, null]);
  expect(most.products.map(({ _id }) => _id).sort()).toEqual(all.products.map(({ _id }) => _id).sort());
  const mistyped = await search('zzzzqqqq velvte sofa');
  expect([mistyped.isPartial, mistyped.suggestion, mistyped.total]).toEqual([true, 'zzzzqqqq velvet sofa', all.total]);
  const none = await search('zzzzqqqq xxxxjjjj');
  expect([none.total, none.isPartial, none.suggestion]).toEqual([0, false, null]);
});

test('where several words are one error away, each of them may have been meant, and all are named; none as common as “has” is', async () => {
  const { suggestion, products } = await search('hao');
  expect(suggestion).toBe('halo');
  expect(products.some(({ name }) => name.startsWith('Halo'))).toBe(true);
});
