import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorsBetween, nearest } from './spelling.ts';

test.each([
  ['soffa', 'sofa', 1],
  ['wardorbe', 'wardrobe', 1],
  ['lether', 'leather', 1],
  ['walnutt', 'walnut', 1],
  ['siedboard', 'sideboard', 1],
  ['sidbaord', 'sideboard', 2],
  ['couch', 'touch', 1],
  ['sofa', 'sofa', 0],
  ['sofa', 'bench', 3],
])('%s is %s with %i errors', (typed, meant, errors) => {
  expect(errorsBetween(typed, meant, 2)).toBe(errors);
});

test('one error is forgiven, two from eight letters, none in numbers and short words (§12.1, U13)', () => {
  const words = ['sofa', 'wardrobe', 'set', '200', 'oak'];
  expect(nearest('soffa', words)).toEqual(['sofa']);
  expect(nearest('soffaa', words)).toEqual([]);
  expect(nearest('wadrobee', words)).toEqual(['wardrobe']);
  expect(nearest('201', words)).toEqual([]);
  expect(nearest('ok', words)).toEqual([]);
});

test('the fewest errors win, then the same first letter', () => {
  expect(nearest('lamb', ['limb', 'lamp', 'tomb'])).toEqual(['lamp', 'limb']);
  expect(nearest('tofa', ['sofa', 'toga'])).toEqual(['toga', 'sofa']);
});

test('errors count the same both ways, and no more than letters were changed', () => {
  const word = fc.stringMatching(/^[a-e]{0,9}$/);
  fc.assert(fc.property(word, word, (a, b) => errorsBetween(a, b, 9) === errorsBetween(b, a, 9)));
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{4,12}$/), fc.nat(11), (typed, at) => {
      const place = at % typed.length;
      expect(errorsBetween(typed, typed.slice(0, place) + typed.slice(place + 1), 2)).toBeLessThanOrEqual(1);
    }),
  );
});
