import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ListProductsQuery } from '#contract/catalogue.ts';
import { isYes, poundsOf } from '#contract/list-parameters.ts';

/** A list's filters as they count: two queries that ask for the same have the same. */
export interface Filters {
  /** In lower case, sorted, each once. */
  categories: string[];
  brands: string[];
  subCategories: string[];
  isInStock: boolean;
  /** Pence, inclusive. */
  min: number | undefined;
  max: number | undefined;
}

/** Pounds become pence, rounded by `round` so that the bounds stay inclusive. */
function penceOf(text: string | undefined, round: (value: number) => number): number | undefined {
  const pounds = poundsOf(text);
  return pounds === undefined ? undefined : Math.max(-1, Math.min(2_000_000_000, round(Number((pounds * 100).toFixed(4)))));
}

function namesOf(joined: string | undefined): string[] {
  const names = (joined ?? '')
    .toLowerCase()
    .split('_')
    .map((name) => name.trim())
    .filter(Boolean);
  return [...new Set(names)].sort();
}

/** Reads the filters of a list's parameters (clarifications on lists). */
export function filtersOf(query: Omit<ListProductsQuery, 'pageNumber' | 'sortBy'>): Filters {
  return {
    categories: namesOf(query.categoryQuery),
    brands: namesOf(query.brandQuery),
    subCategories: namesOf(query.subCategoryQuery),
    isInStock: isYes(query.inStockQuery),
    min: penceOf(query.minPriceQuery, Math.ceil),
    max: penceOf(query.maxPriceQuery, Math.floor),
  };
}

/** The products that filters leave, as a condition. */
export function conditionOf({ categories, brands, subCategories, isInStock, min, max }: Filters): RawBuilder<SqlBool> {
  const parts = [sql<SqlBool>`deleted_at is null`];
  const among = (column: RawBuilder<unknown>, names: string[]) => {
    if (names.length === 1) parts.push(sql<SqlBool>`${column} = ${names[0]}`);
    if (names.length > 1) parts.push(sql<SqlBool>`${column} = any(${names}::text[])`);
  };
  among(sql`category_key`, categories);
  among(sql`brand_key`, brands);
  among(sql`sub_category_key`, subCategories);
  if (isInStock) parts.push(sql<SqlBool>`in_stock`);
  if (min !== undefined) parts.push(sql<SqlBool>`price >= ${min}`);
  if (max !== undefined) parts.push(sql<SqlBool>`price <= ${max}`);
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
}
