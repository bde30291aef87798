import { redirect } from 'react-router';
import { productPath } from '#contract/catalogue/variant.ts';
import type { ProductDetailState } from '#web/state/product-detail.slice.ts';

/** Redirects a deleted product's URL to its successor: 301 from the server, a replaced entry of the history in the browser. */
export const toSuccessor = ({ related }: ProductDetailState): Response | null =>
  related?.successor ? redirect(productPath(related.successor), 301) : null;
