import type { z } from 'zod';
import type { Pence } from '#contract/market/money.ts';
import { type OrderedLine, pricePaid } from '#contract/market/worth.ts';
import type { Order } from '#contract/orders/orders.ts';
import { isOpenReturn } from './return-reasons.ts';
import type * as schema from './returns.schema.ts';

export type ReturnWish = z.infer<typeof schema.ReturnBody>;
export type AgreedReturn = z.infer<typeof schema.AgreedReturnBody>;
export type Judgement = z.infer<typeof schema.JudgeBody>;
export type Receipt = z.infer<typeof schema.ReceiveBody>;

/** The refund due for pieces of an order that came back (`came` of each line): their price without that of pieces refunded before, and with the last of them `delivery`. */
export function refundDueOf(lines: readonly (OrderedLine & { came: number })[], delivery: Pence): Pence {
  const price = lines.reduce((sum, { came, ...line }) => sum + pricePaid(line, Math.min(came, line.unrefunded)), 0);
  return price + (lines.every(({ left, came }) => left === came) ? delivery : 0);
}

/** How many pieces of a line are in open returns. */
export function comingBack(returns: Order['returns'], line: number): number {
  const pieces = returns.filter(({ status }) => isOpenReturn(status)).flatMap((one) => one.pieces);
  return pieces.reduce((sum, one) => (one.line === line ? sum + one.qty : sum), 0);
}

/** The lines of an order with pieces that can be returned: position and number. */
export function returnableLines({ orderItems, returns }: Pick<Order, 'orderItems' | 'returns'>) {
  return orderItems.flatMap((item, line) => {
    const qty = item.qty - item.cancelledQty - item.returnedQty - item.spoiledQty - comingBack(returns, line);
    return qty > 0 ? [{ ...item, line, qty }] : [];
  });
}
