import { pounds } from '#contract/market/money.ts';
import type { OrderStatus } from '#contract/orders/states.ts';
import { isAllowed } from '#server/orders/rules/states.ts';

/** Amounts in pence. */
type Money = Record<'totalPrice' | 'waivedPrice' | 'refundedPrice' | 'disputedPrice', number> & {
  status: OrderStatus;
  paidAt: string | null;
};

/** The payment less cancellations and disputes, in pence. Refunds come out of it. */
export const keptOf = ({ totalPrice, waivedPrice, disputedPrice }: Omit<Money, 'status' | 'paidAt'>): number =>
  Math.max(0, totalPrice - waivedPrice - disputedPrice);

/** The largest refund that an order still allows, in pence: its payment less refunds, and less open and lost disputes. */
export const refundable = (order: Money): number =>
  order.paidAt && isAllowed('refund', order.status) ? Math.max(0, keptOf(order) - order.refundedPrice) : 0;

/** The part of a payment that is disputed, or was lost in a dispute, and is not counted for pieces that left the order, in pence. */
export const heldOf = ({ disputedPrice, lostPrice }: Pick<Money, 'disputedPrice'> & { lostPrice: number }): number =>
  Math.max(0, disputedPrice - lostPrice);

/** The part of a payment that was for pieces that left the order and is not owed, in pence: staff kept it, or a lost dispute was counted for them. */
export const notOwedOf = ({ keptPrice, lostPrice }: Record<'keptPrice' | 'lostPrice', number>): number => keptPrice + lostPrice;

/** The message that refuses a larger refund. */
export function refusalOfMore(order: Money): string {
  const most = refundable(order);
  if (most > 0) return `At most ${pounds(most)} of this order can still be refunded.`;
  if (order.disputedPrice === 0) return 'There is nothing left to refund.';
  return `There is nothing left to refund: the customer disputed ${pounds(order.disputedPrice)} of this payment at their bank.`;
}
