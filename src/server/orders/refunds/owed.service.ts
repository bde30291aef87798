import { type Selectable, sql } from 'kysely';
import type { Pence } from '#contract/market/money.ts';
import { type Account, claimOf, countLost, owedOf, payInto } from '#contract/market/owed.ts';
import { creditOrder, divideCredit, type ForRate, readRates } from '#server/invoices/issue.service.ts';
import { type LockedOrder, lockOrder } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { openRefunds, refundable } from './refundable.ts';

/** Why pieces have a credit note without a refund. */
export const GIVEN_BACK = 'The bank gave the payment back';

/** Stores sums of a locked order. */
export async function storeSums(tx: Tx, id: string, { entitledPrice, keptPrice }: Pick<Account, 'entitledPrice' | 'keptPrice'>) {
  await tx.updateTable('orders').set({ entitledPrice, keptPrice }).where('id', '=', id).execute();
}

/**
 * Counts an amount that goes back without pieces, of a locked order whose `account` may have newer sums. Returns the part that is goodwill. Failed goodwill that it
 * pays is no longer owed by its own row.
 */
export async function payForOwed(tx: Tx, { id, disputedPrice }: LockedOrder, account: Account, amount: Pence): Promise<Pence> {
  const failed = await tx
    .selectFrom('orderRefunds')
    .select(['id', 'goodwill'])
    .where('orderId', '=', id)
    .where('status', '=', 'failed')
    .where('goodwill', '>', 0)
    .orderBy('createdAt')
    .execute();
  const lost = disputedPrice > 0 ? await sumDisputes(tx, id, 'lost') : 0;
  const sums = payInto(account, amount, { lost, failed: failed.reduce((all, one) => all + one.goodwill, 0) });
  await storeSums(tx, id, sums);
  let rest = sums.again;
  for (const one of failed) {
    const left = Math.max(0, one.goodwill - rest);
    rest -= one.goodwill - left;
    await tx.updateTable('orderRefunds').set({ goodwill: left }).where('id', '=', one.id).execute();
  }
  return sums.goodwill;
}

/**
 * Takes what a new refund pays for `pieces` that had left a locked order off failed refunds, as far as these come to more than is still owed: off those of the same
 * pieces (`detail`) first, then off the latest. An amount without pieces is not taken off: the latest failed refund takes what is left to be paid.
 */
export async function payForFailed(
  tx: Tx,
  orderId: string,
  { detail, pieces }: { detail: string; pieces: readonly { position: number; price: Pence }[] },
): Promise<void> {
  const order = await lockOrder(tx, orderId);
  const failed = await tx
    .selectFrom('orderRefunds')
    .select(['id', 'detail', 'amount', 'goodwill', 'paidOtherwise', 'forRates'])
    .where('orderId', '=', orderId)
    .where('status', '=', 'failed')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const rows = failed.map((row) => ({
    ...row,
    own: row.amount - row.goodwill - row.paidOtherwise,
    isSame: detail !== '' && row.detail === detail,
    forRates: row.forRates as ForRate[] | null,
  }));
  let excess = rows.reduce((sum, { own }) => sum + Math.max(0, own), 0) - (order ? claimOf(order) - order.lostPrice : 0);
  const paid = await readRates(tx, orderId, pieces);
  for (const row of [...rows.filter(({ isSame }) => isSame), ...rows.filter(({ isSame }) => !isSame)]) {
    const most = Math.max(0, Math.min(row.own, excess));
    let left = most;
    const rest = row.forRates?.map((one) => {
      // Lines of earlier versions have no rate; their invoice has one.
      const same = paid.find(({ part, rate }) => part === one.part && (rate === one.rate || rate === null));
      const price = one.isGoodwill ? 0 : Math.min(one.price, left, row.isSame ? left : (same?.price ?? 0));
      left -= price;
      if (same) same.price = Math.max(0, same.price - price);
      return { ...one, price: one.price - price };
    });
    const taken = row.isSame ? most : most - left;
    excess -= taken;
    const columns = { paidOtherwise: row.paidOtherwise + taken, ...(rest && { forRates: JSON.stringify(rest) }) };
    if (taken > 0) await tx.updateTable('orderRefunds').set(columns).where('id', '=', row.id).execute();
  }
}

/** Failed goodwill is no longer owed by its own rows: all that is left of the order goes back. */
export const endGoodwill = (tx: Tx, orderId: string) =>
  tx.updateTable('orderRefunds').set({ goodwill: 0 }).where('orderId', '=', orderId).where('status', '=', 'failed').execute();

/** The part of a failed refund that can be paid now, as the order's page shows it, and how much of it is goodwill. */
export async function openPartOf(tx: Tx, order: LockedOrder, refundId: string): Promise<{ amount: Pence; goodwill: Pence }> {
  const rows = await tx
    .selectFrom('orderRefunds')
    .select(['id', 'status', 'amount', 'goodwill', 'paidOtherwise'])
    .where('orderId', '=', order.id)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return (
    openRefunds(rows, { owed: owedOf(order), refundable: refundable(order) })[rows.findIndex(({ id }) => id === refundId)] ?? {
      amount: 0,
      goodwill: 0,
    }
  );
}

/** The sum of an order's disputes that are open, or lost. */
export async function sumDisputes(tx: Tx, orderId: string, status: 'open' | 'lost'): Promise<Pence> {
  const { rows } = await sql<{ sum: Pence }>`
    select coalesce(sum(amount), 0)::int as sum from order_disputes where order_id = ${orderId}::uuid and status = ${status}`.execute(tx);
  return rows[0]?.sum ?? 0;
}

/** Why a change has a credit note, and the sum that was waived by it, with the pieces that it is for, or what its refunds were for (`forRates`). */
interface Why {
  reason: string;
  detail: string;
  waived?: Pence;
  pieces?: readonly { position: number; price: Pence }[];
  forRates?: readonly ForRate[];
}

/** Counts lost disputes of a locked order again, then credits what they count for since, and what was waived. */
export async function creditChange(tx: Tx, orderId: string, { reason, detail, waived = 0, ...own }: Why): Promise<void> {
  const order = await lockOrder(tx, orderId);
  let amount = waived;
  if (order?.paidAt) {
    const lost = order.disputedPrice > 0 ? await sumDisputes(tx, orderId, 'lost') : 0;
    const sums = countLost(order, lost);
    // The revenue of a cancelled order is what staff kept.
    const dueBack = order.dueBack === null ? null : order.totalPrice - order.waivedPrice - sums.keptPrice;
    await tx
      .updateTable('orders')
      .set({ ...sums, dueBack })
      .where('id', '=', orderId)
      .execute();
    amount += Math.max(0, sums.lostPrice - order.lostPrice);
  }
  if (amount === 0) return;
  await creditOrder(tx, orderId, { reason, detail, forRates: await divideCredit(tx, orderId, { amount, ...own }) });
}

/**
 * Credits a refund that is done now, as its row was before. One that was done before and then failed stayed credited, since it was still owed. Refunds that an
 * earlier version began are not divided.
 */
export async function creditRefund(
  tx: Tx,
  { id, orderId, amount, reason, detail, forRates, doneAt }: Selectable<DB['orderRefunds']>,
): Promise<void> {
  if (doneAt === null) {
    const parts = (forRates as ForRate[] | null) ?? (await divideCredit(tx, orderId, { amount }));
    await creditOrder(tx, orderId, { reason, detail, forRates: parts });
    await storeForRates(tx, id, parts);
  }
  await creditChange(tx, orderId, { reason: GIVEN_BACK, detail: '' });
}

/** Stores what a refund is credited for. */
export const storeForRates = (tx: Tx, id: string, forRates: readonly ForRate[]) =>
  tx
    .updateTable('orderRefunds')
    .set({ forRates: JSON.stringify(forRates) })
    .where('id', '=', id)
    .execute();
