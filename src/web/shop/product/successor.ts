import { redirect } from 'react-router';
import { productPath } from '#contract/catalogue/variant.ts';
import type { ProductDetailState } from '#web/state/product-detail.slice.ts';

/** Moved for good: the address of a deleted product leads to the product that took its place. */
export const toSuccessor = ({ related }: ProductDetailState): Response | null =>
  related?.successor ? redirect(productPath(related.successor), 301) : null;
