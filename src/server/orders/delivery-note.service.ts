import type { Order } from '#contract/orders/orders.ts';
import { isDriverToCome, STATES } from '#contract/orders/states.ts';
import { Problem } from '#contract/platform/problem.ts';
import { type Customer, customerTransactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { readOrder } from './read.service.ts';
import { lockListed, recordEvent } from './transitions.service.ts';

/** Changes the note for the driver. Throws 404 for an order of somebody else, and 409 once everything has left. */
export async function changeDeliveryNote({ db }: Pick<Services, 'db'>, who: Customer, id: string, deliveryNote: string): Promise<Order> {
  return customerTransactionOf(db, who, async (tx, now) => {
    const before = await readOrder(tx, now, id);
    if (before.deliveryNote === deliveryNote) return before;
    const { status, reference } = await lockListed(tx, id);
    if (!isDriverToCome(status))
      throw new Problem(409, `Order ${reference} ${STATES[status].refusal}, so its note for the driver can no longer be changed.`);
    await tx.updateTable('orders').set({ deliveryNote }).where('id', '=', id).execute();
    await recordEvent(tx, id, { kind: 'note for the driver', actor: now.name, detail: deliveryNote || 'Removed' });
    return readOrder(tx, now, id);
  });
}
