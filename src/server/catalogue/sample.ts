import { type SqlBool, sql } from 'kysely';
import type { Long } from '#server/lists/walk.ts';

/** How many products there are about in a list says the index `products_few`, which holds those whose random last byte is 0. */
export const PRODUCTS: Long = {
  indexed: sql<SqlBool>`deleted_at is null`,
  sample: sql<SqlBool>`get_byte(uuid_send(id), 15) = 0`,
  share: 1 / 256,
};
