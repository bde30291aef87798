import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ListIndex, ListIndexCache } from '#server/cache/list-index-cache.ts';
import { type Db, PLAN_ANEW } from '#server/db/connect.ts';
import { conditionOf, type Filters } from './filters.ts';
import type { Sort } from './sort.ts';

/** A list in its order, of which a page is wanted. */
export interface Listing {
  filters: Filters;
  /** The sort's name. */
  sortBy: string;
  order: Sort;
  /** A text search: its words as they count, what must match, and how well it does. */
  search?: { text: string; matches: RawBuilder<SqlBool>; rank: RawBuilder<unknown> | undefined };
}

/** A list of at most so many products is sorted once and kept whole; a longer one is read along an index. */
const FEW = 5_000;
/** How many rows of an index are passed over at most, from either end or from a mark. */
const STEP = 1_000;
const KEY_BYTES = 16;

/** The keys of one page's products in order, and how many the whole list has. `skip` and `take` count products. */
export async function readPositions(
  db: Db,
  listIndexes: ListIndexCache,
  listing: Listing,
  skip: number,
  take: number,
): Promise<{ total: number; ids: string[] }> {
  const { filters, search, sortBy } = listing;
  const name = JSON.stringify([filters, search?.text, filters.isInStock ? 'in stock' : '']);
  const isAlongIndex = !search && filters.categories.length <= 1 && filters.brands.length === 0 && filters.subCategories.length === 0;
  if (isAlongIndex) {
    const { total } = await listIndexes.read(`${name} total`, () => count(db, filters));
    if (skip >= total) return { total, ids: [] };
    if (total > FEW) return { total, ids: await walk(db, listIndexes, listing, name, { total, skip, take: Math.min(take, total - skip) }) };
  }
  const { total, keys } = await listIndexes.read(`${name} ${sortBy}`, () => sortAll(db, listing));
  return { total, ids: idsIn(keys.subarray(skip * KEY_BYTES, (skip + take) * KEY_BYTES)) };
}

function idsIn(keys: Buffer): string[] {
  const ids: string[] = [];
  for (let at = 0; at < keys.length; at += KEY_BYTES) {
    const hex = keys.toString('hex', at, at + KEY_BYTES);
    ids.push(`${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`);
  }
  return ids;
}

const NONE = Buffer.alloc(0);

async function count(db: Db, filters: Filters): Promise<ListIndex> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from products where ${conditionOf(filters)}`.execute(db);
  return { total: rows[0]?.total ?? 0, keys: NONE };
}

/** Every key of the list in its order. Without a sort of its own, a search is ordered by how well it matches. */
async function sortAll(db: Db, { filters, search, order }: Listing): Promise<ListIndex> {
  const where = search ? sql<SqlBool>`${conditionOf(filters)} and ${search.matches}` : conditionOf(filters);
  const sorted = search?.rank ? sql`${search.rank} desc, ${order.forward}` : order.forward;
  const { rows } = await sql<{ total: number; keys: Buffer | null }>`
    select count(*) as total, string_agg(uuid_send(id), '') as keys
    from (select id from products where ${where} order by ${sorted}) as sorted`.execute(db);
  return { total: rows[0]?.total ?? 0, keys: rows[0]?.keys ?? NONE };
}

/** Reads a page's keys along the index of its order: from the nearer end, or, deep inside a long list, from the mark before it. */
async function walk(
  db: Db,
  listIndexes: ListIndexCache,
  { filters, order, sortBy }: Listing,
  name: string,
  { total, skip, take }: { total: number; skip: number; take: number },
): Promise<string[]> {
  const where = conditionOf(filters);
  if (skip <= STEP) return idsAlong(db, where, order.forward, skip, take);
  const behind = total - skip - take;
  if (behind <= STEP) return (await idsAlong(db, where, order.backward, behind, take)).reverse();
  const { keys } = await listIndexes.read(`${name} ${sortBy} marks`, () => mark(db, where, order));
  const at = Math.floor(skip / STEP);
  const [from] = idsIn(keys.subarray(at * KEY_BYTES, (at + 1) * KEY_BYTES));
  const onwards = sql<SqlBool>`${where} and (${order.row}) ${order.from} (select ${order.row} from products where id = ${from}::uuid)`;
  return idsAlong(db, onwards, order.forward, skip - at * STEP, take);
}

async function idsAlong(db: Db, where: RawBuilder<SqlBool>, along: RawBuilder<unknown>, skip: number, take: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(PLAN_ANEW)} select id from products where ${where} order by ${along} limit ${take} ${skip > 0 ? sql`offset ${skip}` : sql``}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** The key of the first product of each STEP. */
async function mark(db: Db, where: RawBuilder<SqlBool>, order: Sort): Promise<ListIndex> {
  const { rows } = await sql<{ keys: Buffer | null }>`
    select string_agg(uuid_send(id), '') as keys
    from (select id, row_number() over (order by ${order.forward}) as place from products where ${where}) as placed
    where place % ${sql.lit(STEP)} = 1`.execute(db);
  return { total: 0, keys: rows[0]?.keys ?? NONE };
}
