import { sql } from 'kysely';
import type { Return } from '#contract/orders/returns.schema.ts';
import type { Db } from '#server/db/connect.ts';

/** The returns of an order as the API shows them, the oldest first. */
export async function listReturns(db: Db, orderId: string): Promise<Return[]> {
  const { rows } = await sql<Return>`
    select id as _id, asked_at, status, reason, note, answer, send_by, received_at,
      (select coalesce(json_agg(json_build_object('line', position, 'qty', qty, 'restockedQty', restocked_qty, 'spoiledQty', spoiled_qty)
        order by position), '[]') from order_return_items where return_id = id) as pieces
    from order_returns where order_id = ${orderId} order by asked_at, id`.execute(db);
  return rows;
}
