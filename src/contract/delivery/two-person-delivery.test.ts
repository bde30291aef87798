import { expect, test } from 'vitest';
import { isCarriedByTwo } from './two-person-delivery.ts';

test.each([
  ['a sofa', [1_680, 920, 840], true],
  ['an armchair', [740, 780, 860], true],
  ['a sideboard', [1_600, 420, 720], true],
  ['a wardrobe', [1_000, 580, 2_100], true],
  ['a tripod lamp', [540, 560, 1_500], false],
  ['a chair', [560, 540, 780], false],
  ['a bench', [1_800, 360, 450], false],
] as const)('%s of %j mm is carried by two: %j', (_, [width, depth, height], byTwo) => {
  expect(isCarriedByTwo({ width, depth, height }, 'by size')).toBe(byTwo);
});

test('a piece of which a side is not known is not said to need two', () => {
  expect(isCarriedByTwo({ width: 2_000, depth: null, height: 900 }, 'by size')).toBe(false);
  expect(isCarriedByTwo(undefined, 'by size')).toBe(false);
});

test('the class that the shop gave a product counts before its size', () => {
  const [lamp, sofa] = [
    { width: 300, depth: 300, height: 500 },
    { width: 2_000, depth: 900, height: 800 },
  ];
  expect([isCarriedByTwo(lamp, 'two-person'), isCarriedByTwo(sofa, 'parcel'), isCarriedByTwo(sofa, 'small')]).toEqual([true, false, false]);
});
