import * as api from '#contract/catalogue/sale.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { endSale, listSales, previewSale, readProductSale, setProductSale, startSale } from './sale.service.ts';

/** Sale prices of a selection of products. */
export const saleRoutes: readonly Route[] = [
  route(api.listSales, ({ query, who }, { db }) => listSales(db, who, query.pageNumber)),
  route(api.previewSale, ({ body, who }, { db }) => previewSale(db, who, body)),
  route(api.startSale, ({ body, who }, { db }) => startSale(db, who, body)),
  route(api.readProductSale, ({ params, who }, { db }) => readProductSale(db, who, params.id)),
  route(api.setProductSale, ({ params, body, who }, { db }) => setProductSale(db, who, params.id, body)),
  route(api.endSale, ({ body, who }, { db }) => endSale(db, who, body.goods)),
];
