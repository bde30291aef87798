import { type Pence, pounds } from '#contract/market/money.ts';
import type { Order } from './orders.ts';

type Sums = Pick<Order, 'totalPrice' | 'waivedPrice' | 'refundedPrice'>;
type Row = [label: string, text: string];
type Format = (pence: Pence) => string;

/** What an order costs now: without what was cancelled before its payment, and without refunds. */
export const costOf = ({ totalPrice, waivedPrice, refundedPrice }: Sums): Pence => totalPrice - waivedPrice - refundedPrice;

/** The row for what is no longer owed, above the total. Empty if there is nothing. */
export const cancelledRows = ({ waivedPrice }: Pick<Order, 'waivedPrice'>, format: Format): Row[] =>
  waivedPrice > 0 ? [['Cancelled', `−${format(waivedPrice)}`]] : [];

/** The total without what is no longer owed, and the refunds of it. The last row is what the order costs now. */
export const totalRows = (order: Sums, format: Format): [Row, ...Row[]] => {
  const { totalPrice, waivedPrice, refundedPrice } = order;
  const total: Row = ['Total', format(totalPrice - waivedPrice)];
  if (refundedPrice === 0) return [total];
  return [total, ['Refunded', `−${pounds(refundedPrice)}`], ['New total', pounds(costOf(order))]];
};

/** The cancelled and refunded sums in words: `£45.00 cancelled, £50.00 refunded`. Empty without any. */
export function goneText({ waivedPrice, refundedPrice }: Pick<Sums, 'waivedPrice' | 'refundedPrice'>): string {
  const gone = [
    { pence: waivedPrice, word: 'cancelled' },
    { pence: refundedPrice, word: 'refunded' },
  ];
  return gone.flatMap(({ pence, word }) => (pence > 0 ? [`${pounds(pence)} ${word}`] : [])).join(', ');
}
