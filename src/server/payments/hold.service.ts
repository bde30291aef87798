import { setTimeout } from 'node:timers/promises';
import type { CartLine } from '#contract/orders/orders.ts';
import { isProblem, Problem } from '#contract/platform/problem.ts';
import type { Customer } from '#server/context/context.ts';
import { areOwnHoldsInTheWay, endHoldSoon, listOpenHolds } from '#server/orders/lines/holds.service.ts';
import { expireHold } from './payments.jobs.ts';
import type { PaymentServices } from './settle.service.ts';

/** The longest that somebody waits for the provider to close pages, however many they are. */
const LONGEST_MS = 2_000;

/**
 * Gives holds back: each page to pay on is closed at the provider first, so that nobody pays for what was given back; what was paid in the
 * last moment becomes its order. All at once and within two seconds; a job goes on with what is not done by then. Returns whether all is done.
 */
export async function endHolds(services: PaymentServices, orderIds: string[]): Promise<boolean> {
  const open = new Set(orderIds);
  const end = async (orderId: string) => {
    try {
      await expireHold(services, { orderId });
      open.delete(orderId);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      services.log[isProblem(error) ? 'warn' : 'error']({ order: orderId, reason }, 'an abandoned payment could not be closed yet');
    }
  };
  await Promise.race([Promise.all(orderIds.map(end)), setTimeout(LONGEST_MS, undefined, { ref: false })]);
  for (const orderId of open) await endHoldSoon(services.db, orderId);
  return open.size === 0;
}

/**
 * Buys what only the customer's own card checkout holds: that is given back first, and `place` tried again. Any other refusal of `place`
 * leaves the checkout's page open, and so does a request that was already carried out.
 */
export async function placeOverOwnHolds<T>(
  services: PaymentServices,
  who: Customer,
  lines: CartLine[],
  place: () => Promise<T>,
): Promise<T> {
  try {
    return await place();
  } catch (error) {
    if (!isProblem(error) || error.status !== 409 || !(await areOwnHoldsInTheWay(services.db, who._id, lines))) throw error;
    const holds = await listOpenHolds(services.db, who._id);
    if (
      await endHolds(
        services,
        holds.map(({ id }) => id),
      )
    )
      return place();
    throw new Problem(
      409,
      'These products are still reserved for your unfinished card payment, and we can’t reach the payment provider to cancel it. Please try again in a moment.',
      undefined,
      5,
    );
  }
}
