import { type SqlBool, sql } from 'kysely';
import type { SortBy } from '#contract/catalogue/catalogue.ts';
import type { Sort } from '#server/platform/lists/read-page.ts';
import { type Filters, hasPriceWithin, isBySize, matchingPrice, pricedWithin } from './filters.ts';
import type { Matches } from './read-ids.ts';

/** The sorts of the shop (specification §9.1) and of the back office, each with an index. Without a search, best match is recommended first, then newest. */
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
  // Not the stock itself: `stock_level` changes only for scarce products, so that most sales leave its index alone.
  stock: { columns: ['stock_level', 'id'], direction: 'asc' },
};

/**
 * The sort of a list. A sort by price uses the price of the size that matches the filters, where they pick sizes. `isByPriceAlone`: nothing but a range of
 * prices narrows the list.
 */
export function sortOf(sortBy: SortBy, filters: Filters, isByPriceAlone: boolean): Pick<Matches, 'sort' | 'computed'> {
  const sort = SORTS[sortBy];
  const isByPrice = sort.columns[0] === 'from_price';
  // A minimum price picks sizes too: it rules out the cheapest ones.
  const picksSizes = isBySize(filters) || filters.price.min !== undefined;
  if (!isByPrice || !picksSizes) return { sort };
  const { min } = filters.price;
  const isAscending = sort.direction === 'asc';
  return {
    sort: { ...sort, columns: ['matching_price', 'id'] },
    computed: {
      value: matchingPrice(filters),
      upTo: (price, isNear) => {
        // Of a list that is narrowed otherwise, many other products have such a price.
        if (isAscending)
          return isNear && isByPriceAlone && min !== undefined ? hasPriceWithin(min, price) : sql`from_price <= ${price}::int`;
        return sql<SqlBool>`${sql.join(pricedWithin({ min: Number(price), max: undefined }))}`;
      },
    },
  };
}

/** The order of search results that match equally well: in stock first, then by rating, then as without a search. */
export const RELEVANCE: Sort = { columns: ['is_available', 'rating', ...SORTS.bestmatch.columns], direction: 'desc' };
