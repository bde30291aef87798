import { sql } from 'kysely';
import type { Pence } from '#contract/market/money.ts';
import { creditOrder } from '#server/invoices/issue.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';

const lost = sql`(select coalesce(sum(amount), 0)::int from order_disputes where order_id = orders.id and status = 'lost')`;

/**
 * Counts a lost dispute for pieces of a locked order that left it: at most `price`, and at most the part of the dispute that is not counted yet.
 * Returns the sum, which the bank has given back instead of the shop.
 */
export async function countLoss(tx: Tx, orderId: string, price: Pence): Promise<Pence> {
  if (price <= 0) return 0;
  const { rows } = await sql<{ counted: Pence }>`
    with uncounted as (select id, least(${price}::int, greatest(0, ${lost} - lost_price)) as counted from orders where id = ${orderId}::uuid)
    update orders set lost_price = lost_price + uncounted.counted from uncounted
    where orders.id = uncounted.id and uncounted.counted > 0 returning uncounted.counted`.execute(tx);
  return rows[0]?.counted ?? 0;
}

/** Counts lost disputes for refunds that have failed: of these, only what the bank has not given back is still owed. */
export async function countLossForFailed(tx: Tx, orderId: string): Promise<void> {
  const failed = await tx
    .selectFrom('orderRefunds')
    .select(['id', 'amount'])
    .where('orderId', '=', orderId)
    .where('status', '=', 'failed')
    .orderBy('createdAt')
    .execute();
  for (const { id, amount } of failed) {
    const counted = await countLoss(tx, orderId, amount);
    if (counted === amount) await tx.deleteFrom('orderRefunds').where('id', '=', id).execute();
    else if (counted > 0)
      await tx
        .updateTable('orderRefunds')
        .set({ amount: amount - counted })
        .where('id', '=', id)
        .execute();
  }
}

/**
 * Counts again what lost disputes were given back for. Of an order that ended, all that is left of its payment. Of any other also what staff had kept of pieces
 * that left it.
 */
async function recountLoss(tx: Tx, orderId: string): Promise<void> {
  await sql`
    update orders set lost_price = case when ended then least(${lost}, greatest(0, total_price - waived_price - refunded_price)) else lost_price + counted end,
      kept_price = case when ended then kept_price else kept_price - counted end
    from (select order_state in ('cancelled', 'returned') as ended, least(kept_price, greatest(0, ${lost} - lost_price)) as counted
      from orders where id = ${orderId}::uuid) of
    where id = ${orderId}::uuid and disputed_price > 0`.execute(tx);
}

/** Counts lost disputes again, then issues the credit notes that a locked order lacks. */
export async function creditChange(tx: Tx, orderId: string, why: { reason: string; detail: string }): Promise<void> {
  await recountLoss(tx, orderId);
  await creditOrder(tx, orderId, why);
}
