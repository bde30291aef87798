import { sql } from 'kysely';
import type { Pence } from '#contract/market/money.ts';
import { HOUR_MS, MINUTE_MS } from '#contract/market/shop-time.ts';
import { PAYMENT_METHOD } from '#contract/orders/orders.ts';
import type { ProviderSession } from '#server/gateways/provider-session.ts';
import { giveUpCheckout, recordMissingPayment, recordRefund } from '#server/orders/card.service.ts';
import { type orderJobs, PROVIDER_LANE } from '#server/orders/jobs.ts';
import { hasEvent } from '#server/orders/read.service.ts';
import { failUnmade, findOrderOfPayment } from '#server/orders/refunds/refund-outcomes.service.ts';
import { accountOf, leaveToStaff } from '#server/orders/refunds/second-payments.service.ts';
import { listed, sold } from '#server/orders/rules/states.ts';
import { recordEvent } from '#server/orders/transitions.service.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { declareJobs, enqueue, job, type PayloadOf } from '#server/platform/jobs/queue.ts';
import { applyDisputes, applyRefunds, reconcileRefunds } from './refunds.jobs.ts';
import { isRecorded, type PaymentServices, recordOnce, settleSession } from './settle.service.ts';

export const paymentJobs = declareJobs({
  reconcilePayments: job({ label: 'Compare card payments with the provider', lane: PROVIDER_LANE, at: {} }),
  findOutcomes: job<{ paymentId: string; orderId?: string; amount?: number | undefined }>({
    label: 'Ask the payment provider for refunds of a payment',
    lane: PROVIDER_LANE,
  }),
  reconcileOutcomes: job({ label: 'Compare refunds and disputes with the provider', lane: PROVIDER_LANE, at: { hour: 4, minute: 7 } }),
});

/** The provider's session of an order. Found by listing, because the process may have died before it stored the id. */
async function findProviderSession({ payments }: PaymentServices, orderId: string, since: string): Promise<ProviderSession | undefined> {
  const made = Date.parse(since) - MINUTE_MS;
  // A clock that was ahead may have dated the order: the provider ends every page within a day.
  const sessions = await payments.listSessions(new Date(made > Date.now() ? Date.now() - 24 * HOUR_MS : made));
  return sessions.find((session) => session.orderId === orderId);
}

/**
 * Ends an expired hold. Closes the session at the provider first, so that nobody pays for stock that was given back. If the provider does not answer, it
 * throws, and the job is tried again.
 */
export async function expireHold(services: PaymentServices, { orderId }: { orderId: string }): Promise<void> {
  const { db, payments } = services;
  const order = await db
    .selectFrom('orders')
    .select(['orderState', 'providerSessionId', 'createdAt'])
    .where('id', '=', orderId)
    .executeTakeFirst();
  if (order?.orderState !== 'awaiting_payment') return;
  const sessionId = order.providerSessionId ?? (await findProviderSession(services, orderId, order.createdAt))?.id;
  const session = sessionId ? await payments.expireSession(sessionId) : undefined;
  if (session) await settleSession(services, session);
  // Without a session, or with one that is complete but unpaid. Does nothing if the line above has expired the order.
  if (!session?.isPaid) await giveUpCheckout(db, orderId, 'the payment was never made');
}

/**
 * Since when webhooks may be missing: an hour before the last reconciliation, or earlier if an older order still waits for its payment. Without a
 * reconciliation, the newest order shows when the shop last worked. A restored shop has its last reconciliation from the backup. If a clock that was
 * ahead has stored a time in the future, three days, for which the provider sends a webhook again.
 */
async function reconcileSince(db: Db): Promise<number> {
  const { rows } = await sql<{ lastRun: string | null; newestOrder: string | null; oldestUnpaid: string | null }>`select
    (select asked_until from payment_watch) as last_run,
    (select max(created_at) from orders) as newest_order,
    (select min(created_at) from orders where order_state = 'awaiting_payment') as oldest_unpaid`.execute(db);
  const { lastRun, newestOrder, oldestUnpaid } = rows[0] ?? {};
  const lastWorked = Date.parse(lastRun ?? newestOrder ?? new Date().toISOString());
  return Math.min(
    lastWorked > Date.now() ? Date.now() - 72 * HOUR_MS : lastWorked - HOUR_MS,
    oldestUnpaid ? Date.parse(oldestUnpaid) - MINUTE_MS : Number.POSITIVE_INFINITY,
  );
}

/**
 * Makes up for lost webhooks: settles recent sessions, looks for the payments of recent paid orders, and reads refunds and disputes that were made
 * at the provider.
 */
export async function reconcilePayments(services: PaymentServices): Promise<void> {
  const { db, payments } = services;
  // The time before listing: what happens during this run is read by the next one again.
  const askedUntil = new Date().toISOString();
  const since = await reconcileSince(db);
  const settled = await db
    .selectFrom('orders')
    .select('providerSessionId')
    // An order is older than its session.
    .where('createdAt', '>=', new Date(since - HOUR_MS).toISOString())
    // Without unpaid checkouts.
    .where(listed)
    .where('providerSessionId', 'is not', null)
    .execute();
  const settledSessions = new Set(settled.map(({ providerSessionId }) => providerSessionId));
  const paidSessions = new Set<string>();
  const failures: unknown[] = [];
  const problems: Error[] = [];
  const noteProblem = (error: Error) => void problems.push(error);
  for (const session of await payments.listSessions(new Date(since))) {
    if (session.isPaid) paidSessions.add(session.id);
    if (session.status !== 'open' && !settledSessions.has(session.id))
      // A payment whose order is unknown, as after a backup was restored, is reported to staff and not refunded.
      await settleSession(services, session).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) noteProblem(new AggregateError(failures, `${failures.length} of the payments cannot be stored: ${failures[0]}`));
  await reportMissingPayments(services, since, paidSessions).catch(noteProblem);
  await reconcileRefunds(services, new Date(since)).catch(noteProblem);
  // Thrown last, so that what cannot be stored holds up nothing else. The next run tries it again.
  if (problems.length > 0) throw new AggregateError(problems, problems.map(({ message }) => message).join('; '));
  await db
    .insertInto('paymentWatch')
    .values({ askedUntil })
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet({ askedUntil }))
    .execute();
}

/** Reports paid card orders whose payment the provider does not know: once, in the log and the order's history, for a person to decide. */
async function reportMissingPayments(services: PaymentServices, since: number, paidSessions: ReadonlySet<string>): Promise<void> {
  const { db, payments, log, metrics } = services;
  const orders = await db
    .selectFrom('orders')
    .select(['id', 'reference', 'providerSessionId'])
    .where('createdAt', '>=', new Date(since).toISOString())
    .where(sold)
    .where('paymentMethod', '=', PAYMENT_METHOD.card)
    .execute();
  for (const { id, reference, providerSessionId } of orders) {
    if (providerSessionId && paidSessions.has(providerSessionId)) continue;
    // Before the provider is asked, which would be in every run. Asked for each of the few that are left: a join with all of these orders would read every
    // month's partition of events.
    if (await hasEvent(db, id, 'payment not found')) continue;
    // It may have been paid since the sessions were listed.
    if (providerSessionId && (await payments.findSession(providerSessionId))?.isPaid) continue;
    await recordMissingPayment(services, { id, reference }, providerSessionId);
    log.error({ order: id, session: providerSessionId }, 'an order says paid, but the provider knows no payment');
    metrics.paymentEnded('missing');
  }
}

type WholeRefund = PayloadOf<typeof orderJobs.refundPayment>;
/** A payment that is left to staff. */
type LeftRefund = Omit<WholeRefund, 'reason'>;

const GIVEN_UP = 'The shop has asked the payment provider for days, and does not ask again by itself';

/** Leaves a payment that its job cannot refund to staff, once, as far as no bank holds it. */
async function leave(tx: Tx, services: Pick<PaymentServices, 'config' | 'log'>, refund: LeftRefund, failure: string): Promise<void> {
  const { orderId, paymentId, amount } = refund;
  const { orderState, providerPaymentId } = await tx
    .selectFrom('orders')
    .select(['orderState', 'providerPaymentId'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  const becameNoOrder = orderState === 'refunded' && providerPaymentId === paymentId;
  if (becameNoOrder && amount === undefined) return;
  if (!(await recordOnce(tx, `not refunded ${paymentId}`, 'not refunded'))) return;
  if (becameNoOrder && amount !== undefined) return failUnmade(tx, services, { orderId, amount }, failure);
  if (!(await leaveToStaff(tx, services, paymentId))) return;
  await recordEvent(tx, orderId, { kind: 'refund by hand needed', actor: 'Payment provider', detail: failure });
}

/**
 * Leaves a payment to staff whose job has failed for good, such as after days without the provider. The provider may have made the refund all the same: another
 * job asks once it answers.
 */
export async function giveUpRefund(tx: Tx, services: Pick<PaymentServices, 'config' | 'log'>, refund: LeftRefund): Promise<void> {
  const { orderId, paymentId, amount } = refund;
  await leave(tx, services, refund, GIVEN_UP);
  await enqueue(tx, paymentJobs.findOutcomes, { paymentId, orderId, amount }, { key: `outcomes ${paymentId}` });
}

/** Applies the refunds and disputes that the provider has of a payment whose job has given up, and leaves it to staff if its amount was not known. */
export const findOutcomes = (
  services: PaymentServices,
  { orderId, ...payment }: PayloadOf<typeof paymentJobs.findOutcomes>,
): Promise<void> => (orderId ? leaveNow(services, { ...payment, orderId }, GIVEN_UP) : applyDisputes(services, payment.paymentId));

/** What the payment of a job of an earlier version was: one that became no order may not be what that costs. */
async function findAmount({ db, payments }: PaymentServices, { orderId, paymentId }: LeftRefund): Promise<Pence | undefined> {
  const order = await db.selectFrom('orders').select('orderPaymentId').where('id', '=', orderId).executeTakeFirst();
  const session = order?.orderPaymentId ? await payments.findSession(order.orderPaymentId) : undefined;
  return session?.paymentId === paymentId ? session.total : undefined;
}

async function leaveNow(services: PaymentServices, refund: LeftRefund, failure: string): Promise<void> {
  const { amount = await findAmount(services, refund) } = refund;
  // The provider refuses the refund of a payment whose dispute it has not told us of yet.
  await applyDisputes(services, refund.paymentId);
  await services.db.transaction().execute((tx) => leave(tx, services, { ...refund, amount }, failure));
  // The provider may have made the refund, and its answer was lost.
  await applyRefunds(services, refund.paymentId);
}

/**
 * Refunds a payment that could not become an order, and mails the customer. What the customer has disputed, and what the provider refuses for good, is left to
 * staff. Idempotent.
 */
export async function refundPayment(services: PaymentServices, refund: WholeRefund): Promise<void> {
  const { db, config, payments, metrics } = services;
  const { paymentId } = refund;
  if (await isRecorded(db, `refunded ${paymentId}`)) return;
  const second = await accountOf(db, paymentId);
  // The bank has returned the refund, so staff have it.
  if (second?.hasFailed) return;
  const disputed = second ? second.disputed : ((await findOrderOfPayment(db, paymentId))?.disputedPrice ?? 0);
  if (disputed > 0 || (await isRecorded(db, `not refunded ${paymentId}`)))
    return leaveNow(services, refund, 'The customer disputed this payment at their bank');
  // Before it is recorded, so that nobody is told of a refund that the provider refuses. With the same key a repetition refunds nothing twice.
  const refused = await payments.refund(paymentId, `refund-${paymentId}`);
  if (refused) return leaveNow(services, refund, refused.refusal);
  const isFirst = await db.transaction().execute(async (tx) => {
    if (!(await recordOnce(tx, `refunded ${paymentId}`, 'refunded'))) return false;
    await recordRefund(tx, { config }, refund);
    return true;
  });
  if (isFirst) metrics.paymentEnded('refunded');
}
