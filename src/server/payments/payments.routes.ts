import * as api from '#contract/orders/orders.endpoints.ts';
import { placeOrder } from '#server/orders/place.service.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { startCheckout } from './checkout.service.ts';
import { leaveCheckout, placeOverOwnHolds } from './hold.service.ts';
import { readPayment } from './watch.service.ts';

export const paymentRoutes: readonly Route[] = [
  route(api.createOrder, async ({ body, who }, ctx) => {
    await limit(ctx.db, 'order', { ip: ctx.ip, account: who._id, factor: ctx.config.rateLimitFactor });
    return placeOverOwnHolds(ctx, who, body.orderItems, () => placeOrder(ctx, who, body, { key: ctx.idempotencyKey, ip: ctx.ip }));
  }),
  route(api.createCheckoutSession, async ({ body, who }, ctx) => {
    await limit(ctx.db, 'checkout', { ip: ctx.ip, account: who._id, factor: ctx.config.rateLimitFactor });
    return startCheckout(ctx, who, body, ctx.idempotencyKey);
  }),
  route(api.readPayment, ({ params, who }, ctx) => readPayment(ctx, who, params.id, ctx.ip)),
  route(api.leaveCheckout, ({ body }, ctx) => leaveCheckout(ctx, body.mark)),
];
