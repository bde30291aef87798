import { Order, OrderParams } from '#contract/orders/orders.schema.ts';
import * as schema from '#contract/returns/returns.schema.ts';
import * as contract from '#contract/returns/returns.ts';
import type { Ctx, Customer } from '#server/context/context.ts';
import { onAdmin, onCustomer, type Route } from '#server/platform/http/route.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { receiveReturn } from './receive.service.ts';
import { agreeToReturn, askForReturn, judgeReturn, withdrawReturn } from './returns.service.ts';

const countAfterSale = ({ db, ip, config }: Ctx, { _id: account }: Customer) =>
  limit(db, 'afterSale', { ip, account, factor: config.rateLimitFactor });

const byId = { params: OrderParams, reply: Order };

/** How pieces come back. */
export const returnRoutes: readonly Route[] = [
  onCustomer(contract.askForReturn, { ...byId, body: schema.ReturnBody }, async ({ params, body }, who, ctx) => {
    await countAfterSale(ctx, who);
    return askForReturn(ctx, who, params.id, body);
  }),
  onCustomer(contract.withdrawReturn, byId, async ({ params }, who, ctx) => {
    await countAfterSale(ctx, who);
    return withdrawReturn(ctx, who, params.id);
  }),
  onAdmin(contract.agreeToReturn, { ...byId, body: schema.ReturnBody }, ({ params, body }, who, ctx) =>
    agreeToReturn(ctx, who, params.id, body),
  ),
  onAdmin(contract.judgeReturn, { ...byId, body: schema.JudgeBody }, ({ params, body }, who, ctx) =>
    judgeReturn(ctx, who, params.id, body),
  ),
  onAdmin(contract.receiveReturn, { ...byId, body: schema.ReceiveBody }, ({ params, body }, who, ctx) =>
    receiveReturn(ctx, who, params.id, body),
  ),
];
