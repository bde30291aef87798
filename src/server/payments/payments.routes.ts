import * as schema from '#contract/orders.schema.ts';
import { createCheckoutSession } from '#contract/orders.ts';
import { onCustomer, type Route } from '#server/route.ts';
import { startCheckout } from './checkout.service.ts';

export const paymentRoutes: readonly Route[] = [
  onCustomer(createCheckoutSession, { body: schema.CheckoutSessionBody, reply: schema.CheckoutSession }, ({ body }, who, ctx) =>
    startCheckout(ctx, who, body),
  ),
];
