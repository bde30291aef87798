import { sql } from 'kysely';
import { type Db, PLAN_ANEW } from '#server/db/connect.ts';
import type { Attempt } from '#server/search/attempts.ts';
import { type Filters, foundBy, type Sought } from './filters.ts';

/** The fullest of a search's attempts that finds anything beside the filters, by one statement. */
export async function firstFound<T extends Sought>(db: Db, filters: Filters, attempts: readonly T[]): Promise<T | undefined> {
  if (attempts.length === 0) return undefined;
  const cases = attempts.map(
    (attempt, index) => sql`when exists (select from products where ${foundBy(filters, attempt)}) then ${sql.lit(index)}`,
  );
  const { rows } = await sql<{ first: number | null }>`${sql.raw(PLAN_ANEW)} select case ${sql.join(cases, sql` `)} end as first`.execute(
    db,
  );
  return attempts[rows[0]?.first ?? attempts.length];
}

/** Where a price is left out of a search: the nearest that it finds without. */
export async function readNearestPrice(db: Db, filters: Filters, attempt: Attempt): Promise<number | null> {
  if (!attempt.leftOutPrice) return null;
  const { min = null, max = null } = attempt.leftOutPrice;
  const { rows } = await sql<{ price: number }>`
    ${sql.raw(PLAN_ANEW)} select price from products where ${foundBy(filters, attempt)}
    order by greatest(${min}::int - price, price - ${max}::int), price limit 1`.execute(db);
  return rows[0]?.price ?? null;
}
