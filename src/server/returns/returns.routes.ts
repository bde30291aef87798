import * as schema from '#contract/orders/returns.schema.ts';
import { Order, OrderParams } from '#contract/orders.schema.ts';
import * as contract from '#contract/returns/returns.ts';
import { onAdmin, onCustomer, type Route } from '#server/http/route.ts';
import { receiveReturn } from './receive.service.ts';
import { agreeToReturn, askForReturn, judgeReturn, withdrawReturn } from './returns.service.ts';

const byId = { params: OrderParams, reply: Order };

/** How pieces come back. */
export const returnRoutes: readonly Route[] = [
  onCustomer(contract.askForReturn, { ...byId, body: schema.ReturnBody }, ({ params, body }, who, ctx) =>
    askForReturn(ctx, who, params.id, body),
  ),
  onCustomer(contract.withdrawReturn, byId, ({ params }, who, ctx) => withdrawReturn(ctx, who, params.id)),
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
