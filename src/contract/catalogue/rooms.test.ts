import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spotsIn, textOfSpots } from './rooms.ts';

test('names may hold commas and brackets; places are per cent', () => {
  expect(spotsIn('Oslo Sofa (55, 66), Table, round (large) ( 40.5 ,78 ),')).toEqual([
    { name: 'Oslo Sofa', x: 55, y: 66 },
    { name: 'Table, round (large)', x: 40.5, y: 78 },
  ]);
  for (const text of ['Oslo Sofa', 'Oslo Sofa (5)', '(5, 6)', 'Oslo Sofa (55, 101)', 'Oslo Sofa (55, 66), Vase'])
    expect(spotsIn(text), text).toBeUndefined();
});

test('what is written is read again', () => {
  const place = fc.integer({ min: 0, max: 100 });
  const spot = fc.record({ name: fc.stringMatching(/^[A-Za-z]+( [A-Za-z]+)?$/), x: place, y: place });
  fc.assert(fc.property(fc.array(spot), (spots) => void expect(spotsIn(textOfSpots(spots))).toEqual(spots)));
});
