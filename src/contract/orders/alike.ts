import { type OrderItem, pieceNames } from './orders.ts';

/** The pieces of an order that were not cancelled, in words. */
export const keptNames = (items: readonly OrderItem[]): string =>
  pieceNames(items.map((item) => ({ ...item, qty: item.qty - item.cancelledQty })).filter(({ qty }) => qty > 0));

/** Rows with the same key as one row, in the place of the first. */
export function alikeAsOne<T>(rows: readonly T[], keyOf: (row: T) => readonly unknown[], merge: (one: T, other: T) => T): T[] {
  const merged = new Map<string, T>();
  for (const row of rows) {
    const key = JSON.stringify(keyOf(row));
    const one = merged.get(key);
    merged.set(key, one ? merge(one, row) : row);
  }
  return [...merged.values()];
}

/** An order's lines for people: a correction leaves the same piece at the same price on several lines, and they expect one. */
export const shownItems = (items: readonly OrderItem[]): OrderItem[] =>
  alikeAsOne(
    items,
    ({ _id, name, size, color, isColourOpen, price }) => [_id, name, size, color, isColourOpen, price],
    (one, other) => ({
      ...one,
      qty: one.qty + other.qty,
      discount: one.discount + other.discount,
      cancelledQty: one.cancelledQty + other.cancelledQty,
      returnedQty: one.returnedQty + other.returnedQty,
      spoiledQty: one.spoiledQty + other.spoiledQty,
      refundedQty: one.refundedQty + other.refundedQty,
      partialRefund: one.partialRefund + other.partialRefund,
    }),
  );
