import { expect, test } from 'vitest';
import { readDiscount } from './cart-discount.ts';

const WHOLE = {
  code: 'TEN',
  amount: 1_000,
  isFreeDelivery: false,
  applied: [{ name: 'Ten off', code: 'TEN', amount: 1_000, isFreeDelivery: false }],
  refusal: '',
};

test('a stored discount is kept as it is', () => {
  expect(readDiscount(WHOLE)).toEqual(WHOLE);
});

test.each([[{ amount: 'much' }], [{ amount: -1 }], [{ applied: 'TEN' }], [{ applied: [null] }], [{ applied: [{ code: 'TEN' }] }]])(
  'of one with %o only the code is kept',
  (damage) => {
    expect(readDiscount({ ...WHOLE, ...damage })).toEqual({ code: 'TEN' });
  },
);

test.each([[undefined], [null], ['TEN'], [[]], [{ code: 5 }]])('%o is no discount', (stored) => {
  expect(readDiscount(stored)).toBeUndefined();
});
