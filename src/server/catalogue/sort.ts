import { type RawBuilder, sql } from 'kysely';
import type { SortBy } from '#contract/catalogue.ts';

/** An order of products: columns that an index holds in one direction. All end in the key, so that no product shows on two pages or on none. */
export interface Sort {
  /** The columns as a row, to be compared with another product's. */
  row: RawBuilder<unknown>;
  forward: RawBuilder<unknown>;
  backward: RawBuilder<unknown>;
  /** What stands before a row's place and the row itself: `<=` where the order descends. */
  from: RawBuilder<unknown>;
}

function orderOf(columns: string[], direction: 'asc' | 'desc'): Sort {
  const along = (way: string) => sql.raw(columns.map((column) => `${column} ${way}`).join(', '));
  return {
    row: sql.raw(columns.join(', ')),
    forward: along(direction),
    backward: along(direction === 'asc' ? 'desc' : 'asc'),
    from: sql.raw(direction === 'asc' ? '>=' : '<='),
  };
}

/** Each sort's order (specification §9; the last three are the back office's). Without a search, best match is recommended first, then newest. */
export const SORTS: Record<SortBy, Sort> = {
  bestmatch: orderOf(['is_recommend', 'created_at', 'id'], 'desc'),
  ascprice: orderOf(['price', 'id'], 'asc'),
  descprice: orderOf(['price', 'id'], 'desc'),
  rating: orderOf(['rating', 'id'], 'desc'),
  newest: orderOf(['created_at', 'id'], 'desc'),
  name: orderOf(['name', 'id'], 'asc'),
  stock: orderOf(['count_in_stock', 'id'], 'asc'),
};
