import { apportion } from '#contract/market/apportion.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import type { AppliedPromotion, PromotionBody } from './promotions.ts';

/** A promotion, and whether this customer may still use it. */
export interface Offered extends PromotionBody {
  _id: string;
  /** Why this customer may not use it; null if they may. */
  spent: 'all' | 'customer' | 'not first' | null;
}

/** A cart line for promotions; `price` is the unit price. */
export interface Goods {
  productId: string;
  category: string;
  brand: string;
  price: Pence;
  qty: number;
  /** The set that the line is a part of: the same object for all its parts. `qty` is the number of sets. */
  set?: { qty: number };
}

export interface Basket {
  lines: readonly Goods[];
  /** The price of the default delivery method. */
  delivery: Pence;
  /** ISO. */
  at: string;
  /** Automatic promotions and that of the code, at most one. Of two with the same saving, the first applies. */
  promotions: readonly Offered[];
  /** As typed. */
  code: string;
}

/** Whether a promotion was meant for each product of a basket, by their ids. */
export type MeantFor = Record<string, boolean>;

/** A promotion that was applied to the basket. */
export interface Applied extends AppliedPromotion {
  _id: string;
  /** What it was then. */
  terms: Pick<Offered, 'kind' | 'value' | 'leastSubtotal' | 'goods'> & { meantFor: MeantFor };
}

/** What customers see of a promotion that was applied. */
export const shownPromotion = ({ _id: _, terms: __, ...shown }: Applied): AppliedPromotion => shown;

export interface Discount {
  /** Discount on the goods. */
  amount: Pence;
  /** The amount shared over the lines. */
  shares: Pence[];
  /** The default delivery method is free. */
  isFreeDelivery: boolean;
  applied: Applied[];
  /** Why the code is refused; empty for an accepted code and without a code. */
  refusal: string;
}

/** A code as it is stored and shown: in capitals, without spaces. */
export const tidyCode = (typed: string): string => typed.replace(/\s+/g, '').toUpperCase();

/** Codes are compared without hyphens; some phones type a dash for one. */
export const comparableCode = (typed: string): string => tidyCode(typed).replace(/\p{Pd}/gu, '');

const SPENT = {
  all: 'This code has been used up.',
  customer: 'You have already used this code.',
  'not first': 'This code is for a first order only.',
} as const;

const sumOf = (amounts: readonly Pence[]): Pence => amounts.reduce((sum, one) => sum + one, 0);

export const goodsSum = (lines: readonly Pick<Goods, 'price' | 'qty'>[]): Pence => sumOf(lines.map(({ price, qty }) => price * qty));

const isIn = (names: readonly string[], name: string) =>
  names.length === 0 || names.some((one) => one.trim().toLowerCase() === name.trim().toLowerCase());

/**
 * Whether a line is among the goods of a promotion, by the rule for the goods of a sale. For the products of the order that used it, what they were then
 * counts (`meantFor`).
 */
export const isMeant = (
  { goods: { categories, brands, products }, meantFor }: Pick<Offered, 'goods'> & { meantFor?: MeantFor | null },
  line: Pick<Goods, 'productId' | 'category' | 'brand'>,
): boolean =>
  meantFor?.[line.productId] ??
  (isIn(categories, line.category) && isIn(brands, line.brand) && (products.length === 0 || products.includes(line.productId)));

/** Why a promotion does not apply to a basket, in a sentence for the customer; empty if it applies. */
function refusalOf(promotion: Offered, { lines, at }: Basket): string {
  const { isOn, startsAt, endsAt, leastSubtotal, spent } = promotion;
  if (!isOn) return 'This code is no longer valid.';
  if (endsAt !== null && Date.parse(endsAt) <= Date.parse(at)) return 'This code has ended.';
  if (startsAt !== null && Date.parse(startsAt) > Date.parse(at)) return `This code is valid from ${shopTime(startsAt)}.`;
  if (spent) return SPENT[spent];
  if (!lines.some((line) => isMeant(promotion, line))) return 'This code does not apply to anything in your cart.';
  const missing = leastSubtotal - goodsSum(lines);
  if (missing > 0) return `This code needs a subtotal of at least ${pounds(leastSubtotal)}: ${pounds(missing)} more.`;
  return '';
}

/** A promotion that makes first pieces free. */
export type FirstFree = Pick<Offered, 'value' | 'goods'> & { meantFor?: MeantFor | null };

/** The discount of a promotion on each line: the remaining price of its first pieces. */
function firstFree(promotion: FirstFree, lines: readonly Goods[], left: readonly Pence[]): Pence[] {
  let rest = promotion.value;
  // A set is one piece: all its parts are free together.
  const freeOf = new Map<object, number>();
  return lines.map((line, index) => {
    if (!isMeant(promotion, line)) return 0;
    const setOrLine = line.set ?? line;
    const free = freeOf.get(setOrLine) ?? Math.min(rest, setOrLine.qty);
    if (!freeOf.has(setOrLine)) rest -= free;
    freeOf.set(setOrLine, free);
    return Math.min(left[index] ?? 0, Math.floor((free * line.price * line.qty) / setOrLine.qty));
  });
}

/** What promotions of first free pieces leave of the price of each line. */
export const leftAfterFree = (promotions: readonly FirstFree[], lines: readonly Goods[]): Pence[] =>
  promotions.reduce(
    (left, promotion) => {
      const shares = firstFree(promotion, lines, left);
      return left.map((sum, index) => sum - (shares[index] ?? 0));
    },
    lines.map(({ price, qty }) => price * qty),
  );

/** The discount of a promotion on each line's remaining price, and whether delivery is free. */
function effectOf(promotion: Offered, { lines }: Basket, left: readonly Pence[]): { shares: Pence[]; isFreeDelivery: boolean } {
  const { kind, value } = promotion;
  if (kind === 'first_free') return { shares: firstFree(promotion, lines, left), isFreeDelivery: false };
  const weights = lines.map((line, index) => (isMeant(promotion, line) ? (left[index] ?? 0) : 0));
  const whole = sumOf(weights);
  const amount = kind === 'percent' ? Math.round((whole * value) / 100) : kind === 'amount' ? Math.min(value, whole) : 0;
  return { shares: apportion(amount, weights), isFreeDelivery: kind === 'free_delivery' };
}

/**
 * What applies to a basket (decision 128), in this order: each automatic promotion that makes first pieces free, of the other automatic promotions the
 * one that saves most, and the code. Each applies to what the earlier ones have left. Delivery that becomes free saves its price. No line costs less than nothing.
 */
export function discountOf(basket: Basket): Discount {
  const { lines, delivery, promotions } = basket;
  let left = lines.map(({ price, qty }) => price * qty);
  let isFreeDelivery = false;
  const applied: Applied[] = [];

  const savedBy = (promotion: Offered) => {
    const effect = effectOf(promotion, basket, left);
    return { promotion, ...effect, saved: sumOf(effect.shares) + (effect.isFreeDelivery && !isFreeDelivery ? delivery : 0) };
  };
  const apply = ({ promotion, ...effect }: ReturnType<typeof savedBy>) => {
    const { _id, name, code: ownCode, kind, value, leastSubtotal, goods } = promotion;
    const meantFor = Object.fromEntries(lines.map((line) => [line.productId, isMeant(promotion, line)]));
    const terms = { kind, value, leastSubtotal, goods, meantFor };
    left = left.map((sum, index) => sum - (effect.shares[index] ?? 0));
    isFreeDelivery ||= effect.isFreeDelivery;
    applied.push({ _id, name, code: ownCode, amount: sumOf(effect.shares), isFreeDelivery: effect.isFreeDelivery, terms });
  };

  const automatic = promotions.filter((promotion) => promotion.code === null && refusalOf(promotion, basket) === '');
  for (const promotion of automatic.filter(({ kind }) => kind === 'first_free')) {
    const effect = savedBy(promotion);
    if (effect.saved > 0) apply(effect);
  }
  const [best] = automatic
    .filter(({ kind }) => kind !== 'first_free')
    .map(savedBy)
    .filter(({ saved }) => saved > 0)
    .sort((a, b) => b.saved - a.saved);
  if (best) apply(best);

  const applyCode = (): string => {
    if (tidyCode(basket.code) === '') return '';
    const code = comparableCode(basket.code);
    const named = promotions.find((promotion) => promotion.code !== null && comparableCode(promotion.code) === code);
    if (!named) return 'We don’t know this code. Please check its spelling.';
    const refusal = refusalOf(named, basket);
    if (refusal) return refusal;
    const effect = savedBy(named);
    if (effect.saved === 0) return effect.isFreeDelivery ? 'Your delivery is already free.' : 'This code would not save you anything.';
    apply(effect);
    return '';
  };
  const refusal = applyCode();
  const shares = lines.map(({ price, qty }, index) => price * qty - (left[index] ?? 0));
  return { amount: sumOf(shares), shares, isFreeDelivery, applied, refusal };
}
