import { type Expression, type SqlBool, sql } from 'kysely';
import { FIELD_COLUMNS, PRODUCT_FIELDS, PRODUCT_LISTS } from '#contract/catalogue/product-fields.ts';
import { usualPrice } from '#server/catalogue/catalogue.service.ts';
import { officeSizes } from '#server/catalogue/office-product.service.ts';
import type { Db } from '#server/platform/database/connect.ts';

const FIELDS = [...PRODUCT_FIELDS, ...PRODUCT_LISTS];
export type ProductColumn = '_id' | (typeof FIELDS)[number]['name'];
/** The columns of the products' CSV, by the names of the form; `price` in pence, lists as JSON, pictures by URL. */
export const PRODUCT_COLUMNS: readonly ProductColumn[] = ['_id', ...FIELDS.map(({ name }) => name)];
/** The additional column with a row's values at its export: see `exported.ts`. */
export const EXPORTED = '_exported';
export const FILE_COLUMNS: readonly string[] = [...PRODUCT_COLUMNS, EXPORTED];
export type ProductCells = Record<ProductColumn, string>;

const KINDS = new Map(FIELDS.map(({ name, kind }) => [name as string, kind]));
/** The kind of a column; undefined for `_id`. */
export const kindOf = (column: string) => KINDS.get(column);

/** Products with all columns of the CSV, without deleted ones. */
export function selectProducts(db: Db, where: Expression<SqlBool>) {
  return db
    .selectFrom('products')
    .select(['id', ...FIELD_COLUMNS.filter((column) => column !== 'price'), 'colors', 'measurements', 'images', 'pictureSources'])
    .select([usualPrice.as('price'), officeSizes])
    .where(sql<SqlBool>`state <> 'deleted' and ${where}`)
    .orderBy('id');
}
export type ProductRow = Awaited<ReturnType<ReturnType<typeof selectProducts>['execute']>>[number];

export function cellsOf(product: ProductRow): ProductCells {
  const fields = PRODUCT_FIELDS.map(({ name, column }) => [name, String(product[column] ?? '')]);
  const lists = PRODUCT_LISTS.map(({ name, kind }) => [name, kind === 'json' ? JSON.stringify(product[name]) : product[name].join(' ')]);
  return { _id: product.id, ...Object.fromEntries([...fields, ...lists]) };
}
