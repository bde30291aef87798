/** What is known of an order's money, in pence. */
interface Sums {
  totalPrice: number;
  waivedPrice: number;
  refundedPrice: number;
  amountDue: number;
}

/** What has become of an order's total since, as rows to stand under it, in pence; none where nothing was cancelled or refunded. */
export function changesOf({ totalPrice, waivedPrice, refundedPrice, amountDue }: Sums): [string, number][] {
  const gone: [string, number][] = [
    ['Cancelled', waivedPrice],
    ['Refunded', refundedPrice],
  ];
  const changes = gone.filter(([, pence]) => pence > 0);
  if (changes.length === 0) return [];
  return [...changes, [amountDue > 0 ? 'Left to pay' : 'In all', totalPrice - waivedPrice - refundedPrice]];
}
