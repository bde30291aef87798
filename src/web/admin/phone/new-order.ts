import { addressRulesOf } from '#contract/market/address-rules.ts';
import type { Market } from '#contract/market/market.ts';
import { NO_AMOUNT, penceOf } from '#contract/market/money.ts';
import type { PhoneOrderInput, PhoneQuoteInput } from '#contract/phone/phone.ts';
import { MAX_PRICE } from '#contract/platform/limits.ts';

/** A line of the form; price and reason as typed. */
export interface NewLine {
  product: string;
  name: string;
  qty: number;
  size: string | null;
  color: string | null;
  /** In pounds; empty for today's price. */
  price: string;
  reason: string;
}

export interface NewOrder {
  email: string;
  fullName: string;
  phone: string;
  line1: string;
  line2: string;
  city: string;
  state: string;
  postalCode: string;
  country: string;
  deliveryNote: string;
  lines: NewLine[];
  code: string;
  shippingMethod: string;
  deliveryDay: string;
  payment: 'cash' | 'link';
}

export const emptyOrder = ({ defaultCountry }: Pick<Market, 'defaultCountry'>): NewOrder => ({
  email: '',
  fullName: '',
  phone: '',
  line1: '',
  line2: '',
  city: '',
  state: '',
  postalCode: '',
  country: defaultCountry,
  deliveryNote: '',
  lines: [],
  code: '',
  shippingMethod: '',
  deliveryDay: '',
  payment: 'cash',
});

/** Whether a typed price may be agreed. */
export function isPrice(typed: string): boolean {
  const pence = penceOf(typed) ?? 0;
  return pence > 0 && pence <= MAX_PRICE;
}

const piecesOf = (lines: NewLine[]) =>
  lines.map(({ product, qty, size, color, price, reason }) => ({
    product,
    qty,
    size,
    color,
    agreed: price.trim() ? { price: penceOf(price) ?? 0, reason } : null,
  }));

/** The body of a quote. An unreadable price is left out, and reasons are a placeholder, since they may not be typed yet. */
export const quoteBodyOf = ({ lines, email, postalCode, country, code, shippingMethod }: NewOrder): PhoneQuoteInput => ({
  lines: piecesOf(lines).map(({ agreed, ...line }) => ({ ...line, agreed: agreed?.price ? { ...agreed, reason: 'Not said yet' } : null })),
  email: /^\S+@\S+\.\S+$/.test(email.trim()) ? email.trim() : '',
  postalCode,
  country,
  code: code || null,
  shippingMethod: shippingMethod || null,
});

export const bodyOf = (
  { line1, line2, city, state, postalCode, country, lines, code, shippingMethod, deliveryDay, ...fields }: NewOrder,
  expected: number,
): PhoneOrderInput => ({
  ...fields,
  shippingAddress: { line1, line2, city, state, postalCode, country },
  lines: piecesOf(lines),
  code: code || null,
  shippingMethod: shippingMethod || null,
  deliveryDay: deliveryDay || null,
  expected,
});

/** Form fields by their paths in the body. */
export const FIELD_NAMES = {
  'shippingAddress.line1': 'line1',
  'shippingAddress.line2': 'line2',
  'shippingAddress.city': 'city',
  'shippingAddress.state': 'state',
  'shippingAddress.postalCode': 'postalCode',
  'shippingAddress.country': 'country',
  discount: 'code',
} as const;

/** Refuses what breaks the market's rules, and unreadable prices. */
export const checkOrder =
  (market: Market) =>
  ({ phone, state, postalCode, country, lines }: NewOrder): Record<string, string | false | undefined> => ({
    phone: addressRulesOf(market).phoneProblem(phone),
    state: addressRulesOf(market).needsState(country) && state.trim() === '' && `${market.labels.state} is required`,
    postalCode: addressRulesOf(market).postalCodeProblem(postalCode, country),
    ...Object.fromEntries(
      lines.map(({ price }, index) => [`lines.${index}.agreed.price`, price.trim() !== '' && penceOf(price) === undefined && NO_AMOUNT]),
    ),
  });
