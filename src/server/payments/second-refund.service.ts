import type { Order } from '#contract/orders/orders.ts';
import type { PaidBackBy } from '#contract/orders/reasons.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { ProvenAdmin } from '#server/context/context.ts';
import { endTry, findTry, payBackOverpayment, readPaymentId, startTry } from '#server/orders/overpayments.service.ts';
import { readOrder } from '#server/orders/read.service.ts';
import { settleSecondRefunds } from '#server/orders/refunds/second-payments.service.ts';
import { applyDisputes, applyRefunds } from './refunds.jobs.ts';
import type { PaymentServices } from './settle.service.ts';

/**
 * Asks the provider once more to refund a card payment that was not kept. Looks for the refund there first, so that one whose answer was lost is not made twice.
 * Throws 404, and 409 unless it is still owed and if the provider refuses.
 */
export async function retryOverpayment(services: PaymentServices, who: ProvenAdmin, id: string): Promise<Order> {
  const { db, payments } = services;
  const { orderId, paymentId } = await startTry(services, who, id);
  await applyRefunds(services, paymentId);
  const due = await findTry(db, id);
  if (!due) return readOrder(db, who, orderId);
  const made = await payments.refundPart({ paymentId, refundId: id, ...due });
  if ('refusal' in made) {
    await endTry(db, id, due.attempt);
    throw new Problem(409, `The payment provider says: ${made.refusal}`);
  }
  await settleSecondRefunds(services, paymentId, [made]);
  return readOrder(db, who, orderId);
}

/**
 * Records that what came in besides was paid back by hand. Of a card payment the provider is asked first for refunds and disputes that the shop has not heard of; if
 * it does not answer, staff know better. Throws 404, and 409 unless it is still owed.
 */
export async function payBack(services: PaymentServices, who: ProvenAdmin, id: string, paidBackBy: PaidBackBy): Promise<Order> {
  const { db, log } = services;
  const paymentId = await readPaymentId(db, who, id);
  if (paymentId)
    await applyDisputes(services, paymentId).catch((error: unknown) => log.warn({ err: error }, 'the provider does not answer'));
  return payBackOverpayment(services, who, id, paidBackBy);
}
