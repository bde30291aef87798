import { z } from 'zod';
import { ImportForm, ImportReport } from '#contract/catalogue/import.schema.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { MAX_SHEET_MB } from '#contract/platform/limits.ts';
import { ById, Change, Done } from '#contract/platform/lists.schema.ts';
import * as schema from './catalogue.schema.ts';
import * as form from './product-form.schema.ts';

// `/api/office/products` has a reading, a list and a quick edit of its own, since shoppers and `editProduct` use those methods of `/api/products`.

export const createProduct = endpoint('POST /api/products', {
  right: 'change products',
  summary: 'Create a product, with pictures',
  multipart: true,
  body: form.NewProductForm,
  reply: schema.OfficeProduct,
  status: 201,
});

// A nightly job deletes models that no product names (`removeOrphanedPictures`).
export const addModel = endpoint('POST /api/products/models', {
  right: 'change products',
  summary: 'Upload the 3D model of a size; it takes effect once the product is saved',
  multipart: true,
  body: form.ModelForm,
  reply: schema.StoredModel,
});

export const editProduct = endpoint('PUT /api/products/:id', {
  right: 'change products',
  summary: 'Change a product and its pictures',
  errors: [404, 409],
  multipart: true,
  params: ById,
  body: form.EditedProductForm,
  reply: schema.OfficeProduct,
});

export const deleteProduct = endpoint('DELETE /api/products/:id', {
  right: 'change products',
  summary: 'Remove a product from the shop; orders keep it',
  errors: [404],
  params: ById,
  reply: Done,
});

export const readOfficeProduct = endpoint('GET /api/office/products/:id', {
  right: 'see products',
  summary: 'Read a product in any state unless it is deleted, with its back-office fields',
  errors: [404],
  params: ById,
  reply: schema.OfficeProduct,
});

export const quickEdit = endpoint('PUT /api/office/products/:id', {
  right: 'change products',
  summary: 'Change only price, stock and flags of a product and its sizes',
  errors: [404, 409],
  params: ById,
  // Up to 50 sizes, and the stock of each as it was before.
  maxBodyKb: 256,
  body: form.QuickEditBody,
  reply: schema.OfficeProduct,
});

export const duplicateProduct = endpoint('POST /api/office/products/:id/duplicate', {
  right: 'change products',
  summary: 'Copy a product as a draft without stock',
  errors: [404],
  params: ById,
  reply: schema.OfficeProduct,
  status: 201,
});

export const bringProductBack = endpoint('POST /api/office/products/:id/bring-back', {
  right: 'change products',
  summary: 'Bring back a product that was deleted in the last 30 days',
  errors: [404],
  params: ById,
  reply: schema.OfficeProduct,
});

export const chooseSuccessor = endpoint('PUT /api/office/products/:id/successor', {
  right: 'change products',
  summary: 'Choose the product to which the address of a deleted one redirects, or none',
  errors: [404],
  params: ById,
  body: schema.SuccessorBody,
  reply: schema.Successor,
});

export const listProductChanges = endpoint('GET /api/products/:id/changes', {
  right: 'see products',
  summary: 'Read who changed a product, also a deleted one, and when',
  errors: [404],
  params: ById,
  reply: z.array(Change),
});

export const listOfficeProducts = endpoint('GET /api/office/products', {
  right: 'see products',
  summary: 'List products as the back office shows them, with low stock and sold-out marks',
  query: schema.ListOfficeProductsQuery,
  reply: schema.OfficeProductList,
});

export const listCategories = endpoint('GET /api/office/categories', {
  right: 'see products',
  summary: 'List the categories of all products, including those not in the shop',
  reply: z.array(z.string()),
});

export const exportProducts = endpoint('GET /api/products/export', {
  right: 'see products',
  summary: 'Download all products as CSV',
  query: schema.ExportProductsQuery,
  download: 'products.csv',
});

export const importProducts = endpoint('POST /api/products/import', {
  right: 'change products',
  summary: 'Check a CSV of products, or import it with the fingerprint of its check',
  // The catalogue has changed since the check; nothing was imported.
  errors: [409],
  multipart: true,
  maxFileMb: MAX_SHEET_MB,
  body: ImportForm,
  reply: ImportReport,
});
