import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { owedPieces } from './refund-form.tsx';

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
const anOrder = (items: object[], heldPrice = 0) =>
  ({ heldPrice, orderItems: items.map((more) => ({ ...item, ...more })) }) as unknown as Order;
const owedOf = (...items: Partial<typeof item>[]) => owedPieces(anOrder(items));

test('a refund begins with the pieces that are owed, so that an amount that staff type settles them', () => {
  expect(owedOf({}, { returnedQty: 1 }, { cancelledQty: 1, refundedQty: 1 })).toEqual({ 1: 1 });
  expect(owedOf({ cancelledQty: 1, spoiledQty: 1, refundedQty: 1 })).toEqual({ 0: 1 });
  expect(owedPieces(anOrder([{ returnedQty: 1 }], 60_000))).toEqual({});
  expect(owedOf({ cancelledQty: 1, partialRefund: 60_000 }, { cancelledQty: 2, discount: 120_000 })).toEqual({});
});
