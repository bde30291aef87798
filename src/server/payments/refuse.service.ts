import { sql } from 'kysely';
import { PAYMENT_METHOD } from '#contract/orders.ts';
import type { Log } from '#server/base/log.ts';
import type { Tx } from '#server/db/connect.ts';
import type { ProviderSession } from '#server/gateways/provider-session.ts';
import { enqueue } from '#server/jobs/queue.ts';
import type { RefundReason } from '#server/mail/order-mails.ts';
import { recordEvent } from '#server/orders/place.service.ts';

const PROVIDER = 'Payment provider';

/** What became of a payment that is not kept: a job gives it back, or only a person can. */
export type Refusal = 'refused' | 'stranded';

/** A payment that cannot become an order: it is given back by a job, and the customer told. */
export async function refusePayment(
  tx: Tx,
  log: Log,
  orderId: string,
  session: ProviderSession,
  reason: RefundReason,
  detail: string,
): Promise<Refusal> {
  await tx
    .updateTable('orders')
    .set({
      status: 'refunded',
      paymentMethod: PAYMENT_METHOD.card,
      orderPaymentId: session.id,
      providerPaymentId: session.paymentId,
      email: session.email,
      fullName: session.name,
      paidAt: sql<string>`now()`,
    })
    .where('id', '=', orderId)
    .execute();
  return giveBack(tx, log, orderId, session, reason, detail);
}

/**
 * Queues the refund of a session's payment. Without a payment id the provider cannot be asked for it: then it is a task for a person, which
 * stands as an error in the log and in the order's history, and counts as `stranded` in the metrics.
 */
export async function giveBack(
  tx: Tx,
  log: Log,
  orderId: string,
  { id, paymentId }: ProviderSession,
  reason: RefundReason,
  detail: string,
): Promise<Refusal> {
  if (!paymentId) {
    await recordEvent(
      tx,
      orderId,
      'refund by hand needed',
      PROVIDER,
      `${detail}. Session ${id} names no payment: refund it at the provider`,
    );
    log.error({ order: orderId, session: id }, 'a payment must be refunded by hand: its session names no payment');
    return 'stranded';
  }
  await recordEvent(tx, orderId, 'refund started', PROVIDER, detail);
  await enqueue(tx, 'refundPayment', { orderId, paymentId, reason }, { key: `refund-${paymentId}` });
  return 'refused';
}
