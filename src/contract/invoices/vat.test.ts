import fc from 'fast-check';
import { expect, test } from 'vitest';
import { creditOfEach, numberText, rateText, vatIn, vatOfEach } from './vat.ts';

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

test('the VAT of an invoice credited in parts is given back exactly once (§22.3)', () => {
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), rate, (parts, at) => {
      let credited = 0;
      const vats = parts.map((part) => {
        const [vat = 0] = vatOfEach([{ gross: part, rate: at }], new Map([[at, credited]]));
        credited += part;
        return vat;
      });
      expect(sum(vats)).toBe(vatIn(sum(parts), at));
    }),
  );
});

test('when an invoice with several rates is credited, each rate’s net and VAT are given back exactly once (§22.3)', () => {
  const line = fc.record({ rate, gross: amount });
  const credit = fc.record({ share: fc.integer({ min: 1, max: 100 }), off: fc.array(fc.nat(100), { minLength: 4, maxLength: 4 }) });
  fc.assert(
    fc.property(fc.uniqueArray(line, { minLength: 1, maxLength: 4, selector: (one) => one.rate }), fc.array(credit), (lines, credits) => {
      const credited = new Map(lines.map(({ rate }) => [rate, 0]));
      const vat = new Map(credited);
      const give = (price: number, off: number[]) => {
        const shares = creditOfEach(
          price,
          lines.map(({ rate, gross }, index) => ({ gross, credited: credited.get(rate) ?? 0, off: off[index] ?? 0 })),
        );
        expect(sum(shares)).toBe(price);
        for (const [index, { rate, gross }] of lines.entries()) {
          const share = shares[index] ?? 0;
          expect(share).toBeGreaterThanOrEqual(0);
          const [own = 0] = vatOfEach([{ gross: share, rate }], credited);
          credited.set(rate, (credited.get(rate) ?? 0) + share);
          vat.set(rate, (vat.get(rate) ?? 0) + own);
          expect(credited.get(rate)).toBeLessThanOrEqual(gross);
        }
      };
      const left = () => sum(lines.map(({ gross }) => gross)) - sum([...credited.values()]);
      for (const { share, off } of credits)
        give(
          Math.floor((left() * share) / 100),
          lines.map(({ gross }, index) => Math.floor((gross * (off[index] ?? 0)) / 100)),
        );
      give(left(), []);
      for (const { rate, gross } of lines) expect([credited.get(rate), vat.get(rate)]).toEqual([gross, vatIn(gross, rate)]);
    }),
  );
});
