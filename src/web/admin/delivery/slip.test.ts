import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { slipOf } from './slip.tsx';

const item = { name: 'Lamp', qty: 2, cancelledQty: 0, returnedQty: 0, spoiledQty: 0 };
const parcelOf = (qty: number) => ({ status: 'sent', pieces: [{ line: 0, qty }] });
const collected = (parcels: object[], amountDue: number, uncollected: number) => {
  const order = { orderItems: [item], parcels, amountDue, uncollected, user: { name: 'Ann' } } as unknown as Order;
  return slipOf(order).amountDue;
};

test('the slip of the rest collects what no driver has, never less than nothing; once all has left it has what the drivers collect (§20.8)', () => {
  expect(collected([], 10_000, 10_000)).toBe(10_000);
  expect(collected([parcelOf(1)], 10_000, 4_000)).toBe(4_000);
  expect(collected([parcelOf(1)], 5_000, -1_000)).toBe(0);
  expect(collected([parcelOf(2)], 10_000, 4_000)).toBe(6_000);
});
