import type { CartDiscount } from '#contract/promotions/promotions.ts';
import { CART_DISCOUNT_KEY } from './browser-storage.ts';
import { kept, useKept } from './stored-value.ts';

/** The typed code (may be empty), and the server's latest discount for the cart. */
export interface KeptDiscount extends Partial<CartDiscount> {
  code: string;
  /** Why the server's discount is not known. The code is not refused: an order is still sent with it. */
  failure?: string;
}

/** A stored discount. Of a damaged one only the code is kept: the cart asks for the rest again. */
export function keptDiscount(stored: unknown): KeptDiscount | undefined {
  const { code, amount, applied } = Object(stored);
  if (typeof code !== 'string') return undefined;
  return amount >= 0 && applied?.every?.((one: { name?: string } | null) => one?.name) ? (stored as KeptDiscount) : { code };
}

/** The cart's discount for display; the server computes its own for every order. */
export const cartDiscount = kept<KeptDiscount>(CART_DISCOUNT_KEY, keptDiscount);

export const useCartDiscount = (): Partial<KeptDiscount> => useKept(cartDiscount) ?? {};
