import { z } from 'zod';
import { endpoint } from '#contract/platform/endpoint.ts';
import { ById } from '#contract/platform/lists.schema.ts';
import * as schema from './sale.schema.ts';

export const listSales = endpoint('GET /api/office/sale-prices', {
  right: 'see products',
  summary: 'List the pieces with a current or coming sale',
  query: schema.SalesQuery,
  reply: schema.SaleList,
});

export const previewSale = endpoint('POST /api/office/sale-prices/preview', {
  right: 'see products',
  summary: 'Preview the prices of a sale',
  maxBodyKb: 256,
  body: schema.SaleBody,
  reply: schema.SalePreview,
});

export const startSale = endpoint('POST /api/office/sale-prices', {
  right: 'change products',
  summary: 'Set sale prices for a selection of pieces, from one time to another',
  maxBodyKb: 256,
  body: schema.SaleBody,
  reply: schema.SaleDone,
});

export const endSale = endpoint('POST /api/office/sale-prices/end', {
  right: 'change products',
  summary: 'End the sale prices of a selection of pieces now',
  maxBodyKb: 256,
  body: z.object({ goods: schema.SaleGoods }),
  reply: schema.SaleDone,
});

export const readProductSale = endpoint('GET /api/office/products/:id/sale', {
  right: 'see products',
  summary: 'Read the usual prices, the sale prices and the last prices of a product',
  errors: [404],
  params: ById,
  reply: schema.ProductSale,
});

export const setProductSale = endpoint('PUT /api/office/products/:id/sale', {
  right: 'change products',
  summary: 'Set or remove the sale prices of a product and its sizes',
  errors: [404],
  params: ById,
  body: schema.ProductSaleBody,
  reply: schema.ProductSale,
});
