import type { CartDiscount } from '#contract/promotions/promotions.ts';
import { kept, useKept } from './stored-value.ts';

/** Of local storage. A type, so that the page after a payment can delete it without loading this module. */
export type CartDiscountKey = 'cartDiscount';

/** The code as it was typed, empty for none, and the shop's last answer for the cart. */
interface KeptDiscount extends Partial<CartDiscount> {
  code: string;
}

/** The discount of the cart. It is only a text here: the shop works out its own for every order. */
export const cartDiscount = kept<KeptDiscount>('cartDiscount' satisfies CartDiscountKey, (stored) =>
  typeof Object(stored).code === 'string' ? (stored as KeptDiscount) : undefined,
);

export const useCartDiscount = (): Partial<KeptDiscount> => useKept(cartDiscount) ?? {};
