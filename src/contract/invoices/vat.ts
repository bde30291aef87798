import type { Pence } from '#contract/market/money.ts';

/** A rate of VAT in hundredths of a per cent: 2000 is 20 %. */
export type VatRate = number;

/** 2000 → `20%`, 1750 → `17.5%` */
export const rateText = (rate: VatRate): string => `${rate / 100}%`;

/** The VAT in a price, rounded to the nearest penny, half up. */
export function vatIn(gross: Pence, rate: VatRate): Pence {
  const whole = 10_000 + rate;
  return Math.floor((2 * gross * rate + whole) / (2 * whole));
}

/**
 * The VAT of each line: the growth of the running total's VAT, starting at `before`. So the lines' VAT adds up to that of the total, and each is
 * within a penny of its own.
 */
export function vatOfEach(amounts: readonly Pence[], rate: VatRate, before: Pence = 0): Pence[] {
  let total = before;
  return amounts.map((amount) => {
    const vatBefore = vatIn(total, rate);
    total += amount;
    return vatIn(total, rate) - vatBefore;
  });
}

export type InvoiceKind = 'invoice' | 'credit_note';

const PREFIX: Record<InvoiceKind, string> = { invoice: 'INV', credit_note: 'CN' };

/** `invoice`, 42 → `INV-000042` */
export const numberText = (kind: InvoiceKind, number: number): string => `${PREFIX[kind]}-${String(number).padStart(6, '0')}`;

/** A company without a VAT number issues no VAT invoices. */
export const titleOf = ({ kind, vatRate }: { kind: InvoiceKind; vatRate: VatRate | null }): string =>
  kind === 'credit_note' ? 'Credit note' : vatRate === null ? 'Invoice' : 'VAT invoice';
