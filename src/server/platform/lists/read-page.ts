import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { pagesOf } from '#contract/platform/lists.ts';
import { CUSTOM_PLAN, type Db } from '#server/platform/database/connect.ts';

/** Columns to sort by, all in one direction. The last one is unique, so that each row is on exactly one page. */
export interface Sort {
  columns: readonly string[];
  direction: 'asc' | 'desc';
}

/** A paged list. */
export interface List {
  table: 'orders' | 'products' | 'reviews' | 'users';
  where: Expression<SqlBool>;
  sort: Sort;
  /** Whether an index has the order of this sort, so that a page of a long list can be read from it. */
  isIndexed: boolean;
  /** The number of rows, if it is known without counting. */
  total?: () => Promise<number>;
  /** A known place in the list's order, at most `skip` rows from its start, to begin at. */
  placeBefore?: (skip: number) => Promise<Place | undefined>;
  /** Where a long list ends. */
  cut?: Cut;
}

/** The end of a list that a search has made: it shows `most` rows and says that there are more. */
export interface Cut {
  most: number;
  /** The number of rows without the search. */
  all: () => Promise<number>;
  /** The list's condition in a form that no index serves, so that PostgreSQL reads along the sort. */
  plain: Expression<SqlBool>;
  /** The condition of the sorts' partial indexes. */
  indexed: Expression<SqlBool>;
}

/** The rows from some place in a list's order on, and the number of rows before it. */
export interface Place {
  rows: Expression<SqlBool>;
  before: number;
}

/** The longest list that is sorted as a whole; a page of a longer one is read from the index of its sort. */
const LONGEST_SORTED = 10_000;
/** Longer than any list, and within PostgreSQL's integers. */
const MOST_SKIPPED = 2_000_000_000;
/** Rows sampled to estimate whether a search finds very many. */
const SAMPLE = 1_000;
/** Scan this many times further than an even spread would need. */
const SPARE = 3;
/** Rows this near to an end of the list are read along its index rather than from a known place. */
const NEAR_END = 1_000;

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
  /** There are more rows than the total. */
  isCut?: boolean;
}

async function readIds(db: Db, list: List, part: Part): Promise<Ids> {
  if (list.cut) return readCut(db, list, list.cut, part);
  if (!list.isIndexed) return sortWhole(db, list, part);
  const total = list.total ? await list.total() : await count(db, list);
  if (part.skip >= total) return { total, ids: [] };
  return total > LONGEST_SORTED ? { total, ids: await seek(db, list, total, part) } : sortWhole(db, list, part);
}

/** A page of a list that ends after `most` rows. A list of far more rows is read along its sort, one of at most `most` is sorted as a whole. */
async function readCut(db: Db, list: List, cut: Cut, part: Part): Promise<Ids> {
  const { most } = cut;
  const [skip, take] = [part.skip, Math.min(part.take, most - part.skip)];
  const share = await shareOf(db, list, cut);
  if (share === 0) {
    const whole = await sortWhole(db, list, part, most + 1);
    if (whole.total <= most) return whole;
  }
  if (take <= 0) return { total: most, ids: [], isCut: true };
  const ids = share > 0 ? await readFromFirstRows(db, list, cut, { share, skip, take }) : await readAlong(db, list, { skip, take });
  return { total: most, ids, isCut: true };
}

/** The list's share of the table, estimated from a sample; 0 unless the list seems to have more than twice `most` rows. */
async function shareOf(db: Db, { table }: List, { most, all, plain }: Cut): Promise<number> {
  const total = await all();
  if (total <= 2 * most) return 0;
  const { rows } = await sql<{ found: number; sampled: number }>`
    ${sql.raw(CUSTOM_PLAN)} select count(*) filter (where ${plain}) as found, count(*) as sampled
    from ${sql.table(table)} tablesample system (${sql.lit((100 * SAMPLE) / total)}) repeatable (1)`.execute(db);
  const { found = 0, sampled = 0 } = rows[0] ?? {};
  const share = sampled > 0 ? found / sampled : 0;
  return share * total > 2 * most ? share : 0;
}

/**
 * A page of a list that has a large share of the table, found among the first rows of the sort. PostgreSQL does not know the share and would sort all
 * matches, as it may still do if the first rows hold too few.
 */
async function readFromFirstRows(
  db: Db,
  list: List,
  { plain, indexed }: Cut,
  { share, skip, take }: { share: number; skip: number; take: number },
): Promise<string[]> {
  const furthest = Math.ceil((SPARE * (skip + take)) / share) + LONGEST_SORTED;
  const [table, order] = [sql.table(list.table), sql.raw(orderOf(list.sort))];
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(CUSTOM_PLAN)} select id
    from (select * from ${table} where ${indexed} order by ${order} limit ${furthest}) as ${table}
    where ${plain} order by ${order} limit ${take} offset ${skip}`.execute(db);
  return rows.length === take ? rows.map(({ id }) => id) : readAlong(db, list, { skip, take });
}

async function count(db: Db, { table, where }: List): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    ${sql.raw(CUSTOM_PLAN)} select count(*) as total from ${sql.table(table)} where ${where}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** The rows of a list as a subquery, at most `most`. `offset 0` is an optimisation fence: else PostgreSQL would read along the sort for a few rows. */
function rowsOf({ table, where }: List, most?: number): RawBuilder<unknown> {
  const limit = most === undefined ? sql`` : sql`limit ${most}`;
  return sql`(select * from ${sql.table(table)} where ${where} ${limit} offset 0) as ${sql.table(table)}`;
}

/** A page of a list that is sorted as a whole. The sort is in a subquery, since one within `array_agg` would copy whole rows. */
async function sortWhole(db: Db, list: List, { skip, take }: Part, most?: number): Promise<Ids> {
  const { rows } = await sql<Ids>`
    ${sql.raw(CUSTOM_PLAN)} select count(*) as total, coalesce((array_agg(id))[${skip + 1}::int : ${skip + take}::int], '{}') as ids
    from (select id from ${rowsOf(list, most)} order by ${sql.raw(orderOf(list.sort))}) as sorted`.execute(db);
  return rows[0] ?? { total: 0, ids: [] };
}

/** Reads ids from the sort's index, starting at the nearest known place: an end of the list, or `placeBefore`. */
async function seek(db: Db, list: List, total: number, { skip, take }: Part): Promise<string[]> {
  const rowsAfter = Math.max(0, total - skip - take);
  const place = Math.min(skip, rowsAfter) > NEAR_END ? await list.placeBefore?.(skip) : undefined;
  if (place) return readAlong(db, list, { from: place.rows, skip: skip - place.before, take });
  if (skip <= rowsAfter) return readAlong(db, list, { skip, take });
  return (await readAlong(db, list, { isBackward: true, skip: rowsAfter, take: total - skip - rowsAfter })).reverse();
}

interface Stretch extends Part {
  /** The rows to start with; by default the list's first row, or its last if backward. */
  from?: Expression<SqlBool>;
  isBackward?: boolean;
}

async function readAlong(db: Db, list: List, { from, isBackward = false, skip, take }: Stretch): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(CUSTOM_PLAN)} select id from ${sql.table(list.table)} where ${list.where} ${from ? sql`and ${from}` : sql``}
    order by ${sql.raw(orderOf(list.sort, isBackward))} limit ${take} offset ${skip}`.execute(db);
  return rows.map(({ id }) => id);
}
