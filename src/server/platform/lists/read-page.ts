import { type Expression, type SqlBool, sql } from 'kysely';
import { pagesOf } from '#contract/platform/lists.ts';
import type { ListIndex, ListIndexCache } from '#server/platform/cache/list-index-cache.ts';
import { type Db, PLAN_ANEW } from '#server/platform/database/connect.ts';
import { estimate, type Long, orderOf, rankedOrderOf, rowsOf, type Walked, walk } from './walk.ts';

/** A list of which pages are read. */
export interface List extends Walked {
  table: 'orders' | 'products' | 'reviews' | 'users';
  /** Whether an index of the table is in the order of this sort, so that a page of a long list can be read from it. */
  isIndexed: boolean;
  /** Where this list's index stays between requests, and under which name. Without it, everything is read anew for each page. */
  cached?: { cache: ListIndexCache; name: string };
  /** How many rows it has, where that is known without counting them. */
  total?: () => Promise<number>;
  /** A place in the list's order at which to begin instead of its start, where one is known, for a page after so many rows. */
  placeBefore?: (skip: number) => Promise<Place | undefined>;
  /** At most so many rows are counted: the list of more ends there, and says so. */
  cut?: Cut;
  /** Where its first pages may be answered before it is counted. */
  long?: Long;
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
/** About so many rows tell whether a search finds very many. */
const SAMPLE = 1_000;
/** Scan this many times further than an even spread would need. */
const SPARE = 3;
/** From one cursor to the next, in rows. */
const STEP = 1_000;
/** Up to so many rows from its start, a long list is answered before it is counted. */
const NEAR = 240;
const KEY_BYTES = 16;
const NO_KEYS = Buffer.alloc(0);

/** One page of a list; `readRows` reads the rows of these ids, in any order. docs/lists-and-caches.md explains it with a drawing. */
export async function readPage<Row extends { _id: string }>(
  db: Db,
  list: List,
  { pageNumber, pageSize }: { pageNumber: number; pageSize: number },
  readRows: (ids: string[]) => Promise<Row[]>,
): Promise<{ rows: Row[]; page: number; pages: number; total: number; isEstimate: boolean; isCut: boolean }> {
  const skip = (pageNumber - 1) * pageSize;
  const {
    total,
    ids,
    isEstimate,
    isCut = false,
  } = (await readStart(db, list, skip, pageSize)) ?? (await readIds(db, list, skip, pageSize));
  const byId = new Map((ids.length === 0 ? [] : await readRows(ids)).map((row) => [row._id, row]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), page: pageNumber, pages: pagesOf(total, pageSize), total, isEstimate, isCut };
}

interface Ids {
  total: number;
  ids: string[];
  /** The total is about so. */
  isEstimate: boolean;
  /** There are more than the total, which are not shown. */
  isCut?: boolean;
}

/** What is kept of a list once it has been counted. */
const countedAs = (list: List) => (list.isIndexed ? 'total' : `sorted by ${orderOf(list.sort)}`);

/** A page near the start of a long list that has not been counted since the catalogue changed; undefined for any other. */
async function readStart(db: Db, list: List, skip: number, take: number): Promise<Ids | undefined> {
  const { long, cached } = list;
  if (!long || skip + take > NEAR || cached?.cache.get(`${cached.name} ${countedAs(list)}`)) return undefined;
  const { total } = await indexOf(list, 'about', async () => ({ total: await estimate(db, list, long), keys: NO_KEYS }));
  if (total === 0) return undefined;
  if (list.isIndexed) return { total, ids: await readAlong(db, list, { skip, take }), isEstimate: true };
  const start = await indexOf(list, `first ${skip + take} by ${orderOf(list.sort)}`, async () => {
    const ids = await walk(db, list, long, skip + take);
    return { total: ids ? total : 0, keys: ids ? keysOf(ids) : NO_KEYS };
  });
  return start.total === 0 ? undefined : { total, ids: idsIn(start.keys, skip, take), isEstimate: true };
}

async function readIds(db: Db, list: List, skip: number, take: number): Promise<Ids> {
  const isEstimate = false;
  if (list.cut) return readCut(db, list, list.cut, { skip, take });
  if (list.isIndexed) {
    const total = list.total ? await list.total() : (await indexOf(list, countedAs(list), () => count(db, list))).total;
    if (skip >= total) return { total, ids: [], isEstimate };
    if (total > LONGEST_SORTED) return { total, ids: await seek(db, list, total, skip, Math.min(take, total - skip)), isEstimate };
  }
  const { total, keys } = await indexOf(list, `sorted by ${orderOf(list.sort)}`, () => sortWhole(db, list));
  return { total, ids: idsIn(keys, skip, take), isEstimate };
}

/**
 * A page of a list whose rows are found by a search: as a whole, unless they are too many. Then they stand close together in the order of the
 * sort as well, and the page is read along it.
 */
async function readCut(db: Db, list: List, cut: Cut, { skip, take }: { skip: number; take: number }): Promise<Ids> {
  const { most } = cut;
  const share = await shareOf(db, list, cut);
  const { total, keys } = share > 0 ? { total: most + 1, keys: NO_KEYS } : await sortWhole(db, list, most + 1);
  if (total <= most) return { total, ids: idsIn(keys, skip, take), isEstimate: false };
  if (skip >= most) return { total: most, ids: [], isEstimate: false, isCut: true };
  const ids = share > 0 ? await readAmong(db, list, cut, { share, skip, take }) : await readAlong(db, list, { skip, take });
  return { total: most, ids, isEstimate: false, isCut: true };
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

const keysOf = (ids: readonly string[]): Buffer => Buffer.from(ids.join('').replaceAll('-', ''), 'hex');

function idsIn(keys: Buffer, from: number, count: number): string[] {
  const hex = keys.toString('hex', from * KEY_BYTES, (from + count) * KEY_BYTES);
  return (hex.match(/.{32}/g) ?? []).map((id) => id.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
}

const indexOf = ({ cached }: List, part: string, make: () => Promise<ListIndex>): Promise<ListIndex> =>
  cached ? cached.cache.getOrMake(`${cached.name} ${part}`, make) : make();

async function count(db: Db, { table, where }: List): Promise<ListIndex> {
  const { rows } = await sql<{
    total: number;
  }>`${sql.raw(PLAN_ANEW)} select count(*) as total from ${sql.table(table)} where ${where}`.execute(db);
  return { total: rows[0]?.total ?? 0, keys: NO_KEYS };
}

/**
 * The ids of the whole list. The sort is in a subquery, since one inside `string_agg` carries each row along. With `most`, any so many of its rows.
 */
async function sortWhole(db: Db, list: List, most?: number): Promise<ListIndex> {
  const { rows } = await sql<{ total: number; keys: Buffer | null }>`
    ${sql.raw(PLAN_ANEW)} select count(*) as total, string_agg(uuid_send(id), '') as keys
    from (select id from ${rowsOf(list, most)} order by ${rankedOrderOf(list)}) as sorted`.execute(db);
  return { total: rows[0]?.total ?? 0, keys: rows[0]?.keys ?? NO_KEYS };
}

/**
 * Keyset pagination: reads ids from the index of the sort, starting at the nearest place that is known, which is either end or, in a cached
 * list, the last cursor before the page, or the place that the list itself knows.
 */
async function seek(db: Db, list: List, total: number, skip: number, take: number): Promise<string[]> {
  const after = total - skip - take;
  if (Math.min(skip, after) > STEP && list.cached) {
    const { keys } = await indexOf(list, `cursors by ${orderOf(list.sort)}`, () => readCursors(db, list));
    const nth = Math.floor(skip / STEP);
    return readAlong(db, list, { from: fromCursor(list, idsIn(keys, nth, 1)[0]), skip: skip - nth * STEP, take });
  }
  const place = Math.min(skip, after) > STEP ? await list.placeBefore?.(skip) : undefined;
  if (place) return readAlong(db, list, { from: place.rows, skip: skip - place.before, take });
  if (skip <= after) return readAlong(db, list, { skip, take });
  return (await readAlong(db, list, { isBackward: true, skip: after, take })).reverse();
}

/** The id of the first row of each STEP. */
async function readCursors(db: Db, list: List): Promise<ListIndex> {
  const { rows } = await sql<{ keys: Buffer | null }>`
    ${sql.raw(PLAN_ANEW)} select string_agg(uuid_send(id), '') as keys
    from (select id, row_number() over (order by ${sql.raw(orderOf(list.sort))}) as place
      from ${sql.table(list.table)} where ${list.where}) as placed
    where place % ${sql.lit(STEP)} = 1`.execute(db);
  return { total: 0, keys: rows[0]?.keys ?? NO_KEYS };
}

/** The rows of a list from one on, that row included. */
function fromCursor({ table, sort: { columns, direction } }: List, cursor: string | undefined): Expression<SqlBool> {
  const row = sql.raw(columns.join(', '));
  return sql`(${row}) ${sql.raw(direction === 'asc' ? '>=' : '<=')} (select ${row} from ${sql.table(table)} where id = ${cursor}::uuid)`;
}

interface Stretch {
  /** The rows to start at the first of; without it, the list's first one, or its last one where it goes backward. */
  from?: Expression<SqlBool>;
  isBackward?: boolean;
  skip: number;
  take: number;
}

async function readAlong(db: Db, list: List, { from, isBackward = false, skip, take }: Stretch): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(PLAN_ANEW)} select id from ${sql.table(list.table)} where ${list.where} ${from ? sql`and ${from}` : sql``}
    order by ${sql.raw(orderOf(list.sort, isBackward))} limit ${take} offset ${skip}`.execute(db);
  return rows.map(({ id }) => id);
}
