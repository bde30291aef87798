import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

interface Page {
  table: 'orders' | 'products';
  where: Expression<SqlBool>;
  by: RawBuilder<unknown>;
  isDescending: boolean;
  pageNumber: number;
  pageSize: number;
}

/** So many rows are sorted at once; more are read in the order of the sort's index. The database would have to guess which is fewer. */
const FEW = 10_000;

/**
 * The keys of one page of a list of the back office, and how many rows there are in all. Only the index is read, from
 * whichever end is nearer, so that a page in the middle or at the end costs little more than the first.
 */
export async function readPageKeys(
  db: Db,
  { table, where, by, isDescending, pageNumber, pageSize }: Page,
): Promise<{ total: number; keys: string[] }> {
  const from = sql.table(table);
  const counted = await sql<{ total: number }>`select count(*) as total from ${from} where ${where}`.execute(db);
  const total = counted.rows[0]?.total ?? 0;
  const skipped = (pageNumber - 1) * pageSize;
  if (skipped >= total) return { total, keys: [] };
  const limit = Math.min(pageSize, total - skipped);
  const isFromEnd = skipped > total / 2;
  const direction = isDescending === isFromEnd ? sql`asc` : sql`desc`;
  const found = sql`select id, ${by} as sorted_by from ${from} where ${where}`;
  const { rows } = await sql<{ id: string }>`
    with found as ${total <= FEW ? sql`materialized` : sql`not materialized`} (${found})
    select id from found order by sorted_by ${direction}, id ${direction}
    limit ${limit} offset ${isFromEnd ? total - skipped - limit : skipped}`.execute(db);
  const keys = rows.map(({ id }) => id);
  return { total, keys: isFromEnd ? keys.reverse() : keys };
}
