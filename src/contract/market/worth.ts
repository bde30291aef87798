import type { Pence } from './money.ts';

interface Line {
  /** Unit price before discount. */
  price: Pence;
  qty: number;
  /** Discount on the whole line. */
  discount: Pence;
}

/** What was paid for `pieces` of a line, rounded down; for all pieces exactly what was paid for the line. */
export const worthOf = ({ price, qty, discount }: Line, pieces: number): Pence => Math.floor(((price * qty - discount) * pieces) / qty);

/** What was paid for the next `pieces` after the first `before`, so that parts add up to the line. */
export const worthOfNext = (line: Line, before: number, pieces: number): Pence =>
  worthOf(line, Math.min(line.qty, before + pieces)) - worthOf(line, before);

/** A line of an order, with what was cancelled, returned or refunded of it. */
export interface OrderedLine {
  price: Pence;
  ordered: number;
  discount: Pence;
  /** Pieces neither cancelled nor returned. */
  left: number;
  /** Pieces neither refunded nor gone. */
  unrefunded: number;
  /** Refunded for some of these at less than their price. */
  partialRefund: Pence;
}

/**
 * The paid price of pieces that leave an order. They come after those that have left it or were refunded, so that all pieces of a line add up to what was paid
 * for it. What was refunded in part is taken off the last of them: it is not recorded for which.
 */
export function pricePaid({ price, ordered, discount, left, unrefunded, partialRefund }: OrderedLine, pieces: number): Pence {
  const line = { price, qty: ordered, discount };
  const staying = Math.min(left, unrefunded);
  const next = worthOfNext(line, ordered - staying, Math.min(pieces, staying));
  return Math.max(0, Math.min(next, worthOfNext(line, ordered - staying, staying) - partialRefund));
}

/** A line whose pieces may be cancelled: `chosen` of them are. */
interface CancelledLine extends OrderedLine {
  chosen: number;
}

/** Whether a cancellation leaves nothing of an order. */
export const isWholeCancelled = (lines: readonly Pick<CancelledLine, 'left' | 'chosen'>[]): boolean =>
  lines.every(({ left, chosen }) => left === chosen);

/**
 * What a cancellation brings back, of at most `most`: the price of the chosen pieces, less what was written off for them (`writtenOff`). The last ones bring
 * back all of it, delivery included, less what was for other pieces and is not owed (`keptPrice`).
 */
export function cancelledPrice(
  lines: readonly CancelledLine[],
  { most, keptPrice, writtenOff }: { most: Pence; keptPrice: Pence; writtenOff: Pence },
): Pence {
  if (isWholeCancelled(lines)) return Math.max(0, most - keptPrice);
  const price = lines.reduce((sum, { chosen, ...line }) => sum + pricePaid(line, Math.min(chosen, line.unrefunded)), 0);
  return Math.min(most, Math.max(0, price - writtenOff));
}

/** An order's sums, as its reader has them. */
interface Sums {
  isPaid: boolean;
  totalPrice: Pence;
  waivedPrice: Pence;
  refundedPrice: Pence;
  refundable: Pence;
  owedPrice: Pence;
  heldPrice: Pence;
}

/** What is left of an order's payment, without what is owed already. Of an unpaid order, what is due. */
export const leftOf = ({ isPaid, totalPrice, waivedPrice, refundedPrice, owedPrice }: Omit<Sums, 'refundable' | 'heldPrice'>): Pence =>
  totalPrice - waivedPrice - (isPaid ? refundedPrice + owedPrice : 0);

/**
 * The part of a price due for pieces that leave that goes back now. What a bank holds or has given back (`heldPrice`) counts for these pieces, so it is taken
 * off. Of an unpaid order, it is the sum that is no longer owed.
 */
export const refundNow = (due: Pence, order: Sums): Pence =>
  order.isPaid ? Math.max(0, Math.min(due - order.heldPrice, order.refundable - order.owedPrice)) : Math.min(due, leftOf(order));
