import { type Pence, pounds } from '#contract/market/money.ts';
import { openParts } from '#contract/market/owed.ts';
import type { OrderStatus } from '#contract/orders/states.ts';
import { Problem } from '#contract/platform/problem.ts';
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

/** The message that refuses a larger refund. */
export function refusalOfMore(order: Money): string {
  const most = refundable(order);
  if (most > 0) return `At most ${pounds(most)} of this order can still be refunded.`;
  if (order.disputedPrice === 0) return 'There is nothing left to refund.';
  return `There is nothing left to refund: the customer disputed ${pounds(order.disputedPrice)} of this payment at their bank.`;
}

/** Throws 409 if what can be refunded of an order has changed since it was looked at: a refund or a dispute is no new revision. */
export function checkRefundable(order: Money & { reference: string }, seen: number | undefined): void {
  if (seen !== undefined && seen !== refundable(order))
    throw new Problem(
      409,
      `What can be refunded of order ${order.reference} has changed since you opened it. Reload the page, then try again.`,
    );
}

/** The part of each refund of an order that can be paid now, of refunds that have not failed nothing; the latest one takes what is owed first. */
export function openRefunds(
  oldestFirst: readonly { status: string; amount: Pence; goodwill: Pence; paidOtherwise: Pence }[],
  most: { owed: Pence; refundable: Pence },
): { amount: Pence; goodwill: Pence }[] {
  const failed = oldestFirst.map(({ status, amount, goodwill, paidOtherwise }) =>
    status === 'failed' ? { amount: amount - paidOtherwise, goodwill } : { amount: 0, goodwill: 0 },
  );
  return openParts(failed.toReversed(), most).toReversed();
}
