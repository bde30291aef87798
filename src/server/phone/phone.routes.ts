import * as api from '#contract/phone/phone.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { placePhoneOrder, quotePhoneOrder } from './phone.service.ts';

export const phoneRoutes: readonly Route[] = [
  route(api.quotePhoneOrder, ({ body, who }, ctx) => quotePhoneOrder(ctx, who, body)),
  route(api.placePhoneOrder, ({ body, who }, ctx) => placePhoneOrder(ctx, who, body, ctx.idempotencyKey)),
];
