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

test('every rule of use is named by a test that holds it, and no test names another', () => {
  const rules = [...readFileSync(join(ROOT, 'docs/ux-rules.md'), 'utf8').matchAll(/^- \*\*(U\d+)\*\* /gm)].map(([, number]) => number);
  expect(rules).toEqual(rules.map((_, index) => `U${index + 1}`));
  const held = new Set(readHoldingTests().flatMap((test) => test.rules));
  expect([...held].sort()).toEqual([...rules].sort());
});
