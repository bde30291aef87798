import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { CUSTOM_PLAN, type Db } from '#server/platform/database/connect.ts';
import { orderOf, type Sort } from '#server/platform/lists/read-page.ts';
import type { Ranking } from '#server/search/match.ts';

/** The most products of a list: nobody looks through more. */
export const MOST_LISTED = 1_000;
/** The most products that are ranked and sorted as a whole. */
const FEW = 2_500;
/** Of more products, only the start of the sort is ranked: first `each` products for each one that is listed, then, if too few of them match, `most`. */
const NEAR = { each: 100, most: 10_000 };

/** Products and their order. */
export interface Matches {
  where: RawBuilder<SqlBool>;
  /** Whether words find them, so that no index of a sort helps. */
  isSearch: boolean;
  sort: Sort;
  /** The sort's first column if it is not one of the table. */
  computed?: RawBuilder<unknown> | undefined;
  /** Orders them by relevance first; the sort breaks ties. */
  rank?: Ranking | undefined;
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
const foundAs = (columns: RawBuilder<unknown>, where: RawBuilder<SqlBool>) =>
  sql`found as materialized (select ${columns} from products where ${where})`;

const columnsOf = ({ sort: { columns }, computed }: Matches) =>
  computed ? sql`${computed} as ${sql.raw(columns.join(', '))}` : sql.raw(columns.join(', '));

/** Part of a list of at most `MOST_LISTED` products. */
export async function readIds(db: Db, matches: Matches, { skip, take }: Part): Promise<Ids> {
  const part = { skip: Math.min(skip, MOST_LISTED), take: Math.max(0, Math.min(take, MOST_LISTED - skip)) };
  const { count, ids, last } = await readFew(db, matches, part);
  const list = { total: Math.min(count, MOST_LISTED), isMore: count > MOST_LISTED };
  if (count <= FEW || part.take === 0) return { ...list, ids };
  return { ...list, ids: await (matches.rank ? readRanked(db, matches, matches.rank, part) : readSorted(db, matches, part, last)) };
}

interface Few {
  /** At most `FEW + 1`. */
  count: number;
  ids: string[];
  /** The last product's value of the sort's first column. */
  last: string | null;
}

/** Sorts the first `FEW + 1` products that are found, and returns a part of them. If no more than `FEW` are found, it is the part of the whole list. */
async function readFew(db: Db, matches: Matches, { skip, take }: Part): Promise<Few> {
  const { where, sort, rank } = matches;
  const columns = sql`${columnsOf(matches)}, ${rank?.points ?? sql`0`} as points`;
  const first = sql.raw(sort.columns[0] ?? 'id');
  const { rows } = await sql<Few>`
    ${sql.raw(CUSTOM_PLAN)} with ${foundAs(columns, where)}
    select count(*) as count, coalesce((array_agg(id))[${skip + 1}::int : ${skip + take}::int], '{}') as ids, (array_agg(${first}))[${skip + take}::int]::text as last
    from (select id, ${first} from (select * from found limit ${FEW + 1}) as few order by points desc, ${sql.raw(orderOf(sort))}) as sorted`.execute(
    db,
  );
  return rows[0] ?? { count: 0, ids: [], last: null };
}

/** A part of a long list without ranks. Nothing in it comes after `last`, since the products that `readFew` has sorted already fill it up to there. */
async function readSorted(db: Db, matches: Matches, { skip, take }: Part, last: string | null): Promise<string[]> {
  const { where, isSearch, sort, computed } = matches;
  const first = computed ?? sql.raw(sort.columns[0] ?? 'id');
  const within = sql<SqlBool>`${where} and ${first} ${sql.raw(sort.direction === 'asc' ? '<=' : '>=')} ${last}`;
  const found = foundAs(columnsOf(matches), within);
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(CUSTOM_PLAN)} ${isSearch || computed ? sql`with ${found} select id from found` : sql`select id from products where ${within}`}
    order by ${sql.raw(orderOf(sort))} limit ${take} offset ${skip}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The matches among the first products of the sort. */
const startOfSort = ({ where, sort }: Matches, furthest: number) =>
  sql`(select * from products where deleted_at is null order by ${sql.raw(orderOf(sort))} limit ${furthest}) as products where ${where}`;

/**
 * A part of a long ranked list. If enough products at the start of the sort have `least` points or more, the list is all products with more points, which an
 * index finds, and then those at the start of the sort with `least` points.
 */
async function readRanked(db: Db, matches: Matches, { points, above }: Ranking, { skip, take }: Part): Promise<string[]> {
  const { where, sort } = matches;
  const order = sql.raw(orderOf(sort));
  const columns = sql`${sql.raw(sort.columns.join(', '))}, ${points} as points`;
  const least = await pointsReached(db, matches, points, skip + take);
  const withLeastPoints = (leastPoints: number) =>
    sql`union all (select ${columns} from ${startOfSort(matches, NEAR.most)} and ${points} = ${sql.lit(leastPoints)} order by ${order} limit ${skip + take})`;
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(CUSTOM_PLAN)} with ${foundAs(columns, least === undefined ? where : sql<SqlBool>`${where} and ${above(least)}`)}
    select id from (select * from found ${least === undefined ? sql`` : withLeastPoints(least)}) as best
    order by points desc, ${order} limit ${take} offset ${skip}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The highest points that `need` products near the start of the sort reach; undefined if fewer match there. */
async function pointsReached(db: Db, matches: Matches, points: RawBuilder<number>, need: number): Promise<number | undefined> {
  for (const furthest of new Set([Math.min(NEAR.each * need, NEAR.most), NEAR.most])) {
    const { rows } = await sql<{ points: number; count: number }>`
      ${sql.raw(CUSTOM_PLAN)} select ${points} as points, count(*) as count from ${startOfSort(matches, furthest)} group by 1 order by 1 desc`.execute(
      db,
    );
    let products = 0;
    for (const level of rows) {
      products += level.count;
      if (products >= need) return level.points;
    }
  }
  return undefined;
}

/** How many products there are, counted up to one more than are listed. */
export const countForList = (where: RawBuilder<SqlBool>): RawBuilder<number> =>
  sql<number>`(with ${foundAs(sql`id`, where)} select count(*) from (select from found limit ${MOST_LISTED + 1}) as counted)`;
