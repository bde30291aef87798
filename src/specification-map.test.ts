import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/base/root.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The rows of the map: a sentence, a file of tests, the name of one of them. */
const rows = read('docs/specification-map.md')
  .split('\n')
  .map((line) => line.slice(2, -2).split(' | '))
  .filter(([, file]) => file?.endsWith('.ts'));

test('every row of the specification’s map names a test that exists', () => {
  expect(rows.length).toBeGreaterThan(200);
  const missing = rows.filter(([, file = '', name = '']) => !read(file).includes(name.replace(/^`|`$/g, '')));
  expect(missing).toEqual([]);
});
