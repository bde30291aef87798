import type { CartDiscount } from '#contract/promotions/promotions.ts';
import { CART_DISCOUNT_KEY } from './browser-storage.ts';
import { storedValue, useStoredValue } from './stored-value.ts';

/** The typed code (may be empty), and the server's latest discount for the cart. */
export interface KeptDiscount extends Partial<CartDiscount> {
  code: string;
  /** Why the server could not be asked. The code is not refused: an order still sends it. */
  failure?: string;
  /** How often this code was sent from its field, so that the same one can be sent again. */
  tries?: number;
}

/** Reads a stored discount. If its amounts are damaged, only the code is used, and the cart asks for the rest again. */
export function readDiscount(stored: unknown): KeptDiscount | undefined {
  const { code, amount, applied } = Object(stored);
  if (typeof code !== 'string') return undefined;
  const isComplete = amount >= 0 && Array.isArray(applied) && applied.every((promotion) => promotion?.name);
  return isComplete ? (stored as KeptDiscount) : { code };
}

/** The cart's discount for display; the server computes its own for every order. */
export const cartDiscount = storedValue<KeptDiscount>(CART_DISCOUNT_KEY, readDiscount);

export const useCartDiscount = (): Partial<KeptDiscount> => useStoredValue(cartDiscount) ?? {};
