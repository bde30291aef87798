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
import { seatsOf } from '#server/catalogue/attributes/seats.ts';

/** Inclusive bounds; undefined for no bound. */
export interface Range {
  min: number | undefined;
  max: number | undefined;
}

/**
 * A filter's normalised value by kind: values sorted and unique, in lower case, except materials, which have the catalogue's spelling; prices in pence,
 * lengths in millimetres.
 */
interface ValueOfKind {
  values: string[];
  flag: boolean;
  least: number | undefined;
  price: Range;
  length: Range;
  most: Range;
}

/** A list's normalised filters, equal for queries with the same effect. */
export type Filters = { [N in FilterName]: ValueOfKind[(typeof FILTERS)[N]['kind']] };

/** A number times `factor`, rounded so that the bound stays inclusive, and kept within the integers of PostgreSQL. Below -1 all have the same effect. */
function unitsOf(text: string | undefined, factor: number, round: (value: number) => number): number | undefined {
  const number = poundsOf(text);
  return number === undefined ? undefined : Math.max(-1, Math.min(2_000_000_000, round(Number((number * factor).toFixed(4)))));
}

const rangeOf = (min: string | undefined, max: string | undefined, factor: number): Range => ({
  min: unitsOf(min, factor, Math.ceil),
  max: unitsOf(max, factor, Math.floor),
});

/** For some filters, the catalogue's spelling of a typed value. */
const TO_CATALOGUE_SPELLING: { [N in FilterName]?: (value: string) => string } = {
  colours: (colour) => colour.replaceAll('gray', 'grey'),
  materials: materialNamed,
};

function valuesOf(name: FilterName, joined: string | undefined): string[] {
  const values = namesIn([joined ?? '']).map((value) => value.toLowerCase());
  return [...new Set(values.map((value) => TO_CATALOGUE_SPELLING[name]?.(value) ?? value))].sort();
}

/** Reads the filters of a list's parameters (clarifications on lists), whose prices are in pounds and lengths in centimetres. */
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
  // Cast, since a typed length may exceed the range of its smallint column.
  if (min !== undefined) parts.push(sql<SqlBool>`${column} >= ${min}::int`);
  if (max !== undefined) parts.push(sql<SqlBool>`${column} <= ${max}::int`);
  return parts;
}

/** The condition that a column has one of some values. */
function amongValues(name: ValueName, values: string[]): RawBuilder<SqlBool>[] {
  const { holds, column: text } = FILTERS[name];
  const column = sql.raw(text);
  if (values.length === 0) return [];
  if (holds === 'one')
    return [values.length === 1 ? sql<SqlBool>`${column} = ${values[0]}` : sql<SqlBool>`${column} = any(${values}::text[])`];
  // The whole text is a value too.
  const held = holds === 'several' ? column : sql`array_append(string_to_array(${column}, ', '), ${column})`;
  return [sql<SqlBool>`${held} && ${values}::text[]`];
}

/** The numbers of seats that the filters ask for: the subcategory "Two-seat" asks for two, if no seats are chosen and all subcategories name seats. */
export function wantedSeats({ seats, subCategories }: Pick<Filters, 'seats' | 'subCategories'>): string[] {
  const named = subCategories.map(seatsOf);
  return seats.length > 0 || named.includes(null) ? seats : named.flatMap((one) => one ?? []);
}

/** The conditions on one size: on its measurements and chosen seats (`d`), on the seats that a subcategory names, and on its price and stock (`s`). */
function conditionsOfSize(filters: Filters) {
  const lengths = filtersOfKind('length', 'most').flatMap((name) => within(sql.raw(`d.${FILTERS[name].column}`), filters[name]));
  const seats = wantedSeats(filters);
  const hasSeats = sql<SqlBool>`d.seats = any(${seats}::text[])`;
  const areSeatsChosen = filters.seats.length > 0;
  const { min } = filters.price;
  // A product whose lowest price is below the range matches by a more expensive size that is in stock.
  const aboveMinimum = min === undefined ? [] : [sql<SqlBool>`(products.from_price >= ${min}::int or ${STOCK_OF_SIZE} > 0)`];
  return {
    measured: [...(areSeatsChosen ? [hasSeats] : []), ...lengths],
    // If no size has these seats, the subcategory holds for the whole product.
    namedSeats: areSeatsChosen || seats.length === 0 ? [] : [sql<SqlBool>`(${hasSeats} or not products.seats && ${seats}::text[])`],
    priceAndStock: [
      ...within(PRICE_OF_SIZE, filters.price),
      ...aboveMinimum,
      ...(filters.isInStock ? [sql<SqlBool>`${STOCK_OF_SIZE} > 0`] : []),
    ],
  };
}

/** Whether the filters pick sizes by their measurements or seats. */
export function isBySize(filters: Filters): boolean {
  const { measured, namedSeats } = conditionsOfSize(filters);
  return measured.length + namedSeats.length > 0;
}

const PRICE_OF_SIZE = sql<number>`coalesce(nullif(s.price, 0), products.price)`;
/** The product's own count bounds that of its sizes (`stockOfSize`); `least` ignores the missing size of a product without sizes. */
const STOCK_OF_SIZE = sql<number>`least(s.quantity, products.count_in_stock)`;

/** The sizes of a product that match all size filters, each as `s` with its dimensions as `d`; a product without sizes counts as one. */
export function matchingSizes(filters: Filters): RawBuilder<unknown> {
  const { measured, namedSeats, priceAndStock } = conditionsOfSize(filters);
  return sql`(select) as one left join product_sizes s on s.product_id = products.id
    left join product_dimensions d on d.product_id = products.id and d.position = coalesce(s.position, 0)
    where ${sql.join([sql`true`, ...measured, ...namedSeats, ...priceAndStock], sql` and `)}`;
}

/** The sizes of a product that match the filters, each with its price and whether it is out of stock. */
const matchingPrices = (filters: Filters) =>
  sql`(select ${PRICE_OF_SIZE} as matching_price, ${STOCK_OF_SIZE} = 0 as is_out from ${matchingSizes(filters)})`;

/** A product's price in the matching size: one in stock if there is one, and of those the cheapest. */
export const matchingPrice = (filters: Filters): RawBuilder<number> =>
  sql<number>`coalesce((select matching_price from ${matchingPrices(filters)} as sizes order by is_out, matching_price limit 1), from_price)`;

/** The products with a price in a small range, for indexes: the lowest, one above that of a size, or that of a size (0990). */
export const hasPriceWithin = (min: number, max: string): RawBuilder<SqlBool> =>
  sql`(from_price between ${min}::int and ${max}::int or price > from_price and price between ${min}::int and ${max}::int
    or id = any(array(select product_id from product_sizes where price > 0 and price between ${min}::int and ${max}::int)))`;

/** The price nearest to a range among the matching sizes of some products, those in stock first. */
export const nearestPrice = (where: RawBuilder<SqlBool>, filters: Filters, { min, max }: Range) =>
  sql<{ price: number }>`select matching_price as price from products cross join lateral ${matchingPrices(filters)} as sizes where ${where}
    order by is_out, greatest(${min ?? null}::int - matching_price, matching_price - ${max ?? null}::int), matching_price limit 1`;

/** All size filters must match the same size. */
function matchingSizeConditions(filters: Filters): RawBuilder<SqlBool>[] {
  const { measured, namedSeats, priceAndStock } = conditionsOfSize(filters);
  const hasSize = (asked: Filters) => sql<SqlBool>`exists (select from ${matchingSizes(asked)})`;
  const { min } = filters.price;
  if (!isBySize(filters)) return min === undefined ? [] : [sql<SqlBool>`(from_price >= ${min}::int or ${hasSize(filters)})`];
  const isMeasured = sql<SqlBool>`id in (select d.product_id from product_dimensions d where ${sql.join(measured, sql` and `)})`;
  // Conditions of several kinds must hold for the same size.
  const areSeveral = priceAndStock.length > 0 || (measured.length > 0 && namedSeats.length > 0);
  return [...(measured.length > 0 ? [isMeasured] : []), ...(areSeveral ? [hasSize(filters)] : [])];
}

/** The products that shoppers see: the condition of the indexes of the shop's lists. Drafts and hidden products have a `deleted_at` too (`stateColumns`). */
const IN_SHOP = sql<SqlBool>`deleted_at is null`;

/** The products that have prices on both sides of a range, or one within, for an index (0991). Those that cost less and more are checked size by size. */
export function pricedWithin({ min, max }: Range): RawBuilder<SqlBool>[] {
  if (min === undefined) return within(sql.raw(FILTERS.price.column), { min, max });
  if (max !== undefined && max < min) return [sql<SqlBool>`false`];
  return [sql<SqlBool>`int8range(from_price, greatest(from_price, to_price), '[]') && int8range(${min}::int, ${max ?? null}::int, '[]')`];
}

/** The SQL condition of the filters among some products. */
export function conditionOf(filters: Filters, among: RawBuilder<SqlBool> = IN_SHOP): RawBuilder<SqlBool> {
  const parts = [
    among,
    ...filtersOfKind('values').flatMap((name) => amongValues(name, filters[name])),
    ...filtersOfKind('flag').flatMap((name) => (filters[name] ? [sql<SqlBool>`${sql.raw(FILTERS[name].column)}`] : [])),
    ...filtersOfKind('least').flatMap((name) =>
      filters[name] === undefined ? [] : [sql<SqlBool>`${sql.raw(FILTERS[name].column)} >= ${filters[name]}::real`],
    ),
    ...pricedWithin(filters.price),
    ...matchingSizeConditions(filters),
  ];
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
}
