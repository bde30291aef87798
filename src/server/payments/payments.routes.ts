import * as lists from '#contract/base/lists.schema.ts';
import * as schema from '#contract/orders.schema.ts';
import { createCheckoutSession, leaveCheckout } from '#contract/orders.ts';
import { on, onCustomer, type Route } from '#server/http/route.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { startCheckout } from './checkout.service.ts';
import * as leaving from './leave.service.ts';

export const paymentRoutes: readonly Route[] = [
  onCustomer(createCheckoutSession, { body: schema.CheckoutSessionBody, reply: schema.CheckoutSession }, async ({ body }, who, ctx) => {
    await limit(ctx.db, 'checkout', { ip: ctx.ip, account: who._id, factor: ctx.config.rateLimitFactor });
    return startCheckout(ctx, who, body, ctx.idempotencyKey);
  }),
  on(leaveCheckout, { body: schema.LeaveCheckoutBody, reply: lists.Done }, ({ body }, ctx) => leaving.leaveCheckout(ctx, body.mark)),
];
