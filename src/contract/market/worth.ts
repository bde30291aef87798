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
  /** Pieces not refunded yet. */
  unrefunded: number;
  /** Refunded for some of these at less than their price. */
  partialRefund: Pence;
  /** The pieces in question are first those that left without their price, since a dispute held it back. By default they leave now. */
  isOwed?: boolean;
}

/**
 * The paid price of pieces that leave an order, or that left without it. They come after those that have left it or were refunded, so that all pieces of a
 * line add up to what was paid for it. An order does not record which pieces have both left and been refunded. If some left without a refund and others were
 * refunded but stayed, one piece may count twice and another not at all. That is a penny at most, and nobody gets back more than was paid for the order.
 * What was refunded in part is taken off pieces that left without their price, and the rest of it off the last of those that stay: it is not recorded for
 * which.
 */
export function pricePaid(
  { price, ordered, discount, left, unrefunded, partialRefund, isOwed = false }: OrderedLine,
  pieces: number,
): Pence {
  const line = { price, qty: ordered, discount };
  const owed = Math.max(0, unrefunded - left);
  const first = isOwed ? Math.min(pieces, owed) : 0;
  const refunded = Math.min(partialRefund, worthOfNext(line, ordered - unrefunded, owed));
  const priceOfFirst = first > 0 ? Math.max(0, worthOfNext(line, ordered - unrefunded, first) - refunded) : 0;
  const staying = Math.min(left, unrefunded);
  const next = worthOfNext(line, ordered - Math.max(staying, pieces - first), pieces - first);
  const all = worthOfNext(line, ordered - staying, staying);
  return priceOfFirst + Math.max(0, Math.min(next, all - (partialRefund - refunded)));
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
 * back all that is left of the payment, delivery included, less what was for other pieces and is not owed (`keptPrice`).
 */
export function cancelledPrice(
  lines: readonly CancelledLine[],
  { most, keptPrice, writtenOff }: { most: Pence; keptPrice: Pence; writtenOff: Pence },
): Pence {
  if (isWholeCancelled(lines)) return Math.max(0, most - keptPrice);
  const price = lines.reduce((sum, { chosen, ...line }) => sum + pricePaid(line, Math.min(chosen, line.unrefunded)), 0);
  return Math.min(most, Math.max(0, price - writtenOff));
}

/**
 * What can be refunded now of a price that is due: not what a bank holds or has taken through a dispute (`heldPrice`), which was for these pieces as far as
 * anybody knows, nor what was written off for them, and at most what is left of the payment. `writtenOff` is 0 where the price leaves it out already.
 */
export const refundNow = (
  due: Pence,
  { heldPrice, writtenOff, refundable }: { heldPrice: Pence; writtenOff: Pence; refundable: Pence },
): Pence => Math.max(0, Math.min(due - heldPrice - writtenOff, refundable));
