import { expect, test } from 'vitest';
import { areaOf, isPostcodeOrFirstHalf, overlapOf, postcodesProblem } from './areas.ts';

const areas = ['IV, HS, KW15-17', 'bt', 'PA20 - PA49; W1A', 'G'].map((postcodes) => ({ postcodes }));
const of = (postalCode: string, country = 'United Kingdom') => areaOf(areas, { postalCode, country })?.postcodes;

test.each([
  ['IV1 1AA', 0],
  ['iv63 6tw', 0],
  ['KW15 1AA', 0],
  ['KW17', 0],
  ['KW14 7AA', undefined],
  ['KW1 5AA', undefined],
  ['BT1 5GS', 1],
  ['B1 1AA', undefined],
  ['PA34 4AB', 2],
  ['PA19 1AA', undefined],
  ['W1A 1AA', 2],
  ['W1B 1AA', undefined],
  ['W1 1AA', undefined],
  ['G1 1AA', 3],
  ['GL50 1DE', undefined],
  ['LS1 4AP', undefined],
  ['', undefined],
  ['hello', undefined],
])('%j lies in the area %s', (postalCode, index) => {
  expect(of(postalCode)).toBe(index === undefined ? undefined : areas[index]?.postcodes);
  expect(of(postalCode, 'Pakistan')).toBeUndefined();
});

test('the postcodes of an area are refused in words', () => {
  expect(postcodesProblem('IV, kw15-17, W1A')).toBeUndefined();
  expect(postcodesProblem('IV, XX')).toBe('“XX” is not the beginning of a postcode: write IV, KW15-17 or BT');
  expect(postcodesProblem('IV1 1AA')).toMatch(/^“IV11AA” is not/);
  expect(postcodesProblem('KW17-15')).toBe('“KW17-15” ends before it begins');
});

test('areas that share a postcode are found', () => {
  expect(overlapOf('IV, KW16', 'HS, KW15-17')).toBe('KW16');
  expect(overlapOf('KW', 'KW15-17')).toBe('KW');
  expect(overlapOf('W1A', 'W1')).toBe('W1A');
  expect(overlapOf('W1A', 'W1B')).toBeUndefined();
  expect(overlapOf('KW1-14', 'KW15-17, G')).toBeUndefined();
});

test('a whole postcode or its first half can be asked for', () => {
  expect(['IV1', 'iv1 1aa', 'W1A1AA', 'IV', '54000'].map(isPostcodeOrFirstHalf)).toEqual([true, true, true, false, false]);
});
