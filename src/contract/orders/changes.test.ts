import { expect, test } from 'vitest';
import { MARKETS } from '#contract/market/market.ts';
import { totalRows } from './changes.ts';

const { classic, uk } = MARKETS;
const order = { totalPrice: 148_800, waivedPrice: 0, refundedPrice: 11_450 };

test('before its refunds in pounds, a total in dollars is told in pounds as well (§9.3)', () => {
  expect(totalRows(order, classic.orderPrice)).toEqual([
    ['Total', '$1,488.00'],
    ['Charged in pounds', '£1,488.00'],
    ['Refunded', '−£114.50'],
    ['New total', '£1,373.50'],
  ]);
  expect(totalRows(order, uk.orderPrice).map(([label]) => label)).toEqual(['Total', 'Refunded', 'New total']);
  expect(totalRows({ ...order, refundedPrice: 0 }, classic.orderPrice)).toEqual([['Total', '$1,488.00']]);
});
