import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { partText, uncollectedText } from './cash-steps.tsx';

const item = { name: 'Lamp', qty: 2, cancelledQty: 0, returnedQty: 0, spoiledQty: 0 };
const parcelOf = (qty: number, amountDue: number) => ({ status: 'sent', pieces: [{ line: 0, qty }], amountDue });
const anOrder = (parcels: object[], more: Partial<Order>) =>
  ({
    orderItems: [item],
    parcels,
    isDelivered: false,
    uncollected: 0,
    toReceive: 0,
    ...more,
  }) as unknown as Order;

test('the order’s page names what no driver collects, or what one collects too much, once all of it has left', () => {
  const left = [parcelOf(2, 6_750)];
  expect(uncollectedText(anOrder(left, { amountDue: 9_900, uncollected: 3_150 }))).toBe(
    '£31.50 of this order is not collected by a driver. Ask the customer for it.',
  );
  expect(uncollectedText(anOrder(left, { amountDue: 5_000, uncollected: -1_750, toReceive: 6_750 }))).toBe(
    'Drivers were to collect £67.50, and only £50.00 of it is due now. Record what you get from them: what is more than is due is then under To pay back.',
  );
  expect(uncollectedText(anOrder(left, { amountDue: 6_750 }))).toBe('');
  const back = [{ ...item, returnedQty: 1 }] as Order['orderItems'];
  expect(uncollectedText(anOrder(left, { amountDue: 3_375, uncollected: 1_000, orderItems: back }))).toBe('');
  expect(uncollectedText(anOrder([parcelOf(1, 6_750)], { amountDue: 9_900, uncollected: 3_150 }))).toBe('');
  // Not paid in cash.
  expect(uncollectedText(anOrder(left, { amountDue: 9_900, toReceive: 9_900 }))).toBe('');
});

test('staff who record the whole sum are asked while a driver still has a part of it to collect', () => {
  const rest = { amountDue: 65_000, uncollected: 60_000 };
  expect(partText(anOrder([parcelOf(1, 5_000)], rest))).toBe(
    '£600.00 of it is due with what has not left yet. Once you record the whole sum, that driver collects nothing.',
  );
  expect(partText(anOrder([parcelOf(1, 5_000), parcelOf(1, 60_000)], { amountDue: 65_000 }))).toBe(
    'Each parcel’s driver collects a part of it.',
  );
  expect(partText(anOrder([parcelOf(1, 5_000)], { ...rest, isDelivered: true }))).toBe('');
  expect(partText(anOrder([], { amountDue: 65_000, uncollected: 65_000 }))).toBe('');
  expect(partText(anOrder([parcelOf(2, 65_000)], { amountDue: 65_000 }))).toBe('');
});
