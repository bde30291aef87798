import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertBound, readBound } from './length-bounds.ts';
import { readLength } from './lengths.ts';

test.each([
  ['120', 'cm', 1_200],
  [' 1,200 ', 'cm', 12_000],
  ['120.5 cm', 'cm', 1_205],
  ['76,5', 'cm', 765],
  ['2240mm', 'cm', 2_240],
  ['2 m', 'in', 2_000],
  ['30', 'in', 762],
  ['47.5"', 'cm', 1_206.5],
  ['29 1/2', 'in', 749.3],
  ['29½', 'in', 749.3],
  ['4 ft', 'in', 1_219.2],
  ['2 ft 6 in', 'cm', 762],
  ['6 ft 2', 'in', 1_879.6],
  ["6'2”", 'in', 1_879.6],
  ['about 76 cm', 'in', 760],
  ['about two metres', 'cm', undefined],
  ['wide', 'cm', undefined],
  ['-5', 'cm', undefined],
  ['120 cm 5', 'cm', undefined],
  ['70-80', 'cm', undefined],
  ['70 to 80 cm', 'cm', undefined],
  ['76 x 198', 'cm', undefined],
  ['1 000 000', 'cm', undefined],
  ['', 'cm', undefined],
] as const)('%j, typed where %s are asked for, is %s mm', (text, unit, millimetres) => {
  const read = readLength(text, unit);
  expect(read && Number(read.toFixed(4))).toBe(millimetres);
});

test.each([
  ['120', 'cm', 120],
  ['120.5 cm', 'cm', 120.5],
  ['6 ft 2', 'in', 74],
  ['10 in', 'cm', 25.4],
  // Rounded up, so that a piece of exactly 200 cm still fits.
  ['200 cm', 'in', 78.75],
  ['9999999', 'cm', undefined],
  ['wide', 'cm', undefined],
] as const)('at most %j is a bound of %s %s', (text, unit, bound) => {
  expect(readBound(text, unit, 'max')).toBe(bound);
});

test('a bound in another unit lets the same millimetres through, and comes back as it was (§2.6.4)', () => {
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
