import { type Pence, pounds } from '#contract/market/money.ts';
import type { Order } from './orders.ts';

type Sums = Pick<Order, 'totalPrice' | 'waivedPrice' | 'refundedPrice'>;
type Row = [label: string, text: string];
type Format = (pence: Pence) => string;

/** What an order costs now: without what was cancelled before its payment, and without refunds. */
export const costOf = ({ totalPrice, waivedPrice, refundedPrice }: Sums): Pence => totalPrice - waivedPrice - refundedPrice;

/** What is no longer owed: cancelled or back before it was paid, and written off. */
const noLongerOwed = ({ waivedPrice, writtenOffPrice }: Pick<Order, 'waivedPrice' | 'writtenOffPrice'>) => [
  { word: 'Cancelled', pence: waivedPrice - writtenOffPrice },
  { word: 'Written off', pence: writtenOffPrice },
];

/** The rows for what is no longer owed, above the total. Empty if there is nothing. */
export const cancelledRows = (order: Pick<Order, 'waivedPrice' | 'writtenOffPrice'>, format: Format): Row[] =>
  noLongerOwed(order).flatMap(({ word, pence }): Row[] => (pence > 0 ? [[word, `−${format(pence)}`]] : []));

/** The total without what is no longer owed, and the refunds of it, in pounds. The last row is what the order costs now. */
export const totalRows = (order: Sums, format: Format): [Row, ...Row[]] => {
  const { totalPrice, waivedPrice, refundedPrice } = order;
  const charged = totalPrice - waivedPrice;
  const total: Row = ['Total', format(charged)];
  if (refundedPrice === 0) return [total];
  const inPounds: Row[] = format(charged) === pounds(charged) ? [] : [['Charged in pounds', pounds(charged)]];
  return [total, ...inPounds, ['Refunded', `−${pounds(refundedPrice)}`], ['New total', pounds(costOf(order))]];
};

/** The cancelled, written off and refunded sums in words: `£45.00 cancelled, £50.00 refunded`. Empty without any. */
export function goneText(order: Pick<Order, 'waivedPrice' | 'writtenOffPrice' | 'refundedPrice'>): string {
  const gone = [...noLongerOwed(order), { word: 'refunded', pence: order.refundedPrice }];
  return gone.flatMap(({ word, pence }) => (pence > 0 ? [`${pounds(pence)} ${word.toLowerCase()}`] : [])).join(', ');
}
