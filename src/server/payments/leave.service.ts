import { createHash, randomBytes } from 'node:crypto';
import { endHolds } from './hold.service.ts';
import type { PaymentServices } from './settle.service.ts';

const hashOf = (mark: string) => createHash('sha256').update(mark).digest();

/** A new mark for a cancel address, which nobody can guess, and the hash under which it is kept. */
export function newCancelMark(): { mark: string; hash: Buffer } {
  const mark = randomBytes(24).toString('base64url');
  return { mark, hash: hashOf(mark) };
}

/**
 * Someone has come back from the provider's page by its cancel address: the hold is given back at once. Whoever has the mark may do so,
 * logged in or not; it opens nothing else. Returns what to tell them, empty where there is nothing to tell.
 */
export async function leaveCheckout(services: PaymentServices, mark: string): Promise<{ message: string }> {
  const find = () =>
    services.db.selectFrom('orders').select(['id', 'status']).where('cancelMarkHash', '=', hashOf(mark)).executeTakeFirst();
  const before = await find();
  if (before?.status !== 'awaiting_payment') return { message: '' };
  await endHolds(services, [before.id]);
  const after = await find();
  if (after?.status === 'expired') return { message: 'Payment cancelled. Nothing was charged.' };
  return { message: after?.status === 'placed' ? 'Your payment has gone through. The order is in your order history.' : '' };
}
