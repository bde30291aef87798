import { endpoint } from '#contract/platform/endpoint.ts';
import { ById } from '#contract/platform/lists.schema.ts';
import * as schema from './stock.schema.ts';

export const listStock = endpoint('GET /api/stock', {
  right: 'see products',
  summary: 'List the stock of products and their sizes, and the pieces set aside for orders',
  query: schema.StockQuery,
  reply: schema.StockList,
});

export const readCountSheet = endpoint('GET /api/stock/sheet', {
  right: 'see products',
  summary: 'Download the same list as a count sheet, with an empty column for the counted numbers',
  query: schema.StockQuery,
  download: 'count.csv',
});

export const enterCount = endpoint('POST /api/stock/counts', {
  right: 'change products',
  summary: 'Enter a count: stock changes by the difference from the expected numbers',
  errors: [409],
  maxBodyKb: 256,
  body: schema.CountBody,
  reply: schema.Counted,
});

export const importCount = endpoint('POST /api/stock/counts/import', {
  right: 'change products',
  summary: 'Check a filled-in count sheet, or enter it once checked',
  errors: [409],
  multipart: true,
  body: schema.CountForm,
  reply: schema.CountReport,
});

export const listMovements = endpoint('GET /api/products/:id/stock', {
  right: 'see products',
  summary: 'Read the movements of a product’s stock, latest first',
  errors: [404],
  params: ById,
  query: schema.MovementsQuery,
  reply: schema.Movements,
});
