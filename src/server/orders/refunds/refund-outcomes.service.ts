import { type Selectable, sql } from 'kysely';
import { pounds } from '#contract/market/money.ts';
import { claimOf } from '#contract/market/owed.ts';
import { DISPUTE_EVENTS } from '#contract/orders/events.ts';
import type { Services } from '#server/context/services.ts';
import type { ProviderDispute, ProviderRefund } from '#server/gateways/provider-refund.ts';
import { divideCredit } from '#server/invoices/issue.service.ts';
import { isAllowed } from '#server/orders/rules/states.ts';
import { change, endCorrection, type LockedOrder, lockOrder, recordEvent } from '#server/orders/transitions.service.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { newId } from '#server/platform/ids.ts';
import { orderPath, tellStaff } from '#server/staff-notices/notices.service.ts';
import { creditChange, creditRefund, GIVEN_BACK, payForOwed, storeForRates, sumDisputes } from './owed.service.ts';
import { keptOf } from './refundable.ts';
import { REFUNDED, tellRefunded } from './refunds.service.ts';
import { isToPayBack } from './to-pay-back.ts';

const PROVIDER = 'Payment provider';
const AT_PROVIDER = 'Made at the payment provider';
/** A refund's status only rises: an old answer of the provider must not undo a newer one. */
export const RANK = { pending: 0, done: 1, failed: 2 } as const;
/** So does a dispute's. */
export const DISPUTE_RANK = { inquiry: 0, open: 1, won: 2, lost: 2, closed: 2 } as const;

type Row = Selectable<DB['orderRefunds']>;
type Status = ProviderRefund['status'];
type Needs = Pick<Services, 'db' | 'config' | 'log'>;

/** The payment of a refund: its own, or the order's first. */
const paymentOfRefund = sql<string | null>`coalesce(refund.payment_id, orders.provider_payment_id)`;

/** The refund that a job must request, with its payment. Undefined once it is done, failed, or paid back by hand. */
export async function findDueRefund(db: Db, refundId: string) {
  return db
    .selectFrom('orderRefunds as refund')
    .innerJoin('orders', 'orders.id', 'refund.orderId')
    .select(['refund.id', 'refund.orderId', 'refund.amount', 'refund.attempt', paymentOfRefund.as('paymentId')])
    .where('refund.id', '=', refundId)
    .where('refund.status', '=', 'pending')
    .where('refund.isByHand', '=', false)
    .executeTakeFirst();
}

/** The order of a payment that was kept. Undefined for another shop's payment on the same account at the provider. */
export async function findOrderOfPayment(db: Db, paymentId: string): Promise<{ id: string } | undefined> {
  const found = db.selectFrom('orders').select('orders.id');
  return (
    (await found.where('providerPaymentId', '=', paymentId).executeTakeFirst()) ??
    found.innerJoin('orderPayments', 'orderId', 'orders.id').where('paymentId', '=', paymentId).executeTakeFirst()
  );
}

async function lockOrderOfPayment(tx: Tx, paymentId: string): Promise<LockedOrder | undefined> {
  const found = await findOrderOfPayment(tx, paymentId);
  return found && lockOrder(tx, found.id);
}

/** Payments with refunds that the provider has accepted and not ended, the newest ones first: the daily job asks about those of the last month. */
export async function listPaymentsWithPendingRefunds(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('orderRefunds as refund')
    .innerJoin('orders', 'orders.id', 'refund.orderId')
    .select(paymentOfRefund.as('paymentId'))
    .where('refund.status', '=', 'pending')
    .where('refund.providerRefundId', 'is not', null)
    .groupBy(paymentOfRefund)
    .orderBy(sql`max(refund.created_at) desc`)
    .limit(50)
    .execute();
  return rows.flatMap(({ paymentId }) => paymentId ?? []);
}

/** Refunds or disputes that the provider reports, as the rows `reported`. */
const reportedRows = (list: readonly { id: string; paymentId: string; status: string }[]) => sql`
  unnest(${list.map(({ id }) => id)}::text[], ${list.map(({ paymentId }) => paymentId)}::text[],
    ${list.map(({ status }) => status)}::text[]) as reported (id, payment_id, status)`;

/** Reported payments that were not kept, of which the reported refund or dispute is missing here or has another status. */
const unknownOfSecond = sql`
  select payment_id from second_payments join reported using (payment_id)
  where not exists (select from second_payment_outcomes stored where stored.id = reported.id and stored.status = reported.status)`;

/** Joins the orders of the reported payments that were kept. */
const joinOrders = sql`
  cross join lateral (
    select id from orders where provider_payment_id = reported.payment_id
    union all select order_id from order_payments where payment_id = reported.payment_id) paid
  join orders on orders.id = paid.id and orders.order_state <> 'refunded'`;

/** Payments with a reported refund that is missing here or has another status. */
export async function listPaymentsWithUnknownRefunds(db: Db, refunds: readonly ProviderRefund[]): Promise<string[]> {
  const { rows } = await sql<{ paymentId: string }>`
    with reported as (select * from ${reportedRows(refunds)})
    select reported.payment_id from reported ${joinOrders}
    where orders.order_state not in ('awaiting_payment', 'expired') and not exists (select from order_refunds stored where stored.provider_refund_id = reported.id and stored.status = reported.status)
    union ${unknownOfSecond}`.execute(db);
  return rows.map(({ paymentId }) => paymentId);
}

/** Payments with a reported dispute that is missing here or has another status. */
export async function listPaymentsWithUnknownDisputes(db: Db, disputes: readonly ProviderDispute[]): Promise<string[]> {
  const { rows } = await sql<{ paymentId: string }>`
    with reported as (select * from ${reportedRows(disputes)})
    select reported.payment_id from reported ${joinOrders}
    where not exists (select from order_disputes stored where stored.id = reported.id and stored.status = reported.status)
    union ${unknownOfSecond}`.execute(db);
  return rows.map(({ paymentId }) => paymentId);
}

/** Payments with disputes or inquiries that have not ended here. */
export async function listDisputedPayments(db: Db): Promise<string[]> {
  const { rows } = await sql<{ paymentId: string }>`
    select provider_payment_id as payment_id from orders join order_disputes dispute on dispute.order_id = orders.id
    where dispute.status in ('inquiry', 'open') and provider_payment_id is not null
    union select payment_id from order_payments join order_disputes dispute using (order_id) where dispute.status in ('inquiry', 'open')`.execute(
    db,
  );
  return rows.map(({ paymentId }) => paymentId);
}

/** Records the provider's permanent refusal of a refund, with its reason. */
export async function failRefund(services: Needs, refundId: string, attempt: number, failure: string): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const found = await tx.selectFrom('orderRefunds').select('orderId').where('id', '=', refundId).executeTakeFirst();
    const order = found && (await lockOrder(tx, found.orderId));
    const row = await tx.selectFrom('orderRefunds').selectAll().where('id', '=', refundId).executeTakeFirst();
    if (!order || row?.status !== 'pending' || row.attempt !== attempt) return;
    await storeOutcomes(tx, services, order, [{ row, status: 'failed', failure }]);
  });
}

/** A refund's new status. */
interface Outcome {
  row: Row;
  status: Status;
  failure: string;
  providerRefundId?: string;
}

/**
 * Applies the provider's list of a payment's refunds, including those made at the provider. Idempotent, and independent of the order of notices:
 * the customer gets one mail for each refund that is done.
 */
export async function settleRefunds(services: Needs, paymentId: string, refunds: ProviderRefund[]): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const order = await lockOrderOfPayment(tx, paymentId);
    if (!order || !isAllowed('refund', order.status)) return;
    const rows = await tx.selectFrom('orderRefunds').selectAll().where('orderId', '=', order.id).orderBy('createdAt').execute();
    const known = rows.length;
    const outcomes: Outcome[] = [];
    for (const refund of refunds) {
      const row = rowOf(rows, refund) ?? (await storeProviderRefund(tx, order, rows, refund));
      if (row && isNewer(row, refund)) outcomes.push({ row, status: refund.status, failure: refund.failure, providerRefundId: refund.id });
    }
    outcomes.push(...excessFailures(order, rows, outcomes, 'Another refund of this payment was made first.'));
    if (outcomes.length === 0) return;
    // What a failed one was for may have been paid by another one.
    const failed = outcomes.filter(({ status }) => status === 'failed');
    await storeOutcomes(tx, services, order, failed);
    for (const row of rows.slice(known).filter(({ reason }) => reason === AT_PROVIDER)) await divideProviderRefund(tx, order, row);
    const others = outcomes.filter((outcome) => !failed.includes(outcome));
    await storeOutcomes(tx, services, (await lockOrder(tx, order.id)) ?? order, others);
  });
}

/** The shop's own refund behind one at the provider; undefined for an earlier attempt. */
const rowOf = (rows: Row[], { id, refundId, attempt }: ProviderRefund): Row | undefined =>
  rows.find((row) => row.providerRefundId === id) ?? rows.find((row) => row.id === refundId && row.attempt === attempt);

/** Whether to apply the provider's status. A refund that was paid back by hand meanwhile keeps its own, and a status never goes back. */
const isNewer = (row: Row, { id, status }: ProviderRefund): boolean =>
  !row.isByHand && (row.providerRefundId !== id || RANK[status] > RANK[row.status as Status]);

/**
 * Stores a refund that staff made at the provider, as goodwill until it is known what it leaves no room for. Undefined for a failed one, and for an earlier
 * attempt of one of the shop's own.
 */
async function storeProviderRefund(tx: Tx, order: LockedOrder, rows: Row[], refund: ProviderRefund): Promise<Row | undefined> {
  if (refund.status === 'failed' || refund.amount === 0 || rows.some(({ id }) => id === refund.refundId)) return undefined;
  const { amount } = refund;
  const paymentId = refund.paymentId === order.providerPaymentId ? null : refund.paymentId;
  const made = {
    id: newId(),
    orderId: order.id,
    paymentId,
    amount,
    goodwill: amount,
    reason: AT_PROVIDER,
    actor: PROVIDER,
    isByHand: false,
    status: 'pending',
  };
  const row = await tx.insertInto('orderRefunds').values(made).returningAll().executeTakeFirstOrThrow();
  await recordEvent(tx, order.id, { kind: 'refund started', actor: PROVIDER, detail: `${pounds(amount)}. ${AT_PROVIDER}` });
  await endCorrection(tx, order.id, { actor: PROVIDER, detail: REFUNDED });
  rows.push(row);
  return row;
}

/** Stores how much of a new refund that staff made at the provider is goodwill, and what it is for. */
async function divideProviderRefund(tx: Tx, order: LockedOrder, row: Row): Promise<void> {
  const { id, amount } = row;
  const goodwill = await payForOwed(tx, order, (await lockOrder(tx, order.id)) ?? order, amount);
  await tx.updateTable('orderRefunds').set({ goodwill }).where('id', '=', id).execute();
  const forRates = await divideCredit(tx, order.id, { amount });
  await storeForRates(tx, id, forRates);
  row.forRates = forRates;
  await creditChange(tx, order.id, { reason: GIVEN_BACK, detail: '' });
}

/** The sum of an order's refunds that have not failed, after some outcomes. */
function sumOf(rows: Row[], outcomes: Outcome[]): number {
  const after = new Map(outcomes.map(({ row, status }) => [row.id, status]));
  return rows.reduce((sum, row) => ((after.get(row.id) ?? row.status) === 'failed' ? sum : sum + row.amount), 0);
}

/**
 * The failures of pending refunds that the provider has not accepted, the newest first, and that exceed what is left of the payment after other refunds or a
 * dispute.
 */
function excessFailures(order: LockedOrder, rows: Row[], outcomes: Outcome[], failure: string): Outcome[] {
  const made: Outcome[] = [];
  const open = rows.filter((row) => row.status === 'pending' && !row.providerRefundId && !outcomes.some((one) => one.row.id === row.id));
  for (const row of open.reverse()) if (sumOf(rows, [...outcomes, ...made]) > keptOf(order)) made.push({ row, status: 'failed', failure });
  return made;
}

/** Stores a refund's new status. */
async function storeOutcome(tx: Tx, { row, status, failure, providerRefundId }: Outcome): Promise<void> {
  const columns = { status, failure, ...(providerRefundId && { providerRefundId }) };
  await tx.updateTable('orderRefunds').set(columns).where('id', '=', row.id).execute();
}

/** Stores outcomes with the order's history, mails, credit notes and refunded sum. */
async function storeOutcomes(tx: Tx, services: Omit<Needs, 'db'>, order: LockedOrder, outcomes: Outcome[]): Promise<void> {
  const rows = await tx.selectFrom('orderRefunds').selectAll().where('orderId', '=', order.id).execute();
  // A refund made both by hand and at the provider exceeds the payment: a person has to claim it back.
  const refundedPrice = Math.min(sumOf(rows, outcomes), order.totalPrice - order.waivedPrice);
  let now = order;
  const hasFailed = outcomes.some(({ status }) => status === 'failed');
  // What a bank has given back already is not owed once more.
  let given = hasFailed ? Math.max(0, (await sumDisputes(tx, order.id, 'lost')) - claimOf(order)) : 0;
  for (const outcome of outcomes) {
    const { row, status, failure } = outcome;
    await storeOutcome(tx, outcome);
    if (status === 'pending') continue;
    const kind = status === 'done' ? 'refunded' : 'refund failed';
    const covered = status === 'failed' ? Math.min(given, row.amount - row.goodwill) : 0;
    given -= covered;
    const detail = [pounds(row.amount), status === 'failed' && failure, covered > 0 && `The bank has given back ${pounds(covered)} of it`]
      .filter(Boolean)
      .join('. ');
    now = await change(tx, now, 'refund', { refundedPrice }, { kind, actor: PROVIDER, detail });
    if (status === 'failed') {
      services.log.error({ order: order.id, refund: row.id, failure }, 'a refund has failed');
      const text = `The refund of ${pounds(row.amount)} for order ${order.reference} has failed`;
      await tellStaff(tx, services, { event: 'refund', text, path: orderPath(order.id) });
      continue;
    }
    // Each refund has its own credit note, issued before its mail, which carries it.
    await creditRefund(tx, row);
    await tellRefunded(tx, services, order.id, { ...row, byCard: true });
  }
  // Outcomes that are all pending make no entry in the history, so their sum is stored here.
  if (now === order) await tx.updateTable('orders').set({ refundedPrice }).where('id', '=', order.id).execute();
  if (hasFailed) await creditChange(tx, order.id, { reason: GIVEN_BACK, detail: '' });
}

const OWED = 'The order is under “To pay back”: refund the customer';

export const DISPUTE_TEXTS = {
  inquiry: 'The bank asks, and has taken no money: answer it in the payment provider’s dashboard, or refund the customer',
  open: 'Answer it in the payment provider’s dashboard',
  won: 'The money stays with the shop',
  lost: 'The money went back to the customer',
  closed: 'No money moved',
} as const;

/**
 * Stores a dispute or its end, with the order's history. Money that the bank has taken can no longer be refunded, so pending refunds fail. Staff decide on
 * everything else.
 */
export async function recordDispute(
  tx: Tx,
  services: Omit<Needs, 'db'>,
  paymentId: string,
  { id, amount, reason, status }: ProviderDispute,
): Promise<void> {
  const order = await lockOrderOfPayment(tx, paymentId);
  if (!order) return;
  const stored = await tx.selectFrom('orderDisputes').select('status').where('id', '=', id).executeTakeFirst();
  if (stored && DISPUTE_RANK[status] < DISPUTE_RANK[stored.status as ProviderDispute['status']]) return;
  const owedBefore = claimOf(order) - (await sumDisputes(tx, order.id, 'lost'));
  await tx
    .insertInto('orderDisputes')
    .values({ id, orderId: order.id, disputedPaymentId: paymentId, status, amount, reason })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ disputedPaymentId: paymentId, status, amount, reason, updatedAt: sql<string>`now()` }),
    )
    .execute();
  // A trigger has updated the order's disputed sum.
  const now = (await lockOrder(tx, order.id)) ?? order;
  const hasEnded = status !== 'open' && status !== 'inquiry';
  if (!hasEnded) await tellOfDispute(tx, services, order, { amount, reason, status });
  if (isAllowed('refund', now.status)) {
    const rows = await tx.selectFrom('orderRefunds').selectAll().where('orderId', '=', order.id).orderBy('createdAt').execute();
    await storeOutcomes(tx, services, now, excessFailures(now, rows, [], 'The customer has disputed this payment at their bank.'));
  }
  if (!hasEnded) return;
  // A loss may also be taken back by the bank.
  await creditChange(tx, order.id, { reason: GIVEN_BACK, detail: '' });
  const paid = status === 'lost' && stored?.status !== 'lost' ? Math.min(amount, owedBefore) : 0;
  await tellOfDispute(tx, services, order, { amount, reason, status }, paid);
  if (status !== 'lost' || stored) return;
  const text = `A payment of ${pounds(amount)} for order ${order.reference} was disputed, and the bank has given it back`;
  await tellStaff(tx, services, { event: 'dispute', text, path: orderPath(order.id) });
}

/** Records a dispute's step in its order's history, and tells staff that they have to answer it or to pay something back. */
async function tellOfDispute(
  tx: Tx,
  services: Omit<Needs, 'db'>,
  { id, reference }: LockedOrder,
  { amount, reason, status }: Pick<ProviderDispute, 'amount' | 'reason' | 'status'>,
  paid = 0,
): Promise<void> {
  const isOpen = status === 'open' || status === 'inquiry';
  const isOwed =
    !isOpen && (await tx.selectFrom('orders').select('id').where('id', '=', id).where(isToPayBack).executeTakeFirst()) !== undefined;
  const words = [
    !isOwed || status === 'lost' ? DISPUTE_TEXTS[status] : '',
    isOwed ? OWED : '',
    paid > 0 ? `So the bank has paid back ${pounds(paid)} that the shop owed` : '',
  ];
  const detail = [`${pounds(amount)}, ${reason}`, ...words].filter(Boolean).join('. ');
  await recordEvent(tx, id, { kind: DISPUTE_EVENTS[status], actor: PROVIDER, detail });
  if (isOpen) {
    const text = `A payment of ${pounds(amount)} for order ${reference} is ${status === 'open' ? 'disputed' : 'questioned by the bank'}`;
    await tellStaff(tx, services, { event: 'dispute', text, path: orderPath(id) });
  }
  if (isOwed) {
    const text = `The dispute about order ${reference} has ended, and something is still to be paid back to the customer`;
    await tellStaff(tx, services, { event: 'refund', text, path: orderPath(id) });
  }
}
