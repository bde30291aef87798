import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ProductList } from '#contract/catalogue.ts';
import { type Db, PLAN_ANEW } from '#server/db/connect.ts';
import type { Sample } from '#server/lists/walk.ts';
import { type Filters, filtersInForce, foundBy, type Sought, withoutFilter } from './filters.ts';
import { fewOf } from './sample.ts';

/** Counting ends here: more only says that there are more, and costs no more. */
const MOST_COUNTED = 1_000;
/** With so many of a sample, about 5,000 in all, there are more than are counted, and nothing is. */
const SURELY_MORE = 20;

type Without = ProductList['without'];

/** How many products each of some conditions leaves, in one statement. */
async function countEach(db: Db, conditions: readonly RawBuilder<SqlBool>[], { rows: ofSample }: Sample): Promise<number[]> {
  if (conditions.length === 0) return [];
  const countUpTo = (most: number, condition: RawBuilder<SqlBool>) =>
    sql`(select count(*)::int from (select from products where ${condition} limit ${most}) as found)`;
  const counts = conditions.map(
    (
      condition,
    ) => sql`case ${countUpTo(SURELY_MORE, sql<SqlBool>`${condition} and ${ofSample}`)} when ${SURELY_MORE} then ${MOST_COUNTED + 1}
      else ${countUpTo(MOST_COUNTED + 1, condition)} end`,
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
      fewOf(sought !== undefined),
    );
    for (const [index, name] of open.entries()) counts.set(name, found[index] ?? 0);
  }
  if (readings.length > 0 && names.length > 0) counts.set('search', (await countEach(db, [foundBy(filters)], fewOf(false)))[0] ?? 0);
  return [...counts]
    .filter(([, total]) => total > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([filter, total]) => ({ filter, total: Math.min(total, MOST_COUNTED), isMore: total > MOST_COUNTED }));
}
