import * as office from '#contract/orders/order-administration.ts';
import * as schema from '#contract/orders/orders.schema.ts';
import * as contract from '#contract/orders/orders.ts';
import { proven, visitor } from '#server/context/context.ts';
import { on, onAdmin, onCustomer, type Route } from '#server/platform/http/route.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { cancelOrder, cancelOwnOrder } from './cancel.service.ts';
import { deliverOrder, recordCash } from './fulfil.service.ts';
import { checkCart } from './lines/cart.service.ts';
import { readAttempt } from './place.service.ts';
import { listMyOrders, readOrder } from './read.service.ts';
import { refundOrder, retryRefund, settleRefund } from './refunds/refunds.service.ts';

const byId = { params: schema.OrderParams };

export const orderRoutes: readonly Route[] = [
  onCustomer(contract.listMyOrders, { query: schema.ListMyOrdersQuery, reply: schema.OrderList }, ({ query }, who, { db }) =>
    listMyOrders(db, who, query.pageNumber),
  ),
  onCustomer(contract.readAttempt, { ...byId, reply: schema.Attempt }, ({ params }, who, ctx) => readAttempt(ctx, who, params.id)),
  onCustomer(contract.readOrder, { ...byId, reply: schema.Order }, ({ params }, who, { db }) => readOrder(db, who, params.id)),
  onAdmin(office.deliverOrder, { ...byId, body: schema.DeliverBody, reply: schema.Order }, ({ params, body }, who, ctx) =>
    deliverOrder(ctx, who, params.id, body.isDelivered),
  ),
  onAdmin(office.recordCash, { ...byId, body: schema.CashBody, reply: schema.Order }, ({ params, body }, who, ctx) =>
    recordCash(ctx, who, params.id, body.isPaid),
  ),
  onCustomer(contract.cancelOwnOrder, { ...byId, body: schema.CancelOwnBody, reply: schema.Order }, async ({ params, body }, who, ctx) => {
    await limit(ctx.db, 'afterSale', { ip: ctx.ip, account: who._id, factor: ctx.config.rateLimitFactor });
    return cancelOwnOrder(ctx, who, params.id, body);
  }),
  onAdmin(office.cancelOrder, { ...byId, body: schema.CancelBody, reply: schema.Order }, ({ params, body }, who, ctx) =>
    cancelOrder(ctx, who, params.id, body),
  ),
  onAdmin(office.refundOrder, { ...byId, body: schema.RefundBody, reply: schema.Order }, async ({ params, body }, who, ctx) =>
    refundOrder(ctx, proven(who), params.id, body, ctx.idempotencyKey),
  ),
  onAdmin(office.retryRefund, { ...byId, reply: schema.Order }, async ({ params }, who, ctx) => retryRefund(ctx, proven(who), params.id)),
  onAdmin(office.settleRefund, { ...byId, reply: schema.Order }, async ({ params }, who, ctx) => settleRefund(ctx, proven(who), params.id)),
  on(contract.checkCart, { body: schema.CheckCartBody, reply: schema.CheckedCart }, async ({ body }, ctx) =>
    checkCart(ctx.db, await visitor(ctx), body.orderItems),
  ),
];
