import { type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  FILTER_NAMES,
  FILTERS,
  type FilterName,
  type FilterQuery,
  filtersOfKind,
  namesOf as queryNamesOf,
  type ValueName,
} from '#contract/catalogue/filters.ts';
import { isYes, poundsOf, ratingOf } from '#contract/catalogue/list-parameters.ts';
import { namesIn } from '#contract/platform/lists.ts';
import { materialNamed } from '#server/catalogue/attributes/materials.ts';

/** Inclusive bounds; undefined for no bound. */
export interface Range {
  min: number | undefined;
  max: number | undefined;
}

/** A filter's normalised value by kind: values in lower case, sorted and unique; prices in pence, lengths in millimetres. */
interface Counted {
  values: string[];
  flag: boolean;
  least: number | undefined;
  price: Range;
  length: Range;
  most: Range;
}

/** A list's normalised filters, equal for queries with the same effect. */
export type Filters = { [N in FilterName]: Counted[(typeof FILTERS)[N]['kind']] };

/** A number times `factor`, rounded so that the bound stays inclusive. */
function unitsOf(text: string | undefined, factor: number, round: (value: number) => number): number | undefined {
  const number = poundsOf(text);
  return number === undefined ? undefined : Math.max(-1, Math.min(2_000_000_000, round(Number((number * factor).toFixed(4)))));
}

const rangeOf = (min: string | undefined, max: string | undefined, factor: number): Range => ({
  min: unitsOf(min, factor, Math.ceil),
  max: unitsOf(max, factor, Math.floor),
});

/** Other spellings of the values of some filters. */
const SPELLED: { [N in FilterName]?: (value: string) => string } = {
  colours: (colour) => colour.replaceAll('gray', 'grey'),
  materials: materialNamed,
};

function valuesOf(name: FilterName, joined: string | undefined): string[] {
  const values = namesIn([joined ?? '']).map((value) => value.toLowerCase());
  return [...new Set(values.map((value) => SPELLED[name]?.(value) ?? value))].sort();
}

/** Reads the filters of a list's parameters (clarifications on lists). */
export function filtersOf(query: Partial<Record<FilterQuery, string | undefined>>): Filters {
  const read = (name: FilterName): Filters[FilterName] => {
    const { kind } = FILTERS[name];
    const [first, last] = queryNamesOf(name).map(({ query: one }) => query[one]);
    if (kind === 'values') return valuesOf(name, first);
    if (kind === 'flag') return isYes(first);
    if (kind === 'most') return rangeOf(undefined, first, 10);
    return kind === 'least' ? ratingOf(first) : rangeOf(first, last, kind === 'price' ? 100 : 10);
  };
  return Object.fromEntries(FILTER_NAMES.map((name) => [name, read(name)])) as Filters;
}

export const NO_FILTERS: Filters = filtersOf({});

/** The filters that narrow a list. */
export const filtersInForce = (filters: Filters): (keyof Filters)[] =>
  (Object.keys(NO_FILTERS) as (keyof Filters)[]).filter((name) => JSON.stringify(filters[name]) !== JSON.stringify(NO_FILTERS[name]));

/** The filters without one of them. */
export const withoutFilter = (filters: Filters, name: keyof Filters): Filters => ({ ...filters, [name]: NO_FILTERS[name] });

function within(column: RawBuilder<unknown>, { min, max }: Range): RawBuilder<SqlBool>[] {
  const parts: RawBuilder<SqlBool>[] = [];
  // A length may exceed its column's range.
  if (min !== undefined) parts.push(sql<SqlBool>`${column} >= ${min}::int`);
  if (max !== undefined) parts.push(sql<SqlBool>`${column} <= ${max}::int`);
  return parts;
}

/** Any of some values, in a column that holds one or several. */
function amongValues(name: ValueName, values: string[]): RawBuilder<SqlBool>[] {
  const { holds, column: text } = FILTERS[name];
  const column = sql.raw(text);
  if (values.length === 0) return [];
  if (holds === 'one')
    return [values.length === 1 ? sql<SqlBool>`${column} = ${values[0]}` : sql<SqlBool>`${column} = any(${values}::text[])`];
  const held = holds === 'several' ? column : sql`array_append(string_to_array(${column}, ', '), ${column})`;
  return [sql<SqlBool>`${held} && ${values}::text[]`];
}

/** What filters ask of a size: of its measurements and seats, `d`, and of its price and stock, `s`. */
function askedOfSize(filters: Filters): { measured: RawBuilder<SqlBool>[]; offered: RawBuilder<SqlBool>[] } {
  const lengths = filtersOfKind('length', 'most').flatMap((name) => within(sql.raw(`d.${FILTERS[name].column}`), filters[name]));
  const seats = filters.seats.length > 0 ? [sql<SqlBool>`d.seats = any(${filters.seats}::text[])`] : [];
  const stock = filters.isInStock ? [sql<SqlBool>`coalesce(s.quantity, products.count_in_stock) > 0`] : [];
  return { measured: [...seats, ...lengths], offered: [...within(PRICE_OF_SIZE, filters.price), ...stock] };
}

/** Whether filters mean some sizes of a product rather than others. */
export const isBySize = (filters: Filters): boolean => askedOfSize(filters).measured.length > 0;

const PRICE_OF_SIZE = sql<number>`coalesce(nullif(s.price, 0), products.price)`;

/** The sizes of a product that match all size filters; a product without sizes counts as one. */
export function sizesLeft(filters: Filters): RawBuilder<unknown> {
  const { measured, offered } = askedOfSize(filters);
  return sql`product_dimensions d left join product_sizes s on s.product_id = d.product_id and s.position = d.position
    where ${sql.join([sql`d.product_id = products.id`, ...measured, ...offered], sql` and `)}`;
}

/** What a product costs in the size that filters mean: one in stock before others, and then the cheapest. */
export const priceMeant = (filters: Filters): RawBuilder<number> =>
  sql<number>`coalesce((select ${PRICE_OF_SIZE} from ${sizesLeft(filters)} order by coalesce(s.quantity, 1) = 0, 1 limit 1), from_price)`;

/** One and the same size must match all size filters. */
function fitting(filters: Filters): RawBuilder<SqlBool>[] {
  const { measured, offered } = askedOfSize(filters);
  if (measured.length === 0) return [];
  const isMeasured = sql<SqlBool>`id in (select d.product_id from product_dimensions d where ${sql.join(measured, sql` and `)})`;
  return offered.length === 0 ? [isMeasured] : [isMeasured, sql<SqlBool>`exists (select from ${sizesLeft(filters)})`];
}

/** The products that shoppers see: the condition of the indexes of the shop's lists. */
const IN_SHOP = sql<SqlBool>`deleted_at is null`;

/** The SQL condition of the filters among some products. */
export function conditionOf(filters: Filters, among: RawBuilder<SqlBool> = IN_SHOP): RawBuilder<SqlBool> {
  const parts = [
    among,
    ...filtersOfKind('values').flatMap((name) => amongValues(name, filters[name])),
    ...filtersOfKind('flag').flatMap((name) => (filters[name] ? [sql<SqlBool>`${sql.raw(FILTERS[name].column)}`] : [])),
    ...filtersOfKind('least').flatMap((name) =>
      filters[name] === undefined ? [] : [sql<SqlBool>`${sql.raw(FILTERS[name].column)} >= ${filters[name]}::real`],
    ),
    // Where a size is meant, it may cost more than the product's lowest price.
    ...within(sql.raw(FILTERS.price.column), isBySize(filters) ? { ...filters.price, min: undefined } : filters.price),
    ...fitting(filters),
  ];
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
}
