import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CartLine } from '#contract/orders/orders.ts';
import { isProblem } from '#contract/platform/problem.ts';
import { goodsSum } from '#contract/promotions/discount.ts';
import { priceLines } from './pricing.ts';
import type { LockedProduct } from './stock.service.ts';

const SIZES = ['S', 'M', 'L'];
const COLOUR = '#112233';
const product = (id: string) =>
  fc.record<LockedProduct>({
    id: fc.constant(id),
    name: fc.constant(`Product ${id}`),
    category: fc.constant('Sofa'),
    brand: fc.constant('Alder'),
    images: fc.constant([]),
    shown: fc.constant({}),
    price: fc.integer({ min: 0, max: 100_000_000 }),
    countInStock: fc.nat(120),
    vatClass: fc.constant('standard'),
    leadWeeks: fc.constant(null),
    readyFrom: fc.constant(null),
    colors: fc.constantFrom([], [{ colorName: COLOUR, hexCode: COLOUR }]),
    sizes: fc
      .subarray(SIZES)
      .chain((names) =>
        fc.tuple(...names.map((size) => fc.record({ size: fc.constant(size), quantity: fc.nat(120), price: fc.nat(5_000) }))),
      ),
  });
const shelf = fc.tuple(product('a'), product('b'), product('c'));
const wish = fc.record({
  of: fc.nat(2),
  qty: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }) }, fc.integer({ min: 40, max: 99 })),
  size: fc.option(fc.constantFrom(...SIZES)),
  color: fc.option(fc.constant(COLOUR)),
});

/** The size that is bought: the one named, or the only one; undefined where one of several has to be chosen, or it does not exist. */
function boughtIn({ sizes }: LockedProduct, named: string | null | undefined): string | null | undefined {
  if (sizes.length === 0) return named ? undefined : null;
  const [only] = sizes.length === 1 ? sizes : [];
  return sizes.find(({ size }) => size === (named ?? only?.size))?.size;
}
/** The rule in one line: the bought size's price when it is not 0, else the product's. */
const priceAt = ({ price, sizes }: LockedProduct, size: string | null | undefined) =>
  sizes.find((entry) => entry.size === size)?.price || price;

const cases = fc.tuple(shelf, fc.array(wish, { minLength: 1, maxLength: 6 })).map(([products, wishes]) => {
  const lines: CartLine[] = wishes.flatMap(({ of, qty, size, color }) => {
    const chosen = products[of];
    return chosen
      ? [{ _id: chosen.id, name: chosen.name, image: null, qty, size, color, price: priceAt(chosen, boughtIn(chosen, size)) }]
      : [];
  });
  return { products: new Map(products.map((entry) => [entry.id, entry])), lines };
});

/** Whether every line can be sold: its size is clear, it costs something, and all its pieces are there and at most 99. */
function isForSale(products: Map<string, LockedProduct>, lines: CartLine[]): boolean {
  const known = lines.flatMap((line) => {
    const of = products.get(line._id);
    return of ? [{ ...line, of, size: boughtIn(of, line.size) }] : [];
  });
  const wanted = (among: (line: (typeof known)[number]) => boolean) => known.filter(among).reduce((sum, { qty }) => sum + qty, 0);
  return known.every(({ of, size, color, price }) => {
    const total = wanted(({ _id }) => _id === of.id);
    const inSize = wanted((line) => line._id === of.id && line.size === size);
    const stock = of.sizes.find((entry) => entry.size === size)?.quantity ?? of.countInStock;
    return (
      size !== undefined &&
      price > 0 &&
      (!color || of.colors.some(({ hexCode }) => hexCode === color)) &&
      total <= 99 &&
      total <= of.countInStock &&
      inSize <= stock
    );
  });
}

test('an order’s total is the sum of its lines in whole pence, and it is refused exactly when something of it cannot be sold (§10.2)', () => {
  let sold = 0;
  fc.assert(
    fc.property(cases, ({ products, lines }) => {
      const expected = lines.reduce((sum, line) => sum + line.price * line.qty, 0);
      const possible = isForSale(products, lines) && expected <= 2_000_000_000;
      try {
        const priced = priceLines(lines, products);
        expect(possible).toBe(true);
        expect(goodsSum(priced)).toBe(expected);
        expect(Number.isSafeInteger(goodsSum(priced))).toBe(true);
        expect(priced.map(({ price, qty }) => [price, qty])).toEqual(lines.map(({ price, qty }) => [price, qty]));
        expect(priced.every(({ price }) => price >= 1)).toBe(true);
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

test('only the current price of the line’s own size is taken: any other is refused, and the message names the new one (§10.2)', () => {
  fc.assert(
    fc.property(product('a'), fc.option(fc.constantFrom(...SIZES)), fc.nat(5_000), ({ ...chosen }, named, typed) => {
      const shelved = { ...chosen, countInStock: 5, sizes: chosen.sizes.map((entry) => ({ ...entry, quantity: 5 })) };
      const size = boughtIn(shelved, named);
      fc.pre(size !== undefined && priceAt(shelved, size) > 0);
      // Also the prices of the other sizes, and the product's own.
      for (const price of [typed, shelved.price, ...shelved.sizes.map((entry) => entry.price)]) {
        const line: CartLine = { _id: 'a', name: 'x', image: null, qty: 1, size: named, color: null, price };
        const run = () => priceLines([line], new Map([['a', shelved]]));
        if (price === priceAt(shelved, size)) expect(run()).toMatchObject([{ price, size }]);
        else expect(run).toThrow(/^The price of Product a( \([SML]\))? has changed: it is now £[\d,]+\.\d\d\. Please check your cart\.$/);
      }
    }),
    { numRuns: 500 },
  );
});
