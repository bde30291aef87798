import { type Selectable, sql } from 'kysely';
import { type Pence, pounds } from '#contract/market/money.ts';
import { DISPUTE_EVENTS } from '#contract/orders/events.ts';
import type { Services } from '#server/context/services.ts';
import type { ProviderDispute, ProviderRefund } from '#server/gateways/provider-refund.ts';
import type { ProviderSession } from '#server/gateways/provider-session.ts';
import { type LockedOrder, lockOrder, recordEvent } from '#server/orders/transitions.service.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { newId } from '#server/platform/ids.ts';
import { orderPath, tellStaff } from '#server/staff-notices/notices.service.ts';
import { DISPUTE_RANK, DISPUTE_TEXTS, RANK } from './refund-outcomes.service.ts';
import { tellRefunded } from './refunds.service.ts';

// Card payments of an order that were not kept, since they came too late or twice (decision 171). The job `refundPayment` refunds each. They are no part of the
// order's own sums: what has to go back after all is an overpayment with its `paymentId`.

const PROVIDER = 'Payment provider';
const NOT_KEPT = 'Of a payment that was not kept';

type Needs = Pick<Services, 'db' | 'config' | 'log'>;
type Payment = Selectable<DB['secondPayments']>;

/** A second payment's sums at the provider and here, in pence. */
interface Account {
  amount: Pence;
  /** Refunds at the provider that have not failed. */
  refunded: Pence;
  /** Disputes that are open or lost. */
  disputed: Pence;
  /** What staff paid back. */
  paidBack: Pence;
  hasFailed: boolean;
  /** The job no longer refunds it: the bank has returned the refund, the job could not make it, or the customer disputed the payment before. */
  isLeftToStaff: boolean;
}

/** Keeps a locked order's second payment with it. One without an id is for a person to refund. */
export async function storeSecondPayment(tx: Tx, { id: orderId }: LockedOrder, { paymentId, total: amount }: ProviderSession) {
  if (!paymentId || amount <= 0) return;
  await tx
    .insertInto('secondPayments')
    .values({ paymentId, orderId, amount })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const findSecondPayment = (db: Db, paymentId: string): Promise<Payment | undefined> =>
  db.selectFrom('secondPayments').selectAll().where('paymentId', '=', paymentId).executeTakeFirst();

/** The sums of a second payment; undefined for any other payment. */
export async function accountOf(db: Db, paymentId: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select payment.amount, outcomes.*, has_failed or exists (select from payment_events where id = 'not refunded ' || payment_id) as is_left_to_staff,
      (select coalesce(sum(amount), 0)::int from overpayments more where more.payment_id = payment.payment_id and status in ('paid_back', 'used')) as paid_back
    from second_payments payment, lateral (
      select coalesce(sum(outcome.amount) filter (where kind = 'refund' and status <> 'failed'), 0)::int as refunded,
        coalesce(sum(outcome.amount) filter (where kind = 'dispute' and status in ('open', 'lost')), 0)::int as disputed,
        coalesce(bool_or(kind = 'refund' and status = 'failed'), false) as has_failed
      from second_payment_outcomes outcome where outcome.payment_id = payment.payment_id
    ) outcomes where payment_id = ${paymentId}`.execute(db);
  return rows[0];
}

/** Stores an outcome with its newest status. */
async function storeOutcome(
  tx: Tx,
  kind: 'refund' | 'dispute',
  outcome: Pick<ProviderDispute | ProviderRefund, 'id' | 'paymentId' | 'amount' | 'status'>,
) {
  const { id, paymentId, amount, status } = outcome;
  await tx
    .insertInto('secondPaymentOutcomes')
    .values({ id, paymentId, kind, amount, status })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ amount, status }))
    .execute();
}

/**
 * Stores what is owed of a second payment now: nothing while its job still refunds it. With `isAnew` it is another record, which is tried again by another request.
 * Returns it.
 */
async function storeOwed(tx: Tx, { paymentId, orderId, paidAt }: Payment, isAnew = false): Promise<Pence> {
  const account = await accountOf(tx, paymentId);
  if (!account) return 0;
  const { amount, refunded, disputed, paidBack, isLeftToStaff } = account;
  const owed = isLeftToStaff ? Math.max(0, amount - refunded - disputed - paidBack) : 0;
  const stored = await tx
    .selectFrom('overpayments')
    .select(['id', 'amount', 'triedAt'])
    .where('paymentId', '=', paymentId)
    .where('status', '=', 'owed')
    .execute();
  if (!isAnew && stored.reduce((sum, one) => sum + one.amount, 0) === owed) return owed;
  for (const { id } of stored) await tx.deleteFrom('overpayments').where('id', '=', id).execute();
  // The provider may not have answered yet.
  const triedAt = isAnew ? null : (stored[0]?.triedAt ?? null);
  const row = { id: newId(), orderId, receivedAt: paidAt, amount: owed, receivedBy: 'transfer', actor: PROVIDER, paymentId, triedAt };
  if (owed > 0) await tx.insertInto('overpayments').values(row).execute();
  return owed;
}

/** A second payment with its order, which is locked. */
async function lockSecondPayment(tx: Tx, paymentId: string): Promise<{ payment: Payment; order: LockedOrder } | undefined> {
  const payment = await findSecondPayment(tx, paymentId);
  const order = payment && (await lockOrder(tx, payment.orderId));
  return payment && order && { payment, order };
}

/**
 * Applies the provider's list of a second payment's refunds. Idempotent; notices may arrive in any order. The history and the mails of the job's own refund are
 * written by the job, so here only those of a refund that the bank has returned, and of later refunds.
 */
export async function settleSecondRefunds(services: Needs, paymentId: string, refunds: readonly ProviderRefund[]): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const found = await lockSecondPayment(tx, paymentId);
    if (!found) return;
    const { payment, order } = found;
    const stored = await tx.selectFrom('secondPaymentOutcomes').select(['id', 'status']).where('paymentId', '=', paymentId).execute();
    const rankOf = (id: string) => RANK[stored.find((one) => one.id === id)?.status as ProviderRefund['status']] ?? -1;
    const news = refunds.filter(({ id, status }) => RANK[status] > rankOf(id));
    for (const refund of news) await storeOutcome(tx, 'refund', refund);
    const failed = news.filter(({ status }) => status === 'failed');
    for (const { id, amount, failure } of failed) {
      const detail = [pounds(amount), NOT_KEPT, failure].filter(Boolean).join('. ');
      await recordEvent(tx, order.id, { kind: 'refund failed', actor: PROVIDER, detail });
      services.log.error({ order: order.id, refund: id, failure }, 'a refund has failed');
      const text = `The refund of ${pounds(amount)} for order ${order.reference} has failed`;
      await tellStaff(tx, services, { event: 'refund', text, path: orderPath(order.id) });
    }
    const isLeftToStaff = (await accountOf(tx, paymentId))?.isLeftToStaff;
    for (const { amount, status } of news) if (status === 'done' && isLeftToStaff) await recordDone(tx, services, order.id, amount);
    await storeOwed(tx, payment, failed.length > 0);
  });
}

async function recordDone(tx: Tx, services: Pick<Services, 'config'>, orderId: string, amount: Pence): Promise<void> {
  await recordEvent(tx, orderId, { kind: 'refunded', actor: PROVIDER, detail: `${pounds(amount)}. ${NOT_KEPT}` });
  await tellRefunded(tx, services, orderId, { amount, byCard: true });
}

/**
 * Leaves a second payment that its job cannot refund to staff, as far as no bank holds it, and tells them; and the customer of what was refunded meanwhile, which
 * the job was to do. Returns whether a part is not refunded.
 */
export async function leaveToStaff(tx: Tx, services: Pick<Services, 'config'>, paymentId: string): Promise<boolean> {
  const found = await lockSecondPayment(tx, paymentId);
  if (!found) return true;
  const owed = await storeOwed(tx, found.payment);
  const account = await accountOf(tx, paymentId);
  // After a refund that has failed, those that followed are told already.
  if (!account?.hasFailed) {
    const done = await tx
      .selectFrom('secondPaymentOutcomes')
      .select('amount')
      .where('paymentId', '=', paymentId)
      .where('kind', '=', 'refund')
      .where('status', '=', 'done')
      .execute();
    for (const { amount } of done) await recordDone(tx, services, found.order.id, amount);
  }
  if (owed > 0) {
    const text = `The refund of ${pounds(owed)} for order ${found.order.reference} has failed`;
    await tellStaff(tx, services, { event: 'refund', text, path: orderPath(found.order.id) });
  }
  return !account || account.refunded < account.amount;
}

/** Stores a dispute of a second payment or its end, with the order's history, and tells staff that they have to answer it or to pay something back. */
export async function recordSecondDispute(tx: Tx, services: Omit<Needs, 'db'>, paymentId: string, dispute: ProviderDispute): Promise<void> {
  const found = await lockSecondPayment(tx, paymentId);
  if (!found) return;
  const { payment, order } = found;
  const { id, amount, reason, status } = dispute;
  const stored = await tx.selectFrom('secondPaymentOutcomes').select('status').where('id', '=', id).executeTakeFirst();
  if (stored && DISPUTE_RANK[status] < DISPUTE_RANK[stored.status as ProviderDispute['status']]) return;
  const before = await accountOf(tx, paymentId);
  await storeOutcome(tx, 'dispute', { ...dispute, paymentId });
  const owed = await storeOwed(tx, payment);
  const gone = (before?.refunded ?? 0) + (before?.paidBack ?? 0);
  const isOpen = status === 'open' || status === 'inquiry';
  const words = [
    NOT_KEPT,
    gone > 0 && `${pounds(gone)} of it was refunded before${status === 'lost' ? ', so the customer has it twice' : ''}`,
    DISPUTE_TEXTS[status],
    owed > 0 && !isOpen && `${pounds(owed)} is to be paid back`,
  ];
  const detail = [`${pounds(amount)}, ${reason}`, ...words].filter(Boolean).join('. ');
  await recordEvent(tx, order.id, { kind: DISPUTE_EVENTS[status], actor: PROVIDER, detail });
  const path = orderPath(order.id);
  if (isOpen) {
    const text = `A payment of ${pounds(amount)} for order ${order.reference} is ${status === 'open' ? 'disputed' : 'questioned by the bank'}`;
    await tellStaff(tx, services, { event: 'dispute', text, path });
  } else if (status === 'lost' && gone > 0) {
    const text = `The dispute about order ${order.reference} is lost, and the payment was refunded before`;
    await tellStaff(tx, services, { event: 'dispute', text, path });
  } else if (owed > 0) {
    const text = `The dispute about order ${order.reference} has ended, and something is still to be paid back to the customer`;
    await tellStaff(tx, services, { event: 'refund', text, path });
  }
}

/** Second payments with a refund or a dispute that has not ended here. */
export async function listUnsettledSecondPayments(db: Db, kind: 'refund' | 'dispute'): Promise<string[]> {
  const { rows } = await sql<{ paymentId: string }>`
    select distinct payment_id from second_payment_outcomes where status in ('pending', 'inquiry', 'open') and kind = ${kind} limit 50`.execute(
    db,
  );
  return rows.map(({ paymentId }) => paymentId);
}
