import type { z } from 'zod';
import type * as schema from './sale.schema.ts';

export type SaleBody = z.infer<typeof schema.SaleBody>;
export type SaleGoods = z.infer<typeof schema.SaleGoods>;
export type SalePreview = z.infer<typeof schema.SalePreview>;
export type SaleList = z.infer<typeof schema.SaleList>;
export type ProductSale = z.infer<typeof schema.ProductSale>;
export type ProductSaleBody = z.infer<typeof schema.ProductSaleBody>;
export type SaleRow = SaleList['rows'][number];

/** How a reduced price is rounded: to the penny, or down to whole pounds or to 99 pence. */
export const ROUNDINGS = ['exact', '.00', '.99'] as const;

/** The most products in one sale. */
export const MAX_SALE_PRODUCTS = 10_000;

/**
 * A price less a percentage, in pence. It is rounded down, so that the discount is never smaller than promised. Below £1 (99p for `.99`) it is only rounded
 * to the penny, and never to less than 1p.
 */
export function reducedPrice(price: number, percent: number, rounding: (typeof ROUNDINGS)[number]): number {
  const exact = Math.floor((price * (100 - percent)) / 100);
  if (rounding === '.00' && exact >= 100) return exact - (exact % 100);
  if (rounding === '.99' && exact >= 99) return Math.floor((exact + 1) / 100) * 100 - 1;
  return Math.max(1, exact);
}
