import type { SortBy } from '#contract/catalogue/catalogue.ts';
import type { Sort } from '#server/platform/lists/read-page.ts';
import { type Filters, isBySize, priceMeant } from './filters.ts';
import type { Matches } from './read-ids.ts';

/** The sorts of the shop (specification 9.1) and of the back office, each with an index. Best match without a search: recommended first, then newest. */
export const SORTS: Record<SortBy, Sort> = {
  bestmatch: { columns: ['is_recommend', 'created_at', 'id'], direction: 'desc' },
  ascprice: { columns: ['from_price', 'id'], direction: 'asc' },
  descprice: { columns: ['from_price', 'id'], direction: 'desc' },
  rating: { columns: ['rating', 'id'], direction: 'desc' },
  narrowest: { columns: ['least_width', 'id'], direction: 'asc' },
  widest: { columns: ['most_width', 'id'], direction: 'desc' },
  tallest: { columns: ['most_height', 'id'], direction: 'desc' },
  lowest: { columns: ['least_height', 'id'], direction: 'asc' },
  newest: { columns: ['created_at', 'id'], direction: 'desc' },
  name: { columns: ['name', 'id'], direction: 'asc' },
  // `stock_level` differs only for scarce products: an index of the stock itself would be updated by every sale.
  stock: { columns: ['stock_level', 'id'], direction: 'asc' },
};

/** The sort of a list: by the price of the size that its filters mean. */
export function sortOf(sortBy: SortBy, filters: Filters): Pick<Matches, 'sort' | 'computed'> {
  const sort = SORTS[sortBy];
  if (sort.columns[0] !== 'from_price' || (!isBySize(filters) && filters.price.min === undefined)) return { sort };
  return { sort: { ...sort, columns: ['price_meant', 'id'] }, computed: priceMeant(filters) };
}

/** The order of equally good matches of a search: in stock first, then by rating, then as without a search. */
export const RELEVANCE: Sort = { columns: ['is_available', 'rating', ...SORTS.bestmatch.columns], direction: 'desc' };
