import { DAY_MS } from '#contract/market/shop-time.ts';
import type { orderJobs } from '#server/orders/jobs.ts';
import {
  failRefund,
  findDueRefund,
  findOrderOfPayment,
  listDisputedPayments,
  listPaymentsWithPendingRefunds,
  listPaymentsWithUnknownDisputes,
  listPaymentsWithUnknownRefunds,
  recordDispute,
  settleRefunds,
} from '#server/orders/refunds/refund-outcomes.service.ts';
import {
  accountOf,
  listUnsettledSecondPayments,
  recordSecondDispute,
  settleSecondRefunds,
} from '#server/orders/refunds/second-payments.service.ts';
import type { PayloadOf } from '#server/platform/jobs/queue.ts';
import { type PaymentServices, recordOnce } from './settle.service.ts';

/**
 * Requests a refund at the provider. Looks for it there first, so that one whose answer was lost is not made twice: the provider forgets idempotency
 * keys after a day. So is an earlier attempt that has not failed there: a dispute may have failed it here. Throws while the provider cannot be reached, so that
 * the job is retried.
 */
export async function sendRefund(services: PaymentServices, { refundId }: PayloadOf<typeof orderJobs.sendRefund>): Promise<void> {
  const { db, payments } = services;
  const due = await findDueRefund(db, refundId);
  if (!due?.paymentId) return;
  const { paymentId, amount, attempt } = due;
  const refunds = (await payments.listRefunds({ paymentId })).map((refund) =>
    refund.refundId === refundId && refund.status !== 'failed' ? { ...refund, attempt } : refund,
  );
  if (!refunds.some((refund) => refund.refundId === refundId && refund.attempt === attempt)) {
    const made = await payments.refundPart({ paymentId, amount, refundId, attempt });
    if ('refusal' in made) await failRefund(services, refundId, attempt, made.refusal);
    else refunds.push(made);
  }
  await settleRefunds(services, paymentId, refunds);
}

/** Applies all refunds that the provider has of one of our payments. */
export async function applyRefunds(services: PaymentServices, paymentId: string): Promise<void> {
  const isSecond = (await accountOf(services.db, paymentId)) !== undefined;
  if (!isSecond && !(await findOrderOfPayment(services.db, paymentId))) return;
  const refunds = await services.payments.listRefunds({ paymentId });
  await (isSecond ? settleSecondRefunds : settleRefunds)(services, paymentId, refunds);
}

/** Records what is new in the provider's disputes of one of our payments, once. */
export async function applyDisputes(services: PaymentServices, paymentId: string): Promise<void> {
  const { db, payments, log } = services;
  const isSecond = (await accountOf(db, paymentId)) !== undefined;
  if (!isSecond && !(await findOrderOfPayment(db, paymentId))) return;
  // A dispute fails refunds that the provider has not made, so those that it has made are found first.
  await applyRefunds(services, paymentId);
  for (const dispute of await payments.listDisputes({ paymentId })) {
    const isNew = await db.transaction().execute(async (tx) => {
      if (!(await recordOnce(tx, `dispute ${dispute.id} ${dispute.status}`, 'dispute'))) return false;
      await (isSecond ? recordSecondDispute : recordDispute)(tx, services, paymentId, dispute);
      return true;
    });
    if (isNew && dispute.status === 'open') log.error({ payment: paymentId, dispute: dispute.id }, 'a payment is disputed');
  }
}

/** Makes up for lost webhooks: applies refunds that are still pending, and refunds and disputes that were made at the provider after `since`. */
export async function reconcileRefunds(services: PaymentServices, since: Date): Promise<void> {
  const { db, payments } = services;
  const failures: unknown[] = [];
  const noteFailure = (error: unknown) => void failures.push(error);
  const unknown = await listPaymentsWithUnknownRefunds(db, await payments.listRefunds({ since }));
  const pending = [...(await listPaymentsWithPendingRefunds(db)), ...(await listUnsettledSecondPayments(db, 'refund'))];
  for (const paymentId of new Set([...unknown, ...pending])) await applyRefunds(services, paymentId).catch(noteFailure);
  for (const paymentId of await listPaymentsWithUnknownDisputes(db, await payments.listDisputes({ since })))
    await applyDisputes(services, paymentId).catch(noteFailure);
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of the refunds and disputes cannot be stored: ${failures[0]}`);
}

/** A bank can return a refund within this time. */
const REFUND_DAYS = 31;

/** Makes up for lost webhooks about older refunds and open disputes: refunds that failed after all, disputes that were decided (a daily job). */
export async function reconcileOutcomes(services: PaymentServices): Promise<void> {
  const { db } = services;
  await reconcileRefunds(services, new Date(Date.now() - REFUND_DAYS * DAY_MS));
  for (const paymentId of [...(await listDisputedPayments(db)), ...(await listUnsettledSecondPayments(db, 'dispute'))])
    await applyDisputes(services, paymentId);
}
