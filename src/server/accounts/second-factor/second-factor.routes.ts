import * as schema from '#contract/accounts/second-factor.schema.ts';
import * as contract from '#contract/accounts/second-factor.ts';
import { Done } from '#contract/platform/lists.schema.ts';
import { proven } from '#server/context/context.ts';
import { onAdmin, onAnyAdmin, type Route } from '#server/platform/http/route.ts';
import { forgive, limit } from '#server/sessions/rate-limit.service.ts';
import * as service from './second-factor.service.ts';

/** An administrator's own second factor. Setting it up is open to whoever has yet to do so before anything else. */
export const secondFactorRoutes: readonly Route[] = [
  onAnyAdmin(contract.readSecondFactor, { reply: schema.SecondFactor }, (_, who, ctx) => service.readSecondFactor(ctx, who)),
  onAnyAdmin(contract.beginSecondFactor, { reply: schema.SetUp }, async (_, who, ctx) => service.beginSecondFactor(ctx, proven(who))),
  onAnyAdmin(contract.confirmSecondFactor, { body: schema.ConfirmBody, reply: schema.RecoveryCodes }, async ({ body }, who, ctx) => {
    const attempt = { ip: ctx.ip, account: who.email, factor: ctx.config.rateLimitFactor };
    await limit(ctx.db, 'code', attempt);
    const codes = await service.confirmSecondFactor(ctx, who, body.code);
    await forgive(ctx.db, 'code', attempt);
    return codes;
  }),
  onAdmin(contract.removeSecondFactor, { reply: Done }, async (_, who, ctx) => service.removeSecondFactor(ctx, proven(who))),
];
