import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type ListNotes, type ListProductsQuery, NO_NOTES } from '#contract/catalogue/catalogue.ts';
import { FILTER_NAMES, FILTERS, filtersOfKind, namesOf } from '#contract/catalogue/filters.ts';
import type { FiltersAndSort } from '#server/catalogue/variant.ts';
import type { Services } from '#server/context/services.ts';
import { CUSTOM_PLAN, type Db } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import type { Asks } from '#server/search/attempts.ts';
import { comparable } from '#server/search/folded.ts';
import { matching, rankingOf, type WordQuery } from '#server/search/match.ts';
import { type Reading, readSearch } from '#server/search/search.service.ts';
import { conditionOf, type Filters, filtersInForce, filtersOf, nearestPrice, withoutFilter } from './filters.ts';
import { countEach, foundAs, type Ids, LIKELY, type Matches, MOST_LISTED, type Part, readIds } from './read-ids.ts';
import { RELEVANCE, sortOf, startOf } from './sort.ts';

export type Finder = Pick<Services, 'readDb' | 'vocabulary' | 'facts'>;
type Attempt = Reading['attempts'][number];

/** What a list looks for: its filters with those of its search, and the words of the search. */
export interface Sought {
  filters: Filters;
  words?: WordQuery | undefined;
  id?: string | undefined;
}

/** The SQL condition of the products that are sought. */
export function foundBy({ filters, words, id }: Sought): RawBuilder<SqlBool> {
  const parts = [conditionOf(filters), ...(words ? [matching(words)] : [])];
  if (id !== undefined) parts.push(sql<SqlBool>`id = ${id}::uuid`);
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
}

/** The filters and the sort of a search that the list's own parameters do not override. */
function asksBeside(query: Partial<ListProductsQuery>, asks: Asks): Asks {
  const kept: Asks = {};
  const hasOwnSort = query.sortBy && query.sortBy !== 'bestmatch';
  if (asks.sortBy && !hasOwnSort) kept.sortBy = asks.sortBy;
  const given = filtersInForce(filtersOf(query));
  for (const filter of FILTER_NAMES) {
    if (given.includes(filter)) continue;
    for (const name of namesOf(filter)) if (asks[name.query]) kept[name.query] = asks[name.query];
  }
  return kept;
}

const soughtBy = (query: Partial<ListProductsQuery>, { asks, words }: Attempt): Sought => ({
  filters: filtersOf({ ...query, ...asksBeside(query, asks) }),
  words,
});

/** A list's search as it was read. */
interface SearchRead {
  reading: Reading;
  /** The first attempt that finds anything beside the list's own filters, or the only one. */
  attempt: Attempt | undefined;
}

/** Reads a list's search, cached so that its products and its facets read it once. */
function readListSearch({ readDb: db, vocabulary, facts }: Finder, query: ListProductsQuery): Promise<SearchRead> {
  const search = comparable(query.search ?? '');
  return facts.getOrMakeByInput(JSON.stringify([search, filtersOf(query)]), ['products', 'stock'], async () => {
    const reading = await readSearch(db, search, vocabulary);
    const [only, ...others] = reading.attempts;
    return { reading, attempt: others.length === 0 ? only : await firstFound(db, query, reading.attempts) };
  });
}

/** What a list looks for: all products, that of an id, or the meaning of its search; undefined if that finds nothing. */
export async function readSought(finder: Finder, query: ListProductsQuery): Promise<{ sought: Sought | undefined; search?: SearchRead }> {
  const filters = filtersOf(query);
  if (!query.search) return { sought: { filters } };
  // In the form of the cache's key, so that spellings with one key have one answer.
  const id = comparable(query.search);
  if (isId(id)) return { sought: { filters, id } };
  const search = await readListSearch(finder, query);
  return { sought: search.attempt && soughtBy(query, search.attempt), search };
}

/** A part of a list's products, its notes, and the filters and sort that choose their variants. */
type Found = Ids & ListNotes & { asked: FiltersAndSort };

/** A part of the products that a list's parameters ask for. */
export async function find(finder: Finder, query: ListProductsQuery, part: Part): Promise<Found> {
  const { readDb: db } = finder;
  const { sought, search } = await readSought(finder, query);
  const attempt = search?.attempt;
  // If nothing is found, the filters of the whole search are shown, so that visitors can remove them.
  const shownAttempt = attempt ?? search?.reading.attempts[0];
  const asks = shownAttempt ? asksBeside(query, shownAttempt.asks) : {};
  const sortBy = (asks.sortBy ?? query.sortBy) as ListProductsQuery['sortBy'];
  const list = sought ? await readIds(db, matchesOf(sought, sortBy, attempt), part) : { ids: [], total: 0, isMore: false };
  const without = list.total > 0 ? [] : await countWithout(db, query, search?.reading.attempts);
  const filters = sought?.filters ?? filtersOf(query);
  // With the typed names of colours: a variant in one of them is shown before others of its family.
  const asked = { ...filters, colours: [...filters.colours, ...(attempt?.colours ?? [])], sortBy };
  if (!search) return { ...list, ...NO_NOTES, without, asked };
  const { reading } = search;
  const notes: ListNotes = {
    ...NO_NOTES,
    suggestion: reading.corrected,
    isPartial: reading.unread.length > 0,
    leftOut: reading.unread,
    notSold: reading.notSold,
    nearest: reading.nearest,
    help: reading.pages,
    without,
    asks: spelledLikeFilters(asks, filtersOf({ ...query, ...asks })),
    plainSearch: shownAttempt?.plain ?? '',
  };
  if (!sought || !attempt || list.total === 0) {
    // A correction is suggested only if it finds something without the list's filters.
    const isOfUse = reading.corrected !== null && (await firstFound(db, {}, reading.attempts.slice(0, 1)));
    return { ...list, ...notes, suggestion: isOfUse ? reading.corrected : null, asked };
  }
  const { isPartial, leftOutTexts: leftOut, isNothingReduced } = attempt;
  return { ...list, ...notes, asked, isPartial, leftOut, isNothingReduced, nearestPrice: await readNearestPrice(db, sought, attempt) };
}

/** Spells requested values like the filters. */
function spelledLikeFilters(asks: Asks, filters: Filters): Asks {
  const spelled = { ...asks };
  for (const name of filtersOfKind('values')) {
    const { query } = FILTERS[name];
    if (spelled[query]) spelled[query] = filters[name].join('_');
  }
  return spelled;
}

/**
 * Where a list that is likely long is looked for first: at the start of its sort if no value but a category narrows it, since the indexes of ranges take long
 * to combine, or else, if lengths narrow it, among products that match otherwise, since the lengths of all sizes take long to read.
 */
function likelyIn(sought: Sought, sortBy: ListProductsQuery['sortBy'], isSearch: boolean): Matches['likely'] {
  const { filters } = sought;
  const inForce = filtersInForce(filters);
  const isBroad = inForce.every((name) => name === 'categories' || FILTERS[name].kind !== 'values') && filters.categories.length < 2;
  if (isBroad && !isSearch) return startOf(sortBy, filters);
  const others = filtersOfKind('length', 'most').reduce<Filters>(withoutFilter, filters);
  if (filtersInForce(others).length === inForce.length) return undefined;
  const among = sql`(with ${foundAs(sql`*`, foundBy({ ...sought, filters: others }))} select * from found limit ${LIKELY})`;
  return { among, where: conditionOf(filters) };
}

/** The products that are sought, in their order: those of a search by how well they match. */
function matchesOf(sought: Sought, sortBy: ListProductsQuery['sortBy'], attempt: Attempt | undefined): Matches {
  const isByRelevance = sortBy === 'bestmatch' && attempt !== undefined;
  const rank = isByRelevance && attempt.ranked.length > 0 ? rankingOf(attempt.ranked) : undefined;
  return {
    where: foundBy(sought),
    likely: likelyIn(sought, sortBy, attempt !== undefined || sought.id !== undefined),
    isSearch: attempt?.words !== undefined,
    ...(isByRelevance ? { sort: RELEVANCE } : sortOf(sortBy, sought.filters)),
    rank,
  };
}

/** Attempts per statement. Each is planned by itself, so that PostgreSQL starts from its rarest words or filters. */
const TRIED_AT_ONCE = 8;

/** How many products are looked at before the indexes are: among them is one of most attempts that find many, for which an index takes long. */
const GLANCE = 500;

/** The first attempt that finds anything beside a list's own filters. */
export async function firstFound(db: Db, query: Partial<ListProductsQuery>, attempts: readonly Attempt[]): Promise<Attempt | undefined> {
  const conditions = attempts.map((attempt) => foundBy(soughtBy(query, attempt)));
  const glance = sql`when exists (select from (select * from products limit ${GLANCE}) as products where ${conditions[0]}) then 0`;
  for (let from = 0; from < attempts.length; from += TRIED_AT_ONCE) {
    const cases = conditions
      .slice(from, from + TRIED_AT_ONCE)
      .map((where, place) => sql`when exists (with ${foundAs(sql`id`, where)} select from found) then ${sql.lit(from + place)}`);
    const { rows } = await sql<{ place: number | null }>`
      ${sql.raw(CUSTOM_PLAN)} select case ${from === 0 ? glance : sql``} ${sql.join(cases, sql` `)} end as place`.execute(db);
    const found = rows[0]?.place;
    if (found != null) return attempts[found];
  }
  return undefined;
}

/** If a search leaves out its price: the nearest price that it finds. */
async function readNearestPrice(db: Db, sought: Sought, { price }: Attempt): Promise<number | null> {
  if (!price) return null;
  const { rows } = await sql<{ price: number }>`
    ${sql.raw(CUSTOM_PLAN)} ${nearestPrice(foundBy(sought), sought.filters, filtersOf(price).price)}`.execute(db);
  return rows[0]?.price ?? null;
}

/** The most filters of an empty list that are tried without, since each needs a query. */
const MOST_FILTERS = 6;

/**
 * For an empty list: how many products it would have without each filter, the most first. With a search these are the products of the first attempt that
 * finds any, of as many as one statement tries.
 */
async function countWithout(db: Db, query: ListProductsQuery, attempts: readonly Attempt[] | undefined): Promise<ListNotes['without']> {
  const lists: { filter: ListNotes['without'][number]['filter']; where: RawBuilder<SqlBool> }[] = [];
  const [filters, id] = [filtersOf(query), query.search ? comparable(query.search) : undefined];
  for (const filter of filtersInForce(filters).slice(0, MOST_FILTERS)) {
    const others = { ...query, ...Object.fromEntries(namesOf(filter).map((name) => [name.query, undefined])) };
    const attempt = attempts && (await firstFound(db, others, attempts.slice(0, TRIED_AT_ONCE)));
    const sought = attempts ? attempt && soughtBy(others, attempt) : { filters: withoutFilter(filters, filter), id };
    if (sought) lists.push({ filter, where: foundBy(sought) });
  }
  if (query.search && filtersInForce(filters).length > 0) lists.push({ filter: 'search', where: conditionOf(filters) });
  if (lists.length === 0) return [];
  const conditions = lists.map(({ where }) => where);
  const totals = await countEach(db, conditions);
  return lists
    .map(({ filter }, index) => ({ filter, total: totals[index] ?? 0 }))
    .filter(({ total }) => total > 0)
    .sort((one, other) => other.total - one.total)
    .map(({ filter, total }) => ({ filter, total: Math.min(total, MOST_LISTED), isMore: total > MOST_LISTED }));
}
