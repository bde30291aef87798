import { type SqlBool, sql } from 'kysely';
import type { SortBy } from '#contract/catalogue/catalogue.ts';
import { orderOf, type Sort } from '#server/platform/lists/read-page.ts';
import { conditionOf, type Filters, filtersInForce, hasPriceWithin, isBySize, matchingPrice, NO_FILTERS, pricedWithin } from './filters.ts';
import { LIKELY, type Matches } from './read-ids.ts';

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

/** The sort of a list. A sort by price uses the price of the size that matches the filters, where they pick sizes. */
export function sortOf(sortBy: SortBy, filters: Filters): Pick<Matches, 'sort' | 'computed'> {
  const sort = SORTS[sortBy];
  const isByPrice = sort.columns[0] === 'from_price';
  const { min } = filters.price;
  // A minimum price picks sizes too: it rules out the cheapest ones.
  if (!isByPrice || !(isBySize(filters) || min !== undefined)) return { sort };
  // Of a list that is narrowed otherwise, many other products have such a price.
  const isByPriceAlone = filtersInForce(filters).every((name) => name === 'price');
  const upTo = (price: string, isNear: boolean) => {
    if (sort.direction === 'desc') return sql<SqlBool>`${sql.join(pricedWithin({ min: Number(price), max: undefined }))}`;
    return isNear && isByPriceAlone && min !== undefined ? hasPriceWithin(min, price) : sql<SqlBool>`from_price <= ${price}::int`;
  };
  return { sort: { ...sort, columns: ['matching_price', 'id'] }, computed: { value: matchingPrice(filters), upTo } };
}

/** The start of a sort in a category or in all: by price from the lowest within the range. */
export function startOf(sortBy: SortBy, filters: Filters): Matches['likely'] {
  const { categories, price } = filters;
  const [sort, { min = 0, max = 2_147_483_647 }] = [SORTS[sortBy], price];
  const order = sql.raw(`order by ${orderOf(sort)}`);
  const inRange = sort.columns[0] === 'from_price' ? sql`and from_price between ${min}::int and ${max}::int` : sql``;
  const among = sql`(select * from products where ${conditionOf({ ...NO_FILTERS, categories })} ${inRange} ${order} limit ${LIKELY})`;
  return { among, where: sql`${conditionOf(filters)} ${order}`, isStart: true };
}

/** The order of search results that match equally well: in stock first, then by rating, then as without a search. */
export const RELEVANCE: Sort = { columns: ['is_available', 'rating', ...SORTS.bestmatch.columns], direction: 'desc' };
