import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { CUSTOM_PLAN, type Db } from '#server/platform/database/connect.ts';
import { orderOf, type Sort } from '#server/platform/lists/read-page.ts';
import type { Ranking } from '#server/search/match.ts';

/** The most products of a list: nobody looks through more. */
export const MOST_LISTED = 1_000;
/** Of more products, this many are ranked for each one that is listed, to learn the points that a page reaches. */
const RANKED_EACH = 25;
/** A list that is likely long is looked for among this many products first. */
export const LIKELY = 3_000;
/** At most this many products are looked at along the sort. */
const FURTHEST = 10_000;

/** Products and their order. */
export interface Matches {
  where: RawBuilder<SqlBool>;
  /** Where a list that is likely long is looked for first, and what it has besides; `isStart`: these are the first of the sort, in its order. */
  likely?: { among: RawBuilder<unknown>; where: RawBuilder<unknown>; isStart?: boolean } | undefined;
  /** Whether words find them, so that no index of a sort helps. */
  isSearch: boolean;
  sort: Sort;
  /** The sort's first column if it is not one of the table. */
  computed?: Computed | undefined;
  /** Orders them by relevance first; the sort breaks ties. */
  rank?: Ranking | undefined;
}

/** A sort by a value that is computed for each product. */
export interface Computed {
  value: RawBuilder<unknown>;
  /** A condition, for an index, of all products that do not come after a value; `isNear` if few come before it. */
  upTo: (value: string, isNear: boolean) => RawBuilder<SqlBool>;
}

export interface Part {
  skip: number;
  take: number;
}

export interface Ids {
  ids: string[];
  /** At most `MOST_LISTED`. */
  total: number;
  /** Whether more products match than are listed. */
  isMore: boolean;
}

/**
 * Rows of products as a table `found`. Within WITH, PostgreSQL plans for all rows and reads only as many as it needs. A bare LIMIT would make it search the
 * whole of an index for a few rows.
 */
export const foundAs = (columns: RawBuilder<unknown>, where: RawBuilder<unknown>, among: RawBuilder<unknown> = sql`products`) =>
  sql`found as materialized (select ${columns} from ${among} as products where ${where})`;

/** The columns of `found`: those of the sort, and those that points are computed from. */
const columnsOf = ({ sort: { columns }, computed, rank }: Matches) => {
  const sorted = computed ? sql`${computed.value} as ${sql.raw(columns.join(', '))}` : sql.raw(columns.join(', '));
  return rank ? sql`${sorted}, search, set_parts` : sorted;
};

/**
 * Rows of `from` with their points as a table `ranked`. The text is unpacked once here (`ts_filter` with all weights), and not for each of its comparisons.
 * The limit keeps PostgreSQL from merging the two levels.
 */
function rankedAs({ sort, rank }: Matches, from: RawBuilder<unknown>, limit: RawBuilder<unknown>) {
  const columns = sql.raw(sort.columns.join(', '));
  if (!rank) return sql`ranked as materialized (select ${columns}, 0 as points from ${from} limit ${limit})`;
  return sql`ranked as materialized (select ${columns}, ${rank.points} as points
    from (select ${columns}, set_parts, ts_filter(search, '{a,b,c,d}') as search from ${from} limit ${limit}) as unpacked)`;
}

/** Part of a list of at most `MOST_LISTED` products. */
export async function readIds(db: Db, matches: Matches, { skip, take }: Part): Promise<Ids> {
  const part = { skip: Math.min(skip, MOST_LISTED), take: Math.max(0, Math.min(take, MOST_LISTED - skip)) };
  const first = matches.likely && (await readFew(db, matches, part, matches.likely));
  const isLikely = first !== undefined && first.count > MOST_LISTED;
  const few = isLikely ? first : await readFew(db, matches, part);
  const list = { total: Math.min(few.count, MOST_LISTED), isMore: few.count > MOST_LISTED };
  const isStart = isLikely && (matches.likely?.isStart ?? false);
  if (!list.isMore || part.take === 0 || (isStart && !matches.computed)) return { ...list, ids: few.ids };
  if (!matches.rank) return { ...list, ids: await readSorted(db, matches, part, few.last, isStart) };
  const ids = await readRanked(db, matches, matches.rank, part, few.points);
  return { ...list, ids: ids.length === part.take ? ids : await readRanked(db, matches, matches.rank, part, few.points, true) };
}

interface Few {
  /** At most one more than are sorted as a whole. */
  count: number;
  ids: string[];
  /** The last product's value of the sort's first column, and its points. */
  last: string;
  points: number;
}

/**
 * Counts products up to one more than are sorted as a whole, sorts them, and returns a part of them. If there are no more, it is the part of the whole list.
 * Of more, only some are ranked: they show how many points a page reaches at least.
 */
async function readFew(db: Db, matches: Matches, { skip, take }: Part, likely?: Matches['likely']): Promise<Few> {
  const { where, sort, rank } = matches;
  const first = sql.raw(sort.columns[0] ?? 'id');
  const ranked = rank
    ? sql`(select case when count > ${MOST_LISTED}::int then ${RANKED_EACH * (skip + take)}::int end from length)`
    : sql`all`;
  const { rows } = await sql<Few>`
    ${sql.raw(CUSTOM_PLAN)} with ${foundAs(columnsOf(matches), likely?.where ?? where, likely?.among)},
      few as materialized (select * from found limit ${MOST_LISTED + 1}),
      length as (select count(*) as count from few),
      ${rankedAs(matches, sql`few`, ranked)}
    select (select count from length) as count, coalesce((array_agg(id))[${skip + 1}::int : ${skip + take}::int], '{}') as ids,
      (array_agg(${first}))[${skip + take}::int]::text as last, (array_agg(points))[${skip + take}::int] as points
    from (select id, ${first}, points from ranked order by points desc, ${sql.raw(orderOf(sort))}) as sorted`.execute(db);
  return rows[0] ?? { count: 0, ids: [], last: '', points: 0 };
}

/** A part of a long list without ranks, in which nothing comes after `last`; `isNear` if not much is left out before it either. */
async function readSorted(db: Db, matches: Matches, { skip, take }: Part, last: string, isNear: boolean): Promise<string[]> {
  const { where, isSearch, sort, computed } = matches;
  const upTo = computed
    ? computed.upTo(last, isNear)
    : sql`${sql.raw(`${sort.columns[0]} ${sort.direction === 'asc' ? '<=' : '>='}`)} ${last}`;
  const within = sql<SqlBool>`${where} and ${upTo}`;
  const found = foundAs(columnsOf(matches), within);
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(CUSTOM_PLAN)} ${isSearch || computed ? sql`with ${found} select id from found` : sql`select id from products where ${within}`}
    order by ${sql.raw(orderOf(sort))} limit ${take} offset ${skip}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * A part of a long ranked list. As enough products have `least` points or more, the list is all products with more points, which an index finds, and then
 * those with `least` points along the sort, which is read until they fill the part. If `FURTHEST` products of the sort have too few of them, the part is short;
 * with `isWhole` all that is found is sorted instead, of which only the start is ranked.
 */
async function readRanked(db: Db, matches: Matches, { points, above }: Ranking, { skip, take }: Part, least: number, isWhole = false) {
  const { where, sort } = matches;
  const order = sql.raw(orderOf(sort));
  const more = foundAs(columnsOf(matches), sql<SqlBool>`${where} and ${above(least)}`);
  const all = isWhole ? sql`matching as materialized (select ${columnsOf(matches)} from products where ${where}),` : sql``;
  const along = isWhole
    ? sql`(select * from matching order by ${order}) as products where`
    : sql`(select * from products where deleted_at is null order by ${order} limit ${FURTHEST}) as products where ${where} and`;
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(CUSTOM_PLAN)} with ${all} ${more}, ${rankedAs(matches, sql`found`, sql`all`)}
    select id from (
      select * from ranked where points > ${sql.lit(least)}
      union all (select ${sql.raw(sort.columns.join(', '))}, ${sql.lit(least)} as points from ${along} ${points} = ${sql.lit(least)}
        order by ${order} limit ${skip + take})) as best
    order by points desc, ${order} limit ${take} offset ${skip}`.execute(db);
  return rows.map(({ id }) => id);
}

/** How many products there are of each condition, counted up to one more than `most`. */
export async function countEach(db: Db, conditions: readonly RawBuilder<SqlBool>[], most = MOST_LISTED): Promise<number[]> {
  const counts = conditions.map(
    (where) => sql`(with ${foundAs(sql`id`, where)} select count(*) from (select from found limit ${most + 1}) as counted)`,
  );
  const { rows } = await sql<{ counts: number[] }>`${sql.raw(CUSTOM_PLAN)} select array[${sql.join(counts)}]::int[] as counts`.execute(db);
  return rows[0]?.counts ?? [];
}
