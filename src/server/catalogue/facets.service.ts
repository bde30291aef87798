import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Facets, ListProductsQuery } from '#contract/catalogue/catalogue.ts';
import { FILTERS, filtersOfKind, type ValueName } from '#contract/catalogue/filters.ts';
import { type Db, PLAN_ANEW } from '#server/platform/database/connect.ts';
import type { Cached } from '#server/platform/http/route.ts';
import { isUpholstery } from './attributes/materials.ts';
import { EVERY_SEATS, seatsOf } from './attributes/seats.ts';
import { cachedList } from './catalogue.service.ts';
import { type Filters, filtersInForce, filtersOf, isBySize, NO_FILTERS, sizesLeft, wantedSeats, withoutFilter } from './filters.ts';
import { type Finder, foundBy, readSought, type Sought } from './find.service.ts';

/** The most products that are counted. The values of more are estimated from a sample: counting them takes longer than people wait. */
const MOST_COUNTED = 4_000;
/** The sample's products, roughly. */
const SAMPLE = 10_000;
const RATINGS = [4.5, 4, 3, 2];

/** The facets that have values to count. */
type Counted = Exclude<keyof Facets, 'total' | 'isEstimate' | 'sizes'>;
type Row = { facet: Counted; value: string; count: number };

interface Source {
  /** What products are counted by, in what is read of them (`columnsOf`). */
  by: string;
  /** The facet's values of products that have this in common. */
  valuesOf: (common: never) => string[];
  /** The filter that chooses among these values: it does not narrow their counts, since several values of one filter are alternatives. */
  own?: keyof Filters;
}

/** The values of a column that holds them in one of these ways; a piece that is of several kinds names them with commas. */
const VALUES: Record<'one' | 'several' | 'listed', Source['valuesOf']> = {
  one: (text: string) => [text],
  several: (texts: string[]) => texts,
  listed: (text: string) => text.split(', '),
};

const VALUE_SOURCES = Object.fromEntries(
  filtersOfKind('values').map((name) => [name, { by: FILTERS[name].shown, valuesOf: VALUES[FILTERS[name].holds], own: name }]),
) as Record<ValueName, Source>;

/** Filters that are on or off, each a bit of what a product has of them. */
const FLAGS = filtersOfKind('flag').map((name, place) => ({ name, bit: 2 ** place, ...FILTERS[name] }));

const SOURCES: Record<Counted, Source> = {
  ...VALUE_SOURCES,
  ratings: { by: 'ratings_reached', valuesOf: (reached: number) => RATINGS.slice(RATINGS.length - reached).map(String), own: 'rating' },
  flags: { by: 'flags', valuesOf: (flags: number) => FLAGS.filter(({ bit }) => flags & bit).map(({ parameter }) => parameter) },
};

const FACETS = Object.keys(SOURCES) as Counted[];
const RATINGS_REACHED = sql.raw(
  `case ${RATINGS.map((rating, index) => `when rating >= ${rating}::real then ${RATINGS.length - index}`).join(' ')} else 0 end`,
);

/** Whether filters ask something of one and the same size. */
const askOfSizes = (filters: Filters) => isBySize(filters) || filters.isInStock || filtersInForce(filters).includes('price');

/** The seats of the sizes that filters leave of a product. */
const seatsLeft = (filters: Filters) =>
  askOfSizes(filters)
    ? sql`case when seats = '{}' then seats else array(select distinct d.seats from ${sizesLeft(filters)} and d.seats is not null order by 1) end`
    : sql`seats`;

/** What the values of facets are read from. */
function columnsOf(filters: Filters): RawBuilder<unknown> {
  const values = filtersOfKind('values').map((name) =>
    name === 'seats' ? sql`${seatsLeft(filters)} as seats` : sql.raw(FILTERS[name].shown),
  );
  const flags = FLAGS.map(({ name, bit, column }) => {
    const isOfSizes = name === 'isInStock' && isBySize(filters);
    const left = isOfSizes ? sql` and exists (select from ${sizesLeft({ ...filters, isInStock: true })})` : sql``;
    return sql`${sql.lit(bit)} * (${sql.raw(column)}${left})::int`;
  });
  return sql`${sql.join(values)}, ${RATINGS_REACHED} as ratings_reached, ${sql.join(flags, sql` + `)} as flags`;
}

/** Facets that count among the same products: those that the filters leave but for the facet's own. */
interface Group {
  facets: Counted[];
  filters: Filters;
  /** Counts only some of the values. */
  counts?: (value: string) => boolean;
}

/** Subcategories, beside what is asked of a size: those that mean sizes with the same number of seats are counted together. */
function subCategoryGroups(filters: Filters, known: readonly Row[]): Group[] {
  const facets: Counted[] = ['subCategories'];
  const others = withoutFilter(filters, 'subCategories');
  if (others.seats.length > 0 || !askOfSizes(others)) return [{ facets, filters: others }];
  const values = known.filter(({ facet }) => facet === 'subCategories').map(({ value }) => value.toLowerCase());
  return [...new Set([null, ...values.map(seatsOf)])].map((seats) => {
    const counts = (value: string) => seatsOf(value) === seats;
    return { facets, filters: seats === null ? others : { ...others, subCategories: values.filter(counts) }, counts };
  });
}

/** Most facets have no filter of their own in force, and are counted together. */
function groupsOf(filters: Filters, known: readonly Row[]): Group[] {
  const inForce = filtersInForce(filters);
  // Of a product that costs less, a size with some seats may cost enough; a subcategory may mean others.
  const isOfSizes = (facet: Counted) => facet === 'seats' && (filters.price.min !== undefined || wantedSeats(filters).length > 0);
  const isOfNamed = (facet: Counted) => facet === 'subCategories' && askOfSizes(filters);
  const owned = FACETS.filter((facet) => isOfSizes(facet) || isOfNamed(facet) || inForce.some((name) => name === SOURCES[facet].own));
  const alone = owned.flatMap((facet): Group[] => {
    if (facet === 'subCategories') return subCategoryGroups(filters, known);
    if (isOfSizes(facet)) return [{ facets: [facet], filters: { ...filters, seats: EVERY_SEATS } }];
    return [{ facets: [facet], filters: withoutFilter(filters, SOURCES[facet].own ?? 'rating') }];
  });
  return [{ facets: FACETS.filter((facet) => !owned.includes(facet)), filters }, ...alone];
}

interface Counts {
  rows: Row[];
  /** How many products the filters leave. */
  total: number;
  isEstimate: boolean;
}

/** How many products have something of a group in common: `common` is null, and `facet` is, for all of them. */
type Placed = { place: number; facet: number | null; common: never; count: number; isEstimate: boolean };

/** What products of a group have in common, with how many have it: they are read once, and counted by all of its facets at the same time. */
function countedIn({ facets, filters }: Group, place: number, sought: Omit<Sought, 'filters'>, percent: number): RawBuilder<unknown> {
  const columns = facets.map((facet) => SOURCES[facet].by);
  const where = foundBy({ ...sought, filters });
  const read = columnsOf(filters);
  const cases = (value: (column: string, index: number) => string) =>
    sql.raw(columns.map((column, index) => `when grouping(${column}) = 0 then ${value(column, index)}`).join(' '));
  return sql`(with found as materialized (select ${read} from products where ${where}),
      few as materialized (select * from found limit ${MOST_COUNTED + 1}),
      size as materialized (select count(*) > ${MOST_COUNTED} as is_long from few),
      counted as (select * from few where not (select is_long from size)
        union all select ${read} from products tablesample system (${percent}) repeatable (1) where (select is_long from size) and ${where})
    select ${sql.lit(place)}::int as place, case ${cases((_, index) => String(index))} end as facet,
      case ${cases((column) => `to_jsonb(${column})`)} end as common,
      round(count(*) * (select case when is_long then 100 / ${percent}::float else 1 end from size))::int as count,
      (select is_long and ${percent}::float < 100 from size) as is_estimate
    from counted group by grouping sets (${sql.raw(columns.map((column) => `(${column})`).join(', '))}, ()))`;
}

/** How many products there are of each value in lower case: spellings that differ in their capitals count together, as the first of them. */
function rowsOf({ facets, counts = () => true }: Group, placed: readonly Placed[]): Row[] {
  return facets.flatMap((facet, index) => {
    const rows = new Map<string, Row>();
    const ofFacet = placed.filter((one) => one.facet === index);
    const values = ofFacet.flatMap(({ common, count }) =>
      SOURCES[facet]
        .valuesOf(common)
        .filter(counts)
        .map((value) => ({ value, count })),
    );
    for (const { value, count } of values.filter((one) => one.value !== '').sort((one, other) => (one.value < other.value ? -1 : 1))) {
      const key = value.toLowerCase();
      rows.set(key, { facet, value: rows.get(key)?.value ?? value, count: (rows.get(key)?.count ?? 0) + count });
    }
    return [...rows.values()];
  });
}

/** The values of all facets with how many products each would leave. */
async function count(db: Db, { filters, ...sought }: Sought, percent: number, known: readonly Row[] = []): Promise<Counts> {
  const groups = groupsOf(filters, known);
  const counted = groups.map((group, place) => countedIn(group, place, sought, percent));
  const { rows } = await sql<Placed>`${sql.raw(PLAN_ANEW)} ${sql.join(counted, sql` union all `)}`.execute(db);
  return {
    rows: groups.flatMap((group, index) =>
      rowsOf(
        group,
        rows.filter(({ place }) => place === index),
      ),
    ),
    total: rows.find(({ place, facet }) => place === 0 && facet === null)?.count ?? 0,
    isEstimate: rows.some(({ isEstimate }) => isEstimate),
  };
}

/** The smallest and largest dimensions of the catalogue or of a list, in centimetres; null where none is known. */
async function readExtents(db: Db, list?: RawBuilder<SqlBool>): Promise<Facets['sizes']> {
  // Two reads of an index for each side, or one of the sizes of a short list.
  const measured = list ? sql`(select * from of_list)` : sql`product_dimensions`;
  const ofList = list
    ? sql`with of_list as materialized (select * from product_dimensions where product_id in (select id from products where ${list}))`
    : sql``;
  const sides = filtersOfKind('length').map((name) => ({ name, column: sql.raw(FILTERS[name].column) }));
  const { rows } = await sql<{ extents: [number | null, number | null][] }>`${ofList} select array[${sql.join(
    sides.map(
      ({ column }) => sql`array[(select min(${column}) from ${measured} as sizes), (select max(${column}) from ${measured} as sizes)]`,
    ),
  )}] as extents`.execute(db);
  const extents = sides.map(({ name }, index) => {
    const [min, max] = rows[0]?.extents[index] ?? [];
    return [name, min == null || max == null ? null : { min: Math.floor(min / 10), max: Math.ceil(max / 10) }];
  });
  return Object.fromEntries(extents) as Facets['sizes'];
}

/** How facets are cached. Stock counts always, since they tell how many are in stock. */
export const cachedFacets = (query: ListProductsQuery): Cached => ({
  key: cachedList({ ...query, sortBy: 'bestmatch', pageNumber: 1 }).key,
  dependsOn: ['products', 'stock'],
});

/** The values that the catalogue has, and its extents: the same for every list, until it is edited. */
async function readAll(db: Db) {
  const { rows: tables } = await sql<{ products: number }>`
    select greatest(reltuples, 1) as products from pg_class where oid = 'products'::regclass`.execute(db);
  const percent = Math.min(100, (100 * SAMPLE) / (tables[0]?.products ?? 1));
  const { rows } = await count(db, { filters: NO_FILTERS }, percent);
  return { rows, percent, sizes: await readExtents(db) };
}

/**
 * How many products each value of each filter would leave, beside the other filters. Values that leave none are told with 0. Counts of long
 * lists are estimated from a sample of the catalogue, and said to be.
 */
export async function readFacets(finder: Finder, query: ListProductsQuery): Promise<Facets> {
  const { readDb: db, facts } = finder;
  const all = await facts.getOrMake('facets', ['products'], () => readAll(db));
  const { sought } = await readSought(finder, query);
  const { rows, total, isEstimate } = sought ? await count(db, sought, all.percent, all.rows) : { rows: [], total: 0, isEstimate: false };
  const filters = sought?.filters ?? filtersOf(query);
  const isAll = isEstimate || !sought || (!query.search && filtersInForce(filters).length === 0);
  const widest = filtersOfKind('length').reduce<Filters>(withoutFilter, filters);
  const sizes = isAll ? all.sizes : await readExtents(db, foundBy({ ...sought, filters: widest }));
  const values = Object.fromEntries(FACETS.map((facet) => [facet, merged(facet, rows, all.rows, chosenOf(filters, SOURCES[facet]))]));
  return { total, isEstimate, sizes, ...(values as Pick<Facets, Counted>) };
}

/** The most values of a facet, beside those that are chosen: nobody reads thousands of brands. */
const MOST_VALUES = 100;

/** The chosen values of a facet, in lower case. */
const chosenOf = (filters: Filters, { own }: Source): string[] =>
  [(own && filters[own]) ?? []].flat().map((value) => String(value).toLowerCase());

/** What people look for first: seats in their order, and what they sit on before what it stands on. */
const rankOf = (facet: Counted, { value, count }: { value: string; count: number }): number =>
  facet === 'seats' ? 0 : -count - (facet === 'materials' && count > 0 && isUpholstery(value) ? Number.MAX_SAFE_INTEGER / 2 : 0);

function merged(facet: Counted, found: Row[], all: Row[], chosen: readonly string[]): Facets[Counted] {
  const counts = new Map<string, { value: string; count: number }>();
  for (const { value } of all.filter((row) => row.facet === facet)) counts.set(value.toLowerCase(), { value, count: 0 });
  for (const { value, count } of found.filter((row) => row.facet === facet)) counts.set(value.toLowerCase(), { value, count });
  return [...counts.values()]
    .sort((one, other) => rankOf(facet, one) - rankOf(facet, other) || one.value.localeCompare(other.value))
    .filter(({ value }, index) => index < MOST_VALUES || chosen.includes(value.toLowerCase()));
}
