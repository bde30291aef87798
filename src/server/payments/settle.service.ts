import { PAYMENT_METHOD } from '#contract/orders/orders.ts';
import type { Services } from '#server/context/services.ts';
import type { ProviderSession } from '#server/gateways/provider-session.ts';
import { expireOrder, payOrder, type Refusal, refundSecondPayment } from '#server/orders/card.service.ts';
import { isAllowed } from '#server/orders/rules/states.ts';
import { lockOrder } from '#server/orders/transitions.service.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';

/** What this folder needs of the services: to ask the provider, and to write down what it said. */
export type PaymentServices = Pick<Services, 'db' | 'config' | 'payments' | 'log' | 'metrics'>;

/** What a session came to, where that is worth counting. */
type Outcome = 'settled' | 'unmatched' | Refusal | undefined;

/** Writes an id down, and says whether it was new: what is said or done once is guarded by it. */
export async function isNews(tx: Db, id: string, kind: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('paymentEvents')
    .values({ id, kind })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * The one way in which a session of the provider takes effect, for webhooks, reconciliation and expiry alike.
 * Whatever was said before and however often, the same session ends in the same state. A notice is stored together with its effect.
 */
export async function settleSession(
  services: Omit<PaymentServices, 'payments'>,
  session: ProviderSession,
  notice?: { id: string; kind: string },
): Promise<void> {
  const { db, metrics } = services;
  const outcome = await db.transaction().execute(async (tx) => {
    if (notice && !(await isNews(tx, notice.id, notice.kind))) return undefined;
    return settle(tx, services, session);
  });
  if (outcome && outcome !== 'refused') metrics.paymentEnded(outcome);
  if (outcome === 'settled') metrics.orderPlaced(PAYMENT_METHOD.card);
}

async function settle(tx: Tx, services: Pick<PaymentServices, 'config' | 'log'>, session: ProviderSession): Promise<Outcome> {
  const order = await lockOrder(tx, session.orderId);
  if (!order) {
    // Said once, however often the provider is asked. It may be another shop's on the same account, so that nobody but a person gives it back.
    if (!session.isPaid || !(await isNews(tx, `unmatched ${session.id}`, 'unmatched'))) return undefined;
    services.log.error({ session: session.id, order: session.orderId }, 'a payment names no order of this shop');
    return 'unmatched';
  }
  if (session.isPaid) {
    if (isAllowed('pay', order.status)) return payOrder(tx, services, order, session);
    // Told again of the payment that settled the order, or of a second one, whose money goes back once.
    if (order.orderPaymentId === session.id || !(await isNews(tx, `second ${session.id}`, 'second'))) return undefined;
    return refundSecondPayment(tx, services, order, session);
  }
  if (session.status === 'expired' && (order.providerSessionId ?? session.id) === session.id)
    await expireOrder(tx, order, 'payment session expired');
  return undefined;
}
