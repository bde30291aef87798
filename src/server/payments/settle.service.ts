import { PAYMENT_METHOD } from '#contract/orders/orders.ts';
import type { Services } from '#server/context/services.ts';
import type { ProviderSession } from '#server/gateways/provider-session.ts';
import { expireOrder, payOrder, type Refusal, refundSecondPayment } from '#server/orders/card.service.ts';
import { payCorrection } from '#server/orders/corrections/difference.service.ts';
import { isAllowed } from '#server/orders/rules/states.ts';
import { lockOrder } from '#server/orders/transitions.service.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { tellStaff } from '#server/staff-notices/notices.service.ts';

export type PaymentServices = Pick<Services, 'db' | 'config' | 'payments' | 'log' | 'metrics'>;

/** The outcome of a session, for the metrics. */
type Outcome = 'settled' | 'unmatched' | Refusal | undefined;

/** Whether an id was recorded. */
export const isRecorded = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('paymentEvents').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

/** Records an id. Returns false if it was recorded before: guards what must happen once. */
export async function recordOnce(tx: Db, id: string, kind: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('paymentEvents')
    .values({ id, kind })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Applies a session of the provider: the one way for webhooks, reconciliation and expiry alike. Idempotent. A webhook's id is stored in the same
 * transaction as its effect.
 */
export async function settleSession(
  services: Omit<PaymentServices, 'payments'>,
  session: ProviderSession,
  notice?: { id: string; kind: string },
): Promise<void> {
  const { db, metrics } = services;
  const outcome = await db.transaction().execute(async (tx) => {
    if (notice && !(await recordOnce(tx, notice.id, notice.kind))) return undefined;
    return settle(tx, services, session);
  });
  // A refused payment is counted once it is refunded.
  if (outcome && outcome !== 'refused') metrics.paymentEnded(outcome);
  if (outcome === 'settled') metrics.orderPlaced(PAYMENT_METHOD.card);
}

async function settle(tx: Tx, services: Pick<PaymentServices, 'config' | 'log'>, session: ProviderSession): Promise<Outcome> {
  const order = await lockOrder(tx, session.orderId);
  if (!order) {
    // Logged once. It may be another shop's on the same account, so only a person may refund it.
    if (!session.isPaid || !(await recordOnce(tx, `unmatched ${session.id}`, 'unmatched'))) return undefined;
    services.log.error({ session: session.id, order: session.orderId }, 'a payment names no order of this shop');
    const text = `The payment of session ${session.id} names no order of this shop`;
    await tellStaff(tx, services, { event: 'payment', text, path: '/admin/orderlist' });
    return 'unmatched';
  }
  if (session.isPaid) {
    if (isAllowed('pay', order.status)) return payOrder(tx, services, order, session);
    // A payment that was refunded pays nothing later, even if the order costs the same again.
    const second = `second ${session.id}`;
    if (await isRecorded(tx, second)) return undefined;
    const correction = await payCorrection(tx, services, order, session);
    // Or a repeat of the payment that settled the order.
    if (correction === 'paid' || order.orderPaymentId === session.id) return undefined;
    await recordOnce(tx, second, 'second');
    return refundSecondPayment(tx, services, order, session, correction ?? 'twice');
  }
  // An order whose page was never stored has no session's id.
  if (session.status === 'expired' && (order.providerSessionId ?? session.id) === session.id)
    await expireOrder(tx, order, 'payment session expired');
  return undefined;
}
