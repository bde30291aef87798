import { pounds } from '#contract/market/money.ts';
import type { OrderStatus } from '#contract/orders/states.ts';
import { isAllowed } from '#server/orders/rules/states.ts';

interface Money {
  status: OrderStatus;
  paidAt: string | null;
  /** Pence. */
  totalPrice: number;
  waivedPrice: number;
  refundedPrice: number;
  disputedPrice: number;
}

/** What was taken and has not gone back by a dispute, in pence: refunds come out of it. */
export const keptOf = ({ totalPrice, waivedPrice, disputedPrice }: Pick<Money, 'totalPrice' | 'waivedPrice' | 'disputedPrice'>): number =>
  Math.max(0, totalPrice - waivedPrice - disputedPrice);

/** How much of an order can still be refunded, in pence: what was taken less refunds less disputes that are open or lost. */
export const refundable = (order: Money): number =>
  order.paidAt && isAllowed('refund', order.status) ? Math.max(0, keptOf(order) - order.refundedPrice) : 0;

/** The sentence that refuses to refund more than that. */
export function refusalOfMore(order: Money): string {
  const most = refundable(order);
  if (most > 0) return `At most ${pounds(most)} of this order can still be refunded.`;
  if (order.disputedPrice === 0) return 'There is nothing left to refund.';
  return `There is nothing left to refund: the customer disputed ${pounds(order.disputedPrice)} of this payment at their bank.`;
}
