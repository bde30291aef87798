import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/base/root.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The rows of the map: a paragraph's number, or a dash, a sentence, a file of tests, the name of one of them. */
const rows = read('docs/specification-map.md')
  .split('\n')
  .filter((line) => line.includes('.ts | '))
  .map((line) => line.slice(2, -2).split(' | '));

/** The numbers of the specification's paragraphs, in its order. */
const paragraphs = [...read('docs/specification.md').matchAll(/^(\d+(?:\.\d+)+) /gm)].map(([, number]) => number ?? '');

test('every row of the specification’s map names a test that exists', () => {
  expect(rows.length).toBeGreaterThan(350);
  const missing = rows.filter(([, , file = '', name = '']) => !read(file).includes(name.replace(/^`|`$/g, '')));
  expect(missing).toEqual([]);
});

test('every paragraph of the specification has a row in the map, and the rows follow its order', () => {
  expect(paragraphs.length).toBeGreaterThan(100);
  const places = rows.filter(([number]) => number !== '–').map(([number = '']) => paragraphs.indexOf(number));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(paragraphs.filter((_, place) => !places.includes(place))).toEqual([]);
});
