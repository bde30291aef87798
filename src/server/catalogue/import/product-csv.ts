import { type Expression, type SqlBool, sql } from 'kysely';
import { sizesInOrder } from '#server/catalogue/catalogue.service.ts';
import type { Db } from '#server/platform/database/connect.ts';

/** Columns that the file and the table call alike. */
const SHARED = ['name', 'description', 'fit', 'category', 'subCategory', 'brand', 'price', 'countInStock'] as const;
/** The columns of the products' CSV, by the names that the API gives the fields; `price` in pence, lists as JSON, pictures by address. */
export const PRODUCT_COLUMNS = ['_id', ...SHARED, 'newArrivals', 'isRecommend', 'sizes', 'colors', 'measurements', 'images'] as const;
/** Beside them, what the row held when it was exported: see `exported.ts`. */
export const EXPORTED = '_exported';
export const FILE_COLUMNS = [...PRODUCT_COLUMNS, EXPORTED] as const;
export type ProductColumn = (typeof PRODUCT_COLUMNS)[number];
export type ProductCells = Record<ProductColumn, string>;

/** Products with everything that the CSV holds; those that were deleted are left out. */
export function selectProducts(db: Db, where: Expression<SqlBool>) {
  return db
    .selectFrom('products')
    .select(['id', ...SHARED, 'isNewArrival', 'isRecommend', 'colors', 'measurements', 'images'])
    .select(sizesInOrder)
    .where(sql<SqlBool>`deleted_at is null and ${where}`)
    .orderBy('id');
}
export type ProductRow = Awaited<ReturnType<ReturnType<typeof selectProducts>['execute']>>[number];

/** A product as the cells of its row. */
export function cellsOf({ id, isNewArrival, ...product }: ProductRow): ProductCells {
  const { sizes, colors, measurements, images, price, countInStock, isRecommend, ...texts } = product;
  return {
    ...texts,
    _id: id,
    price: String(price),
    countInStock: String(countInStock),
    newArrivals: String(isNewArrival),
    isRecommend: String(isRecommend),
    sizes: JSON.stringify(sizes),
    colors: JSON.stringify(colors),
    measurements: JSON.stringify(measurements),
    images: images.join(' '),
  };
}
