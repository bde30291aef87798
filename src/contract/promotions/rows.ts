import type { Pence } from '#contract/market/money.ts';
import type { AppliedPromotion } from './promotions.ts';

/** `Newsletter (WELCOME-10)`, or the name of an automatic promotion. */
export const promotionText = ({ name, code }: Pick<AppliedPromotion, 'name' | 'code'>): string => (code ? `${name} (${code})` : name);

/** Rows below the subtotal, one for each promotion of an order or a cart. An order's corrected lines keep their part, which no promotion names again. */
export const discountRows = (
  { discounts, discount = 0 }: { discounts: readonly AppliedPromotion[]; discount?: Pence },
  format: (pence: Pence) => string,
): [label: string, text: string][] => {
  const kept = discount - discounts.reduce((sum, { amount }) => sum + amount, 0);
  return [...rowsOf(discounts, format), ...(kept > 0 ? [['Discount kept', `−${format(kept)}`] as [string, string]] : [])];
};

const rowsOf = (discounts: readonly AppliedPromotion[], format: (pence: Pence) => string): [label: string, text: string][] =>
  discounts.flatMap((promotion): [string, string][] => [
    ...(promotion.amount > 0 ? [[`Discount: ${promotionText(promotion)}`, `−${format(promotion.amount)}`] as [string, string]] : []),
    ...(promotion.isFreeDelivery ? [['Free delivery', promotionText(promotion)] as [string, string]] : []),
  ]);
