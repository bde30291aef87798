import type { z } from 'zod';
import type { Order } from '#contract/orders/orders.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { isOpenReturn } from './return-reasons.ts';
import type * as schema from './returns.schema.ts';

type Id = { params: { id: string } };
export type ReturnWish = z.infer<typeof schema.ReturnBody>;
export type Judgement = z.infer<typeof schema.JudgeBody>;
export type Receipt = z.infer<typeof schema.ReceiveBody>;
type ReturnInput = { body: z.input<typeof schema.ReturnBody> };

/** Asks to return pieces of the customer's own order, within the return period. */
export const askForReturn = endpoint<Id & ReturnInput, Order>('POST', '/api/orders/:id/returns');
/** Withdraws the customer's own return that has not arrived at the shop. */
export const withdrawReturn = endpoint<Id, Order>('POST', '/api/returns/:id/withdraw');
/** Agrees to take pieces back, whenever they were delivered, such as faulty ones (administrators). */
export const agreeToReturn = endpoint<Id & ReturnInput, Order>('POST', '/api/office/orders/:id/returns');
/** Approves or refuses a return; one that was approved and never came is refused as well (administrators). */
export const judgeReturn = endpoint<Id & { body: z.input<typeof schema.JudgeBody> }, Order>('POST', '/api/office/returns/:id/judge');
/** Records what came back of a return; its price goes back to the customer (administrators). */
export const receiveReturn = endpoint<Id & { body: z.input<typeof schema.ReceiveBody> }, Order>('POST', '/api/office/returns/:id/received');

/** The lines of an order of which pieces are with the customer and in no return yet, with their places and how many. */
export function returnableLines({ orderItems, returns }: Pick<Order, 'orderItems' | 'returns'>) {
  const open = returns.filter(({ status }) => isOpenReturn(status)).flatMap(({ pieces }) => pieces);
  return orderItems.flatMap((item, line) => {
    const coming = open.filter((one) => one.line === line).reduce((sum, { qty }) => sum + qty, 0);
    const qty = item.qty - item.cancelledQty - item.returnedQty - item.spoiledQty - coming;
    return qty > 0 ? [{ ...item, line, qty }] : [];
  });
}
