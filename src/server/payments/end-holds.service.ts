import { setTimeout } from 'node:timers/promises';
import { isProblem, Problem } from '#contract/platform/problem.ts';
import type { Ctx, Customer } from '#server/context/context.ts';
import { endHoldSoon, listOpenHolds } from '#server/orders/lines/holds.service.ts';
import { tokenHash } from '#server/platform/link-token.ts';
import { errorMessage } from '#server/platform/log.ts';
import { expireHold } from './payments.jobs.ts';
import type { PaymentServices } from './settle.service.ts';

/** When to try again, for `Retry-After`. */
const AGAIN_SECONDS = 5;

/** Time limit for closing all pages at the provider. */
const LONGEST_MS = 2_000;

/**
 * Releases holds, concurrently and within two seconds; a job finishes the rest. Each page is closed at the provider first, so that nobody pays for
 * released stock. Returns whether all are released.
 */
export async function endHolds(services: PaymentServices, orderIds: string[]): Promise<boolean> {
  const unreleased = new Set(orderIds);
  const end = async (orderId: string) => {
    try {
      await expireHold(services, { orderId });
      unreleased.delete(orderId);
    } catch (error) {
      services.log[isProblem(error) ? 'warn' : 'error'](
        { order: orderId, reason: errorMessage(error) },
        'an abandoned payment could not be closed yet',
      );
    }
  };
  await Promise.race([Promise.all(orderIds.map(end)), setTimeout(LONGEST_MS, undefined, { ref: false })]);
  for (const orderId of unreleased) await endHoldSoon(services.db, orderId);
  return unreleased.size === 0;
}

/** Retries a refused `place` after releasing the customer's own holds, if these are all that is in its way. */
export async function placeOverOwnHolds<T>(
  services: PaymentServices & Pick<Ctx, 'leaveTurn'>,
  who: Pick<Customer, '_id'>,
  areInTheWay: () => Promise<boolean>,
  place: () => Promise<T>,
): Promise<T> {
  try {
    return await place();
  } catch (error) {
    if (!isProblem(error) || error.status !== 409) throw error;
    const holds = (await listOpenHolds(services.db, who._id)).map(({ id }) => id);
    // A discount may be refused because of a hold: it has used up its promotions, and counts as the customer's first order.
    const isDiscountRefused = error.errors?.discount !== undefined;
    if (holds.length === 0 || !(isDiscountRefused || (await areInTheWay()))) throw error;
    // Other orders are placed while this one waits for the provider.
    services.leaveTurn?.();
    if (await endHolds(services, holds)) return place();
    throw new Problem(
      409,
      'These products are still reserved for your unfinished card payment, and we can’t reach the payment provider to cancel it. Please try again in a moment.',
      undefined,
      AGAIN_SECONDS,
    );
  }
}

/**
 * Releases the hold of a checkout whose customer came back by the provider's cancel link. Its token is enough, without a login, and opens nothing
 * else. The message may be empty.
 */
export async function leaveCheckout(services: PaymentServices, token: string): Promise<{ message: string }> {
  const find = () =>
    services.db.selectFrom('orders').select(['id', 'orderState']).where('cancelMarkHash', '=', tokenHash(token)).executeTakeFirst();
  const before = await find();
  if (before?.orderState !== 'awaiting_payment') return { message: '' };
  await endHolds(services, [before.id]);
  const after = await find();
  if (after?.orderState === 'expired') return { message: 'Payment cancelled. Nothing was charged.' };
  return { message: after?.orderState === 'placed' ? 'Your payment has gone through. The order is in your order history.' : '' };
}
