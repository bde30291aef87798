import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { PAGE_SIZE } from '#contract/lists.ts';
import type { Db } from '#server/db/connect.ts';

interface Page {
  table: 'orders' | 'products';
  where: Expression<SqlBool>;
  by: RawBuilder<unknown>;
  isDescending: boolean;
  pageNumber: number;
}

/**
 * The keys of one page of a list of the back office, and how many rows there are in all. Only the index is read, from
 * whichever end is nearer, so that a page in the middle or at the end costs little more than the first.
 */
export async function readPageKeys(
  db: Db,
  { table, where, by, isDescending, pageNumber }: Page,
): Promise<{ total: number; keys: string[] }> {
  const from = sql.table(table);
  const counted = await sql<{ total: number }>`select count(*) as total from ${from} where ${where}`.execute(db);
  const total = counted.rows[0]?.total ?? 0;
  const skipped = (pageNumber - 1) * PAGE_SIZE.admin;
  if (skipped >= total) return { total, keys: [] };
  const limit = Math.min(PAGE_SIZE.admin, total - skipped);
  const isFromEnd = skipped > total / 2;
  const direction = isDescending === isFromEnd ? sql`asc` : sql`desc`;
  const { rows } = await sql<{ id: string }>`
    select id from ${from} where ${where} order by ${by} ${direction}, id ${direction}
    limit ${limit} offset ${isFromEnd ? total - skipped - limit : skipped}`.execute(db);
  const keys = rows.map(({ id }) => id);
  return { total, keys: isFromEnd ? keys.reverse() : keys };
}
