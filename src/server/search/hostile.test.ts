import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { ListProductsQuery } from '#contract/catalogue/catalogue.schema.ts';
import { listProducts } from '#server/catalogue/catalogue.service.ts';
import { filtersInForce, filtersOf } from '#server/catalogue/find/filters.ts';
import { foundBy } from '#server/catalogue/find/find.service.ts';
import { withoutAddresses } from '#server/platform/log.ts';
import { cpuMsOf } from '#server/testing/cpu-time.ts';
import { addDemoProducts } from '#server/testing/demo-products.ts';
import { testShop } from '#server/testing/harness.ts';
import { rankingOf } from './match.ts';
import { readSearch } from './search.service.ts';
import { splitSearch } from './understand.ts';

const { app, db, services } = await testShop();
await addDemoProducts(db);

/** As long as an address may be. */
const LENGTH = 14_000;

test.each(['1', ',111', '1 cm ', "1'1", '1.1', 'under 1 ', 'a', '£', ' ', 'sofa '])(
  'a search of nothing but %j, as long as it can be sent, keeps the shop from nobody',
  (part) => {
    const search = `1${part.repeat(LENGTH / part.length)}`;
    // Seconds, before only the beginning was read.
    expect(cpuMsOf(() => splitSearch(ListProductsQuery.parse({ search }).search ?? ''))).toBeLessThan(500);
  },
);

/** So much of a search is read. */
const READ = 200;
const MOST_ATTEMPTS = 30;
const MOST_PARAMETERS = 2_000;
/** Words and their meanings, the whole list and the first part of it that there is, a price nearby, the cards. */
const MOST_STATEMENTS = 10;

/** The database, and how many statements it was asked. */
function counted() {
  let statements = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: db.withPlugin(plugin), statements: () => statements };
}

test.each([
  '1 cm ',
  "1'1",
  'under 1 ',
  'velvte ',
  'grey wood metal fabric cream stone ',
  'fabrci wodoen metla ',
  'sofa stone gold terracotta green 2m 2 seater £90 ',
  'sofa oak velvet lamp bench chair grey 2m £90 ',
  'wood metal fabric under £1 over £2 1 cm wide 2 cm high 3 cm deep ',
])('a search of nothing but %j asks the database few questions, none of them long', async (part) => {
  const search = part.repeat(READ).slice(0, READ);
  const { attempts } = await readSearch(db, search, services.vocabulary);
  expect(attempts.length).toBeLessThanOrEqual(MOST_ATTEMPTS);
  // There were 63,824 in one question, which PostgreSQL refused, after others had taken ten seconds.
  for (const { asks, words, ranked } of attempts)
    for (const question of [foundBy({ filters: filtersOf(asks), words }), ...(ranked.length > 0 ? [rankingOf(ranked).points] : [])])
      expect(question.compile(db).parameters.length).toBeLessThan(MOST_PARAMETERS);
  const { db: readDb, statements } = counted();
  await listProducts({ ...services, readDb }, ListProductsQuery.parse({ search }));
  expect(statements()).toBeLessThanOrEqual(MOST_STATEMENTS);
  for (const url of ['/api/products', '/api/products/facets', '/api/products/suggestions'])
    expect([url, (await app.inject({ url, query: { search } })).statusCode]).toEqual([url, 200]);
});

test('an empty list with many filters asks the database few questions', async () => {
  const search = 'grey wood metal fabric cream stone sofa under £900';
  const filters = {
    categoryQuery: 'Nothing',
    minPriceQuery: '1',
    ratingQuery: '1',
    newQuery: 'true',
    inStockQuery: 'true',
    maxWidthQuery: '400',
  };
  const query = ListProductsQuery.parse({ search, ...filters });
  expect(filtersInForce(filtersOf(query))).toHaveLength(6);
  const { db: readDb, statements } = counted();
  expect(await listProducts({ ...services, readDb }, query)).toMatchObject({ total: 0 });
  // There were 30.
  expect(statements()).toBeLessThanOrEqual(MOST_STATEMENTS + 6);
});

test('an error that quotes a long text is written to the log in time that grows with its length', () => {
  expect(cpuMsOf(() => withoutAddresses('a'.repeat(50_000)))).toBeLessThan(2_000);
  expect(withoutAddresses(`<${'a'.repeat(200)}@b.example> unknown`)).toBe('<…@…> unknown');
});
