import type { Pence } from '#contract/market/money.ts';

/** Rows below the subtotal, one for each promotion of an order or a cart. */
export const discountRows = (
  { discounts }: { discounts: readonly { name: string; amount: Pence; isFreeDelivery: boolean }[] },
  format: (pence: Pence) => string,
): [label: string, text: string][] =>
  discounts.flatMap(({ name, amount, isFreeDelivery }): [string, string][] => [
    ...(amount > 0 ? [[`Discount: ${name}`, `−${format(amount)}`] as [string, string]] : []),
    ...(isFreeDelivery ? [['Free delivery', name] as [string, string]] : []),
  ]);
