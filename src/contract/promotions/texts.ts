import { pounds } from '#contract/market/money.ts';
import { KINDS, type PromotionBody } from './promotions.ts';

/** `10% off`, `£5.00 off`, `Free delivery` or `First 3 pieces free`. */
export function reductionText({ kind, value }: Pick<PromotionBody, 'kind' | 'value'>): string {
  if (kind === 'free_delivery') return KINDS.free_delivery;
  if (kind === 'first_free') return value === 1 ? 'First piece free' : `First ${value} pieces free`;
  return `${kind === 'percent' ? `${value}%` : pounds(value)} off`;
}

const usesText = (uses: number): string => (uses === 1 ? '1 use' : `${uses} uses`);

type Scope = Pick<PromotionBody, 'goods' | 'leastSubtotal' | 'mostUses' | 'mostUsesEach' | 'isFirstOrder'>;

/** What a promotion is for, and its limits: `Sofa, 3 pieces, from £100.00, 1 use per customer`; empty for everything without a limit. */
export function scopeText({ goods, leastSubtotal, mostUses, mostUsesEach, isFirstOrder }: Scope): string {
  const pieces = goods.products.length;
  const parts = [
    ...goods.categories,
    ...goods.brands,
    pieces > 0 && (pieces === 1 ? '1 piece' : `${pieces} pieces`),
    leastSubtotal > 0 && `from ${pounds(leastSubtotal)}`,
    mostUses !== null && usesText(mostUses),
    mostUsesEach !== null && `${usesText(mostUsesEach)} per customer`,
    isFirstOrder && 'first orders only',
  ];
  return parts.filter(Boolean).join(', ');
}
