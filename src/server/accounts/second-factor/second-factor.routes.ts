import * as api from '#contract/accounts/second-factor.endpoints.ts';
import { proven } from '#server/context/context.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { forgive, limit } from '#server/sessions/rate-limit.service.ts';
import * as service from './second-factor.service.ts';

/** An administrator's own second factor. Setup is open even to those who must set one up before anything else. */
export const secondFactorRoutes: readonly Route[] = [
  route(api.readSecondFactor, ({ who }, ctx) => service.readSecondFactor(ctx, who)),
  route(api.beginSecondFactor, async ({ who }, ctx) => service.beginSecondFactor(ctx, proven(who))),
  route(api.confirmSecondFactor, async ({ body, who }, ctx) => {
    const attempt = { ip: ctx.ip, account: who.email, factor: ctx.config.rateLimitFactor };
    // Not by the route's `limit`, which would count right codes too.
    const counted = await limit(ctx.db, 'code', attempt);
    const codes = await service.confirmSecondFactor(ctx, who, body.code);
    await forgive(ctx.db, counted);
    return codes;
  }),
  route(api.removeSecondFactor, async ({ who }, ctx) => service.removeSecondFactor(ctx, proven(who))),
];
