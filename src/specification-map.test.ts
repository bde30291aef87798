import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/base/root.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The rows of a table of tests: a number, or a dash, a sentence, a file of tests, the name of one of them. */
const rowsOf = (path: string) =>
  read(path)
    .split('\n')
    .filter((line) => line.includes('.ts | '))
    .map((line) => line.slice(2, -2).split(' | '));

/** Those whose test is not in its file. */
const withoutTest = (some: string[][]) => some.filter(([, , file = '', name = '']) => !read(file).includes(name.replace(/^`|`$/g, '')));

/** The rows of the map, by the specification's paragraphs. */
const rows = rowsOf('docs/specification-map.md');

/** The numbers of the specification's paragraphs, in its order. */
const paragraphs = [...read('docs/specification.md').matchAll(/^(\d+(?:\.\d+)+) /gm)].map(([, number]) => number ?? '');

test('every row of the specification’s map names a test that exists', () => {
  expect(rows.length).toBeGreaterThan(350);
  expect(withoutTest(rows)).toEqual([]);
});

test('each of the 52 rules of use has a row, and the row names a test that exists', () => {
  const rules = rowsOf('docs/ux-rules.md');
  expect([...new Set(rules.map(([number]) => number))]).toEqual(Array.from({ length: 52 }, (_, index) => `U${index + 1}`));
  expect(withoutTest(rules)).toEqual([]);
});

test('every paragraph of the specification has a row in the map, and the rows follow its order', () => {
  expect(paragraphs.length).toBeGreaterThan(100);
  const places = rows.filter(([number]) => number !== '–').map(([number = '']) => paragraphs.indexOf(number));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(paragraphs.filter((_, place) => !places.includes(place))).toEqual([]);
});
