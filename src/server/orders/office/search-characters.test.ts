import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { wordsOf } from '#server/search/folded.ts';
import { anAdmin } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { runs } from '#server/testing/runs.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db);
const LISTS = ['/api/office/products', '/api/orders', '/api/users', '/api/products'];

/** Every character of Unicode that counts as a letter or a number. */
const CHARACTERS = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((one) => /[\p{L}\p{N}]/u.test(one));

async function expectAnswers(search: string) {
  for (const url of LISTS) {
    const { statusCode } = await app.inject({ url, query: { search }, headers: admin.headers });
    expect([url, search, statusCode]).toEqual([url, search, 200]);
  }
}

test.each(['⑴', 'ﷺ', 'ͺ', '½ sofa', '㈱', "o'neill & sons", '\\', ':*'])('every list of the office answers a search for %s', expectAnswers);

test('the words of a search are letters and digits in every script, and the database reads all of them', {
  tags: ['thorough'],
}, async () => {
  const words = [...new Set(CHARACTERS.flatMap((character) => wordsOf(`a${character}b ${character}`)))];
  expect(words.filter((word) => !/^[\p{L}\p{N}]+$/u.test(word))).toEqual([]);
  const { rows } = await sql<{ n: number }>`
    select count(to_tsquery('simple', word || ':*') || to_tsquery('english', word || ':ABC'))::int as n from unnest(${words}::text[]) as word`.execute(
    db,
  );
  expect(rows[0]?.n).toBe(words.length);
});

test('no text of any script breaks a list', async () => {
  const typed = fc.string({ unit: 'grapheme', maxLength: 30 });
  const spelled = fc.array(fc.constantFrom(...CHARACTERS.filter((character) => character.normalize('NFKD') !== character)), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        typed,
        spelled.map((characters) => characters.join('')),
      ),
      expectAnswers,
    ),
    { numRuns: runs(10) },
  );
});
