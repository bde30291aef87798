import type { ProductCard } from '#contract/catalogue/catalogue.ts';
import type { Market } from '#contract/market/market.ts';

/** A price before a size is chosen: the lowest, with "from" if sizes differ. */
export const priceText = ({ shopPrice }: Market, { fromPrice, toPrice }: Pick<ProductCard, 'fromPrice' | 'toPrice'>): string =>
  (fromPrice < toPrice ? 'from ' : '') + shopPrice(fromPrice);
