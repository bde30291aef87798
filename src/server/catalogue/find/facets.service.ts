import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Facets, ListProductsQuery } from '#contract/catalogue/catalogue.ts';
import { FILTERS, filtersOfKind, type ValueName } from '#contract/catalogue/filters.ts';
import { isUpholstery } from '#server/catalogue/attributes/materials.ts';
import { EVERY_SEATS, seatsOf } from '#server/catalogue/attributes/seats.ts';
import { cachedList } from '#server/catalogue/catalogue.service.ts';
import { CUSTOM_PLAN, type Db } from '#server/platform/database/connect.ts';
import type { Cached } from '#server/platform/http/route.ts';
import { type Filters, filtersInForce, filtersOf, isBySize, matchingSizes, NO_FILTERS, wantedSeats, withoutFilter } from './filters.ts';
import { type Finder, foundBy, readSought, type Sought } from './find.service.ts';
import { countEach } from './read-ids.ts';

/** The most products that are counted. Longer lists are estimated from a sample, since counting them takes longer than people wait. */
const MOST_COUNTED = 4_000;
/** The approximate size of the sample. */
const SAMPLE = 10_000;

/** A facet that has values to count. */
type FacetName = Exclude<keyof Facets, 'total' | 'isEstimate' | 'sizes'>;
type Row = { facet: FacetName; value: string; count: number };

interface Source {
  /** The column of `columnsOf` by which products are grouped. */
  column: string;
  /** The facet's values in a value of the column, whose type is the column's. */
  valuesOf: (columnValue: never) => string[];
  /** The filter that chooses among these values: it does not narrow their counts, since several values of one filter are alternatives. */
  filter?: keyof Filters;
}

/** The values in a column, by how it holds them (`FILTERS`). */
const VALUES: Record<'one' | 'several' | 'listed', Source['valuesOf']> = {
  one: (text: string) => [text],
  several: (texts: string[]) => texts,
  listed: (text: string) => text.split(', '),
};

const VALUE_SOURCES = Object.fromEntries(
  filtersOfKind('values').map((name) => [name, { column: FILTERS[name].shown, valuesOf: VALUES[FILTERS[name].holds], filter: name }]),
) as Record<ValueName, Source>;

const SOURCES: Record<FacetName, Source> = {
  ...VALUE_SOURCES,
  ratings: { column: 'ratings_reached', valuesOf: VALUES.several, filter: 'rating' },
  flags: { column: 'flags', valuesOf: VALUES.several },
};

const FACETS = Object.keys(SOURCES) as FacetName[];

/** Those of some values whose conditions a product meets. */
const valuesMet = (values: readonly (readonly [value: string, condition: RawBuilder<unknown>])[]) =>
  sql`array_remove(array[${sql.join(values.map(([value, condition]) => sql`case when ${condition} then ${sql.lit(value)} end`))}], null)`;

const RATINGS_REACHED = valuesMet(['4.5', '4', '3', '2'].map((rating) => [rating, sql.raw(`rating >= ${rating}::real`)]));

/** Whether filters pick sizes: by measurements, seats, price or stock. */
const picksSizes = (filters: Filters) => isBySize(filters) || filters.isInStock || filtersInForce(filters).includes('price');

/** The seats of a product's sizes that match the filters; empty for a size whose seats are not known. */
const matchingSeats = (filters: Filters) =>
  sql`case when seats = '{}' then array[''] else array(select distinct coalesce(d.seats, '') from ${matchingSizes(filters)} order by 1) end`;

/**
 * Beside filters that pick sizes, a subcategory may mean a number of seats, which the very size that matches must have. Both facets are then read from one
 * column: the subcategories, the seats of all sizes, and those of the sizes that match.
 */
const isBySeats = (filters: Filters) => picksSizes(filters) && filters.seats.length === 0;
type SeatsBySize = [subCategories: string, all: string[], matching: string[]];
const BY_SEATS: Partial<Record<FacetName, Source>> = {
  seats: { column: 'seats_by_size', valuesOf: ([, , matching]: SeatsBySize) => matching },
  subCategories: {
    column: 'seats_by_size',
    valuesOf: ([subCategories, all, matching]: SeatsBySize) =>
      subCategories.split(', ').filter((value) => {
        const seats = seatsOf(value);
        return seats === null || (all.includes(seats) ? matching.includes(seats) : matching.length > 0);
      }),
  },
};
const sourceOf = (facet: FacetName, filters: Filters): Source => (isBySeats(filters) && BY_SEATS[facet]) || SOURCES[facet];

/** The filters that are on or off, as a product meets them. */
const flagsMet = (filters: Filters) =>
  valuesMet(
    filtersOfKind('flag').map((name) => {
      const isOfSizes = name === 'isInStock' && isBySize(filters);
      const inMatchingSize = isOfSizes ? sql`and exists (select from ${matchingSizes({ ...filters, isInStock: true })})` : sql``;
      return [FILTERS[name].parameter, sql`${sql.raw(FILTERS[name].column)} ${inMatchingSize}`];
    }),
  );

/** A column that facets' values are read from. */
function selected(column: string, filters: Filters): RawBuilder<unknown> {
  if (column === 'seats_by_size') return sql`jsonb_build_array(sub_category, seats, ${matchingSeats(filters)}) as seats_by_size`;
  if (column === 'seats' && picksSizes(filters)) return sql`${matchingSeats(filters)} as seats`;
  if (column === 'ratings_reached') return sql`${RATINGS_REACHED} as ratings_reached`;
  return column === 'flags' ? sql`${flagsMet(filters)} as flags` : sql.raw(column);
}

/** Facets that are counted among the same products: those of the list without the facet's own filter. */
interface Group {
  facets: FacetName[];
  filters: Filters;
}

/** The first group has all facets that are counted with all filters; each of the others is counted alone. */
function groupsOf(filters: Filters): Group[] {
  const inForce = filtersInForce(filters);
  // A subcategory may itself mean a number of seats, which chosen seats override.
  const isAlone = (facet: FacetName) =>
    inForce.some((name) => name === SOURCES[facet].filter) || (facet === 'seats' && wantedSeats(filters).length > 0);
  const alone = FACETS.filter(isAlone).map((facet): Group => {
    if (facet === 'seats') return { facets: [facet], filters: { ...filters, seats: EVERY_SEATS } };
    const { filter } = SOURCES[facet];
    return { facets: [facet], filters: filter ? withoutFilter(filters, filter) : filters };
  });
  return [{ facets: FACETS.filter((facet) => !isAlone(facet)), filters }, ...alone];
}

/** The number of a group's products with the same value in a column. For all of its products the column and the value are null. */
type GroupCount = { groupIndex: number; columnName: string | null; columnValue: never; count: number };

/** Counts the products of a group by the columns of all its facets, those of a long list in a sample of `percent`, the same each time (`repeatable`). */
function countIn({ facets, filters }: Group, groupIndex: number, sought: Omit<Sought, 'filters'>, percent: number): RawBuilder<unknown> {
  const columns = [...new Set(facets.map((facet) => sourceOf(facet, filters).column))];
  const values = sql.join(columns.map((column) => selected(column, filters)));
  const cases = (value: (column: string) => string) =>
    sql.raw(columns.map((column) => `when grouping(${column}) = 0 then ${value(column)}`).join(' '));
  const sample = percent < 100 ? sql`tablesample system (${percent}) repeatable (1)` : sql``;
  return sql`(select ${sql.lit(groupIndex)}::int as group_index, case ${cases((column) => `'${column}'`)} end as column_name,
      case ${cases((column) => `to_jsonb(${column})`)} end as column_value, round(count(*) * 100 / ${percent}::float)::int as count
    from (select ${values} from products ${sample} where ${foundBy({ ...sought, filters })}) as counted
    group by grouping sets (${sql.raw(columns.map((column) => `(${column})`).join(', '))}, ()))`;
}

/** The number of products by value. Spellings that differ only in capitals count together, under the first of them in the alphabet. */
function rowsOf({ facets, filters }: Group, counts: readonly GroupCount[]): Row[] {
  return facets.flatMap((facet) => {
    const rows = new Map<string, Row>();
    const { column, valuesOf } = sourceOf(facet, filters);
    const ofFacet = counts.filter(({ columnName }) => columnName === column);
    const values = ofFacet.flatMap(({ columnValue, count }) => valuesOf(columnValue).map((value) => ({ value, count })));
    for (const { value, count } of values.filter((one) => one.value !== '').sort((one, other) => (one.value < other.value ? -1 : 1))) {
      const key = value.toLowerCase();
      rows.set(key, { facet, value: rows.get(key)?.value ?? value, count: (rows.get(key)?.count ?? 0) + count });
    }
    return [...rows.values()];
  });
}

/** The values of all facets with the numbers of products that each would leave. */
async function count(db: Db, { filters, ...sought }: Sought, percent: number) {
  const groups = groupsOf(filters);
  const conditions = groups.map((group) => foundBy({ ...sought, filters: group.filters }));
  const totals = await countEach(db, conditions, MOST_COUNTED);
  const isLong = (index: number) => (totals[index] ?? 0) > MOST_COUNTED;
  const queries = groups.map((group, index) => countIn(group, index, sought, isLong(index) ? percent : 100));
  const { rows } = await sql<GroupCount>`${sql.raw(CUSTOM_PLAN)} ${sql.join(queries, sql` union all `)}`.execute(db);
  const rowsIn = (index: number) => rows.filter(({ groupIndex }) => groupIndex === index);
  return {
    rows: groups.flatMap((group, index) => rowsOf(group, rowsIn(index))),
    total: rows.find(({ groupIndex, columnName }) => groupIndex === 0 && columnName === null)?.count ?? 0,
    isEstimate: percent < 100 && groups.some((_, index) => isLong(index)),
  };
}

/** The smallest and largest dimensions of the catalogue or of a list, in centimetres; null if none are known. */
async function readExtents(db: Db, list?: RawBuilder<SqlBool>): Promise<Facets['sizes']> {
  const sides = filtersOfKind('length');
  const ends = sides.flatMap((name) => ['min', 'max'].map((end) => sql.raw(`${end}(${FILTERS[name].column})`)));
  const ofList = list ? sql`where product_id in (select id from products where ${list})` : sql``;
  // Of the whole catalogue each end is one read of an index.
  const { rows } = await sql<{
    ends: (number | null)[];
  }>`select array[${sql.join(ends)}] as ends from product_dimensions ${ofList}`.execute(db);
  const extents = sides.map((name, index) => {
    const [min, max] = rows[0]?.ends.slice(2 * index) ?? [];
    return [name, min == null || max == null ? null : { min: Math.floor(min / 10), max: Math.ceil(max / 10) }];
  });
  return Object.fromEntries(extents) as Facets['sizes'];
}

/** How facets are cached: once for all pages and sorts of a list, and always with the stock, since one of their values is “in stock”. */
export const cachedFacets = (query: ListProductsQuery): Cached => ({
  key: cachedList({ ...query, sortBy: 'bestmatch', pageNumber: 1 }).key,
  dependsOn: ['products', 'stock'],
});

/** The values and the extents of the catalogue, which every list needs. */
async function readAll(db: Db) {
  // PostgreSQL's estimate, which is -1 before the first `analyze`.
  const { rows: tables } = await sql<{ products: number }>`
    select greatest(reltuples, 1) as products from pg_class where oid = 'products'::regclass`.execute(db);
  const percent = Math.min(100, (100 * SAMPLE) / (tables[0]?.products ?? 1));
  const { rows } = await count(db, { filters: NO_FILTERS }, percent);
  return { rows, percent, sizes: await readExtents(db) };
}

/**
 * The number of products that each value of each filter would leave, beside the other filters; 0 for values that leave none. Counts of long lists are
 * estimates from a sample of the catalogue, and marked as such.
 */
export async function readFacets(finder: Finder, query: ListProductsQuery): Promise<Facets> {
  const { readDb: db, facts } = finder;
  const all = await facts.getOrMake('facets', ['products'], () => readAll(db));
  const { sought, search } = await readSought(finder, query);
  const { rows, total, isEstimate } = sought ? await count(db, sought, all.percent) : { rows: [], total: 0, isEstimate: false };
  const filters = sought?.filters ?? filtersOf(query);
  // The dimensions of a long list would take too long to read, as its exact counts would.
  const isNothingFound = !sought || (search !== undefined && total === 0);
  const isWholeCatalogue = isEstimate || isNothingFound || (!query.search && filtersInForce(filters).length === 0);
  const withoutLengths = filtersOfKind('length').reduce<Filters>(withoutFilter, filters);
  const sizes = isWholeCatalogue ? all.sizes : await readExtents(db, foundBy({ ...sought, filters: withoutLengths }));
  const values = Object.fromEntries(FACETS.map((facet) => [facet, merged(facet, rows, all.rows, chosenOf(filters, SOURCES[facet]))]));
  return { total, isEstimate, sizes, ...(values as Pick<Facets, FacetName>) };
}

/** The most values of a facet beside the chosen ones: nobody reads thousands of brands. */
const MOST_VALUES = 100;

/** The chosen values of a facet, in lower case. */
const chosenOf = (filters: Filters, { filter }: Source): string[] =>
  [(filter && filters[filter]) ?? []].flat().map((value) => String(value).toLowerCase());

/** The order of values: the most frequent first, upholstery before other materials; seats only by their names. */
function rankOf(facet: FacetName, { value, count }: { value: string; count: number }): number {
  if (facet === 'seats') return 0;
  const isFirst = facet === 'materials' && count > 0 && isUpholstery(value);
  return isFirst ? -count - Number.MAX_SAFE_INTEGER / 2 : -count;
}

/** The values that a list has, and those of the catalogue with 0. */
function merged(facet: FacetName, found: Row[], all: Row[], chosen: readonly string[]): Facets[FacetName] {
  const counts = new Map<string, { value: string; count: number }>();
  for (const { value } of all.filter((row) => row.facet === facet)) counts.set(value.toLowerCase(), { value, count: 0 });
  for (const { value, count } of found.filter((row) => row.facet === facet)) counts.set(value.toLowerCase(), { value, count });
  return [...counts.values()]
    .sort((one, other) => rankOf(facet, one) - rankOf(facet, other) || one.value.localeCompare(other.value))
    .filter(({ value }, index) => index < MOST_VALUES || chosen.includes(value.toLowerCase()));
}
