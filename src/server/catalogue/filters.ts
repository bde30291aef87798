import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ListProductsQuery } from '#contract/catalogue/catalogue.ts';
import { isYes, poundsOf, ratingOf } from '#contract/catalogue/list-parameters.ts';
import { namesIn } from '#contract/platform/lists.ts';
import { materialNamed } from '#server/catalogue/attributes/materials.ts';

/** Two bounds, inclusive; undefined where there is none. */
interface Range {
  min: number | undefined;
  max: number | undefined;
}

/** A list's filters as they count: two queries that ask for the same have the same. */
export interface Filters {
  /** In lower case, sorted, each once. */
  categories: string[];
  brands: string[];
  subCategories: string[];
  /** Families, such as "green". */
  colours: string[];
  /** By the names that the vocabulary gives them, such as "Oak". */
  materials: string[];
  /** Rooms or uses, in lower case. */
  fits: string[];
  isInStock: boolean;
  isNew: boolean;
  /** The least rating. */
  rating: number | undefined;
  /** Pence. */
  price: Range;
  /** Millimetres. */
  width: Range;
  depth: Range;
  height: Range;
}

/** A number times `factor` in whole units, rounded so that the bounds stay inclusive. */
function unitsOf(text: string | undefined, factor: number, round: (value: number) => number): number | undefined {
  const number = poundsOf(text);
  return number === undefined ? undefined : Math.max(-1, Math.min(2_000_000_000, round(Number((number * factor).toFixed(4)))));
}

const rangeOf = (min: string | undefined, max: string | undefined, factor: number): Range => ({
  min: unitsOf(min, factor, Math.ceil),
  max: unitsOf(max, factor, Math.floor),
});

const namesOf = (joined: string | undefined): string[] => namesIn([joined ?? '']).map((name) => name.toLowerCase());

/** Reads the filters of a list's parameters (clarifications on lists). */
export function filtersOf(query: Omit<ListProductsQuery, 'pageNumber' | 'sortBy'>): Filters {
  return {
    categories: namesOf(query.categoryQuery),
    brands: namesOf(query.brandQuery),
    subCategories: namesOf(query.subCategoryQuery),
    colours: namesOf(query.colourQuery?.replace(/gray/gi, 'grey')),
    materials: [...new Set(namesOf(query.materialQuery).map(materialNamed))].sort(),
    fits: namesOf(query.fitQuery),
    isInStock: isYes(query.inStockQuery),
    isNew: isYes(query.newQuery),
    rating: ratingOf(query.ratingQuery),
    price: rangeOf(query.minPriceQuery, query.maxPriceQuery, 100),
    width: rangeOf(query.minWidthQuery, query.maxWidthQuery, 10),
    depth: rangeOf(query.minDepthQuery, query.maxDepthQuery, 10),
    height: rangeOf(query.minHeightQuery, query.maxHeightQuery, 10),
  };
}

/** No filter at all. */
export const NO_FILTERS: Filters = filtersOf({});

/** The filters that narrow a list. */
export const filtersInForce = (filters: Filters): (keyof Filters)[] =>
  (Object.keys(NO_FILTERS) as (keyof Filters)[]).filter((name) => JSON.stringify(filters[name]) !== JSON.stringify(NO_FILTERS[name]));

/** Filters with one of them taken off. */
export const withoutFilter = (filters: Filters, name: keyof Filters): Filters => ({ ...filters, [name]: NO_FILTERS[name] });

function within(column: RawBuilder<unknown>, { min, max }: Range): RawBuilder<SqlBool>[] {
  const parts: RawBuilder<SqlBool>[] = [];
  // A length may be longer than its column can hold.
  if (min !== undefined) parts.push(sql<SqlBool>`${column} >= ${min}::int`);
  if (max !== undefined) parts.push(sql<SqlBool>`${column} <= ${max}::int`);
  return parts;
}

function among(column: RawBuilder<unknown>, names: string[]): RawBuilder<SqlBool>[] {
  if (names.length === 0) return [];
  return [names.length === 1 ? sql<SqlBool>`${column} = ${names[0]}` : sql<SqlBool>`${column} = any(${names}::text[])`];
}

/** Any of some values in a column that holds several. */
const overlaps = (column: RawBuilder<unknown>, values: string[]): RawBuilder<SqlBool>[] =>
  values.length === 0 ? [] : [sql<SqlBool>`${column} && ${values}::text[]`];

/** All bounds must hold of one and the same size. */
function fitting({ width, depth, height }: Filters): RawBuilder<SqlBool>[] {
  const bounds = [...within(sql`width`, width), ...within(sql`depth`, depth), ...within(sql`height`, height)];
  if (bounds.length === 0) return [];
  return [sql<SqlBool>`id in (select product_id from product_dimensions where ${sql.join(bounds, sql` and `)})`];
}

/** The products that filters leave, as a condition. */
export function conditionOf(filters: Filters): RawBuilder<SqlBool> {
  const parts = [
    sql<SqlBool>`deleted_at is null`,
    ...among(sql`category_key`, filters.categories),
    ...among(sql`brand_key`, filters.brands),
    ...overlaps(sql`array_append(string_to_array(sub_category_key, ', '), sub_category_key)`, filters.subCategories),
    ...among(sql`fit_key`, filters.fits),
    ...overlaps(sql`colour_families`, filters.colours),
    ...overlaps(sql`materials`, filters.materials),
    ...(filters.isInStock ? [sql<SqlBool>`is_available`] : []),
    ...(filters.isNew ? [sql<SqlBool>`is_new_arrival`] : []),
    ...(filters.rating === undefined ? [] : [sql<SqlBool>`rating >= ${filters.rating}::real`]),
    ...within(sql`from_price`, filters.price),
    ...fitting(filters),
  ];
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
}
