import { z } from 'zod';
import { Change, Done } from '#contract/base/lists.schema.ts';
import { PAGE_SIZE } from '#contract/base/lists.ts';
import { Problem } from '#contract/base/problem.ts';
import * as schema from '#contract/catalogue.schema.ts';
import type { ListProductsQuery } from '#contract/catalogue.ts';
import * as contract from '#contract/catalogue.ts';
import { admin, type Ctx } from '#server/context/context.ts';
import { on, onAdmin, type Route } from '#server/http/route.ts';
import { createProduct, deleteProduct, editProduct, listProductChanges } from '#server/products/product-edits.service.ts';
import { readProductForm } from '#server/products/product-form.ts';
import { forShop, listKey, listNewArrivals, listProducts, readProduct } from './catalogue.service.ts';
import { listProductsForOffice } from './product-list.service.ts';

/**
 * The back office's list has a size of page, sorts and a filter of its own, and is read each time, since it follows every move of stock. Only
 * a session gets it (an administrator's, else 401 or 403); for a visitor those parameters count for nothing.
 */
const isOffice = ({ pageSize }: ListProductsQuery, { token }: Ctx) => pageSize === PAGE_SIZE.admin && token !== undefined;
const byId = { params: schema.ProductParams };
const notHttp = new Problem(400, 'A product form comes over HTTP.');

export const catalogueRoutes: readonly Route[] = [
  on(
    contract.listProducts,
    { query: schema.ListProductsQuery, reply: schema.ProductList },
    async ({ query }, ctx) => {
      if (!isOffice(query, ctx)) return listProducts(ctx.readDb, ctx.outlines, forShop(query));
      await admin(ctx);
      return listProductsForOffice(ctx.readDb, query);
    },
    {
      cached: ({ query }, ctx) => (isOffice(query as ListProductsQuery, ctx) ? undefined : listKey(forShop(query as ListProductsQuery))),
    },
  ),
  on(contract.listNewArrivals, { reply: z.array(schema.ProductCard) }, (_, { readDb }) => listNewArrivals(readDb), {
    cached: () => '',
  }),
  on(contract.readProduct, { ...byId, reply: schema.Product }, ({ params }, { readDb }) => readProduct(readDb, params.id), {
    cached: ({ params }) => params,
  }),
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
