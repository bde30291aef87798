import { LOW_STOCK } from '#contract/catalogue/catalogue.ts';

/** The stock in words; undefined while there is plenty. */
export function stockText(left: number): string | undefined {
  if (left === 0) return 'Sold out';
  return left <= LOW_STOCK ? `Only ${left} left` : undefined;
}
