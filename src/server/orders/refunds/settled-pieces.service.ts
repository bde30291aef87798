import { type SqlBool, sql } from 'kysely';
import { apportion } from '#contract/market/apportion.ts';
import type { Pence } from '#contract/market/money.ts';
import { pricePaid } from '#contract/market/worth.ts';
import { type LineOfPieces, readPieces } from '#server/orders/lines/parcels.service.ts';
import type { LockedOrder } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';

/** The price of pieces that leave an order, less that of those refunded before. */
export const priceToRefund = (pieces: readonly LineOfPieces[]): Pence =>
  pieces.reduce((sum, line) => sum + pricePaid(line, Math.min(line.qty, line.unrefunded)), 0);

/** Counts pieces as settled: their price was refunded, or is not owed any more. A payment that comes later does not pay for them. */
export async function settlePieces(tx: Tx, orderId: string, pieces: readonly LineOfPieces[]): Promise<void> {
  for (const line of pieces) {
    const { position, qty } = line;
    const usedUp = priceToRefund([{ ...line, partialRefund: 0 }]) - priceToRefund([line]);
    await tx
      .updateTable('orderItems')
      .set({
        refundedQty: sql<number>`least(qty, refunded_qty + ${qty})`,
        partialRefund: sql<number>`greatest(0, partial_refund - ${usedUp})`,
      })
      .where('orderId', '=', orderId)
      .where('position', '=', position)
      .execute();
  }
}

/** Counts an amount as refunded for pieces. Less than their price does not settle them, but is taken off what their line brings back in all. */
export async function payForPieces(tx: Tx, orderId: string, pieces: readonly LineOfPieces[], amount: Pence): Promise<void> {
  const price = priceToRefund(pieces);
  if (amount >= price) return settlePieces(tx, orderId, pieces);
  const shares = apportion(
    amount,
    pieces.map((line) => priceToRefund([line])),
  );
  for (const [index, line] of pieces.entries())
    await tx
      .updateTable('orderItems')
      .set((eb) => ({ partialRefund: eb('partialRefund', '+', shares[index] ?? 0) }))
      .where('orderId', '=', orderId)
      .where('position', '=', line.position)
      .execute();
}

/**
 * Notes what staff kept of the price of pieces that leave a locked order, which were to bring back `price` and for which `given` was given back; returns the
 * sum. More than the price gives back what they kept before.
 */
export async function noteKept(tx: Tx, order: LockedOrder, price: Pence, given: Pence): Promise<Pence> {
  const { id, totalPrice, waivedPrice, refundedPrice, lostPrice } = order;
  // Goodwill may have left less of the payment.
  const kept = Math.min(price, totalPrice - waivedPrice - refundedPrice - lostPrice) - given;
  await tx
    .updateTable('orders')
    .set({ keptPrice: sql<number>`greatest(0, kept_price + ${kept})` })
    .where('id', '=', id)
    .execute();
  return kept;
}

/** Counts an amount that was refunded without pieces: for those that are owed, and then for what staff kept of others. */
export async function payForOwed(tx: Tx, order: LockedOrder, amount: Pence): Promise<void> {
  const owed = await listOwed(tx, order.id);
  await payForPieces(tx, order.id, owed, amount);
  const price = priceToRefund(owed);
  if (amount > price) await noteKept(tx, order, price, amount);
}

/** Order lines with cancelled or returned pieces that are owed more than a bank holds of the payment. Select `item.order_id` from it. */
export const owedItems = sql`order_items item join orders paid on paid.id = item.order_id
  and paid.paid_at is not null and paid.total_price - paid.waived_price - paid.refunded_price - paid.disputed_price > 0
  where item.cancelled_qty + item.returned_qty + item.spoiled_qty > item.refunded_qty
  and worth_of(item.price, item.qty, item.discount, item.cancelled_qty + item.returned_qty + item.spoiled_qty)
    - worth_of(item.price, item.qty, item.discount, item.refunded_qty) > item.partial_refund + paid.disputed_price - paid.lost_price`;

/** Whether a failed refund, the row `refund`, can be paid: not while a bank holds its money, nor once others or a lost dispute have left less than it. */
export const isStillOwed = sql<SqlBool>`(case when order_state = 'refunded' then refund.amount > disputed_price
  else refund.amount <= total_price - waived_price - refunded_price - disputed_price end)`;

/** Cancelled orders with money to refund, delivery included: a dispute held it back when they were cancelled. */
export const cancelledWithMoney = sql<SqlBool>`(order_state = 'cancelled' and refunded_price + disputed_price < coalesce(due_back, 0))`;

/** Whether an order has something to pay back that no refund by hand is open for. */
export const isToPayBack = sql<SqlBool>`(${cancelledWithMoney} or exists (select from ${owedItems} and item.order_id = orders.id)
  or exists (select from order_refunds refund where refund.order_id = orders.id and refund.status = 'failed' and ${isStillOwed}))`;

/** The pieces of an order that left it and are not settled. */
export async function listOwed(tx: Tx, orderId: string): Promise<LineOfPieces[]> {
  const lines = await readPieces(tx, orderId);
  return lines.flatMap((line) => (line.unrefunded > line.left ? [{ ...line, qty: line.unrefunded - line.left, isOwed: true }] : []));
}
