import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Db, PLAN_ANEW } from '#server/platform/database/connect.ts';

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

/** Rows that stand for all, and which part of all they are. An index holds them. */
export interface Sample {
  rows: RawBuilder<SqlBool>;
  share: number;
}

/** Reads the head of a long list and estimates its length. */
export interface Long {
  /** The rows that the indexes of sorts hold. */
  indexed: RawBuilder<SqlBool>;
  /** The smallest first. */
  samples: readonly Sample[];
}

/** The rows of a table that a list has, and their order. */
export interface Walked {
  table: string;
  where: Expression<SqlBool>;
  /** The same without what only leads to the rows, for a few that are found otherwise. */
  plain?: Expression<SqlBool> | undefined;
  sort: Sort;
  /** How well a row matches a search: the best first, and the sort between those that match alike. */
  rank?: Ranked | undefined;
  /** All of its rows, as a table, where another way leads to them than `where`. */
  rows?: RawBuilder<unknown> | undefined;
  /** At least those of its rows up to so much in the sort's first column, and few others, as a table that an index leads to. */
  upTo?: ((value: number) => RawBuilder<unknown>) | undefined;
}

/** At most so many rows are looked at, from the first of the sort. Where the list is so thin that they do not do, it is found by its own indexes. */
const FURTHEST = 10_000;
/** The same where the list is found in another way if it is not among these. */
const NEAREST = 1_000;
/** The same where all that match there match alike. */
const SOME = 4_000;
/** So many rows of the list are looked at for the points that occur often. */
const NEAR = 2_000;
/** A list is long from so many rows on. In a large table it is long sooner, since finding its rows costs more there. */
const LONG = 10_000;
const LONG_IN_LARGE = 2_500;
const LARGE = 100_000;
/** A sample tells about how many there are from so many rows on: a tenth more or less. With fewer than `HARDLY_ANY` a list is short. */
const ENOUGH = 100;
const HARDLY_ANY = 4;
/** So many more of a sample are looked at than would probably do, since a few tell little. */
const SPARE = 3;

/** What follows ORDER BY. */
export function orderOf({ columns, direction }: Sort, isBackward = false): string {
  const way = isBackward === (direction === 'asc') ? 'desc' : 'asc';
  return columns.map((column) => `${column} ${way}`).join(', ');
}

/** What follows ORDER BY in a list that a search may have ranked. */
export const rankedOrderOf = ({ sort, rank }: Pick<Walked, 'sort' | 'rank'>): RawBuilder<unknown> =>
  rank ? sql`${rank.points} desc, ${sql.raw(orderOf(sort))}` : sql.raw(orderOf(sort));

/** All rows of a list, as a table: the fence keeps PostgreSQL from looking for few rows along a sort. With `most`, any so many of them. */
export function rowsOf({ table, where, rows }: Walked, most?: number): RawBuilder<unknown> {
  const limit = most === undefined ? sql`` : sql`limit ${most}`;
  return rows ?? sql`(select * from ${sql.table(table)} where ${where} ${limit} offset 0) as ${sql.table(table)}`;
}

/** Up to so many ids from the start of a list that is read as a whole. */
export async function sortFirst(db: Db, list: Walked, take: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(PLAN_ANEW)} select id from ${rowsOf(list)} order by ${rankedOrderOf(list)} limit ${take}`.execute(db);
  return rows.map(({ id }) => id);
}

/** A row near the start of a sort. */
interface Near {
  id: string;
  points: number;
}

interface Nearby {
  only: RawBuilder<SqlBool>;
  /** So many rows of the sort are looked at. */
  furthest: number;
  take: number;
}

/** The rows of a list among the first of its sort, with their points. */
async function readNear(db: Db, { table, where, plain = where, sort, rank }: Walked, { indexed }: Long, { only, furthest, take }: Nearby) {
  const order = sql.raw(orderOf(sort));
  const { rows } = await sql<Near>`
    ${sql.raw(PLAN_ANEW)} select id, ${rank?.points ?? sql`0`} as points
    from (select * from ${sql.table(table)} where ${indexed} order by ${order} limit ${furthest}) as ${sql.table(table)}
    where ${plain} and ${only} order by ${order} limit ${take}`.execute(db);
  return rows;
}

/**
 * The first ids of a list whose rows stand far from the start of its sort: a sample tells up to where there are probably more than enough of them, and that
 * part of the list is sorted as a whole. Undefined where there are not enough after all.
 */
async function walkUpTo(db: Db, list: Walked, { samples }: Long, need: number): Promise<string[] | undefined> {
  const { table, where, sort, upTo } = list;
  const [sample] = samples;
  if (!sample || !upTo) return undefined;
  const { rows } = await sql<{ value: number }>`
    ${sql.raw(PLAN_ANEW)} select ${sql.raw(sort.columns[0] ?? '')} as value
    from (select * from ${sql.table(table)} where ${where} and ${sample.rows} offset 0) as sample
    order by ${sql.raw(orderOf(sort))} limit ${Math.ceil(need * sample.share * 2) + SPARE}`.execute(db);
  // One in 256 is in the sample, so that the first of it nearly always has enough before it.
  for (const value of new Set([...rows.slice(0, 1), ...rows.slice(-1)].map((row) => row.value))) {
    const first = await sortFirst(db, { ...list, rows: upTo(value) }, need);
    if (first.length === need) return first;
  }
  return undefined;
}

/**
 * The first ids of a long list, in its order, without reading all of it; undefined where there is no quick way to them.
 *
 * Rows of the same points are in the order of the sort. So those among the first of the sort which have the most points that often enough
 * occur there are the list's, after the few that have more: an index finds these, wherever in the sort they are. With `isRough`, those near the
 * start of the sort are enough, the best of them first.
 */
export async function walk(db: Db, list: Walked, long: Long, need: number, { isRough = false } = {}): Promise<string[] | undefined> {
  const { rank } = list;
  const isBest = rank ? sql<SqlBool>`${rank.points} = ${rank.highest}` : sql<SqlBool>`true`;
  const best = await readNear(db, list, long, { only: isBest, furthest: rank || list.upTo ? NEAREST : FURTHEST, take: need });
  if (best.length >= need) return best.map(({ id }) => id);
  if (!rank) return walkUpTo(db, list, long, need);
  let near: Near[] = [];
  let least: number | undefined;
  for (const furthest of [SOME, FURTHEST]) {
    near = await readNear(db, list, long, { only: sql<SqlBool>`true`, furthest, take: NEAR });
    least = near.map(({ points }) => points).sort((a, b) => b - a)[need - 1];
    if (isRough && least !== undefined)
      return near
        .toSorted((one, other) => other.points - one.points)
        .slice(0, need)
        .map(({ id }) => id);
    // Where none of them has more, few have anywhere.
    if (near.every(({ points }) => least !== undefined && points <= least)) break;
  }
  const above = least === undefined ? undefined : rank.above(least);
  if (!above) return undefined;
  const first = await sortFirst(db, { ...list, where: above, rows: undefined }, need);
  const rest = near.filter(({ points }) => points === least).map(({ id }) => id);
  return [...first, ...rest].slice(0, need);
}

/**
 * About how many rows a long list has, by the smallest sample that has enough of them, in two digits: what is about so is not said more exactly
 * than it is known. 0 for a list that is not long. Where an index of its sort counts it, no table makes it longer.
 */
export async function estimate(db: Db, { table, where, isIndexed }: Walked & { isIndexed: boolean }, { samples }: Long): Promise<number> {
  for (const sample of samples) {
    const { rows } = await sql<{ count: number; size: number }>`${sql.raw(PLAN_ANEW)}
      select count(*) as count, (select reltuples from pg_class where oid = ${table}::regclass) as size
      from ${sql.table(table)} where ${where} and ${sample.rows}`.execute(db);
    const { count, size } = rows[0] ?? { count: 0, size: 0 };
    const about = Number((count / sample.share).toPrecision(2));
    const isLast = count < HARDLY_ANY || count >= ENOUGH || sample === samples.at(-1);
    if (isLast) return about > (size > LARGE && !isIndexed ? LONG_IN_LARGE : LONG) ? about : 0;
  }
  return 0;
}
