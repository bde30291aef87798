import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Creditable, creditOfEach, numberText, rateText, vatIn, vatOfCredit, vatOfEach } from './vat.ts';

const amount = fc.integer({ min: 1, max: 100_000_000 });
const rate = fc.constantFrom(0, 500, 1750, 2000, 2500, 10_000);
const sum = (list: number[]) => list.reduce((total, one) => total + one, 0);

test.each([
  [12_000, 2000, 2_000],
  [49_999, 2000, 8_333],
  [1, 2000, 0],
  [3, 2000, 1],
  [6, 2000, 1],
  [117_50, 1750, 1_750],
  [10_000, 0, 0],
])('%i pence contain VAT at %i hundredths of a per cent of %i pence', (gross, at, vat) => {
  expect(vatIn(gross, at)).toBe(vat);
});

test('rates and numbers are written as people read them', () => {
  expect([rateText(2000), rateText(1750), rateText(0), numberText('invoice', 42), numberText('credit_note', 1_234_567)]).toEqual([
    '20%',
    '17.5%',
    '0%',
    'INV-000042',
    'CN-1234567',
  ]);
});

test('VAT is rounded to the nearest penny of the exact share of the price (§22.2)', () => {
  fc.assert(
    fc.property(amount, rate, (gross, at) => {
      const [vat, exact] = [vatIn(gross, at), (gross * at) / (10_000 + at)];
      expect(Math.abs(vat - exact)).toBeLessThanOrEqual(0.5 + 1e-6);
      expect(vat).toBeLessThanOrEqual(gross);
    }),
  );
});

test('the VAT of lines adds up to that of their total to the penny, and each line is within a penny of its own (§22.2)', () => {
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 50 }), rate, (lines, at) => {
      const vats = vatOfEach(lines.map((gross) => ({ gross, rate: at })));
      expect(sum(vats)).toBe(vatIn(sum(lines), at));
      for (const [index, vat] of vats.entries()) {
        const line = lines[index] ?? 0;
        expect(Math.abs(vat - (line * at) / (10_000 + at))).toBeLessThanOrEqual(1 + 1e-6);
        expect(vat).toBeGreaterThanOrEqual(0);
        expect(vat).toBeLessThanOrEqual(line);
      }
    }),
  );
});

test('of an invoice credited in parts, what is left has the VAT of its own price, and in the end none (§22.3)', () => {
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), rate, (parts, at) => {
      const left = { rate: at, gross: sum(parts), vat: vatIn(sum(parts), at) };
      for (const part of parts) {
        const vat = vatOfCredit(left, part);
        expect(Math.abs(vat - (part * at) / (10_000 + at))).toBeLessThanOrEqual(1 + 1e-6);
        left.gross -= part;
        left.vat -= vat;
        expect(left.vat).toBe(vatIn(left.gross, at));
      }
      expect(left.vat).toBe(0);
    }),
  );
});

const NOTHING: Creditable = { gross: 0, claimed: 0, goodwill: 0, off: 0, deliveryOff: 0, failed: 0, own: 0 };
/** What a credit comes to at each rate, and how much of it is goodwill. */
const pricesOf = (price: number, rates: Creditable[]) => creditOfEach(price, rates).map((one) => one.price + one.goodwill);
const goodwillOf = (price: number, rates: Creditable[]) => creditOfEach(price, rates).map(({ goodwill }) => goodwill);

test('when an invoice with several rates is credited, each rate is given back exactly once, whatever refunds are for (§22.3)', () => {
  const part = fc.nat(100);
  const line = fc.record({ gross: amount, off: part, deliveryOff: part, failed: part, own: part });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), fc.array(fc.integer({ min: 1, max: 100 })), (lines, shares) => {
      const rates = lines.map(({ gross, ...parts }): Creditable => {
        const of = (hundredths: number) => Math.floor((gross * hundredths) / 100);
        const { off, deliveryOff, failed, own } = parts;
        return { ...NOTHING, gross, off: of(off), deliveryOff: of(deliveryOff), failed: of(failed), own: of(own) };
      });
      const left = () => sum(rates.map(({ gross, claimed }) => gross - claimed));
      for (const share of [...shares, 100]) {
        const price = Math.floor((left() * share) / 100);
        const each = creditOfEach(price, rates);
        expect(sum(each.map((one) => one.price + one.goodwill))).toBe(price);
        for (const [index, one] of rates.entries()) {
          const { price: own = -1, goodwill = -1 } = each[index] ?? {};
          expect(Math.min(own, goodwill)).toBeGreaterThanOrEqual(0);
          one.claimed += own + goodwill;
          one.goodwill += goodwill;
          expect(one.claimed).toBeLessThanOrEqual(one.gross);
          expect(one.claimed - one.goodwill).toBeLessThanOrEqual(one.off + one.deliveryOff);
        }
      }
      expect(left()).toBe(0);
    }),
  );
});

test('a credit is for its own pieces: not for those that another refund under way is for, and for those of a failed one only if nothing else came off (§22.3)', () => {
  const sofas = { ...NOTHING, gross: 120_000, off: 60_000 };
  const book = { ...NOTHING, gross: 5_000, off: 5_000 };
  expect(pricesOf(5_000, [{ ...sofas, claimed: 60_000 }, book])).toEqual([0, 5_000]);
  expect(pricesOf(5_000, [{ ...sofas, failed: 60_000 }, book])).toEqual([0, 5_000]);
  const failed = [
    { ...sofas, failed: 60_000 },
    { ...book, off: 0 },
  ];
  expect([pricesOf(60_000, failed), goodwillOf(60_000, failed)]).toEqual([
    [60_000, 0],
    [0, 0],
  ]);
});

test('goodwill is for none of the pieces that came off, and takes nothing of those that come off later (§22.3)', () => {
  const sofas = { ...NOTHING, gross: 120_000, off: 60_000, claimed: 60_000 };
  const book = { ...NOTHING, gross: 5_000 };
  expect(goodwillOf(1_300, [sofas, book])).toEqual([1_200, 100]);
  const given = [
    { ...sofas, off: 120_000, claimed: 61_200, goodwill: 1_200, own: 60_000 },
    { ...book, claimed: 100, goodwill: 100 },
  ];
  // The invoice has £1,200 of the sofas, of which £600 and £12 are credited.
  expect([pricesOf(60_000, given), goodwillOf(60_000, given)]).toEqual([
    [58_800, 1_200],
    [0, 1_200],
  ]);
  expect(pricesOf(58_800, given)).toEqual([58_800, 0]);
});

test('pieces are credited before the delivery that came off with them (§22.3)', () => {
  const sofa = { ...NOTHING, gross: 64_000, off: 60_000, deliveryOff: 4_000 };
  const lamp = { ...NOTHING, gross: 10_900, deliveryOff: 900 };
  expect(pricesOf(60_000, [sofa, lamp])).toEqual([60_000, 0]);
  expect(pricesOf(64_900, [sofa, lamp])).toEqual([64_000, 900]);
});
