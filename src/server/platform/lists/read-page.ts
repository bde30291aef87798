import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { pagesOf } from '#contract/platform/lists.ts';
import { type Db, PLAN_ANEW } from '#server/platform/database/connect.ts';

/** Columns, all in one direction. The last one is unique, so that no row is on two pages or on none. */
export interface Sort {
  columns: readonly string[];
  direction: 'asc' | 'desc';
}

/** A list of which pages are read. */
export interface List {
  table: 'orders' | 'products' | 'reviews' | 'users';
  where: Expression<SqlBool>;
  sort: Sort;
  /** Whether an index of the table is in the order of this sort, so that a page of a long list can be read from it. */
  isIndexed: boolean;
  /** How many rows it has, where that is known without counting them. */
  total?: () => Promise<number>;
  /** A place in the list's order at which to begin instead of its start, where one is known, for a page after so many rows. */
  placeBefore?: (skip: number) => Promise<Place | undefined>;
  /** At most so many rows are counted: the list of more ends there, and says so. */
  cut?: Cut;
}

/** Where a list ends that a search has made. */
export interface Cut {
  most: number;
  /** How many rows there are without the search. */
  all: () => Promise<number>;
  /** The list's rows by a condition that no index serves, so that they are looked for along the sort. */
  plain: Expression<SqlBool>;
  /** The rows that the indexes of its sorts hold. */
  indexed: Expression<SqlBool>;
}

/** All rows from some place in a list's order on, and how many stand before it. */
export interface Place {
  rows: Expression<SqlBool>;
  before: number;
}

/** Up to so many rows are sorted as a whole; a page of a longer list is read from the index of its sort. */
const LONGEST_SORTED = 10_000;
/** No list is as long; PostgreSQL's integers end soon after. */
const MOST_SKIPPED = 2_000_000_000;
/** About so many rows tell whether a search finds very many. */
const SAMPLE = 1_000;
/** Scan this many times further than an even spread would need. */
const SPARE = 3;
/** So many rows from either end of a list are read along its index rather than from a known place. */
const NEAR_END = 1_000;

/** What follows ORDER BY. */
export function orderOf({ columns, direction }: Sort, isBackward = false): string {
  const way = isBackward === (direction === 'asc') ? 'desc' : 'asc';
  return columns.map((column) => `${column} ${way}`).join(', ');
}

/** One page of a list; `readRows` reads the rows of these ids, in any order. docs/lists-and-caches.md explains it. */
export async function readPage<Row extends { _id: string }>(
  db: Db,
  list: List,
  { pageNumber, pageSize }: { pageNumber: number; pageSize: number },
  readRows: (ids: string[]) => Promise<Row[]>,
): Promise<{ rows: Row[]; page: number; pages: number; total: number; isCut: boolean }> {
  const skip = Math.min((pageNumber - 1) * pageSize, MOST_SKIPPED);
  const { total, ids, isCut = false } = await readIds(db, list, { skip, take: pageSize });
  const byId = new Map((ids.length === 0 ? [] : await readRows(ids)).map((row) => [row._id, row]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), page: pageNumber, pages: pagesOf(total, pageSize), total, isCut };
}

interface Part {
  skip: number;
  take: number;
}

interface Ids {
  total: number;
  ids: string[];
  /** There are more than the total, which are not shown. */
  isCut?: boolean;
}

async function readIds(db: Db, list: List, part: Part): Promise<Ids> {
  if (list.cut) return readCut(db, list, list.cut, part);
  if (!list.isIndexed) return sortWhole(db, list, part);
  const total = list.total ? await list.total() : await count(db, list);
  if (part.skip >= total) return { total, ids: [] };
  return total > LONGEST_SORTED ? { total, ids: await seek(db, list, total, part) } : sortWhole(db, list, part);
}

/**
 * A page of a list that ends after so many rows. One that has far more is read along its sort; any other is counted up to there, and sorted as a whole where
 * it is no longer.
 */
async function readCut(db: Db, list: List, cut: Cut, part: Part): Promise<Ids> {
  const { most } = cut;
  const [skip, take] = [part.skip, Math.min(part.take, most - part.skip)];
  const share = await shareOf(db, list, cut);
  if (share === 0) {
    const whole = await sortWhole(db, list, part, most + 1);
    if (whole.total <= most) return whole;
  }
  if (take <= 0) return { total: most, ids: [], isCut: true };
  const ids = share > 0 ? await readAmong(db, list, cut, { share, skip, take }) : await readAlong(db, list, { skip, take });
  return { total: most, ids, isCut: true };
}

/** Which part of the table a list has, where some pages from all over it already show that it has far more rows than it may; 0 for any other. */
async function shareOf(db: Db, { table }: List, { most, all, plain }: Cut): Promise<number> {
  const total = await all();
  if (total <= 2 * most) return 0;
  const { rows } = await sql<{ count: number; of: number }>`
    ${sql.raw(PLAN_ANEW)} select count(*) filter (where ${plain}) as count, count(*) as of
    from ${sql.table(table)} tablesample system (${sql.lit((100 * SAMPLE) / total)}) repeatable (1)`.execute(db);
  const { count = 0, of = 0 } = rows[0] ?? {};
  return count * total > 2 * most * of ? count / of : 0;
}

/**
 * A page of a list that has many of the rows of its sort: they are looked for among the first so many of these, since PostgreSQL, which does not know
 * how many match, would rather sort all. Where they are not enough, it does.
 */
async function readAmong(
  db: Db,
  list: List,
  { plain, indexed }: Cut,
  { share, skip, take }: { share: number; skip: number; take: number },
): Promise<string[]> {
  const furthest = Math.ceil((SPARE * (skip + take)) / share) + LONGEST_SORTED;
  const [table, order] = [sql.table(list.table), sql.raw(orderOf(list.sort))];
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(PLAN_ANEW)} select id
    from (select * from ${table} where ${indexed} order by ${order} limit ${furthest}) as ${table}
    where ${plain} order by ${order} limit ${take} offset ${skip}`.execute(db);
  return rows.length === take ? rows.map(({ id }) => id) : readAlong(db, list, { skip, take });
}

async function count(db: Db, { table, where }: List): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    ${sql.raw(PLAN_ANEW)} select count(*) as total from ${sql.table(table)} where ${where}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** All rows of a list, as a table: the fence keeps PostgreSQL from looking for few rows along a sort. With `most`, any so many of them. */
function rowsOf({ table, where }: List, most?: number): RawBuilder<unknown> {
  const limit = most === undefined ? sql`` : sql`limit ${most}`;
  return sql`(select * from ${sql.table(table)} where ${where} ${limit} offset 0) as ${sql.table(table)}`;
}

/** A page of a list that is sorted as a whole. The sort is in a subquery, since one inside `array_agg` carries each row along. */
async function sortWhole(db: Db, list: List, { skip, take }: Part, most?: number): Promise<Ids> {
  const { rows } = await sql<Ids>`
    ${sql.raw(PLAN_ANEW)} select count(*) as total, coalesce((array_agg(id))[${skip + 1}::int : ${skip + take}::int], '{}') as ids
    from (select id from ${rowsOf(list, most)} order by ${sql.raw(orderOf(list.sort))}) as sorted`.execute(db);
  return rows[0] ?? { total: 0, ids: [] };
}

/** Reads ids from the index of the sort, from the nearest place that is known: either end of the list, or one that the list itself knows. */
async function seek(db: Db, list: List, total: number, { skip, take }: Part): Promise<string[]> {
  const after = Math.max(0, total - skip - take);
  const place = Math.min(skip, after) > NEAR_END ? await list.placeBefore?.(skip) : undefined;
  if (place) return readAlong(db, list, { from: place.rows, skip: skip - place.before, take });
  if (skip <= after) return readAlong(db, list, { skip, take });
  return (await readAlong(db, list, { isBackward: true, skip: after, take: total - skip - after })).reverse();
}

interface Stretch extends Part {
  /** The rows to start at the first of; without it, the list's first one, or its last one where it goes backward. */
  from?: Expression<SqlBool>;
  isBackward?: boolean;
}

async function readAlong(db: Db, list: List, { from, isBackward = false, skip, take }: Stretch): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(PLAN_ANEW)} select id from ${sql.table(list.table)} where ${list.where} ${from ? sql`and ${from}` : sql``}
    order by ${sql.raw(orderOf(list.sort, isBackward))} limit ${take} offset ${skip}`.execute(db);
  return rows.map(({ id }) => id);
}
