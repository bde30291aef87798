import type { z } from 'zod';
import type * as cart from './cart-discount.schema.ts';
import type * as schema from './promotions.schema.ts';

export type PromotionBody = z.infer<typeof schema.PromotionBody>;
export type Promotion = z.infer<typeof schema.Promotion>;
export type PromotionList = z.infer<typeof schema.PromotionList>;
export type AppliedPromotion = z.infer<typeof cart.AppliedPromotion>;
export type CartDiscount = z.infer<typeof cart.CartDiscount>;
export type SeenDiscount = z.infer<typeof cart.SeenDiscount>;

/** The kinds of promotions, as the back office names them. */
export const KINDS = {
  percent: 'Percentage off',
  amount: 'Amount off',
  free_delivery: 'Free delivery',
  first_free: 'First pieces free',
} as const;
export type Kind = keyof typeof KINDS;

export const PROMOTION_STATES = { on: 'On', 'to come': 'Scheduled', ended: 'Ended', 'used up': 'Used up', off: 'Switched off' } as const;
