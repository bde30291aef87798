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
}

/**
 * The paid price of pieces that leave an order. They come after those that have left it or were refunded, so that all pieces of a line add up to what was
 * paid for it. An order does not record which pieces have both left and been refunded. If some left without a refund and others were refunded but stayed,
 * one piece may count twice and another not at all. That is a penny at most, and nobody gets back more than was paid for the order. What was refunded for some of the pieces comes off the last of them: it is not recorded for which. Pieces that have left without
 * their price, since a dispute held it back, had it refunded in part themselves.
 */
export function pricePaid({ price, ordered, discount, left, unrefunded, partialRefund }: OrderedLine, pieces: number): Pence {
  const before = ordered - Math.max(Math.min(left, unrefunded), pieces);
  const line = { price, qty: ordered, discount };
  const next = worthOfNext(line, before, pieces);
  const all = worthOfNext(line, ordered - unrefunded, unrefunded);
  return Math.max(0, unrefunded > left ? next - partialRefund : Math.min(next, all - partialRefund));
}

/** A line whose pieces may be cancelled: `chosen` of them are. */
interface CancelledLine extends OrderedLine {
  cancelledQty: number;
  chosen: number;
}

/** Whether a cancellation leaves nothing of an order. */
export const isWholeCancelled = (lines: readonly Pick<CancelledLine, 'left' | 'chosen'>[]): boolean =>
  lines.every(({ left, chosen }) => left === chosen);

/**
 * What a cancellation brings back, of at most `most`: the price of the chosen pieces, and with the last ones the delivery, less what was written off for
 * them (`writtenOff`). Where none of the order has come back, the last ones bring back all that is left. What staff kept of the price of a piece that came
 * back stays with the shop.
 */
export function cancelledPrice(
  lines: readonly CancelledLine[],
  { delivery, most, writtenOff }: { delivery: Pence; most: Pence; writtenOff: Pence },
): Pence {
  const hasCameBack = lines.some(({ ordered, cancelledQty, left }) => ordered - cancelledQty > left);
  if (isWholeCancelled(lines) && !hasCameBack) return most;
  const price = lines.reduce((sum, { chosen, ...line }) => sum + pricePaid(line, Math.min(chosen, line.unrefunded)), 0);
  return Math.min(most, Math.max(0, price + (isWholeCancelled(lines) ? delivery : 0) - writtenOff));
}

/**
 * What can be refunded now of a price that is due: not what a bank holds or has taken through a dispute (`heldPrice`), which was for these pieces as far as
 * anybody knows, nor what was written off for them, and at most what is left of the payment. `writtenOff` is 0 where the price leaves it out already.
 */
export const refundNow = (
  due: Pence,
  { heldPrice, writtenOff, refundable }: { heldPrice: Pence; writtenOff: Pence; refundable: Pence },
): Pence => Math.max(0, Math.min(due - heldPrice - writtenOff, refundable));
