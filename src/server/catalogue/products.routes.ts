import * as api from '#contract/catalogue/products.endpoints.ts';
import { done, type Route, route } from '#server/platform/http/route.ts';
import { exportProducts } from './import/export.service.ts';
import { importProducts } from './import/import.service.ts';
import { listCategories, listProductsForOffice } from './office-list.service.ts';
import { readOfficeProduct } from './office-product.service.ts';
import { createProduct, editProduct, listProductChanges, quickEdit } from './product-edits.service.ts';
import { addModel } from './product-files.ts';
import { bringProductBack, chooseSuccessor, deleteProduct, duplicateProduct } from './product-state.service.ts';

/** The catalogue as administrators list and change it. */
export const productRoutes: readonly Route[] = [
  route(api.createProduct, ({ body, who }, ctx) => createProduct(ctx, who, body)),
  route(api.addModel, ({ body, who }, { pictures }) => addModel(pictures, who, body.model)),
  route(api.editProduct, ({ params, body, who }, ctx) => editProduct(ctx, who, params.id, body)),
  route(api.deleteProduct, ({ params, who }, { db }) => done(deleteProduct(db, who, params.id), 'Product deleted')),
  route(api.listOfficeProducts, ({ query, who }, services) => listProductsForOffice(services, who, query)),
  route(api.readOfficeProduct, ({ params, who }, { db }) => readOfficeProduct(db, who, params.id)),
  route(api.quickEdit, ({ params, body, who }, ctx) => quickEdit(ctx, who, params.id, body)),
  route(api.duplicateProduct, ({ params, who }, { db }) => duplicateProduct(db, who, params.id)),
  route(api.bringProductBack, ({ params, who }, { db }) => bringProductBack(db, who, params.id)),
  route(api.chooseSuccessor, ({ params, body, who }, { db }) => chooseSuccessor(db, who, params.id, body.product)),
  route(api.listProductChanges, ({ params, who }, { db }) => listProductChanges(db, who, params.id)),
  route(api.listCategories, ({ who }, { readDb }) => listCategories(readDb, who)),
  route(api.exportProducts, ({ query, who }, { db }) => exportProducts(db, who, query.columns)),
  route(api.importProducts, ({ body, who }, { db }) => importProducts(db, who, body)),
];
