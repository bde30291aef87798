import { sql } from 'kysely';
import type { Pence } from '#contract/market/money.ts';
import { creditOrder } from '#server/invoices/issue.service.ts';
import type { LockedOrder } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { isStillOwed } from './settled-pieces.service.ts';

/** Why pieces have a credit note without a refund. */
export const GIVEN_BACK = 'The bank gave the payment back';

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

/** An order's refunds that failed, the oldest first. */
const selectFailed = (tx: Tx, orderId: string) =>
  tx
    .selectFrom('orderRefunds as refund')
    .innerJoin('orders', 'orders.id', 'refund.orderId')
    .select(['refund.id', 'refund.amount'])
    .where('refund.orderId', '=', orderId)
    .where('refund.status', '=', 'failed')
    .orderBy('refund.createdAt');

type Failed = Awaited<ReturnType<ReturnType<typeof selectFailed>['execute']>>;

/** Takes an amount that the customer got in another way off refunds that failed. Returns the rest of it. */
async function takeOff(tx: Tx, failed: Failed, amount: Pence): Promise<Pence> {
  let rest = amount;
  for (const { id, amount: owed } of failed) {
    const paid = Math.min(rest, owed);
    rest -= paid;
    if (paid === owed) await tx.deleteFrom('orderRefunds').where('id', '=', id).execute();
    else if (paid > 0)
      await tx
        .updateTable('orderRefunds')
        .set({ amount: owed - paid })
        .where('id', '=', id)
        .execute();
  }
  return rest;
}

/** Counts a refund that staff made at the provider for those that failed and are still owed. Returns the rest of it. */
export const payForFailed = async (tx: Tx, orderId: string, amount: Pence): Promise<Pence> =>
  takeOff(tx, await selectFailed(tx, orderId).where(isStillOwed).execute(), amount);

/** Counts lost disputes for refunds that have failed: of these, only what the bank has not given back is still owed. */
export async function countLossForFailed(tx: Tx, orderId: string): Promise<void> {
  const failed = await selectFailed(tx, orderId).execute();
  const price = failed.reduce((sum, { amount }) => sum + amount, 0);
  await takeOff(tx, failed, await countLoss(tx, orderId, price));
}

/**
 * Takes back what a dispute was counted for that is not lost after all: the order owes it again, like a refund that the bank returned. An order that was
 * cancelled owes no more than it has to give back, one that was returned not what staff kept.
 */
export async function uncountLoss(
  tx: Tx,
  { id, lostPrice, keptPrice, status, dueBack, refundedPrice }: LockedOrder,
  refund: { paymentId: string | null; actor: string },
): Promise<void> {
  const { rows } = await sql<{ lostPrice: Pence }>`
    update orders set lost_price = least(lost_price, ${lost}) where id = ${id}::uuid returning lost_price`.execute(tx);
  const counted = lostPrice - (rows[0]?.lostPrice ?? lostPrice);
  const most = status === 'cancelled' ? (dueBack ?? 0) - refundedPrice : status === 'returned' ? counted - keptPrice : counted;
  const amount = Math.min(counted, most);
  if (amount <= 0) return;
  const failure = 'The bank has given the shop the money after all.';
  const owed = { id: newId(), orderId: id, ...refund, amount, reason: GIVEN_BACK, isByHand: false, status: 'failed', failure };
  await tx.insertInto('orderRefunds').values(owed).execute();
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
