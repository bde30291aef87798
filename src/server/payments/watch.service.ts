import type { Payment } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Customer } from '#server/context/context.ts';
import { readOrder } from '#server/orders/read.service.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { type PaymentServices, settleSession } from './settle.service.ts';

/** Reads a session whose webhook has not come yet, or was lost. Best effort: the waiting page asks again. */
async function settleNow(services: PaymentServices, who: Customer, sessionId: string, ip: string): Promise<void> {
  const { db, config, payments, log } = services;
  try {
    await limit(db, 'payment', { ip, account: who._id, factor: config.rateLimitFactor });
    const session = await payments.findSession(sessionId);
    if (session && session.status !== 'open') await settleSession(services, session);
  } catch (error) {
    log.warn({ session: sessionId, reason: String(error).slice(0, 300) }, 'a payment that is waited for could not be settled yet');
  }
}

/** The state of the customer's own payment, for the page that waits for it. Throws 404 for any other order. */
export async function readPayment(services: PaymentServices, who: Customer, id: string, ip: string): Promise<Payment> {
  const { db } = services;
  const find = async () => {
    const query = db.selectFrom('orders').select(['orderState', 'providerSessionId']).where('userId', '=', who._id);
    const order = await query.where('id', '=', id).executeTakeFirstOrThrow(() => new Problem(404, 'Order not found'));
    return order;
  };
  const { orderState, providerSessionId } = await find();
  if (orderState === 'awaiting_payment' && providerSessionId) await settleNow(services, who, providerSessionId, ip);
  const now = await find();
  if (now.orderState === 'awaiting_payment') return { state: 'waiting', order: null };
  if (now.orderState === 'expired') return { state: 'ended', order: null };
  return { state: now.orderState === 'refunded' ? 'refunded' : 'settled', order: await readOrder(db, who, id) };
}
