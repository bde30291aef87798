import { z } from 'zod';
import { Change, Done } from '#contract/base/lists.schema.ts';
import { Problem } from '#contract/base/problem.ts';
import * as schema from '#contract/catalogue.schema.ts';
import * as contract from '#contract/catalogue.ts';
import { onAdmin, type Route } from '#server/http/route.ts';
import { createProduct, deleteProduct, editProduct, listProductChanges } from './product-edits.service.ts';
import { readProductForm } from './product-form.ts';

const byId = { params: schema.ProductParams };
const notHttp = new Problem(400, 'A product form comes over HTTP.');

/** What administrators change of the catalogue. */
export const productRoutes: readonly Route[] = [
  onAdmin(
    contract.createProduct,
    { body: schema.NewProductForm, reply: schema.Product },
    async (_, who, { db, pictures }, request) => {
      if (!request) throw notHttp;
      const { form, images = [] } = await readProductForm(request, schema.NewProductForm);
      return createProduct(db, pictures, who, form, images);
    },
    { status: 201, multipart: true },
  ),
  onAdmin(
    contract.editProduct,
    { ...byId, body: schema.EditedProductForm, reply: schema.Product },
    async ({ params }, who, { db, pictures }, request) => {
      if (!request) throw notHttp;
      const { form, images } = await readProductForm(request, schema.EditedProductForm);
      return editProduct(db, pictures, who, params.id, form, images);
    },
    { multipart: true },
  ),
  onAdmin(contract.deleteProduct, { ...byId, reply: Done }, async ({ params }, who, { db }) => {
    await deleteProduct(db, who, params.id);
    return { message: 'Product deleted' };
  }),
  onAdmin(contract.listProductChanges, { ...byId, reply: z.array(Change) }, ({ params }, who, { db }) =>
    listProductChanges(db, who, params.id),
  ),
];
