import * as api from '#contract/returns/returns.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { readReturnTerms, receiveReturn } from './receive.service.ts';
import { agreeToReturn, askForReturn, judgeReturn, withdrawReturn } from './returns.service.ts';

const AFTER_SALE = { limit: 'afterSale', takesTurn: true } as const;

export const returnRoutes: readonly Route[] = [
  route(api.askForReturn, ({ params, body, who }, ctx) => askForReturn(ctx, who, params.id, body), AFTER_SALE),
  route(api.withdrawReturn, ({ params, who }, ctx) => withdrawReturn(ctx, who, params.id), AFTER_SALE),
  route(api.agreeToReturn, ({ params, body, who }, ctx) => agreeToReturn(ctx, who, params.id, body)),
  route(api.judgeReturn, ({ params, body, who }, ctx) => judgeReturn(ctx, who, params.id, body)),
  route(api.readReturnTerms, ({ params, who }, ctx) => readReturnTerms(ctx, who, params.id)),
  route(api.receiveReturn, ({ params, body, who }, ctx) => receiveReturn(ctx, who, params.id, body)),
];
