import { sql } from 'kysely';
import type { Return } from '#contract/returns/returns.schema.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { giveStockBack, lockForPieces } from './stock.service.ts';

/** The returns of an order, oldest first. */
export async function listReturns(db: Db, orderId: string): Promise<Return[]> {
  const { rows } = await sql<Return>`
    select id as _id, asked_at, status, reason, note, answer, send_by, received_at,
      (select coalesce(json_agg(json_build_object('line', position, 'qty', qty, 'restockedQty', restocked_qty, 'spoiledQty', spoiled_qty)
        order by position), '[]') from order_return_items where return_id = id) as pieces
    from order_returns where order_id = ${orderId} order by asked_at, id`.execute(db);
  return rows;
}

/** Pieces of a line that came back to the shop. */
interface Returned {
  position: number;
  productId: string;
  size: string | null;
  /** Pieces that can be sold again. */
  restocked: number;
  /** Pieces that cannot. */
  spoiled: number;
}

/** Records returned pieces of a locked order, and restocks those that can be sold again. */
export async function takeBackPieces(tx: Tx, orderId: string, pieces: Returned[], actor: string): Promise<void> {
  await lockForPieces(tx, pieces);
  for (const { position, restocked, spoiled } of pieces)
    await tx
      .updateTable('orderItems')
      .set((eb) => ({ returnedQty: eb('returnedQty', '+', restocked), spoiledQty: eb('spoiledQty', '+', spoiled) }))
      .where('orderId', '=', orderId)
      .where('position', '=', position)
      .execute();
  const sellable = pieces.filter(({ restocked }) => restocked > 0).map(({ restocked: qty, ...piece }) => ({ ...piece, qty }));
  if (sellable.length > 0) await giveStockBack(tx, orderId, sellable, { reason: 'returned', actor });
}
