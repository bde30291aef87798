import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ProductList } from '#contract/catalogue.ts';
import { type Db, PLAN_ANEW } from '#server/db/connect.ts';
import { type Filters, filtersInForce, foundBy, type Sought, withoutFilter } from './filters.ts';

/** Counting ends here: more only says that there are more, and costs no more. */
const MOST_COUNTED = 1_000;

type Without = ProductList['without'];

/** How many products each of some conditions leaves, in one statement. */
async function countEach(db: Db, conditions: readonly RawBuilder<SqlBool>[]): Promise<number[]> {
  if (conditions.length === 0) return [];
  const counts = conditions.map(
    (condition) => sql`(select count(*)::int from (select from products where ${condition} limit ${MOST_COUNTED + 1}) as found)`,
  );
  const { rows } = await sql<{ counts: number[] }>`${sql.raw(PLAN_ANEW)} select array[${sql.join(counts)}] as counts`.execute(db);
  return rows[0]?.counts ?? [];
}

/**
 * Which filter to take off a list that has nothing, and how many products each would bring back, the most first. Of a search, `readings` are
 * what it may mean, the fullest first: as in the list itself, a filter counts by the first that finds something. One statement for each reading.
 */
export async function countWithout(db: Db, filters: Filters, readings: readonly Sought[]): Promise<Without> {
  const names = filtersInForce(filters);
  const counts = new Map<Without[number]['filter'], number>();
  for (const sought of readings.length > 0 ? readings : [undefined]) {
    const open = names.filter((name) => !counts.get(name));
    const found = await countEach(
      db,
      open.map((name) => foundBy(withoutFilter(filters, name), sought)),
    );
    for (const [index, name] of open.entries()) counts.set(name, found[index] ?? 0);
  }
  if (readings.length > 0 && names.length > 0) counts.set('search', (await countEach(db, [foundBy(filters)]))[0] ?? 0);
  return [...counts]
    .filter(([, total]) => total > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([filter, total]) => ({ filter, total: Math.min(total, MOST_COUNTED), isMore: total > MOST_COUNTED }));
}
