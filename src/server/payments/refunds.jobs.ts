import type { Jobs } from '#server/jobs/queue.ts';
import {
  failRefund,
  findDueRefund,
  isOwnPayment,
  listPendingPayments,
  recordDispute,
  settleRefunds,
} from '#server/orders/refund-outcomes.service.ts';
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
      await recordDispute(tx, paymentId, dispute);
      return true;
    });
    if (isNew && dispute.status === 'open') log.error({ payment: paymentId, dispute: dispute.id }, 'a payment is disputed');
  }
}

/** Makes up for lost notices of refunds that the provider had taken and not ended. */
export async function reconcileRefunds(services: PaymentServices): Promise<void> {
  for (const paymentId of await listPendingPayments(services.db)) await readRefunds(services, paymentId);
}
