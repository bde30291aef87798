import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cashOfParcels } from './cash-on-delivery.ts';

const parcel = (...pieces: { line: number; qty: number }[]) => ({ pieces, amountDue: null as number | null });
const line = (price: number, qty: number, cancelledQty = 0, discount = 0, back = 0) => ({ price, qty, cancelledQty, discount, back });

test('each parcel collects the price of its pieces', () => {
  const lines = [line(119_900, 2), line(5_000, 1, 1)];
  expect(cashOfParcels(239_800, lines, [parcel({ line: 0, qty: 1 }), parcel({ line: 0, qty: 1 })])).toEqual([119_900, 119_900]);
});

test('what came back is collected with no parcel', () => {
  const lines = [line(60_000, 1, 0, 0, 1), line(5_000, 1)];
  expect(cashOfParcels(5_000, lines, [parcel({ line: 0, qty: 1 }), parcel({ line: 1, qty: 1 })])).toEqual([0, 5_000]);
});

test('delivery is shared by price, rounded, and the last parcel makes it up', () => {
  const lines = [line(100, 3)];
  const one = parcel({ line: 0, qty: 1 });
  expect(cashOfParcels(400, lines, [one, one, one])).toEqual([133, 134, 133]);
});

test('whatever is sent in whatever parcels, they add up to the penny, and a later parcel changes no earlier one (§20.8)', () => {
  const order = fc.record({
    lines: fc.array(fc.record({ price: fc.integer({ min: 1, max: 500_000 }), qty: fc.integer({ min: 1, max: 5 }) }), {
      minLength: 1,
      maxLength: 5,
    }),
    delivery: fc.integer({ min: 0, max: 9_900 }),
    parcels: fc.array(fc.nat(3), { minLength: 25, maxLength: 25 }),
  });
  fc.assert(
    fc.property(order, ({ lines: bought, delivery, parcels }) => {
      const lines = bought.map(({ price, qty }) => line(price, qty));
      const due = lines.reduce((sum, { price, qty }) => sum + price * qty, delivery);
      const pieces = lines.flatMap(({ qty }, index) => Array.from({ length: qty }, () => ({ line: index, qty: 1 })));
      const loads = [0, 1, 2, 3].map((number) => parcel(...pieces.filter((_, index) => parcels[index] === number)));
      const shares = cashOfParcels(due, lines, loads);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(due);
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
      expect(cashOfParcels(due, lines, loads.slice(0, 2))).toEqual(shares.slice(0, 2));
    }),
  );
});

test('a stored share stays, and the parcels after it make up for a change of the sum; none collects less than nothing (§20.8)', () => {
  const lines = [line(5_000, 1), line(9_000, 1), line(60_000, 1)];
  const left = { ...parcel({ line: 0, qty: 1 }), amountDue: 6_750 };
  const rest = [parcel({ line: 1, qty: 1 }), parcel({ line: 2, qty: 1 })];
  expect(cashOfParcels(74_000, lines, [left, ...rest])).toEqual([6_750, 7_250, 60_000]);
  expect(cashOfParcels(5_100, [line(5_000, 1), line(100, 1)], [left, parcel({ line: 1, qty: 1 })])).toEqual([6_750, 0]);
});
