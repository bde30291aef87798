import { type Selectable, sql } from 'kysely';
import { pounds } from '#contract/market/money.ts';
import { DISPUTE_EVENTS } from '#contract/orders/events.ts';
import type { Services } from '#server/context/services.ts';
import type { ProviderDispute, ProviderRefund } from '#server/gateways/provider-refund.ts';
import { creditOrder } from '#server/invoices/issue.service.ts';
import { isAllowed } from '#server/orders/rules/states.ts';
import { change, type LockedOrder, lockOrder, recordEvent } from '#server/orders/transitions.service.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { newId } from '#server/platform/ids.ts';
import { keptOf, refundable } from './refundable.ts';
import { tellRefunded } from './refunds.service.ts';

const PROVIDER = 'Payment provider';
const AT_PROVIDER = 'Made at the payment provider';
/** A refund goes from left to right only: an old answer must not undo a newer one. */
const RANK = { pending: 0, done: 1, failed: 2 } as const;

type Row = Selectable<DB['orderRefunds']>;
type Status = ProviderRefund['status'];
type Needs = Pick<Services, 'db' | 'log'>;

/** The refund that a job is to carry out, with the payment that it comes from; undefined once it is done, failed, or paid back by hand. */
export async function findDueRefund(db: Db, refundId: string) {
  return db
    .selectFrom('orderRefunds as refund')
    .innerJoin('orders', 'orders.id', 'refund.orderId')
    .select(['refund.id', 'refund.orderId', 'refund.amount', 'refund.attempt', 'orders.providerPaymentId'])
    .where('refund.id', '=', refundId)
    .where('refund.status', '=', 'pending')
    .where('refund.isByHand', '=', false)
    .executeTakeFirst();
}

/** Whether a payment is that of an order of this shop. */
export async function isOwnPayment(db: Db, paymentId: string): Promise<boolean> {
  return (await db.selectFrom('orders').select('id').where('providerPaymentId', '=', paymentId).executeTakeFirst()) !== undefined;
}

/** Whether the customer's bank has taken a payment of an order back, or holds it. */
export async function isDisputed(db: Db, paymentId: string): Promise<boolean> {
  const disputed = db.selectFrom('orders').select('id').where('providerPaymentId', '=', paymentId).where('disputedPrice', '>', 0);
  return (await disputed.executeTakeFirst()) !== undefined;
}

/** The payments whose refunds the provider has taken but not ended. */
export async function listPendingPayments(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('orderRefunds as refund')
    .innerJoin('orders', 'orders.id', 'refund.orderId')
    .select('orders.providerPaymentId')
    .distinct()
    .where('refund.status', '=', 'pending')
    .where('refund.providerRefundId', 'is not', null)
    .limit(50)
    .execute();
  return rows.flatMap(({ providerPaymentId }) => providerPaymentId ?? []);
}

/** What the provider says of refunds or disputes, as rows named `said`. */
const said = (list: readonly { id: string; paymentId: string; status: string }[]) => sql`
  unnest(${list.map(({ id }) => id)}::text[], ${list.map(({ paymentId }) => paymentId)}::text[],
    ${list.map(({ status }) => status)}::text[]) as said (id, payment_id, status)`;

/**
 * The payments of this shop of which the provider has refunds that the shop does not know, or knows otherwise. A payment that never became an order
 * goes back as a whole, by a job of its own.
 */
export async function findUnheardRefunds(db: Db, refunds: readonly ProviderRefund[]): Promise<string[]> {
  const { rows } = await sql<{ paymentId: string }>`
    select distinct said.payment_id from ${said(refunds)}
    join orders on orders.provider_payment_id = said.payment_id and orders.order_state not in ('awaiting_payment', 'expired', 'refunded')
    where not exists (select from order_refunds known where known.provider_refund_id = said.id and known.status = said.status)`.execute(db);
  return rows.map(({ paymentId }) => paymentId);
}

/** The same of disputes. */
export async function findUnheardDisputes(db: Db, disputes: readonly ProviderDispute[]): Promise<string[]> {
  const { rows } = await sql<{ paymentId: string }>`
    select distinct said.payment_id from ${said(disputes)}
    join orders on orders.provider_payment_id = said.payment_id
    where not exists (select from order_disputes known where known.id = said.id and known.status = said.status)`.execute(db);
  return rows.map(({ paymentId }) => paymentId);
}

/** The payments whose disputes are open, as far as the shop knows. */
export async function listDisputedPayments(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('orderDisputes as dispute')
    .innerJoin('orders', 'orders.id', 'dispute.orderId')
    .select('orders.providerPaymentId')
    .distinct()
    .where('dispute.status', '=', 'open')
    .execute();
  return rows.flatMap(({ providerPaymentId }) => providerPaymentId ?? []);
}

/** The provider refuses a refund for good: it has failed, with the reason that the provider gives. */
export async function failRefund({ db, log }: Needs, refundId: string, attempt: number, failure: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const found = await tx.selectFrom('orderRefunds').select('orderId').where('id', '=', refundId).executeTakeFirst();
    const order = found && (await lockOrder(tx, found.orderId));
    const row = await tx.selectFrom('orderRefunds').selectAll().where('id', '=', refundId).executeTakeFirst();
    if (!order || row?.status !== 'pending' || row.attempt !== attempt) return;
    await write(tx, { log }, order, [{ row, status: 'failed', failure }]);
  });
}

/** What a refund turned out to be. */
interface Outcome {
  row: Row;
  status: Status;
  failure: string;
  providerRefundId?: string;
}

/**
 * Gives effect to what the provider says of all refunds of a payment: those of the shop, and those that were made at the provider itself.
 * However often and in whatever order it is said, the same refunds end in the same state; the customer is told once of each that is done.
 */
export async function settleRefunds({ db, log }: Needs, paymentId: string, refunds: ProviderRefund[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const found = await tx.selectFrom('orders').select('id').where('providerPaymentId', '=', paymentId).executeTakeFirst();
    const order = found && (await lockOrder(tx, found.id));
    // A payment that never became an order goes back as a whole, by a job of its own.
    if (!order || !isAllowed('refund', order.status)) return;
    const rows = await tx.selectFrom('orderRefunds').selectAll().where('orderId', '=', order.id).orderBy('createdAt').execute();
    const outcomes: Outcome[] = [];
    for (const refund of refunds) {
      const row = rowOf(rows, refund) ?? (await adopt(tx, order, rows, refund));
      if (row && isNewer(row, refund)) outcomes.push({ row, status: refund.status, failure: refund.failure, providerRefundId: refund.id });
    }
    await write(tx, { log }, order, [...outcomes, ...crowdedOut(order, rows, outcomes, 'Another refund of this payment was made first.')]);
  });
}

/** The shop's own refund that the provider speaks of, if it is its latest try. */
const rowOf = (rows: Row[], { id, refundId, attempt }: ProviderRefund): Row | undefined =>
  rows.find((row) => row.providerRefundId === id) ?? rows.find((row) => row.id === refundId && row.attempt === attempt);

/** A refund that was paid back by hand meanwhile is a person's to judge, as is one that the shop gave up before the provider had made it. */
const isNewer = (row: Row, { id, status }: ProviderRefund): boolean =>
  !row.isByHand && (row.providerRefundId !== id || RANK[status] > RANK[row.status as Status]);

/** Takes in a refund that was made at the provider; undefined for an earlier try of the shop's own, and for one that failed. */
async function adopt(tx: Tx, order: LockedOrder, rows: Row[], refund: ProviderRefund): Promise<Row | undefined> {
  if (refund.status === 'failed' || refund.amount === 0 || rows.some(({ id }) => id === refund.refundId)) return undefined;
  const values = { id: newId(), orderId: order.id, amount: refund.amount, reason: AT_PROVIDER, actor: PROVIDER, isByHand: false };
  const row = await tx
    .insertInto('orderRefunds')
    .values({ ...values, status: 'pending' })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordEvent(tx, order.id, { kind: 'refund started', actor: PROVIDER, detail: `${pounds(refund.amount)}. ${AT_PROVIDER}` });
  rows.push(row);
  return row;
}

const isCounted = (status: string) => status !== 'failed';

/** What goes back of an order, as it is after some outcomes. */
function sumOf(rows: Row[], outcomes: Outcome[]): number {
  const after = new Map(outcomes.map(({ row, status }) => [row.id, status]));
  return rows.reduce((sum, row) => sum + (isCounted(after.get(row.id) ?? row.status) ? row.amount : 0), 0);
}

/** Refunds that the provider has not made yet and cannot make any more, since others were quicker; the newest first. */
function crowdedOut(order: LockedOrder, rows: Row[], outcomes: Outcome[], failure: string): Outcome[] {
  const made: Outcome[] = [];
  const open = rows.filter((row) => row.status === 'pending' && !row.providerRefundId && !outcomes.some((one) => one.row.id === row.id));
  for (const row of open.reverse()) if (sumOf(rows, [...outcomes, ...made]) > keptOf(order)) made.push({ row, status: 'failed', failure });
  return made;
}

/** Stores outcomes with their history, and what now goes back in all. */
async function write(tx: Tx, { log }: Pick<Needs, 'log'>, order: LockedOrder, outcomes: Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  for (const { row, status, failure, providerRefundId = row.providerRefundId } of outcomes)
    await tx.updateTable('orderRefunds').set({ status, failure, providerRefundId }).where('id', '=', row.id).execute();
  const rows = await tx.selectFrom('orderRefunds').selectAll().where('orderId', '=', order.id).execute();
  // What was paid back by hand and at the provider as well is over and above, and a person's to ask back.
  const refundedPrice = Math.min(sumOf(rows, []), order.totalPrice - order.waivedPrice);
  let now = order;
  for (const { row, status, failure } of outcomes) {
    if (status === 'pending') continue;
    const kind = status === 'done' ? 'refunded' : 'refund failed';
    const detail = status === 'done' ? pounds(row.amount) : `${pounds(row.amount)}. ${failure}`;
    now = await change(tx, now, 'refund', { refundedPrice }, { kind, actor: PROVIDER, detail });
    if (status === 'failed') log.error({ order: order.id, refund: row.id, failure }, 'a refund has failed');
    else if (!row.isAnnounced) await tellRefunded(tx, order.id, row.amount, true);
  }
  const done = outcomes.filter(({ status }) => status === 'done').map(({ row }) => row);
  if (done[0])
    await creditOrder(tx, order.id, {
      reason: done[0].reason,
      detail: done
        .map(({ detail }) => detail)
        .filter(Boolean)
        .join(', '),
    });
  if (now === order) await tx.updateTable('orders').set({ refundedPrice }).where('id', '=', order.id).execute();
}

const NEXT = {
  open: 'Answer it in the payment provider’s dashboard',
  won: 'The money stays with the shop',
  lost: 'The money went back to the customer',
  closed: 'No money moved',
} as const;

/**
 * Stores a dispute, or its end, and writes it into the history of the order. What the bank has taken can no longer be refunded: refunds that the
 * provider has not made yet fail. What else is to be done a person decides.
 */
export async function recordDispute(
  tx: Tx,
  { log }: Pick<Needs, 'log'>,
  paymentId: string,
  { id, amount, reason, status }: ProviderDispute,
): Promise<void> {
  const found = await tx.selectFrom('orders').select('id').where('providerPaymentId', '=', paymentId).executeTakeFirst();
  const order = found && (await lockOrder(tx, found.id));
  if (!order) return;
  const dispute = { id, orderId: order.id, status, amount, reason };
  await tx
    .insertInto('orderDisputes')
    .values(dispute)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ status, amount, reason, updatedAt: sql<string>`now()` }))
    .execute();
  // The database has summed the disputes up.
  const now = (await lockOrder(tx, order.id)) ?? order;
  const isOwed = status === 'won' && now.status === 'cancelled' && refundable(now) > 0;
  const detail = `${pounds(amount)}, ${reason}. ${isOwed ? 'The order was cancelled: refund the customer' : NEXT[status]}`;
  await recordEvent(tx, order.id, { kind: DISPUTE_EVENTS[status], actor: PROVIDER, detail });
  if (!isAllowed('refund', now.status)) return;
  const rows = await tx.selectFrom('orderRefunds').selectAll().where('orderId', '=', order.id).orderBy('createdAt').execute();
  await write(tx, { log }, now, crowdedOut(now, rows, [], 'The customer has disputed this payment at their bank.'));
}
