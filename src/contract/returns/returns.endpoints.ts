import { Order } from '#contract/orders/orders.schema.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { ById } from '#contract/platform/lists.schema.ts';
import * as schema from './returns.schema.ts';

export const askForReturn = endpoint('POST /api/orders/:id/returns', {
  role: 'customer',
  summary: 'Ask to return pieces of your own order, within the return period',
  errors: [404, 409, 429],
  params: ById,
  body: schema.ReturnBody,
  reply: Order,
});

export const withdrawReturn = endpoint('POST /api/returns/:id/withdraw', {
  role: 'customer',
  summary: 'Withdraw your own return',
  errors: [404, 409, 429],
  params: ById,
  reply: Order,
});

export const agreeToReturn = endpoint('POST /api/office/orders/:id/returns', {
  right: 'change orders',
  summary: 'Agree to a return, also after the return period',
  errors: [404, 409],
  params: ById,
  body: schema.AgreedReturnBody,
  reply: Order,
});

export const judgeReturn = endpoint('POST /api/office/returns/:id/judge', {
  right: 'change orders',
  summary: 'Approve or refuse a return',
  errors: [404, 409],
  params: ById,
  body: schema.JudgeBody,
  reply: Order,
});

export const readReturnTerms = endpoint('GET /api/office/returns/:id', {
  right: 'see orders',
  summary: 'Read how much of the delivery a return refunds with the last pieces of its order',
  errors: [404],
  params: ById,
  reply: schema.ReturnTerms,
});

export const receiveReturn = endpoint('POST /api/office/returns/:id/received', {
  right: 'change orders',
  summary: 'Record what came back and in what state; its price is refunded',
  errors: [404, 409],
  params: ById,
  body: schema.ReceiveBody,
  reply: Order,
});
