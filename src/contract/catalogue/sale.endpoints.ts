import { z } from 'zod';
import { endpoint } from '#contract/platform/endpoint.ts';
import { ById } from '#contract/platform/lists.schema.ts';
import * as schema from './sale.schema.ts';

export const listSales = endpoint('GET /api/office/sale-prices', {
  role: 'admin',
  right: 'see products',
  summary: 'List the pieces with a sale that is on or to come',
  query: schema.SalesQuery,
  reply: schema.SaleList,
});

export const previewSale = endpoint('POST /api/office/sale-prices/preview', {
  role: 'admin',
  right: 'see products',
  summary: 'Work out the prices of a sale without changing any',
  body: schema.SaleBody,
  reply: schema.SalePreview,
});

export const startSale = endpoint('POST /api/office/sale-prices', {
  role: 'admin',
  right: 'change products',
  summary: 'Give a selection of pieces sale prices from a moment to another',
  body: schema.SaleBody,
  reply: schema.SaleDone,
});

export const endSale = endpoint('POST /api/office/sale-prices/end', {
  role: 'admin',
  right: 'change products',
  summary: 'Take the sale prices from a selection of pieces, at once',
  body: z.object({ goods: schema.SaleGoods }),
  reply: schema.SaleDone,
});

export const readProductSale = endpoint('GET /api/office/products/:id/sale', {
  role: 'admin',
  right: 'see products',
  summary: 'Read the usual prices, the sale prices and the last prices of a product',
  errors: [404],
  params: ById,
  reply: schema.ProductSale,
});

export const setProductSale = endpoint('PUT /api/office/products/:id/sale', {
  role: 'admin',
  right: 'change products',
  summary: 'Set or take away the sale prices of a product and its sizes',
  errors: [404],
  params: ById,
  body: schema.ProductSaleBody,
  reply: schema.ProductSale,
});
