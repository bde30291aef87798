import * as api from '#contract/returns/returns.endpoints.ts';
import type { Ctx, Customer } from '#server/context/context.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { receiveReturn } from './receive.service.ts';
import { agreeToReturn, askForReturn, judgeReturn, withdrawReturn } from './returns.service.ts';

const countAfterSale = ({ db, ip, config }: Ctx, { _id: account }: Customer) =>
  limit(db, 'afterSale', { ip, account, factor: config.rateLimitFactor });

/** How pieces come back. */
export const returnRoutes: readonly Route[] = [
  route(api.askForReturn, async ({ params, body, who }, ctx) => {
    await countAfterSale(ctx, who);
    return askForReturn(ctx, who, params.id, body);
  }),
  route(api.withdrawReturn, async ({ params, who }, ctx) => {
    await countAfterSale(ctx, who);
    return withdrawReturn(ctx, who, params.id);
  }),
  route(api.agreeToReturn, ({ params, body, who }, ctx) => agreeToReturn(ctx, who, params.id, body)),
  route(api.judgeReturn, ({ params, body, who }, ctx) => judgeReturn(ctx, who, params.id, body)),
  route(api.receiveReturn, ({ params, body, who }, ctx) => receiveReturn(ctx, who, params.id, body)),
];
