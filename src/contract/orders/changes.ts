import type { Order } from '#contract/orders.ts';

/** What has become of an order's total since, as rows to stand under it, in pence; none where nothing was cancelled or refunded. */
export function changesOf(order: Pick<Order, 'totalPrice' | 'waivedPrice' | 'refundedPrice' | 'amountDue'>): [string, number][] {
  const { totalPrice, waivedPrice, refundedPrice, amountDue } = order;
  const gone: [string, number][] = [
    ['Cancelled', waivedPrice],
    ['Refunded', refundedPrice],
  ];
  const changes = gone.filter(([, pence]) => pence > 0);
  if (changes.length === 0) return [];
  return [...changes, [amountDue > 0 ? 'Left to pay' : 'In all', totalPrice - waivedPrice - refundedPrice]];
}
