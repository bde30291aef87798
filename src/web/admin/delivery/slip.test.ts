import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { noteOf, parcelSlipOf, slipsOf } from './slip.tsx';

const item = (name: string, qty = 1) => ({ name, qty, cancelledQty: 0, returnedQty: 0, spoiledQty: 0 });
const parcelOf = (_id: string, pieces: { line: number; qty: number }[], amountDue: number, status = 'sent') => ({
  _id,
  status,
  pieces,
  amountDue,
});
type Parcels = ReturnType<typeof parcelOf>[];
const anOrder = (parcels: Parcels, uncollected: number, orderItems = [item('Lamp'), item('Stool')]) =>
  ({ orderItems, parcels, uncollected, user: { name: 'Ann' }, status: 'packing' }) as unknown as Order;
const printed = (...order: Parameters<typeof anOrder>) =>
  slipsOf(anOrder(...order)).map((slip) => [slip.lines.map(({ name, qty }) => `${qty} × ${name}`).join(', '), noteOf(slip)]);

const lamp = parcelOf('a', [{ line: 0, qty: 1 }], 6_750);
const stool = parcelOf('b', [{ line: 1, qty: 1 }], 12_150);

test('no two slips of an order collect the same money: before all has left its sum is for one parcel with everything, and each parcel has its share (§20.8)', () => {
  const ifAll = 'if everything above is in this parcel';
  expect(printed([], 18_900)).toEqual([['1 × Lamp, 1 × Stool', `Collect £189.00 ${ifAll}`]]);
  expect(printed([lamp], 12_150)).toEqual([['1 × Stool', 'Collect £121.50']]);
  expect(printed([lamp, stool], 0)).toEqual([
    ['1 × Lamp', 'Collect £67.50'],
    ['1 × Stool', 'Collect £121.50'],
  ]);
  expect(printed([parcelOf('a', lamp.pieces, 0, 'failed'), stool], 6_750)).toEqual([['1 × Lamp', 'Collect £67.50']]);
  expect(printed([parcelOf('a', [...lamp.pieces, ...stool.pieces], 18_900)], 0)).toEqual([['1 × Lamp, 1 × Stool', 'Collect £189.00']]);
  expect(printed([], 5_000, [item('Lamp')])).toEqual([['1 × Lamp', 'Collect £50.00']]);
  expect(printed([], 10_000, [item('Lamp', 2)])).toEqual([['2 × Lamp', `Collect £100.00 ${ifAll}`]]);
});

test('what drivers collect too much is never asked back by the slip of the rest, and a paid parcel names no sum (§20.8)', () => {
  expect(printed([lamp], -1_650)).toEqual([['1 × Stool', '']]);
  expect(noteOf(parcelSlipOf(anOrder([lamp], 0), { ...anOrder([lamp], 0).parcels[0], amountDue: 0 } as Order['parcels'][number]))).toBe('');
});

test('once an order is delivered, what went without a parcel has its slip beside those of the parcels', () => {
  const slips = slipsOf({ ...anOrder([lamp], 0), isDelivered: true } as Order);
  expect(slips.map(({ lines }) => lines.map(({ name }) => name))).toEqual([['Lamp'], ['Stool']]);
});

test('what must not leave says so in place of a sum', () => {
  const [slip] = slipsOf(anOrder([], 18_900));
  expect(slip && noteOf({ ...slip, status: 'cancelled' })).toBe('Cancelled: do not send');
  expect(slip && noteOf({ ...slip, awaitsApproval: true })).toBe('Not approved: do not send');
});
