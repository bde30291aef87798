import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ListProductsQuery, ProductList } from '#contract/catalogue/catalogue.ts';
import type { Services } from '#server/context/services.ts';
import { type Db, PLAN_ANEW } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import type { Amount } from '#server/search/amounts.ts';
import type { Attempt } from '#server/search/attempts.ts';
import { amountsMatch } from '#server/search/match.ts';
import { readSearch } from '#server/search/search.service.ts';
import { conditionOf, type Filters, filtersInForce, filtersOf, NO_FILTERS, withoutFilter } from './filters.ts';
import { countUpTo, type Ids, MOST_LISTED, type Part, readIds } from './read-ids.ts';
import { RELEVANCE, sortOf } from './sort.ts';
import { askedBy } from './variant.ts';

export type Finder = Pick<Services, 'readDb' | 'vocabulary'>;

/** What a search looks for. */
export type Sought = Pick<Attempt, 'matches'> & Partial<Pick<Attempt, 'query' | 'amounts'>>;

/** The products that filters leave of what is sought. */
export const foundBy = (filters: Filters, { matches }: Sought): RawBuilder<SqlBool> => sql<SqlBool>`${conditionOf(filters)} and ${matches}`;

/** What a list says beside its products. */
type Notes = Pick<ProductList, 'suggestion' | 'isPartial' | 'leftOut' | 'nearestPrice' | 'chips' | 'plainSearch' | 'without'>;
const NO_NOTES: Notes = {
  suggestion: null,
  isPartial: false,
  leftOut: [],
  nearestPrice: null,
  chips: [],
  plainSearch: '',
  without: [],
};
const NOTHING: Ids = { ids: [], total: 0, isMore: false };

/** A part of a list's products, what it says beside them, and what filters and search ask of their variants. */
type Found = Ids & Notes & { asked: Filters };

/** A part of the products that a list's parameters ask for. */
export async function find(finder: Finder, query: ListProductsQuery, part: Part): Promise<Found> {
  const { readDb: db, vocabulary } = finder;
  const filters = filtersOf(query);
  if (query.search && !isId(query.search)) return findTyped(db, query, filters, part, await readSearch(db, query.search, vocabulary));
  const sought = { matches: query.search ? sql<SqlBool>`id = ${query.search}::uuid` : sql<SqlBool>`true` };
  const list = await readIds(db, { where: foundBy(filters, sought), isSearch: false, ...sortOf(query.sortBy, filters) }, part);
  const found = { ...list, ...NO_NOTES, asked: filters };
  if (list.total > 0) return found;
  return { ...found, without: await countWithout(db, filters, [sought], query.search !== undefined) };
}

/** The same of a search in words: all that it asks for, or the most of it that there is. */
async function findTyped(
  db: Db,
  { sortBy }: ListProductsQuery,
  filters: Filters,
  part: Part,
  { attempts, unread, corrected, chips, plain }: Awaited<ReturnType<typeof readSearch>>,
): Promise<Found> {
  const list = (attempt: Attempt) => {
    const where = foundBy(filters, attempt);
    return readIds(
      db,
      sortBy === 'bestmatch' ? bestOf(where, attempt) : { where, isSearch: true, ...sortOf(sortBy, askedBy(filters, attempt)) },
      part,
    );
  };
  const [whole, ...looser] = attempts;
  const listed = whole ? await list(whole) : NOTHING;
  const attempt = listed.total > 0 ? whole : await firstFound(db, filters, looser);
  if (!attempt) {
    // A correction is offered only where it finds something once the filters are taken off.
    const isElsewhere = corrected !== null && (await firstFound(db, NO_FILTERS, attempts.slice(0, 1))) !== undefined;
    const without = await countWithout(db, filters, attempts, true);
    const notes = { ...NO_NOTES, isPartial: unread.length > 0, leftOut: unread, chips, plainSearch: plain };
    return { ...NOTHING, ...notes, suggestion: isElsewhere ? corrected : null, without, asked: filters };
  }
  const { isPartial, without: leftOut, plain: plainSearch } = attempt;
  const nearestPrice = await readNearestPrice(db, foundBy(filters, attempt), attempt);
  const notes = { ...NO_NOTES, suggestion: corrected, isPartial, leftOut, nearestPrice, chips: attempt.chips, plainSearch };
  return { ...(listed.total > 0 ? listed : await list(attempt)), ...notes, asked: askedBy(filters, attempt) };
}

/** What a reading of a search finds, the best first. */
export const bestOf = (where: RawBuilder<SqlBool>, attempt: Attempt) => ({
  where,
  isSearch: true,
  sort: RELEVANCE,
  rank: attempt.rank?.(),
});

/** What a list looks for beside its filters: all products, that of an id, or the first of a search's readings that finds something. */
export async function soughtBy({ readDb: db, vocabulary }: Finder, search: string | undefined, filters: Filters): Promise<Sought> {
  if (!search) return { matches: sql<SqlBool>`true` };
  if (isId(search)) return { matches: sql<SqlBool>`id = ${search}::uuid` };
  const { attempts } = await readSearch(db, search, vocabulary);
  return (attempts.length === 1 ? attempts[0] : await firstFound(db, filters, attempts)) ?? { matches: sql<SqlBool>`false` };
}

/** The first of some attempts without words that finds anything. */
function firstPlain(filters: Filters, attempts: readonly Sought[]): RawBuilder<{ first: number | null }> {
  const cases = attempts.map(
    (attempt, index) => sql`when exists (select from products where ${foundBy(filters, attempt)}) then ${sql.lit(index)}`,
  );
  return sql`${sql.raw(PLAN_ANEW)} select case ${sql.join(cases, sql` `)} end as first`;
}

/** The same of attempts with words, looked for one after the other in a single loop: to plan each of them by itself costs far more than to find it. */
function firstByWords(filters: Filters, attempts: readonly Sought[]): RawBuilder<{ first: number | null }> {
  const kept = attempts.map(({ amounts = [] }) => amounts);
  const sets = [...new Map(kept.map((amounts) => [JSON.stringify(amounts), amounts])).values()];
  const setOf = (amounts: readonly Amount[]) => sets.findIndex((other) => JSON.stringify(other) === JSON.stringify(amounts));
  const within = sets.map((amounts, index) => sql`when ${sql.lit(index)} then ${amountsMatch(amounts)}`);
  const matches = sql<SqlBool>`search @@ tried.query and case tried.amounts ${sql.join(within, sql` `)} end`;
  return sql`${sql.raw(PLAN_ANEW)} select place::int - 1 as first
    from unnest(${attempts.map(({ query }) => query)}::tsquery[], ${kept.map(setOf)}::int[]) with ordinality as tried (query, amounts, place)
    cross join lateral (select from products where ${foundBy(filters, { matches })} limit 1) as found
    order by place limit 1`;
}

/** The fullest of a search's attempts that finds anything beside the filters, by one statement. */
export async function firstFound<T extends Sought>(db: Db, filters: Filters, attempts: readonly T[]): Promise<T | undefined> {
  if (attempts.length === 0) return undefined;
  const first = attempts.every(({ query }) => query !== undefined) ? firstByWords : firstPlain;
  const { rows } = await first(filters, attempts).execute(db);
  return attempts[rows[0]?.first ?? attempts.length];
}

/** Where a price is left out of a search: the nearest that it finds without. */
async function readNearestPrice(db: Db, where: RawBuilder<SqlBool>, { leftOutPrice }: Attempt): Promise<number | null> {
  if (!leftOutPrice) return null;
  const { min = null, max = null } = leftOutPrice;
  const { rows } = await sql<{ price: number }>`
    ${sql.raw(PLAN_ANEW)} select from_price as price from products where ${where}
    order by greatest(${min}::int - from_price, from_price - ${max}::int), from_price limit 1`.execute(db);
  return rows[0]?.price ?? null;
}

/** More filters than so many are not taken off one by one: each asks the database. */
const MOST_FILTERS = 6;

/**
 * Which filter to take off a list that has nothing, and how many products each would bring back, the most first. Of a search, `readings` are
 * what it may mean, the fullest first: as in the list itself, a filter counts by the first that finds something.
 */
async function countWithout(db: Db, filters: Filters, readings: readonly Sought[], isSearch: boolean): Promise<Notes['without']> {
  const counts: { filter: Notes['without'][number]['filter']; where: RawBuilder<SqlBool> }[] = [];
  for (const filter of filtersInForce(filters).slice(0, MOST_FILTERS)) {
    const others = withoutFilter(filters, filter);
    const sought = readings.length === 1 ? readings[0] : await firstFound(db, others, readings);
    if (sought) counts.push({ filter, where: foundBy(others, sought) });
  }
  if (isSearch && filtersInForce(filters).length > 0) counts.push({ filter: 'search', where: conditionOf(filters) });
  if (counts.length === 0) return [];
  const { rows } = await sql<{ totals: number[] }>`
    ${sql.raw(PLAN_ANEW)} select array[${sql.join(counts.map(({ where }) => countUpTo(MOST_LISTED + 1, where)))}]::int[] as totals`.execute(
    db,
  );
  return counts
    .map(({ filter }, index) => ({ filter, total: rows[0]?.totals[index] ?? 0 }))
    .filter(({ total }) => total > 0)
    .sort((one, other) => other.total - one.total)
    .map(({ filter, total }) => ({ filter, total: Math.min(total, MOST_LISTED), isMore: total > MOST_LISTED }));
}
