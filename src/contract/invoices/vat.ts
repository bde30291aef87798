import { apportion } from '#contract/market/apportion.ts';
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

/** The classes of products. Prices include the VAT of their class; nothing is charged in the class `zero`. */
export const VAT_CLASSES = ['standard', 'reduced', 'zero'] as const;
export type VatClass = (typeof VAT_CLASSES)[number];

/** What a document comes to at one rate. */
export interface RateSum {
  rate: VatRate;
  net: Pence;
  vat: Pence;
  gross: Pence;
}

/** A document's sums by rate. A document that has not stored them has one rate, or none. */
export const ratesOf = (document: { vatRate: VatRate | null; vatRates: RateSum[] | null } & Omit<RateSum, 'rate'>): RateSum[] => {
  const { vatRate, vatRates, net, vat, gross } = document;
  return vatRates ?? (vatRate === null ? [] : [{ rate: vatRate, net, vat, gross }]);
};

interface Amount {
  gross: Pence;
  /** Null where no VAT is charged. */
  rate: VatRate | null;
}

/**
 * The VAT of each line: what it adds to the VAT of its rate's running total. So the VAT of a rate's lines adds up to that of their total, and each is within a
 * penny of the VAT of the line alone.
 */
export function vatOfEach(lines: readonly Amount[]): Pence[] {
  const totals = new Map<VatRate, Pence>();
  return lines.map(({ gross, rate }) => {
    if (rate === null) return 0;
    const total = totals.get(rate) ?? 0;
    totals.set(rate, total + gross);
    return vatIn(total + gross, rate) - vatIn(total, rate);
  });
}

/** The part of an invoice at one VAT rate that can be credited, with what came off the order of it. */
export interface Creditable {
  gross: Pence;
  /** What has a credit note, or is what a refund under way is for. */
  claimed: Pence;
  /** The part of that which is for nothing that came off the order. */
  goodwill: Pence;
  /** The price of the pieces that came off the order: cancelled, returned or refunded. */
  off: Pence;
  /** The price of delivery that came off. */
  deliveryOff: Pence;
  /** What failed refunds were for that have no credit note. */
  failed: Pence;
  /** The price of the pieces that this credit is for. */
  own: Pence;
}

/** Divides an amount among rates in steps: in each, in proportion to what it still takes up to that step's most of each rate. */
function divide(amount: Pence, steps: readonly (readonly Pence[])[]): Pence[] {
  const taken: Pence[] = steps[0]?.map(() => 0) ?? [];
  let rest = amount;
  for (const most of steps) {
    const room = most.map((one, index) => Math.max(0, one - (taken[index] ?? 0)));
    const part = Math.min(
      rest,
      room.reduce((sum, one) => sum + one, 0),
    );
    for (const [index, share] of apportion(part, room).entries()) taken[index] = (taken[index] ?? 0) + share;
    rest -= part;
  }
  return taken;
}

/**
 * Divides a credit among VAT rates: its own pieces first, then what else came off the order, pieces before delivery and what failed refunds were for last, then, as
 * `goodwill`, in proportion to what is left. Nothing of it is credited already, or what a refund under way is for.
 */
export function creditOfEach(amount: Pence, rates: readonly Creditable[]): { price: Pence; goodwill: Pence }[] {
  const left = rates.map(({ gross, claimed }) => gross - claimed);
  const openOf = (of: (one: Creditable) => Pence) =>
    rates.map((one, index) => Math.max(0, Math.min(left[index] ?? 0, of(one) - one.claimed + one.goodwill)));
  const pieces = openOf(({ off }) => off);
  const all = openOf(({ off, deliveryOff }) => off + deliveryOff);
  const lessFailed = (open: Pence[]) => open.map((price, index) => price - (rates[index]?.failed ?? 0));
  const own = rates.map((one, index) => Math.min(one.own, all[index] ?? 0));
  return divide(amount, [own, lessFailed(pieces), lessFailed(all), all, left]).map((taken, index) => {
    const price = Math.min(taken, all[index] ?? 0);
    return { price, goodwill: taken - price };
  });
}

/** The VAT of a credit at one rate: what is left of the document then has the VAT of its own price. */
export const vatOfCredit = ({ rate, gross, vat }: Omit<RateSum, 'net'>, credit: Pence): Pence =>
  // Credit notes of earlier versions may have left a penny more or less.
  Math.min(credit, Math.max(0, vat - vatIn(gross - credit, rate)));

export type InvoiceKind = 'invoice' | 'credit_note';

const PREFIX: Record<InvoiceKind, string> = { invoice: 'INV', credit_note: 'CN' };

/** `invoice`, 42 → `INV-000042` */
export const numberText = (kind: InvoiceKind, number: number): string => `${PREFIX[kind]}-${String(number).padStart(6, '0')}`;

/** Parses the number of an invoice or credit note, in any case, with or without hyphen and zeros. Undefined for any other text. */
export function documentIn(text: string): { kind: InvoiceKind; number: number } | undefined {
  const [, prefix, number] = /^\s*(inv|cn)[\s-]*(\d{1,9})\s*$/i.exec(text) ?? [];
  return prefix ? { kind: prefix.toUpperCase() === PREFIX.invoice ? 'invoice' : 'credit_note', number: Number(number) } : undefined;
}

const TITLE = { credit_note: 'Credit note', pro_forma: 'Pro forma invoice' };

/** A company without a VAT number issues no VAT invoices. */
export const titleOf = ({ kind, vatRate }: { kind: InvoiceKind | 'pro_forma'; vatRate: VatRate | null }): string =>
  kind === 'invoice' ? (vatRate === null ? 'Invoice' : 'VAT invoice') : TITLE[kind];
