import { expect, test } from 'vitest';
import { namesIn } from './lists.ts';

test('names are read once each, sorted, and no more of them than a page can draw links for', () => {
  expect(namesIn(['Sofa_lamp_ _sofa', 'Chair_null'])).toEqual(['Chair', 'lamp', 'Sofa']);
  const many = Array.from({ length: 480 }, (_, n) => String.fromCodePoint(0x100 + n)).join('_');
  expect(namesIn([many]).length).toBe(40);
  expect(namesIn([`${'x'.repeat(150)}_`.repeat(2), ...Array.from({ length: 9 }, (_, n) => `${n}${'y'.repeat(150)}`)]).length).toBe(6);
});
