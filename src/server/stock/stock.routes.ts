import * as api from '#contract/stock/stock.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { enterCount } from './count.service.ts';
import { importCount } from './count-import.service.ts';
import { listStock, writeCountSheet } from './list.service.ts';
import { listMovements } from './movements.service.ts';

/** Stock in the back office: its list, its counts and its ledger. */
export const stockRoutes: readonly Route[] = [
  route(api.listStock, ({ query, who }, services) => listStock(services, who, query)),
  route(api.readCountSheet, ({ query, who }, services) => writeCountSheet(services, who, query)),
  route(api.enterCount, ({ body, who }, { db }) => enterCount(db, who, body)),
  route(api.importCount, ({ body, who }, { db }) => importCount(db, who, body)),
  route(api.listMovements, ({ params, query, who }, { db }) => listMovements(db, who, params.id, query.before)),
];
