import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROUNDINGS, reducedPrice } from './sale.ts';

test('a reduced price is rounded down as was chosen', () => {
  expect(ROUNDINGS.map((rounding) => reducedPrice(99_900, 15, rounding))).toEqual([84_915, 84_900, 84_899]);
  expect(ROUNDINGS.map((rounding) => reducedPrice(10_000, 10, rounding))).toEqual([9_000, 9_000, 8_999]);
  expect(ROUNDINGS.map((rounding) => reducedPrice(100, 50, rounding))).toEqual([50, 50, 50]);
  expect(ROUNDINGS.map((rounding) => reducedPrice(1, 90, rounding))).toEqual([1, 1, 1]);
});

test('a reduced price is at least a penny, never dearer, and less by at least the percentage', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000_000 }),
      fc.integer({ min: 1, max: 90 }),
      fc.constantFrom(...ROUNDINGS),
      (price, percent, rounding) => {
        const sale = reducedPrice(price, percent, rounding);
        expect(sale).toBeGreaterThanOrEqual(1);
        expect(sale === 1 || sale * 100 <= price * (100 - percent)).toBe(true);
      },
    ),
  );
});
