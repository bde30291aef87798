import { may } from '#contract/accounts/roles.ts';
import type { Order } from '#contract/orders/orders.ts';
import { canReachDriver, STATES } from '#contract/orders/states.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Customer, customerTransactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { readOrder } from './read.service.ts';
import { CUSTOMER, lockListed, recordEvent } from './transitions.service.ts';

/** The log's sentence for a change by staff. */
export const NOTE_CHANGED = 'Changed the note for the driver';

/** How often a customer can change the note of one order: each change adds to its history. */
const MOST_CHANGES = 20;

/** Throws 409 if the customer has changed the note too often. */
async function checkChanges(tx: Tx, orderId: string): Promise<void> {
  const changes = tx.selectFrom('orderEvents').select('id').where('orderId', '=', orderId).where('kind', '=', 'note for the driver');
  if ((await changes.where('actor', '=', CUSTOMER).limit(MOST_CHANGES).execute()).length >= MOST_CHANGES)
    throw new Problem(409, `This note was changed ${MOST_CHANGES} times. Please contact us to change it again.`);
}

/**
 * Changes the note for the driver: customers of their own orders, staff with the right to change orders of any. Throws 404 for other orders, and 409 once
 * everything has left, and to a customer after many changes.
 */
export async function changeDeliveryNote({ db }: Pick<Services, 'db'>, who: Customer, id: string, deliveryNote: string): Promise<Order> {
  return customerTransactionOf(db, who, async (tx, now) => {
    const before = await readOrder(tx, now, id);
    if (before.deliveryNote === deliveryNote) return before;
    const { status, reference, userId } = await lockListed(tx, id);
    const isOwn = userId === now._id;
    if (!isOwn && !may(now, 'change orders')) throw new Problem(404, 'Order not found');
    if (!canReachDriver(status))
      throw new Problem(409, `Order ${reference} ${STATES[status].refusal}, so its note for the driver can no longer be changed.`);
    if (isOwn) await checkChanges(tx, id);
    await tx.updateTable('orders').set({ deliveryNote }).where('id', '=', id).execute();
    const detail = deliveryNote || 'Removed';
    await recordEvent(tx, id, { kind: 'note for the driver', actor: isOwn ? CUSTOMER : now.name, detail });
    if (!isOwn) await recordChange(tx, now, 'order', id, NOTE_CHANGED);
    return readOrder(tx, now, id);
  });
}
