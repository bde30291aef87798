import * as schema from '#contract/orders.schema.ts';
import * as contract from '#contract/orders.ts';
import { visitor } from '#server/context/context.ts';
import { on, onAdmin, onCustomer, type Route } from '#server/http/route.ts';
import { deliverOrder, moveOrder, recordCash } from './fulfil.service.ts';
import { checkCart } from './lines/cart.service.ts';
import { listMyOrders, readOrder } from './read.service.ts';

const byId = { params: schema.OrderParams };

export const orderRoutes: readonly Route[] = [
  onCustomer(contract.listMyOrders, { query: schema.ListMyOrdersQuery, reply: schema.OrderList }, ({ query }, who, { db }) =>
    listMyOrders(db, who, query.pageNumber),
  ),
  onCustomer(contract.readOrder, { ...byId, reply: schema.Order }, ({ params }, who, { db }) => readOrder(db, who, params.id)),
  onAdmin(contract.deliverOrder, { ...byId, body: schema.DeliverBody, reply: schema.Order }, ({ params, body }, who, ctx) =>
    deliverOrder(ctx, who, params.id, body.isDelivered),
  ),
  onAdmin(contract.moveOrder, { ...byId, body: schema.StageBody, reply: schema.Order }, ({ params, body }, who, ctx) =>
    moveOrder(ctx, who, params.id, body.stage),
  ),
  onAdmin(contract.recordCash, { ...byId, body: schema.CashBody, reply: schema.Order }, ({ params, body }, who, ctx) =>
    recordCash(ctx, who, params.id, body.isPaid),
  ),
  on(contract.checkCart, { body: schema.CheckCartBody, reply: schema.CheckedCart }, async ({ body }, ctx) =>
    checkCart(ctx.db, await visitor(ctx), body.orderItems),
  ),
];
