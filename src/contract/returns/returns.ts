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

/** The lines of an order with pieces that can be returned: position and number. */
export function returnableLines({ orderItems, returns }: Pick<Order, 'orderItems' | 'returns'>) {
  const open = returns.filter(({ status }) => isOpenReturn(status)).flatMap(({ pieces }) => pieces);
  return orderItems.flatMap((item, line) => {
    const coming = open.filter((one) => one.line === line).reduce((sum, { qty }) => sum + qty, 0);
    const qty = item.qty - item.cancelledQty - item.returnedQty - item.spoiledQty - coming;
    return qty > 0 ? [{ ...item, line, qty }] : [];
  });
}
