import type { ProductCard } from '#contract/catalogue/catalogue.ts';
import type { Market } from '#contract/market/market.ts';

/** What a product costs where its size is still to be chosen: its lowest price, with "from" where the sizes differ. */
export const priceText = ({ shopPrice }: Market, { fromPrice, toPrice }: Pick<ProductCard, 'fromPrice' | 'toPrice'>): string =>
  (fromPrice < toPrice ? 'from ' : '') + shopPrice(fromPrice);
