import { sql } from 'kysely';
import type { z } from 'zod';
import { type Pence, pounds } from '#contract/market/money.ts';
import type { OverpaymentBody } from '#contract/orders/orders.schema.ts';
import type { Order } from '#contract/orders/orders.ts';
import { PAID_BACK_BY, type PaidBackBy } from '#contract/orders/reasons.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, type ProvenAdmin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { dueOf, reopenLink } from './corrections/payment-link.service.ts';
import { canReceive, heldByDrivers, readOrder } from './read.service.ts';
import { tellRefunded } from './refunds/refunds.service.ts';
import { readAsked, sumOverpaid } from './rules/asked.ts';
import { isRepeated, type KeyedRequest, keyedRequest } from './rules/idempotency.ts';
import { change, changeByStaff, checkNoneOpen, checkRevision, type LockedOrder, lockListed, recordEvent } from './transitions.service.ts';

// Money that came in besides what was due. The order's own sums leave it out: it is the customer's until it is paid back, or used for a change of the order.

type Needs = Pick<Services, 'db' | 'config'>;

interface Receipt {
  amount: Pence;
  receivedBy: PaidBackBy;
  isWithPayment?: boolean;
  /** What drivers were to collect and this receipt ends. */
  collected?: Pence;
  request?: KeyedRequest | undefined;
}

/** Stores money that came in besides what was due for a locked order. */
export async function storeOverpayment(tx: Tx, who: Admin, { id: orderId }: LockedOrder, receipt: Receipt): Promise<void> {
  const { request, ...values } = receipt;
  const keyed = { requestKey: request?.key ?? null, requestHash: request?.payloadHash ?? null };
  await tx
    .insertInto('overpayments')
    .values({ id: newId(), orderId, actor: who.name, ...values, ...keyed })
    .execute();
}

/**
 * Records money that came in besides what is due for an order, in whatever state, such as a transfer after it was cancelled. Idempotent by key. Throws 404, and
 * 409 while the order itself can be recorded as paid or a change of it waits for its payment, and for an order that has changed since it was looked at.
 */
export function recordOverpayment(
  { db }: Pick<Needs, 'db'>,
  who: Admin,
  id: string,
  { amount, receivedBy, revision }: z.infer<typeof OverpaymentBody>,
  requestKey: string | undefined,
): Promise<Order> {
  const request = keyedRequest(requestKey, [who._id, amount, receivedBy]);
  return changeByStaff(db, who, id, undefined, async (tx, order) => {
    if (await isRepeated(tx, 'overpayments', id, request)) return;
    checkRevision(order, revision);
    await checkNoneOpen(tx, id);
    if (canReceive(order)) {
      const asked = await readAsked(tx, order);
      const what = asked > 0 ? `${pounds(asked)} is due for this order.` : 'All that is due for this order came in before.';
      throw new Problem(409, `${what} Record that first.`);
    }
    // Cash is what the drivers have brought. A transfer leaves open what they have.
    const collected = receivedBy === 'cash' && heldByDrivers({ ...order, overpaid: await sumOverpaid(tx, id) }) > 0 ? order.toCollect : 0;
    await storeOverpayment(tx, who, order, { amount, receivedBy, collected, request });
    const text = `${pounds(amount)} ${PAID_BACK_BY[receivedBy]}`;
    await change(tx, order, 'receiveMore', { toCollect: order.toCollect - collected }, { actor: who.name, detail: text });
    await recordChange(tx, who, 'order', id, `Recorded ${text} besides what was due`);
  });
}

const addToCollect = (tx: Tx, orderId: string, amount: Pence) =>
  tx
    .updateTable('orders')
    .set({ toCollect: sql<number>`to_collect + ${amount}` })
    .where('id', '=', orderId)
    .execute();

/** The card payment of an overpayment that was not kept; null for any other. */
export async function readPaymentId(db: Db, _: ProvenAdmin, id: string): Promise<string | null> {
  const found = await db.selectFrom('overpayments').select('paymentId').where('id', '=', id).executeTakeFirst();
  return found?.paymentId ?? null;
}

/** An overpayment that is still owed, with its order locked. Throws 404, and 409 for any other. */
async function lockOwed(tx: Tx, id: string) {
  const find = async () => {
    const found = await tx.selectFrom('overpayments').selectAll().where('id', '=', id).executeTakeFirst();
    if (!found) throw new Problem(404, 'Payment not found. Reload the page: it may have been refunded since.');
    return found;
  };
  const order = await lockListed(tx, (await find()).orderId);
  // Read again under the lock: a colleague may have paid it back or undone it, or a notice of the provider replaced it.
  const overpayment = await find();
  if (overpayment.status === 'paid_back') throw new Problem(409, 'This has already been paid back.');
  if (overpayment.status === 'undone') throw new Problem(409, 'This record has already been undone.');
  if (overpayment.status === 'used') throw new Problem(409, 'This has been used for the order.');
  return { order, overpayment };
}

const end = (tx: Tx, id: string, columns: { status: 'undone' } | { status: 'paid_back'; paidBackBy: PaidBackBy }) =>
  tx
    .updateTable('overpayments')
    .set({ ...columns, endedAt: new Date().toISOString() })
    .where('id', '=', id)
    .execute();

/** Gives the link of an unpaid order, which could not be used while some of its price was here, its time. */
const askByLink = async (tx: Tx, order: LockedOrder): Promise<void> => {
  if (!order.paidAt && dueOf(order) > 0) await reopenLink(tx, order.id);
};

/** Undoes the record of an overpayment that never came in. Throws 404, and 409 unless it is still owed. */
export async function undoOverpayment({ db }: Pick<Needs, 'db'>, who: Admin, id: string): Promise<Order> {
  const orderId = await transactionOf(db, who, async (tx) => {
    const { order, overpayment } = await lockOwed(tx, id);
    const { amount, collected, paymentId } = overpayment;
    if (paymentId) throw new Problem(409, 'This came in by card, so it cannot be undone.');
    await end(tx, id, { status: 'undone' });
    await addToCollect(tx, order.id, collected);
    await recordEvent(tx, order.id, { kind: 'more taken back', actor: who.name, detail: pounds(amount) });
    await recordChange(tx, who, 'order', order.id, `Took back that ${pounds(amount)} came in besides what was due`);
    await askByLink(tx, order);
    return order.id;
  });
  return readOrder(db, who, orderId);
}

const owedOfOrder = (tx: Tx, orderId: string) =>
  tx
    .selectFrom('overpayments')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('status', '=', 'owed')
    // A card payment that was not kept goes back: its bank may take it at any time.
    .where('paymentId', 'is', null)
    .orderBy('receivedAt')
    .orderBy('id')
    .execute();

/** Pays `due` of a locked order, such as the difference of a change, with what came in besides, of which there must be enough. */
export async function spendOverpayments(tx: Tx, orderId: string, due: Pence): Promise<void> {
  let left = due;
  for (const { requestKey: _key, requestHash: _hash, ...row } of await owedOfOrder(tx, orderId)) {
    const amount = Math.min(row.amount, left);
    if (amount === 0) return;
    left -= amount;
    const rest = row.amount - amount;
    const collected = Math.min(row.collected, rest);
    const used = { amount, collected: row.collected - collected, status: 'used', endedAt: new Date().toISOString() } as const;
    await tx.updateTable('overpayments').set(used).where('id', '=', row.id).execute();
    if (rest > 0)
      await tx
        .insertInto('overpayments')
        .values({ ...row, id: newId(), amount: rest, collected })
        .execute();
  }
}

/**
 * Undoes what was recorded with an order's own payment. What came in by itself and was used is owed again, and its sum is returned. Throws 409 if some of the
 * payment was paid back.
 */
export async function undoWithPayment(tx: Tx, orderId: string): Promise<Pence> {
  const rows = await tx
    .selectFrom('overpayments')
    .select(['id', 'amount', 'status', 'isWithPayment'])
    .where('orderId', '=', orderId)
    .where('status', '<>', 'undone')
    .where((eb) => eb.or([eb('isWithPayment', '=', true), eb('status', '=', 'used')]))
    .execute();
  for (const { id, status, isWithPayment } of rows) {
    if (status === 'paid_back') throw new Problem(409, 'Some of what came in has already been paid back.');
    if (isWithPayment) await end(tx, id, { status: 'undone' });
    else await tx.updateTable('overpayments').set({ status: 'owed', endedAt: null }).where('id', '=', id).execute();
  }
  return rows.reduce((sum, { amount, isWithPayment }) => (isWithPayment ? sum : sum + amount), 0);
}

/** Records that an overpayment was paid back, and mails the customer. Throws 404, and 409 unless it is still owed. */
export async function payBackOverpayment(services: Needs, who: ProvenAdmin, id: string, paidBackBy: PaidBackBy): Promise<Order> {
  const orderId = await transactionOf(services.db, who, async (tx) => {
    const { order, overpayment } = await lockOwed(tx, id);
    const { amount, triedAt } = overpayment;
    if (triedAt)
      throw new Problem(409, 'The payment provider was asked for this refund and has not answered yet. Press “Try again” first.');
    await end(tx, id, { status: 'paid_back', paidBackBy });
    const text = `${pounds(amount)}, ${PAID_BACK_BY[paidBackBy]}`;
    await recordEvent(tx, order.id, { kind: 'more paid back', actor: who.name, detail: text });
    await recordChange(tx, who, 'order', order.id, `Paid back ${text}`);
    await askByLink(tx, order);
    await tellRefunded(tx, services, order.id, { amount, byCard: false });
    return order.id;
  });
  return readOrder(services.db, who, orderId);
}

/**
 * Notes that the provider is asked once more to refund a card payment that was not kept, so that nobody pays it back by hand meanwhile. Throws 404, and 409 unless
 * it is still owed.
 */
export function startTry({ db }: Pick<Needs, 'db'>, who: ProvenAdmin, id: string): Promise<{ orderId: string; paymentId: string }> {
  return transactionOf(db, who, async (tx) => {
    const { order, overpayment } = await lockOwed(tx, id);
    const { amount, paymentId, triedAt } = overpayment;
    if (!paymentId) throw new Problem(409, 'Only a card payment can be refunded by the payment provider.');
    await tx.updateTable('overpayments').set({ triedAt: new Date().toISOString() }).where('id', '=', id).execute();
    if (!triedAt) await recordEvent(tx, order.id, { kind: 'refund tried again', actor: who.name, detail: pounds(amount) });
    await recordChange(tx, who, 'order', order.id, `Tried the refund of ${pounds(amount)} again`);
    return { orderId: order.id, paymentId };
  });
}

/** What the provider is asked for in a try; undefined once it is known that nothing of that is owed any more. */
export const findTry = (db: Db, id: string): Promise<{ amount: Pence; attempt: number } | undefined> =>
  db
    .updateTable('overpayments')
    // Another try may just have ended.
    .set({ triedAt: new Date().toISOString() })
    .where('id', '=', id)
    .where('status', '=', 'owed')
    .returning(['amount', 'attempt'])
    .executeTakeFirst();

/** Ends a try that the provider has refused. The next one is another request. */
export async function endTry(db: Db, id: string, attempt: number): Promise<void> {
  const next = { triedAt: null, attempt: attempt + 1 };
  await db.updateTable('overpayments').set(next).where('id', '=', id).where('attempt', '=', attempt).execute();
}
