import { isProblem } from '#contract/problem.ts';
import type { Customer } from '#server/context.ts';
import type { Services } from '#server/services.ts';
import { expireHold } from './payments.jobs.ts';

/**
 * Ends the card payments that a customer began and left, so that their own holds do not stand in the way of what they buy now and no
 * page is left on which the same cart could be paid a second time. One that was paid in the last moment becomes its order.
 * A provider that does not answer keeps nobody from buying: then the hold ends by the clock.
 */
export async function endAbandonedCheckouts(services: Services, who: Customer): Promise<void> {
  const { db, log } = services;
  const left = await db
    .selectFrom('orders')
    .select('id')
    .where('userId', '=', who._id)
    .where('status', '=', 'awaiting_payment')
    // Without a session nobody has seen a page to pay on: that checkout is only just being made.
    .where('providerSessionId', 'is not', null)
    .execute();
  for (const { id } of left) {
    try {
      await expireHold(services, { orderId: id });
    } catch (error) {
      if (!isProblem(error)) throw error;
      log.warn({ order: id, reason: error.message }, 'an abandoned payment could not be closed yet');
    }
  }
}
