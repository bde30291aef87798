import { sql } from 'kysely';
import type { Pence } from '#contract/market/money.ts';
import type { LockedOrder } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';

/** What was written off and is not counted for pieces that left the order, in pence. */
export const uncountedOf = ({ writtenOff, writeOffCounted }: Pick<LockedOrder, 'writtenOff' | 'writeOffCounted'>): Pence =>
  writtenOff - writeOffCounted;

/**
 * Counts a write-off for pieces of a locked order that left it: at most `price`, and at most what is not counted yet. Returns the sum, which the customer
 * did not have to pay for them.
 */
export async function countWriteOff(tx: Tx, order: LockedOrder, price: Pence): Promise<Pence> {
  const counted = Math.max(0, Math.min(price, uncountedOf(order)));
  if (counted === 0) return 0;
  await tx
    .updateTable('orders')
    .set({ writeOffCounted: sql<number>`write_off_counted + ${counted}` })
    .where('id', '=', order.id)
    .execute();
  return counted;
}
