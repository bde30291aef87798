import { createHash } from 'node:crypto';
import { Problem } from '#contract/platform/problem.ts';
import type { ProviderEvent } from '#server/gateways/payments.ts';
import { readDisputes, readRefunds } from './refunds.jobs.ts';
import { isNews, type PaymentServices, settleSession } from './settle.service.ts';

const FAILED = 'checkout.session.async_payment_failed';
const SETTLING = /^checkout\.session\.(completed|async_payment_succeeded|async_payment_failed|expired)$/;

/**
 * Gives effect to a signed notice. Its session is read again by its id, so that amounts and addresses have the shape of the SDK's API
 * version, whichever version the provider's endpoint is set to, and so that an old notice cannot bring back an old state.
 * Throws 503 when the provider cannot be asked; then it sends the notice again.
 */
export async function takeNotice(services: PaymentServices, { sessionId, paymentId, isDispute, ...notice }: ProviderEvent): Promise<void> {
  if (paymentId) return isDispute ? readDisputes(services, paymentId) : readRefunds(services, paymentId);
  if (!sessionId || !SETTLING.test(notice.kind)) return;
  const session = await services.payments.findSession(sessionId);
  if (!session) {
    services.log.error({ event: notice.id, session: sessionId }, 'a notice names a session that the provider does not know');
    return;
  }
  const hasFailed = notice.kind === FAILED && !session.isPaid;
  await settleSession(services, hasFailed ? { ...session, status: 'expired' } : session, notice);
}

/** Refuses a signed notice that cannot be read, as 400. The provider sends it for days: it is logged the first time only. */
export async function refuseNotice({ db, log }: Pick<PaymentServices, 'db' | 'log'>, body: Buffer): Promise<never> {
  const digest = createHash('sha256').update(body).digest('hex');
  if (await isNews(db, `unreadable ${digest}`, 'unreadable'))
    log.error({ digest, bytes: body.length }, 'a signed notice of the payment provider cannot be read');
  throw new Problem(400, 'This notice cannot be read.');
}
