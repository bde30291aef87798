import type { Pence } from './money.ts';

interface Line {
  /** Of one piece, before any discount. */
  price: Pence;
  qty: number;
  /** Off all pieces of the line. */
  discount: Pence;
}

/** The paid price of some pieces of a line, rounded down: those of all pieces is the line's, to the penny. */
export const worthOf = ({ price, qty, discount }: Line, pieces: number): Pence => Math.floor(((price * qty - discount) * pieces) / qty);

/** The paid price of the next pieces after others, so that pieces that go one by one add up to the line. */
export const worthOfNext = (line: Line, before: number, pieces: number): Pence =>
  worthOf(line, Math.min(line.qty, before + pieces)) - worthOf(line, before);

/** A line of an order, of which pieces may have left. */
export interface OrderedLine {
  price: Pence;
  ordered: number;
  discount: Pence;
  /** Neither cancelled nor back. */
  left: number;
  /** Pieces whose price was not refunded. */
  unrefunded: number;
}

/**
 * The paid price of pieces that leave an order. They come after those that have left it or were refunded, so that all pieces of a line add up to what was
 * paid for it.
 */
export function pricePaid({ price, ordered, discount, left, unrefunded }: OrderedLine, pieces: number): Pence {
  const before = ordered - Math.max(Math.min(left, unrefunded), pieces);
  return worthOfNext({ price, qty: ordered, discount }, before, pieces);
}
