import * as api from '#contract/catalogue/products.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { createProduct, deleteProduct, editProduct, listProductChanges } from './product-edits.service.ts';

/** What administrators change of the catalogue. */
export const productRoutes: readonly Route[] = [
  route(api.createProduct, ({ body, who }, ctx) => createProduct(ctx, who, body)),
  route(api.editProduct, ({ params, body, who }, ctx) => editProduct(ctx, who, params.id, body)),
  route(api.deleteProduct, async ({ params, who }, { db }) => {
    await deleteProduct(db, who, params.id);
    return { message: 'Product deleted' };
  }),
  route(api.listProductChanges, ({ params, who }, { db }) => listProductChanges(db, who, params.id)),
];
