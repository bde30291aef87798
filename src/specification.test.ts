import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';
import { readHoldingTests, readParagraphs } from '#server/testing/specification.ts';

const paragraphs = [...readParagraphs().keys()];
const named = new Set(readHoldingTests().flatMap((held) => held.paragraphs));

test('every paragraph of the specification is named by a test that holds it', () => {
  expect(paragraphs.length).toBeGreaterThan(150);
  expect(paragraphs.filter((number) => !named.has(number))).toEqual([]);
});

test('no test names a paragraph that the specification does not have', () => {
  expect([...named].filter((number) => !paragraphs.includes(number))).toEqual([]);
});

/** The rows of the rules of use: a number, a sentence, a file of tests, the name of one of them. */
const rules = readFileSync(join(ROOT, 'docs/ux-rules.md'), 'utf8')
  .split('\n')
  .filter((line) => line.includes('.ts | '))
  .map((line) => line.slice(2, -2).split(' | '));

test('each rule of use has a row, and the row names a test that exists', () => {
  const numbers = [...new Set(rules.map(([number]) => number))];
  expect(numbers.length).toBeGreaterThan(50);
  expect(numbers).toEqual(numbers.map((_, index) => `U${index + 1}`));
  const lost = rules.filter(([, , file = '', name = '']) => !readFileSync(join(ROOT, file), 'utf8').includes(name.replace(/^`|`$/g, '')));
  expect(lost).toEqual([]);
});
