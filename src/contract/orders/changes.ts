import type { Order } from './orders.ts';

type Sums = Pick<Order, 'totalPrice' | 'waivedPrice' | 'refundedPrice' | 'amountDue'>;

/** Rows below an order's total, in pence: cancelled, refunded and left. Empty without cancellations and refunds. */
export function changesOf({ totalPrice, waivedPrice, refundedPrice, amountDue }: Sums): [string, number][] {
  const gone: [string, number][] = [
    ['Cancelled', waivedPrice],
    ['Refunded', refundedPrice],
  ];
  const changes = gone.filter(([, pence]) => pence > 0);
  if (changes.length === 0) return [];
  return [...changes, [amountDue > 0 ? 'Left to pay' : 'New total', totalPrice - waivedPrice - refundedPrice]];
}
