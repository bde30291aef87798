import * as schema from '#contract/orders/orders.schema.ts';
import { createCheckoutSession, createOrder, leaveCheckout, readPayment } from '#contract/orders/orders.ts';
import * as lists from '#contract/platform/lists.schema.ts';
import { placeOrder } from '#server/orders/place.service.ts';
import { on, onCustomer, type Route } from '#server/platform/http/route.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { startCheckout } from './checkout.service.ts';
import { placeOverOwnHolds } from './hold.service.ts';
import * as leaving from './leave.service.ts';
import * as watch from './watch.service.ts';

/** Both ways to order: in cash, which gives back what an open card page of the customer's holds, and by card. */
export const paymentRoutes: readonly Route[] = [
  onCustomer(
    createOrder,
    { body: schema.CreateOrderBody, reply: schema.Order },
    async ({ body }, who, ctx) => {
      await limit(ctx.db, 'order', { ip: ctx.ip, account: who._id, factor: ctx.config.rateLimitFactor });
      return placeOverOwnHolds(ctx, who, body.orderItems, () => placeOrder(ctx, who, body, { key: ctx.idempotencyKey, ip: ctx.ip }));
    },
    { status: 201 },
  ),
  onCustomer(createCheckoutSession, { body: schema.CheckoutSessionBody, reply: schema.CheckoutSession }, async ({ body }, who, ctx) => {
    await limit(ctx.db, 'checkout', { ip: ctx.ip, account: who._id, factor: ctx.config.rateLimitFactor });
    return startCheckout(ctx, who, body, ctx.idempotencyKey);
  }),
  onCustomer(readPayment, { params: schema.OrderParams, reply: schema.Payment }, ({ params }, who, ctx) =>
    watch.readPayment(ctx, who, params.id, ctx.ip),
  ),
  on(leaveCheckout, { body: schema.LeaveCheckoutBody, reply: lists.Done }, ({ body }, ctx) => leaving.leaveCheckout(ctx, body.mark)),
];
