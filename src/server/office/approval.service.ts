import type { Order } from '#contract/orders.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { readOrder } from '#server/orders/read.service.ts';
import { change, lockListed } from '#server/orders/transitions.service.ts';

/** Lets a first order of a new account leave the shop; saying it twice changes nothing. Throws 404, and 409 where the order has ended. */
export async function approveOrder({ db }: Pick<Services, 'db'>, who: Admin, id: string): Promise<Order> {
  await transactionOf(db, who, async (tx) => {
    const order = await lockListed(tx, id);
    if (!order.awaitsApproval) return;
    await change(tx, order, 'approve', { awaitsApproval: false }, { kind: 'approved', actor: who.name });
    await recordChange(tx, who, 'order', id, 'Approved');
  });
  return readOrder(db, who, id);
}
