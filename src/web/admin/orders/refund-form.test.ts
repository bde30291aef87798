import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { priceOf } from './refund-form.tsx';

const item = {
  name: 'Sofa',
  qty: 2,
  price: 60_000,
  discount: 0,
  cancelledQty: 0,
  returnedQty: 0,
  spoiledQty: 0,
  refundedQty: 0,
  partialRefund: 0,
};
const anOrder = (owedPrice: number, ...items: Partial<typeof item>[]) =>
  ({ owedPrice, heldPrice: 0, refundable: 240_000, orderItems: items.map((more) => ({ ...item, ...more })) }) as unknown as Order;
const priceOfFirst = (order: Order, qty: number) => priceOf(order, { lines: { 0: qty }, isRestocked: false });

test('pieces that left an order are refunded at their price, at most at what is owed; others as goodwill', () => {
  const sofas = { cancelledQty: 1, refundedQty: 1 };
  expect([priceOfFirst(anOrder(60_000, sofas, {}), 1), priceOfFirst(anOrder(20_000, sofas, {}), 1)]).toEqual([60_000, 20_000]);
  expect([priceOfFirst(anOrder(0, sofas, {}), 1), priceOfFirst(anOrder(20_000, sofas, {}), 2)]).toEqual([60_000, 80_000]);
});

test('all pieces of an order of which nothing is left are refunded at all that is owed, with its delivery', () => {
  expect(priceOfFirst(anOrder(124_900, { cancelledQty: 2, refundedQty: 2 }), 2)).toBe(124_900);
});
