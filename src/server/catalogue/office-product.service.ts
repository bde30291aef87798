import type { ExpressionBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { OFFICE_COLUMNS } from '#contract/catalogue/product-fields.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Admin } from '#server/context/context.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { jsonKeys } from '#server/platform/database/json-key.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { asProduct, productColumns, usualPrice } from './catalogue.service.ts';

/** The sizes of a product with all of the back office's columns. */
export const officeSizes = (eb: ExpressionBuilder<DB, 'products'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('productSizes')
      .select(['size', 'quantity', usualPrice.as('price'), 'measurements', 'sku', 'barcode', 'weight', 'model'])
      .select(jsonKeys('productSizes', 'wasPrice', 'costPrice'))
      .whereRef('productSizes.productId', '=', 'products.id')
      .orderBy('position'),
  ).as('sizes');

/** A product in any state but deleted, with the back office's columns and its prices outside sales. Throws 404. */
export async function readOfficeProduct(db: Db, _: Admin, id: string): Promise<OfficeProduct> {
  const row = await db
    .selectFrom('products')
    .select([...productColumns, ...OFFICE_COLUMNS, officeSizes, usualPrice.as('priceOutsideSales')])
    .where('id', '=', id)
    .where('state', '<>', 'deleted')
    .executeTakeFirstOrThrow(() => new Problem(404, 'Product not found'));
  const { priceOutsideSales, ...product } = row;
  return asProduct({ ...product, price: priceOutsideSales });
}
