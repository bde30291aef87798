import {
  failRefund,
  findDueRefund,
  findUnheardDisputes,
  findUnheardRefunds,
  isOwnPayment,
  listDisputedPayments,
  listPendingPayments,
  recordDispute,
  settleRefunds,
} from '#server/orders/refunds/refund-outcomes.service.ts';
import type { Jobs } from '#server/platform/jobs/queue.ts';
import { isNews, type PaymentServices } from './settle.service.ts';

/**
 * Asks the provider for a refund. It is looked for first: the provider forgets idempotency keys after a day, and a refund whose answer was lost must
 * not be made twice. Throws while the provider cannot be asked; the job is tried again then.
 */
export async function sendRefund(services: PaymentServices, { refundId }: Jobs['sendRefund']): Promise<void> {
  const { db, payments } = services;
  const due = await findDueRefund(db, refundId);
  if (!due?.providerPaymentId) return;
  const { providerPaymentId: paymentId, amount, attempt } = due;
  const known = await payments.listRefunds(paymentId);
  if (!known.some((refund) => refund.refundId === refundId && refund.attempt === attempt)) {
    const made = await payments.refundPart({ paymentId, amount, refundId, attempt });
    if ('refusal' in made) await failRefund(services, refundId, attempt, made.refusal);
    else known.push(made);
  }
  await settleRefunds(services, paymentId, known);
}

/** Reads all refunds of a payment again and gives effect to them, whatever a notice said of one. Another shop's on the same account are not asked for. */
export async function readRefunds(services: PaymentServices, paymentId: string): Promise<void> {
  if (!(await isOwnPayment(services.db, paymentId))) return;
  await settleRefunds(services, paymentId, await services.payments.listRefunds(paymentId));
}

/** Reads all disputes of a payment and writes what is new of them into the order's history, once. */
export async function readDisputes({ db, payments, log }: PaymentServices, paymentId: string): Promise<void> {
  if (!(await isOwnPayment(db, paymentId))) return;
  for (const dispute of await payments.listDisputes(paymentId)) {
    const isNew = await db.transaction().execute(async (tx) => {
      if (!(await isNews(tx, `dispute ${dispute.id} ${dispute.status}`, 'dispute'))) return false;
      await recordDispute(tx, { log }, paymentId, dispute);
      return true;
    });
    if (isNew && dispute.status === 'open') log.error({ payment: paymentId, dispute: dispute.id }, 'a payment is disputed');
  }
}

/**
 * Makes up for lost notices: refunds that the provider had taken and not ended, and refunds and disputes that were made at the provider since then,
 * such as in its dashboard.
 */
export async function reconcileRefunds(services: PaymentServices, since: Date): Promise<void> {
  const { db, payments } = services;
  const unheard = await findUnheardRefunds(db, await payments.listRefundsSince(since));
  for (const paymentId of new Set([...unheard, ...(await listPendingPayments(db))])) await readRefunds(services, paymentId);
  for (const paymentId of await findUnheardDisputes(db, await payments.listDisputesSince(since))) await readDisputes(services, paymentId);
}

/** A bank may send a refund back for so long. */
const REFUND_DAYS = 31;

/** Makes up for lost notices of what becomes of older refunds and disputes: one that failed after all, one that was decided (a daily job). */
export async function reconcileOutcomes(services: PaymentServices): Promise<void> {
  const { db } = services;
  await reconcileRefunds(services, new Date(Date.now() - REFUND_DAYS * 86_400_000));
  for (const paymentId of await listDisputedPayments(db)) await readDisputes(services, paymentId);
}
