import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CartLine } from '#contract/orders.ts';
import { isProblem } from '#contract/problem.ts';
import { priceLines, subtotalOf } from './pricing.ts';
import type { LockedProduct } from './stock.service.ts';

const SIZES = ['S', 'M', 'L'];
const product = (id: string) =>
  fc.record<LockedProduct>({
    id: fc.constant(id),
    name: fc.constant(`Product ${id}`),
    image: fc.constant(''),
    price: fc.integer({ min: 0, max: 100_000_000 }),
    countInStock: fc.nat(12),
    colors: fc.constant(['#112233']),
    sizes: fc
      .subarray(SIZES)
      .chain((names) =>
        fc.tuple(...names.map((size) => fc.record({ size: fc.constant(size), quantity: fc.nat(12), price: fc.nat(5_000) }))),
      ),
  });
const shelf = fc.tuple(product('a'), product('b'), product('c'));
const wish = fc.record({
  of: fc.nat(2),
  qty: fc.integer({ min: 1, max: 6 }),
  size: fc.option(fc.constantFrom(...SIZES)),
  color: fc.option(fc.constant('#112233')),
});

/** The rule in one line: the chosen size's price when it is not 0, else the product's. */
const priceAt = ({ price, sizes }: LockedProduct, size: string | null) => sizes.find((entry) => entry.size === size)?.price || price;

const cases = fc.tuple(shelf, fc.array(wish, { minLength: 1, maxLength: 6 })).map(([products, wishes]) => {
  const lines: CartLine[] = wishes.flatMap(({ of, qty, size, color }) => {
    const chosen = products[of];
    return chosen ? [{ _id: chosen.id, name: chosen.name, image: null, qty, size, color, price: priceAt(chosen, size) }] : [];
  });
  return { products: new Map(products.map((entry) => [entry.id, entry])), lines };
});

/** Whether the shelf has every piece of every line, and every size that is named. */
function isThere(products: Map<string, LockedProduct>, lines: CartLine[]): boolean {
  const wanted = (of: (line: CartLine) => boolean) => lines.filter(of).reduce((sum, { qty }) => sum + qty, 0);
  return [...products.values()].every(
    ({ id, countInStock, sizes }) =>
      wanted(({ _id }) => _id === id) <= countInStock &&
      SIZES.every(
        (size) => wanted((line) => line._id === id && line.size === size) <= (sizes.find((entry) => entry.size === size)?.quantity ?? 0),
      ),
  );
}

test('an order’s total is the sum of its lines in whole pence, and it is refused exactly when something is not there', () => {
  let sold = 0;
  fc.assert(
    fc.property(cases, ({ products, lines }) => {
      const expected = lines.reduce((sum, line) => sum + line.price * line.qty, 0);
      const possible = isThere(products, lines) && expected <= 2_000_000_000;
      try {
        const priced = priceLines(lines, products);
        expect(possible).toBe(true);
        expect(subtotalOf(priced)).toBe(expected);
        expect(Number.isSafeInteger(subtotalOf(priced))).toBe(true);
        expect(priced.map(({ price, qty }) => [price, qty])).toEqual(lines.map(({ price, qty }) => [price, qty]));
        sold += 1;
      } catch (error) {
        if (!isProblem(error)) throw error;
        expect(possible).toBe(false);
        expect([400, 409]).toContain(error.status);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(sold).toBeGreaterThan(50);
});

test('a price that is none of the product’s is refused whichever line it stands on, and the message names the new one', () => {
  fc.assert(
    fc.property(product('a'), fc.integer({ min: 0, max: 100_000_000 }), (chosen, price) => {
      const shelved = { ...chosen, countInStock: 5 };
      const current = new Set([shelved.price, ...shelved.sizes.map((entry) => entry.price || shelved.price)]);
      const line: CartLine = { _id: 'a', name: 'x', image: null, qty: 1, size: null, color: null, price };
      const run = () => priceLines([line], new Map([['a', shelved]]));
      if (current.has(price)) expect(run()[0]?.price).toBe(shelved.price);
      else expect(run).toThrow(/^The price of Product a has changed: it is now £[\d,]+\.\d\d\. Please check your cart\.$/);
    }),
    { numRuns: 500 },
  );
});
