import type { CartDiscount } from '#contract/promotions/promotions.ts';
import { kept, useKept } from './stored-value.ts';

/** The local-storage key. A type, so that the page after a payment can delete it without loading this module. */
export type CartDiscountKey = 'cartDiscount';

/** The typed code (may be empty), and the server's latest discount for the cart. */
interface KeptDiscount extends Partial<CartDiscount> {
  code: string;
}

/** The cart's discount for display; the server computes its own for every order. */
export const cartDiscount = kept<KeptDiscount>('cartDiscount' satisfies CartDiscountKey, (stored) =>
  typeof Object(stored).code === 'string' ? (stored as KeptDiscount) : undefined,
);

export const useCartDiscount = (): Partial<KeptDiscount> => useKept(cartDiscount) ?? {};
