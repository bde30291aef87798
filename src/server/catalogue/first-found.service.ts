import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Db, PLAN_ANEW } from '#server/platform/database/connect.ts';
import type { Amount } from '#server/search/amounts.ts';
import type { Attempt } from '#server/search/attempts.ts';
import { amountsMatch } from '#server/search/match.ts';
import { type Filters, foundBy, type Sought } from './filters.ts';

/** What tells which of several readings it is, beside what it matches. */
type Tried = Sought & Partial<Pick<Attempt, 'query' | 'amounts'>>;

/** The first of some attempts without words that finds anything. */
function firstPlain(filters: Filters, attempts: readonly Tried[]): RawBuilder<{ first: number | null }> {
  const cases = attempts.map(
    (attempt, index) => sql`when exists (select from products where ${foundBy(filters, attempt)}) then ${sql.lit(index)}`,
  );
  return sql`${sql.raw(PLAN_ANEW)} select case ${sql.join(cases, sql` `)} end as first`;
}

/** The same of attempts with words, looked for one after the other in a single loop: to plan each of them by itself costs far more than to find it. */
function firstByWords(filters: Filters, attempts: readonly Tried[]): RawBuilder<{ first: number | null }> {
  const kept = attempts.map(({ amounts = [] }) => amounts);
  const sets = [...new Map(kept.map((amounts) => [JSON.stringify(amounts), amounts])).values()];
  const setOf = (amounts: readonly Amount[]) => sets.findIndex((other) => JSON.stringify(other) === JSON.stringify(amounts));
  const within = sets.map((amounts, index) => sql`when ${sql.lit(index)} then ${amountsMatch(amounts) ?? sql`true`}`);
  const matches = sql<SqlBool>`search @@ tried.query and case tried.amounts ${sql.join(within, sql` `)} end`;
  return sql`${sql.raw(PLAN_ANEW)} select place::int - 1 as first
    from unnest(${attempts.map(({ query }) => query)}::tsquery[], ${kept.map(setOf)}::int[]) with ordinality as tried (query, amounts, place)
    cross join lateral (select from products where ${foundBy(filters, { matches })} limit 1) as found
    order by place limit 1`;
}

/** The fullest of a search's attempts that finds anything beside the filters, by one statement. */
export async function firstFound<T extends Tried>(db: Db, filters: Filters, attempts: readonly T[]): Promise<T | undefined> {
  if (attempts.length === 0) return undefined;
  const find = attempts.every(({ query }) => query !== undefined) ? firstByWords : firstPlain;
  const { rows } = await find(filters, attempts).execute(db);
  return attempts[rows[0]?.first ?? attempts.length];
}

/** Where a price is left out of a search: the nearest that it finds without. */
export async function readNearestPrice(db: Db, filters: Filters, attempt: Attempt): Promise<number | null> {
  if (!attempt.leftOutPrice) return null;
  const { min = null, max = null } = attempt.leftOutPrice;
  const { rows } = await sql<{ price: number }>`
    ${sql.raw(PLAN_ANEW)} select from_price as price from products where ${foundBy(filters, attempt)}
    order by greatest(${min}::int - from_price, from_price - ${max}::int), from_price limit 1`.execute(db);
  return rows[0]?.price ?? null;
}
