import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Db, PLAN_ANEW } from '#server/db/connect.ts';

/** Columns, all in one direction. The last one is unique, so that no row is on two pages or on none. */
export interface Sort {
  columns: readonly string[];
  direction: 'asc' | 'desc';
}

/** How well rows match a search: the most points first, and the sort between those that have the same. */
export interface Ranked {
  points: RawBuilder<number>;
  /** The most that there can be. */
  highest: number;
  /** The list's rows with more points than so many, as a condition that indexes serve; undefined where none does. */
  above: (points: number) => RawBuilder<SqlBool> | undefined;
}

/** How a long list is begun and about counted without reading all of it. */
export interface Long {
  /** The rows that the indexes of sorts hold. */
  indexed: RawBuilder<SqlBool>;
  /** The rows of a sample that has an index, and how many of all rows are in it. */
  sample: RawBuilder<SqlBool>;
  share: number;
}

interface Walked {
  table: string;
  where: Expression<SqlBool>;
  sort: Sort;
  rank?: Ranked | undefined;
}

/** So many rows are looked at, from the first of the sort: some milliseconds. Where the list is so thin that they do not do, it is found by its own indexes. */
const FURTHEST = 2_000;

/** What follows ORDER BY. */
export function orderOf({ columns, direction }: Sort, isBackward = false): string {
  const way = isBackward === (direction === 'asc') ? 'desc' : 'asc';
  return columns.map((column) => `${column} ${way}`).join(', ');
}

/** What follows ORDER BY in a list that a search may have ranked. */
export const rankedOrderOf = ({ sort, rank }: Pick<Walked, 'sort' | 'rank'>): RawBuilder<unknown> =>
  rank ? sql`${rank.points} desc, ${sql.raw(orderOf(sort))}` : sql.raw(orderOf(sort));

/** Up to so many ids from the start of a list that is read as a whole: the fence keeps PostgreSQL from looking for its few rows along the sort. */
export async function sortFirst(db: Db, list: Walked, take: number): Promise<string[]> {
  const table = sql.table(list.table);
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(PLAN_ANEW)} select id from (select * from ${table} where ${list.where} offset 0) as ${table}
    order by ${rankedOrderOf(list)} limit ${take}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The rows of a list among the first of its sort, with their points. */
async function readNear(db: Db, { table, where, sort, rank }: Walked, { indexed }: Long, only: RawBuilder<SqlBool>, take: number) {
  const order = sql.raw(orderOf(sort));
  const { rows } = await sql<{ id: string; points: number }>`
    ${sql.raw(PLAN_ANEW)} select id, ${rank?.points ?? sql`0`} as points
    from (select * from ${sql.table(table)} where ${indexed} order by ${order} limit ${FURTHEST}) as ${sql.table(table)}
    where ${where} and ${only} order by ${order} limit ${take}`.execute(db);
  return rows;
}

/**
 * The first ids of a long list, in its order, without reading all of it; undefined where there is no quick way to them.
 *
 * Rows of the same points are in the order of the sort. So those among the first of the sort which have the most points that often enough
 * occur there are the list's, after the few that have more: an index finds these, wherever in the sort they are.
 */
export async function walk(db: Db, list: Walked, long: Long, need: number): Promise<string[] | undefined> {
  const { rank } = list;
  const isBest = rank ? sql<SqlBool>`${rank.points} = ${rank.highest}` : sql<SqlBool>`true`;
  const best = await readNear(db, list, long, isBest, need);
  if (best.length >= need) return best.map(({ id }) => id);
  if (!rank) return undefined;
  const near = await readNear(db, list, long, sql<SqlBool>`true`, FURTHEST);
  const least = near.map(({ points }) => points).sort((a, b) => b - a)[need - 1];
  const above = least === undefined ? undefined : rank.above(least);
  if (!above) return undefined;
  const first = await sortFirst(db, { ...list, where: above }, need);
  const rest = near.filter(({ points }) => points === least).map(({ id }) => id);
  return [...first, ...rest].slice(0, need);
}

/** About how many rows a list has, by a sample, in two digits: what is about so is not said more exactly than it is known. */
export async function estimate(db: Db, { table, where }: Walked, { sample, share }: Long): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    ${sql.raw(PLAN_ANEW)} select count(*) as count from ${sql.table(table)} where ${where} and ${sample}`.execute(db);
  return Number(((rows[0]?.count ?? 0) / share).toPrecision(2));
}
