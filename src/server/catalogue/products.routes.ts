import * as api from '#contract/catalogue/products.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { exportProducts } from './import/export.service.ts';
import { importProducts } from './import/import.service.ts';
import { listProductsForOffice } from './office-list.service.ts';
import { createProduct, deleteProduct, editProduct, listProductChanges } from './product-edits.service.ts';

/** The catalogue as administrators list and change it. */
export const productRoutes: readonly Route[] = [
  route(api.createProduct, ({ body, who }, ctx) => createProduct(ctx, who, body)),
  route(api.editProduct, ({ params, body, who }, ctx) => editProduct(ctx, who, params.id, body)),
  route(api.deleteProduct, async ({ params, who }, { db }) => {
    await deleteProduct(db, who, params.id);
    return { message: 'Product deleted' };
  }),
  route(api.listOfficeProducts, ({ query, who }, { readDb }) => listProductsForOffice(readDb, who, query)),
  route(api.listProductChanges, ({ params, who }, { db }) => listProductChanges(db, who, params.id)),
  route(api.exportProducts, ({ who }, { db }) => exportProducts(db, who)),
  route(api.importProducts, ({ body, who }, { db }) => importProducts(db, who, body)),
];
