import { type SqlBool, sql } from 'kysely';
import { pagesOf } from '#contract/base/lists.ts';
import type { ListIndex, ListIndexCache } from '#server/cache/list-index-cache.ts';
import { type Db, PLAN_ANEW } from '#server/db/connect.ts';
import { estimate, type Long, orderOf, rankedOrderOf, type Walked, walk } from './walk.ts';

/** A list of which pages are read. */
export interface List extends Walked {
  table: 'orders' | 'products' | 'reviews' | 'users';
  /** Whether an index of the table is in the order of this sort, so that a page of a long list can be read from it. */
  isIndexed: boolean;
  /** Where this list's index stays between requests, and under which name. Without it, everything is read anew for each page. */
  cached?: { cache: ListIndexCache; name: string };
  /** How many rows it has, where that is known without counting them. */
  total?: () => Promise<number>;
  /** Where its first pages may be answered before it is counted. */
  long?: Long;
}

/** Up to so many rows are sorted as a whole; a page of a longer list is read from the index of its sort. */
const LONGEST_SORTED = 10_000;
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
): Promise<{ rows: Row[]; page: number; pages: number; total: number; isEstimate: boolean }> {
  const skip = (pageNumber - 1) * pageSize;
  const { total, ids, isEstimate } = (await readStart(db, list, skip, pageSize)) ?? (await readIds(db, list, skip, pageSize));
  const byId = new Map((ids.length === 0 ? [] : await readRows(ids)).map((row) => [row._id, row]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), page: pageNumber, pages: pagesOf(total, pageSize), total, isEstimate };
}

/** The condition for the rows of some ids. */
export const isOneOf = (ids: string[]) => sql<SqlBool>`id = any(${ids}::uuid[])`;

interface Ids {
  total: number;
  ids: string[];
  /** The total is about so. */
  isEstimate: boolean;
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
  if (list.isIndexed) {
    const total = list.total ? await list.total() : (await indexOf(list, countedAs(list), () => count(db, list))).total;
    if (skip >= total) return { total, ids: [], isEstimate };
    if (total > LONGEST_SORTED) return { total, ids: await seek(db, list, total, skip, Math.min(take, total - skip)), isEstimate };
  }
  const { total, keys } = await indexOf(list, `sorted by ${orderOf(list.sort)}`, () => sortWhole(db, list));
  return { total, ids: idsIn(keys, skip, take), isEstimate };
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
 * The ids of the whole list. The sort is in a subquery, since one inside `string_agg` carries each row along; what it sorts is fenced, since
 * PostgreSQL would otherwise read a large table along the sort to find a tenth of it.
 */
async function sortWhole(db: Db, list: List): Promise<ListIndex> {
  const table = sql.table(list.table);
  const { rows } = await sql<{ total: number; keys: Buffer | null }>`
    ${sql.raw(PLAN_ANEW)} select count(*) as total, string_agg(uuid_send(id), '') as keys
    from (
      select id from (select * from ${table} where ${list.where} offset 0) as ${table} order by ${rankedOrderOf(list)}
    ) as sorted`.execute(db);
  return { total: rows[0]?.total ?? 0, keys: rows[0]?.keys ?? NO_KEYS };
}

/**
 * Keyset pagination: reads ids from the index of the sort, starting at the nearest place that is known, which is either end or, in a cached
 * list, the last cursor before the page.
 */
async function seek(db: Db, list: List, total: number, skip: number, take: number): Promise<string[]> {
  const after = total - skip - take;
  if (Math.min(skip, after) > STEP && list.cached) {
    const { keys } = await indexOf(list, `cursors by ${orderOf(list.sort)}`, () => readCursors(db, list));
    const nth = Math.floor(skip / STEP);
    return readAlong(db, list, { cursor: idsIn(keys, nth, 1)[0], skip: skip - nth * STEP, take });
  }
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

interface Stretch {
  /** The id of the row to start at; without it, the first one, or the last one where it goes backward. */
  cursor?: string | undefined;
  isBackward?: boolean;
  skip: number;
  take: number;
}

async function readAlong(db: Db, list: List, { cursor, isBackward = false, skip, take }: Stretch): Promise<string[]> {
  const table = sql.table(list.table);
  const { columns, direction } = list.sort;
  const row = sql.raw(columns.join(', '));
  const fromCursor = sql`and (${row}) ${sql.raw(direction === 'asc' ? '>=' : '<=')} (select ${row} from ${table} where id = ${cursor}::uuid)`;
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(PLAN_ANEW)} select id from ${table} where ${list.where} ${cursor ? fromCursor : sql``}
    order by ${sql.raw(orderOf(list.sort, isBackward))} limit ${take} offset ${skip}`.execute(db);
  return rows.map(({ id }) => id);
}
