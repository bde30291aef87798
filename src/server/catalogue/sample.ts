import { type SqlBool, sql } from 'kysely';
import type { Long, Sample } from '#server/lists/walk.ts';

/** About five in 256 products, by the random last byte of their id: the indexes `products_sample` and `products_search_sample` hold them. */
export const MANY: Sample = { rows: sql<SqlBool>`get_byte(uuid_send(id), 15) < 5`, share: 5 / 256 };

/** About one in 256 products: those of `products_few` and `products_search_few`. */
const FEW: Sample = { rows: sql<SqlBool>`get_byte(uuid_send(id), 15) = 0`, share: 1 / 256 };

/** How a long list of products is begun and about counted. */
export const PRODUCTS: Long = { indexed: sql<SqlBool>`deleted_at is null`, samples: [FEW, MANY] };
