import { z } from 'zod';
import * as schema from '#contract/catalogue/catalogue.schema.ts';
import * as contract from '#contract/catalogue/catalogue.ts';
import * as form from '#contract/catalogue/product-form.schema.ts';
import { Change, Done } from '#contract/platform/lists.schema.ts';
import { onAdmin, type Route } from '#server/platform/http/route.ts';
import { createProduct, deleteProduct, editProduct, listProductChanges } from './product-edits.service.ts';

const byId = { params: schema.ProductParams };

/** What administrators change of the catalogue. */
export const productRoutes: readonly Route[] = [
  onAdmin(
    contract.createProduct,
    { body: form.NewProductForm, reply: schema.Product },
    ({ body }, who, ctx) => createProduct(ctx, who, body),
    { status: 201 },
  ),
  onAdmin(contract.editProduct, { ...byId, body: form.EditedProductForm, reply: schema.Product }, ({ params, body }, who, ctx) =>
    editProduct(ctx, who, params.id, body),
  ),
  onAdmin(contract.deleteProduct, { ...byId, reply: Done }, async ({ params }, who, { db }) => {
    await deleteProduct(db, who, params.id);
    return { message: 'Product deleted' };
  }),
  onAdmin(contract.listProductChanges, { ...byId, reply: z.array(Change) }, ({ params }, who, { db }) =>
    listProductChanges(db, who, params.id),
  ),
];
