import { sql } from 'kysely';
import { apportion } from '#contract/market/apportion.ts';
import type { Pence } from '#contract/market/money.ts';
import { pricePaid } from '#contract/market/worth.ts';
import type { LineOfPieces } from '#server/orders/lines/parcels.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';

/** The price of pieces that leave an order, less that of those refunded before. */
export const priceToRefund = (pieces: readonly LineOfPieces[]): Pence =>
  pieces.reduce((sum, line) => sum + pricePaid(line, Math.min(line.qty, line.unrefunded)), 0);

/** The price of each line's pieces, as `priceToRefund` adds them up. */
export const pricesToRefund = (pieces: readonly LineOfPieces[]): { position: number; price: Pence }[] =>
  pieces.map((line) => ({ position: line.position, price: priceToRefund([line]) }));

/** Counts pieces as settled: they left, or their price was refunded. A payment that comes later does not pay for them. */
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

/** Counts an amount as refunded for pieces that stay. Less than their price does not settle them, but is taken off what their line brings back in all. */
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
