import { type SqlBool, sql } from 'kysely';
import { arrayOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';

/** The condition for products, and for the parts of those that are sets. */
export const isMadeOf = (ids: readonly string[]) => sql<SqlBool>`id = any(with_parts(${arrayOf(ids, 'uuid')}))`;

/** The condition for products whose stock moves with that of some products: themselves, the parts of sets, and the sets of parts (migration 0912). */
export const isTouchedBy = (ids: readonly string[]) => sql<SqlBool>`id = any(with_sets(${arrayOf(ids, 'uuid')}))`;

/** The order in which several products are locked: parts before sets, since a part that moves takes its sets along. */
export const LOCK_ORDER = sql`set_parts <> '', id`;

/** The sets that have one of these products as a part. */
export async function setsOf(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`select sets_of(${arrayOf(ids, 'uuid')}) as ids`.execute(db);
  return rows[0]?.ids ?? [];
}
