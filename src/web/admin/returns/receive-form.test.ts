import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { keptText } from './receive-form.tsx';

const lamps = { name: 'Lamp', size: null, colourName: null, qty: 2, cancelledQty: 0, returnedQty: 0, spoiledQty: 0, refundedQty: 1 };
const textOf = (came: number, more: object = {}) => keptText({ orderItems: [{ ...lamps, ...more }] } as unknown as Order, { 0: came });

test('where one of two lamps was refunded and kept, the form of a return asks whether that one has come back', () => {
  expect(textOf(1)).toBe(
    '1 × Lamp was refunded before, and the customer kept it. If it is among what came back, type the amount for the other pieces, or 0.',
  );
  // Both came back: the sum is the price of the other one. Or the refunded one came back before.
  expect([textOf(2), textOf(0), textOf(1, { returnedQty: 1 }), textOf(1, { refundedQty: 0 })]).toEqual(['', '', '', '']);
});
