import * as api from '#contract/orders/orders.endpoints.ts';
import { proven } from '#server/context/context.ts';
import { areOwnHoldsInTheWay } from '#server/orders/lines/holds.service.ts';
import { placeOrder } from '#server/orders/place.service.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { startCheckout } from './checkout.service.ts';
import { payByLink, payDifference, readPaymentLink } from './difference.service.ts';
import { leaveCheckout, placeOverOwnHolds } from './end-holds.service.ts';
import { payBack, retryOverpayment } from './second-refund.service.ts';
import { readPayment } from './watch.service.ts';

export const paymentRoutes: readonly Route[] = [
  route(
    api.createOrder,
    ({ body, who }, ctx) =>
      placeOverOwnHolds(
        ctx,
        who,
        () => areOwnHoldsInTheWay(ctx.db, who._id, body.orderItems),
        () => placeOrder(ctx, who, body, { key: ctx.idempotencyKey, ip: ctx.ip }),
      ),
    { limit: 'order', takesTurn: true },
  ),
  route(api.createCheckoutSession, ({ body, who }, ctx) => startCheckout(ctx, who, body, { key: ctx.idempotencyKey, ip: ctx.ip }), {
    limit: 'checkout',
    takesTurn: true,
  }),
  route(api.payDifference, ({ params, who }, ctx) => payDifference(ctx, who, params.id), { limit: 'checkout' }),
  route(api.readPaymentLink, ({ params }, { db }) => readPaymentLink({ db }, params.id)),
  route(api.payByLink, async ({ params }, ctx) => {
    await limit(ctx.db, 'payment', { ip: ctx.ip, account: params.id, factor: ctx.config.rateLimitFactor });
    return payByLink(ctx, params.id);
  }),
  route(api.payBackOverpayment, async ({ params, body, who }, ctx) => payBack(ctx, proven(who), params.id, body.paidBackBy)),
  route(api.retryOverpayment, async ({ params, who }, ctx) => retryOverpayment(ctx, proven(who), params.id)),
  route(api.readPayment, ({ params, who }, ctx) => readPayment(ctx, who, params.id, ctx.ip)),
  route(api.leaveCheckout, ({ body }, ctx) => leaveCheckout(ctx, body.mark)),
];
