import { expect, test } from 'vitest';
import { loadEnglish } from './english.ts';

const english = await loadEnglish();

test.each([
  'rug',
  'nest',
  'garden',
  'card',
  'stock',
  'pet',
  'cafe',
  'chairs',
  'gardening',
  'unfinished',
  'upholstered',
  'colours',
  'washable',
])('English knows “%s”', (word) => {
  expect(english.has(word)).toBe(true);
});

test.each(['furnture', 'wardorbe', 'soffa', 'lether', 'settea', 'sofia', 'color', ''])('English does not know “%s”', (word) => {
  expect(english.has(word)).toBe(false);
});
