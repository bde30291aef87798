import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ProductList } from '#contract/catalogue/catalogue.ts';
import { type Db, PLAN_ANEW } from '#server/platform/database/connect.ts';
import type { Sample } from '#server/platform/lists/walk.ts';
import { type Filters, filtersInForce, foundBy, type Sought, withoutFilter } from './filters.ts';
import { firstFound } from './first-found.service.ts';
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

/** More filters than so many are not taken off one by one: each asks the database. */
const MOST_FILTERS = 6;

/**
 * Which filter to take off a list that has nothing, and how many products each would bring back, the most first. Of a search, `readings` are
 * what it may mean, the fullest first: as in the list itself, a filter counts by the first that finds something.
 */
export async function countWithout(db: Db, filters: Filters, readings: readonly Sought[]): Promise<Without> {
  const conditions: { filter: Without[number]['filter']; where: RawBuilder<SqlBool> }[] = [];
  for (const filter of filtersInForce(filters).slice(0, MOST_FILTERS)) {
    const others = withoutFilter(filters, filter);
    const sought = await firstFound(db, others, readings);
    if (sought || readings.length === 0) conditions.push({ filter, where: foundBy(others, sought) });
  }
  const totals = await countEach(
    db,
    conditions.map(({ where }) => where),
    fewOf(readings.length > 0),
  );
  const counted = conditions.map(({ filter }, index) => ({ filter, total: totals[index] ?? 0 }));
  const isNarrowed = readings.length > 0 && filtersInForce(filters).length > 0;
  const [unsearched = 0] = isNarrowed ? await countEach(db, [foundBy(filters)], fewOf(false)) : [];
  return [...counted, { filter: 'search' as const, total: unsearched }]
    .filter(({ total }) => total > 0)
    .sort((one, other) => other.total - one.total)
    .map(({ filter, total }) => ({ filter, total: Math.min(total, MOST_COUNTED), isMore: total > MOST_COUNTED }));
}
