import { type SqlBool, sql } from 'kysely';
import { arrayOf } from '#server/platform/database/arrays.ts';

/** The condition for products, and for the parts of those that are sets. */
export const isMadeOf = (ids: readonly string[]) => sql<SqlBool>`id = any(with_parts(${arrayOf(ids, 'uuid')}))`;

/** The condition for products whose stock moves with that of some products: themselves, the parts of sets, and the sets of parts (migration 0912). */
export const isTouchedBy = (ids: readonly string[]) => sql<SqlBool>`id = any(with_sets(${arrayOf(ids, 'uuid')}))`;

/** The order in which several products are locked: parts before sets, since a part that moves takes its sets along. */
export const LOCK_ORDER = sql`set_parts <> '', id`;
