import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertBound, lengthOf } from './lengths.ts';

test.each([
  ['120', 'cm', 120],
  [' 1,200 ', 'cm', 1200],
  ['120.5 cm', 'cm', 120.5],
  ['2240mm', 'cm', 224],
  ['2 m', 'cm', 200],
  ['47.5"', 'in', 47.5],
  ['4 ft', 'in', 48],
  ['6 ft 2', 'in', 74],
  ["6'2”", 'in', 74],
  ['10 in', 'cm', 25.4],
  // Rounded up, so that a piece of exactly 200 cm still fits.
  ['200 cm', 'in', 78.75],
  ['about two metres', 'cm', undefined],
  ['-5', 'cm', undefined],
  ['120 cm 5', 'cm', undefined],
  ['1 000 000', 'cm', undefined],
  ['9999999', 'cm', undefined],
  ['', 'cm', undefined],
] as const)('at most %j, typed where %s are asked for, is %s', (text, unit, length) => {
  expect(lengthOf(text, unit, 'max')).toBe(length);
});

test('a bound in another unit lets the same millimetres through, and comes back as it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50_000 }), fc.constantFrom('min', 'max'), (millimetres, bound) => {
      const inches = convertBound(millimetres / 10, 'cm', 'in', bound);
      const whole = (bound === 'max' ? Math.floor : Math.ceil)(Number((Number((inches * 2.54).toFixed(4)) * 10).toFixed(4)));
      expect(whole).toBe(millimetres);
      expect(convertBound(inches, 'in', 'cm', bound)).toBe(millimetres / 10);
    }),
  );
});

test('whole inches stay whole when the unit is changed to centimetres and back', () => {
  for (let inches = 1; inches < 400; inches += 1)
    expect(convertBound(convertBound(inches, 'in', 'cm', 'max'), 'cm', 'in', 'max')).toBe(inches);
});
