import * as schema from '#contract/orders.schema.ts';
import { createCheckoutSession } from '#contract/orders.ts';
import { onCustomer, type Route } from '#server/route.ts';
import { endAbandonedCheckouts } from './abandon.service.ts';
import { startCheckout } from './checkout.service.ts';

export const paymentRoutes: readonly Route[] = [
  onCustomer(createCheckoutSession, { body: schema.CheckoutSessionBody, reply: schema.CheckoutSession }, async ({ body }, who, ctx) => {
    await endAbandonedCheckouts(ctx, who);
    return startCheckout(ctx, who, body);
  }),
];
