import type { Pence } from '#contract/market/money.ts';
import type { AppliedPromotion } from './promotions.ts';

/** `Newsletter (WELCOME-10)`, or the name of an automatic promotion. */
export const promotionText = ({ name, code }: Pick<AppliedPromotion, 'name' | 'code'>): string => (code ? `${name} (${code})` : name);

/** Rows below the subtotal, for each promotion of an order or a cart. A discount that an order's corrected lines have kept belongs to none of them. */
export const discountRows = (
  { discounts, discount = 0 }: { discounts: readonly AppliedPromotion[]; discount?: Pence },
  format: (pence: Pence) => string,
): [label: string, text: string][] => {
  const kept = discount - discounts.reduce((sum, { amount }) => sum + amount, 0);
  const rows = rowsOf(discounts, format);
  return kept > 0 ? [...rows, ['Discount kept', `−${format(kept)}`]] : rows;
};

const rowsOf = (discounts: readonly AppliedPromotion[], format: (pence: Pence) => string): [label: string, text: string][] =>
  discounts.flatMap((promotion) => {
    const rows: [string, string][] = [];
    if (promotion.amount > 0) rows.push([`Discount: ${promotionText(promotion)}`, `−${format(promotion.amount)}`]);
    if (promotion.isFreeDelivery) rows.push(['Free delivery', promotionText(promotion)]);
    return rows;
  });
