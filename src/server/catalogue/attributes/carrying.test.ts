import { expect, test } from 'vitest';
import { dimensionsOf } from '#contract/catalogue/measurement.ts';
import { carryingOf, measurementsOf, smallestDoorOf } from './carrying.ts';

const SOFA: [string, string][] = [
  ['Width', '224'],
  ['Depth', '92'],
  ['Height', '84'],
];
const of = (...pairs: [string, string][]) => {
  const measurements = pairs.map(([name, value]) => ({ name, value }));
  const outer = dimensionsOf(measurements);
  return { outer, carrying: carryingOf(measurements, outer), door: smallestDoorOf(measurements, outer) };
};

test.each<[string, [string, string][], object | undefined, number | null]>([
  ['whole', [], undefined, 860],
  ['with legs off', [['Height with legs off (4 screws)', '69']], { height: 690, off: 'legs off (4 screws)', boxes: null }, 710],
  ['in inches', [['height with its Legs off', '27 in']], { height: 686, off: 'legs off' }, 710],
  [
    'with two parts off',
    [
      ['Height with legs off', '69'],
      ['Depth with back off', '60'],
    ],
    { height: 690, depth: 600, off: 'legs off and back off' },
    620,
  ],
  ['in boxes', [['Largest of 3 boxes', '208 x 62 x 16 cm']], { width: 2_080, depth: 620, height: 160, boxes: 3, off: null }, 180],
  ['packed', [['Packed size', '208 x 62 x 16']], { boxes: 1 }, 180],
  ['packed, in another unit', [['Packed size (mm)', '2080 x 620 x 160']], { width: 2_080, boxes: 1 }, 180],
  ['packed, with its sides named', [['Packed size', 'H 16 x W 208 x D 62']], { width: 2_080, depth: 620, height: 160 }, 180],
  ['in many boxes', [['Largest of 120 boxes', '208 x 62 x 16']], { boxes: 120 }, 180],
  ['with legs off, in another unit', [['Height with legs off (mm)', '690']], { height: 690, off: 'legs off' }, 710],
  ['as its seller says', [['Smallest door', '73']], undefined, 730],
  [
    'as its seller says in the second place',
    [
      ['Smallest door', 'standard'],
      ['Smallest door (mm)', '710'],
    ],
    undefined,
    710,
  ],
  [
    'with what cannot be read',
    [
      ['Height with legs off', 'rather low'],
      ['Packed size', 'large'],
    ],
    undefined,
    860,
  ],
])('a sofa is carried in %s, and its size stays what it was', (_, more, carrying, door) => {
  const read = of(...SOFA, ...more);
  expect(read.outer).toEqual({ width: 2_240, depth: 920, height: 840 });
  if (carrying) expect(read.carrying).toMatchObject(carrying);
  else expect(read.carrying).toBeUndefined();
  expect(read.door).toBe(door);
});

test('no door is named where a side is missing, or none of standard height is high enough', () => {
  expect(of(['Width', '224'], ['Depth', '92']).door).toBeNull();
  expect(of(['Width', '224'], ['Depth', '210'], ['Height', '30']).door).toBeNull();
  expect(of(['Height with legs off', '69']).carrying).toBeUndefined();
});

test('the field “Boxes” says how a piece is carried in, by the box that needs the widest door; what a size says of itself comes first', () => {
  const boxes = '60 x 40 x 20\n200 x 62,5 x 30 cm\n\n100×25×10';
  const packed = [{ name: 'Packed size', value: '50 x 50 x 50' }];
  const said = (size: { measurements: typeof packed } | undefined, text: string) =>
    carryingOf(measurementsOf(size, { boxes: text, measurements: packed }), {});
  expect(said(undefined, boxes)).toEqual({ off: null, boxes: 3, width: 2_000, depth: 625, height: 300 });
  expect(said({ measurements: [{ name: 'Packed size', value: '90 x 80 x 70' }] }, boxes)).toMatchObject({ boxes: 1, width: 900 });
  expect(said(undefined, '')).toMatchObject({ boxes: 1, width: 500 });
});
