import { createHash } from 'node:crypto';
import { Problem } from '#contract/platform/problem.ts';
import { recordWorking, webhookCheck } from '#server/context/setup-checks.ts';
import type { ProviderEvent } from '#server/gateways/payments.ts';
import { applyDisputes, applyRefunds } from './refunds.jobs.ts';
import { type PaymentServices, recordOnce, settleSession } from './settle.service.ts';

const FAILED = 'checkout.session.async_payment_failed';
const SETTLING = /^checkout\.session\.(completed|async_payment_succeeded|async_payment_failed|expired)$/;

/**
 * Applies a signed webhook. Reads its session again by id: the payload has the endpoint's API version, not the SDK's, and may be out of date.
 * Throws 503 if the provider cannot be reached; it then sends the webhook again.
 */
export async function takeNotice(services: PaymentServices, { sessionId, paymentId, isDispute, ...notice }: ProviderEvent): Promise<void> {
  await recordWorking(services.db, webhookCheck(services.config));
  if (paymentId) return isDispute ? applyDisputes(services, paymentId) : applyRefunds(services, paymentId);
  if (!sessionId || !SETTLING.test(notice.kind)) return;
  const session = await services.payments.findSession(sessionId);
  if (!session) {
    services.log.error({ event: notice.id, session: sessionId }, 'a notice names a session that the provider does not know');
    return;
  }
  // A payment that failed afterwards ends its order as a page that was never paid does.
  const hasFailed = notice.kind === FAILED && !session.isPaid;
  await settleSession(services, hasFailed ? { ...session, status: 'expired' } : session, notice);
}

/** Throws 400 for a signed webhook that cannot be read. Logs it once: the provider repeats it for days. */
export async function refuseNotice({ db, log }: Pick<PaymentServices, 'db' | 'log'>, body: Buffer): Promise<never> {
  const digest = createHash('sha256').update(body).digest('hex');
  if (await recordOnce(db, `unreadable ${digest}`, 'unreadable'))
    log.error({ digest, bytes: body.length }, 'a signed notice of the payment provider cannot be read');
  throw new Problem(400, 'This notice cannot be read.');
}
