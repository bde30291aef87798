import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberText, rateText, vatIn, vatOfEach } from './vat.ts';

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

test('VAT is the nearest penny: no other is closer to the exact share of the price (§22.2)', () => {
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
      const vats = vatOfEach(lines, at);
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

test('however an invoice is credited part by part, its VAT is given back exactly once (§22.3)', () => {
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), rate, (parts, at) => {
      let credited = 0;
      const vats = parts.map((part) => {
        const [vat = 0] = vatOfEach([part], at, credited);
        credited += part;
        return vat;
      });
      expect(sum(vats)).toBe(vatIn(sum(parts), at));
    }),
  );
});
