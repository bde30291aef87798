import fc from 'fast-check';
import { expect, test } from 'vitest';
import { worthOf, worthOfNext } from '#contract/market/worth.ts';
import { type Basket, discountOf, type Goods, type Offered } from './discount.ts';
import { withFreeDelivery } from './free-delivery.ts';

const AT = '2026-11-27T12:00:00.000Z';
const ALL = { categories: [], brands: [], products: [] };
const line = (price: number, goods: Partial<Goods> = {}): Goods => ({
  productId: 'p1',
  category: 'Sofa',
  brand: 'Alder',
  price,
  qty: 1,
  ...goods,
});
const promotion = (change: Partial<Offered> = {}): Offered => ({
  _id: 'one',
  name: 'Ten off',
  code: 'TEN',
  kind: 'percent',
  value: 10,
  goods: ALL,
  leastSubtotal: 0,
  startsAt: null,
  endsAt: null,
  mostUses: null,
  mostUsesEach: null,
  isFirstOrder: false,
  isOn: true,
  spent: null,
  ...change,
});
const basket = (change: Partial<Basket> = {}): Basket => ({
  lines: [line(10_000)],
  delivery: 4_900,
  at: AT,
  promotions: [promotion()],
  code: 'TEN',
  ...change,
});
const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);

test('a code takes per cent or pounds off, in any capitals, with spaces or hyphens, and is shared over the lines to the penny', () => {
  const lines = [line(3_333), line(3_333), line(3_334)];
  expect(discountOf(basket({ lines, code: ' t en ' }))).toMatchObject({ amount: 1_000, shares: [333, 333, 334], refusal: '' });
  for (const code of ['te-n', 'T–EN-'])
    expect(discountOf(basket({ lines, code, promotions: [promotion({ code: 'T-EN' })] }))).toMatchObject({ amount: 1_000, refusal: '' });
  const pounds = [promotion({ kind: 'amount', value: 100 })];
  expect(discountOf(basket({ lines, promotions: pounds })).shares).toEqual([33, 33, 34]);
  expect(discountOf(basket({ lines: [line(60)], promotions: pounds })).amount).toBe(60);
});

test('a code counts for its categories, brands and pieces only, and its least subtotal is that of the whole cart', () => {
  const lines = [line(10_000), line(5_000, { productId: 'p2', category: 'Lamp', brand: 'Fable' })];
  const off = (goods: Partial<Offered['goods']>, change: Partial<Offered> = {}) =>
    discountOf(basket({ lines, promotions: [promotion({ goods: { ...ALL, ...goods }, ...change })] }));
  expect(off({ categories: ['lamp'] }).shares).toEqual([0, 500]);
  expect(off({ brands: ['Alder'] }).shares).toEqual([1_000, 0]);
  expect(off({ products: ['p2'] }).shares).toEqual([0, 500]);
  expect(off({ categories: ['Lamp'], brands: ['Alder'] })).toMatchObject({
    amount: 0,
    refusal: 'This code does not apply to anything in your cart.',
  });
  expect(off({ categories: ['Lamp'] }, { leastSubtotal: 15_000 }).amount).toBe(500);
});

test.each<[string, Partial<Offered>, string]>([
  ['that is switched off', { isOn: false }, 'This code is no longer valid.'],
  ['that has ended', { endsAt: AT }, 'This code has ended.'],
  ['that is to come', { startsAt: '2026-11-27T12:00:01.000Z' }, 'This code is valid from 2026-11-27 12:00.'],
  ['for a larger cart', { leastSubtotal: 12_500 }, 'This code needs a subtotal of at least £125.00: £25.00 more.'],
  ['that is used up', { spent: 'all' }, 'This code has been used up.'],
  ['that the customer has used', { spent: 'customer' }, 'You have already used this code.'],
  ['for a first order', { spent: 'not first' }, 'This code is for a first order only.'],
  ['that nobody made', { code: 'OTHER' }, 'We don’t know this code. Please check its spelling.'],
])('a code %s says so and takes nothing off', (_, change, refusal) => {
  expect(discountOf(basket({ promotions: [promotion(change)] }))).toMatchObject({ amount: 0, applied: [], refusal });
});

test('a code counts to the second from its beginning to its end', () => {
  const promotions = [promotion({ startsAt: AT, endsAt: '2026-11-27T12:00:01.000Z' })];
  const off = (at: string) => discountOf(basket({ promotions, at })).amount;
  expect([off('2026-11-27T11:59:59.999Z'), off(AT), off('2026-11-27T12:00:00.999Z'), off('2026-11-27T12:00:01.000Z')]).toEqual([
    0, 1_000, 1_000, 0,
  ]);
});

test('of the automatic promotions the best one counts, and the code takes off what it has left', () => {
  const small = promotion({ _id: 'small', code: null, value: 5 });
  const large = promotion({ _id: 'large', code: null, kind: 'amount', value: 2_000 });
  const free = promotion({ _id: 'free', code: null, kind: 'free_delivery', value: 0 });
  const { applied, amount } = discountOf(basket({ promotions: [small, large, promotion()] }));
  expect(applied.map(({ _id, amount }) => [_id, amount])).toEqual([
    ['large', 2_000],
    ['one', 800],
  ]);
  expect(amount).toBe(2_800);
  const chosen = (delivery: number) => discountOf(basket({ promotions: [small, free], delivery, code: '' })).applied.map(({ _id }) => _id);
  expect([chosen(4_900), chosen(400), chosen(0)]).toEqual([['free'], ['small'], ['small']]);
});

test('free delivery is that of the usual method, and a code that would save nothing is not used up', () => {
  const free = promotion({ kind: 'free_delivery', value: 0 });
  expect(discountOf(basket({ promotions: [free] }))).toMatchObject({ amount: 0, isFreeDelivery: true });
  expect(withFreeDelivery([{ price: 4_900 }, { price: 9_900 }], true)).toEqual([{ price: 0 }, { price: 9_900 }]);
  const automatic = promotion({ _id: 'auto', code: null, kind: 'free_delivery', value: 0 });
  for (const change of [{ delivery: 0 }, { promotions: [automatic, free] }])
    expect(discountOf(basket({ promotions: [free], ...change }))).toMatchObject({ refusal: 'Your delivery is already free.' });
  const all = promotion({ _id: 'all', code: null, value: 100 });
  expect(discountOf(basket({ promotions: [all, promotion()] }))).toMatchObject({
    amount: 10_000,
    refusal: 'This code would not save you anything.',
  });
});

const anyLine = fc.record<Goods>({
  productId: fc.constantFrom('p1', 'p2'),
  category: fc.constantFrom('Sofa', 'Lamp'),
  brand: fc.constantFrom('Alder', 'Fable'),
  price: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 2_000_000 })),
  qty: fc.integer({ min: 1, max: 9 }),
});
const anyPromotion = fc
  .record({
    kind: fc.constantFrom('percent', 'amount', 'free_delivery'),
    value: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 3_000_000 })),
    code: fc.constantFrom(null, 'TEN'),
    categories: fc.subarray(['Sofa', 'Lamp']),
    brands: fc.subarray(['Alder']),
    leastSubtotal: fc.constantFrom(0, 5_000),
    spent: fc.constantFrom(null, null, 'all'),
  })
  .map(({ categories, brands, kind, value, ...rest }) =>
    promotion({
      ...rest,
      kind,
      value: kind === 'percent' ? Math.min(value, 100) : value,
      goods: { ...ALL, categories, brands },
    } as Partial<Offered>),
  );

test('whatever the promotions, no line costs less than nothing, the shares add up, and no promotion is without a saving', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 8 }), fc.array(anyPromotion, { maxLength: 5 }), fc.nat(10_000), (lines, list, delivery) => {
      const promotions = list.map((one, index) => ({ ...one, _id: String(index) }));
      const found = discountOf(basket({ lines, promotions, delivery }));
      expect(found.shares).toHaveLength(lines.length);
      for (const [index, share] of found.shares.entries()) {
        const { price = 0, qty = 0 } = lines[index] ?? {};
        expect(Number.isInteger(share)).toBe(true);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(price * qty);
      }
      expect(sum(found.shares)).toBe(found.amount);
      expect(sum(found.applied.map(({ amount }) => amount))).toBe(found.amount);
      expect(found.applied.filter(({ code }) => code === null).length).toBeLessThanOrEqual(1);
      expect(found.applied.filter(({ code }) => code !== null).length).toBe(found.refusal === '' ? 1 : 0);
      for (const { amount, isFreeDelivery } of found.applied) expect(amount > 0 || (isFreeDelivery && delivery > 0)).toBe(true);
      const without = discountOf(basket({ lines, promotions, delivery, code: '' }));
      expect(found.amount).toBeGreaterThanOrEqual(without.amount);
      // No other automatic promotion would have saved more.
      const saved = without.amount + (without.isFreeDelivery ? delivery : 0);
      for (const one of promotions.filter(({ code }) => code === null)) {
        const alone = discountOf(basket({ lines, promotions: [one], delivery, code: '' }));
        expect(saved).toBeGreaterThanOrEqual(alone.amount + (alone.isFreeDelivery ? delivery : 0));
      }
    }),
  );
});

test('pieces of a line that go one by one, in any portions, come to the line’s price, and none to less than nothing', () => {
  const portions = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000_000 }), portions, fc.nat(1_000), (price, list, thousandths) => {
      const qty = sum(list);
      const priced = { price, qty, discount: Math.floor((price * qty * thousandths) / 1_000) };
      let gone = 0;
      const parts = list.map((pieces) => {
        const part = worthOfNext(priced, gone, pieces);
        gone += pieces;
        return part;
      });
      expect(sum(parts)).toBe(price * qty - priced.discount);
      expect(worthOf(priced, qty)).toBe(price * qty - priced.discount);
      for (const part of parts) expect(part).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('the first pieces are free beside the best other promotion, and never more than there are (§10.7)', () => {
  const samples = promotion({ _id: 'samples', kind: 'first_free', code: null, value: 3, goods: { ...ALL, categories: ['Sample'] } });
  const sale = promotion({ _id: 'sale', code: null, kind: 'percent', value: 10 });
  const sample = (qty: number, price = 200): Goods => ({ productId: `s${qty}`, category: 'Sample', brand: 'Loom', price, qty });
  const sofa: Goods = { productId: 'sofa', category: 'Sofa', brand: 'Loom', price: 100_000, qty: 1 };
  const sharesOf = (...lines: Goods[]) => discountOf(basket({ lines, promotions: [sale, samples], code: '' })).shares;
  expect(sharesOf(sample(2), sample(4))).toEqual([400, 200 + 60]);
  expect(sharesOf(sofa, sample(2))).toEqual([10_000, 400]);
  const alone = discountOf(basket({ lines: [sample(2)], promotions: [samples], code: '' }));
  expect([alone.amount, alone.applied.map(({ _id }) => _id)]).toEqual([400, ['samples']]);
  expect(discountOf(basket({ lines: [sofa], promotions: [samples], code: '' })).applied).toEqual([]);
});

test('no number of free pieces makes a line cost less than nothing', () => {
  const anyFree = fc.record({ value: fc.integer({ min: 1, max: 99 }), code: fc.constantFrom(null, 'FREE') });
  fc.assert(
    fc.property(
      fc.array(anyLine, { maxLength: 6 }),
      fc.array(anyFree, { maxLength: 4 }),
      fc.array(anyPromotion, { maxLength: 3 }),
      (lines, free, others) => {
        const promotions = [...others, ...free.map((one) => promotion({ ...one, kind: 'first_free' }))].map((one, index) => ({
          ...one,
          _id: String(index),
        }));
        const found = discountOf(basket({ lines, promotions }));
        expect(sum(found.shares)).toBe(found.amount);
        for (const [index, share] of found.shares.entries()) {
          const { price = 0, qty = 0 } = lines[index] ?? {};
          expect([share >= 0, share <= price * qty]).toEqual([true, true]);
        }
      },
    ),
  );
});
