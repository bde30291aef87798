import { expect, test } from 'vitest';
import { careOf, inBothUnits } from './product-texts.ts';

test.each([
  ['Width', '224', '224 cm', '88.2 in'],
  ['Width', '2240 mm', '224 cm', '88.2 in'],
  ['Height', '31.5 in', '80 cm', '31.5 in'],
  ['Width', '7 ft 4 in', '223.5 cm', '88 in'],
  ['Dimensions', '224 x 95 x 80 cm', '224 × 95 × 80 cm', '88.2 × 37.4 × 31.5 in'],
  ['Weight', '48 kg', undefined, undefined],
  ['Height', '75–110 cm', undefined, undefined],
])('%s %s is told in centimetres and inches, where it is a length', (name, value, cm, inches) => {
  expect(inBothUnits({ name, value })).toEqual({ name, value, ...(cm && { cm, inches }) });
});

test('care comes from the description, else from the materials', () => {
  const description = 'A walnut bench. Vacuum the wool; oil the frame once a year. It seats two.';
  expect(careOf({ careText: '', description, materials: ['Walnut', 'Wool'] })).toEqual(['Vacuum the wool; oil the frame once a year.']);
  expect(careOf({ careText: '', description: 'A bench.', materials: ['Walnut', 'Brass'] })).toEqual([
    'Wood: dust with a soft dry cloth, wipe spills at once, and keep it out of strong sun and away from radiators.',
    'Metal: wipe with a soft dry cloth.',
  ]);
  expect(careOf({ careText: '', description: 'A bench.', materials: [] })).toEqual([]);
});
