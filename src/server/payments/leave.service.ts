import { tokenHash } from '#server/platform/link-token.ts';
import { endHolds } from './hold.service.ts';
import type { PaymentServices } from './settle.service.ts';

/**
 * Someone has come back from the provider's page by its cancel address: the hold is given back at once. Whoever has the mark may do so,
 * logged in or not; it opens nothing else. Returns what to tell them, empty where there is nothing to tell.
 */
export async function leaveCheckout(services: PaymentServices, mark: string): Promise<{ message: string }> {
  const find = () =>
    services.db.selectFrom('orders').select(['id', 'status']).where('cancelMarkHash', '=', tokenHash(mark)).executeTakeFirst();
  const before = await find();
  if (before?.status !== 'awaiting_payment') return { message: '' };
  await endHolds(services, [before.id]);
  const after = await find();
  if (after?.status === 'expired') return { message: 'Payment cancelled. Nothing was charged.' };
  return { message: after?.status === 'placed' ? 'Your payment has gone through. The order is in your order history.' : '' };
}
