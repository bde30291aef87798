import type { CartDiscount } from '#contract/promotions/promotions.ts';
import { CART_DISCOUNT_KEY } from './browser-storage.ts';
import { kept, useKept } from './stored-value.ts';

/** The typed code (may be empty), and the server's latest discount for the cart. */
export interface KeptDiscount extends Partial<CartDiscount> {
  code: string;
  /** Why the server's discount is not known. The code is not refused: an order is still sent with it. */
  failure?: string;
}

const isPence = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isApplied = (value: unknown): boolean => {
  const { name, code, amount, isFreeDelivery } = Object(value);
  return typeof name === 'string' && (code === null || typeof code === 'string') && isPence(amount) && typeof isFreeDelivery === 'boolean';
};

/** A stored discount. Of a damaged one only the code is kept: the cart asks for the rest again. */
export function keptDiscount(stored: unknown): KeptDiscount | undefined {
  const { code, amount, isFreeDelivery, applied, refusal } = Object(stored);
  if (typeof code !== 'string') return undefined;
  const isWhole = isPence(amount) && typeof refusal === 'string' && Array.isArray(applied) && applied.every(isApplied);
  return isWhole ? { code, amount, isFreeDelivery: isFreeDelivery === true, applied, refusal } : { code };
}

/** The cart's discount for display; the server computes its own for every order. */
export const cartDiscount = kept<KeptDiscount>(CART_DISCOUNT_KEY, keptDiscount);

export const useCartDiscount = (): Partial<KeptDiscount> => useKept(cartDiscount) ?? {};
