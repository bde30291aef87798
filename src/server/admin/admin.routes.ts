import * as dispatch from '#contract/delivery/dispatch.endpoints.ts';
import * as orders from '#contract/orders/orders.endpoints.ts';
import { proven } from '#server/context/context.ts';
import { countReady, dispatchAll } from '#server/delivery/batches.service.ts';
import { readPickingList, readSlips } from '#server/delivery/picking.service.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { exportOrders } from './order-export.service.ts';
import { filterOf, listOrders } from './order-list.service.ts';
import { countQueues } from './queues.ts';
import { readSales } from './sales.service.ts';

/** The order list of the back office, and what is done with all orders that its filters find. */
export const officeRoutes: readonly Route[] = [
  route(orders.listOrders, ({ query, who }, { db }) => listOrders(db, who, query)),
  route(orders.listQueues, ({ who }, { db }) => countQueues(db, who)),
  route(orders.readSales, ({ who }, { db }) => readSales(db, who)),
  route(orders.exportOrders, ({ query, who }, { db }) => exportOrders(db, proven(who), query)),
  route(dispatch.dispatchMany, async ({ body: { filters, expected, ...transport }, who }, ctx) => {
    const where = filterOf(filters);
    const batch = expected ? await dispatchAll(ctx, who, where, { ...transport, expected }) : null;
    return { ...(await countReady(ctx.db, who, where)), batch };
  }),
  route(dispatch.readPickingList, ({ query: { orders, ...filters }, who }, { db }) => readPickingList(db, who, filterOf(filters), orders)),
  route(dispatch.readSlips, ({ query: { orders, ...filters }, who }, { db }) => readSlips(db, who, filterOf(filters), orders)),
];
