import { Problem } from '#contract/base/problem.ts';
import type { Order } from '#contract/orders.ts';
import { isId } from '#server/base/ids.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { enqueue } from '#server/jobs/queue.ts';
import { orderDeliveredMail } from '#server/mail/order-mails.ts';
import { recordEvent } from './place.service.ts';
import { readOrder, readOrderForMail } from './read.service.ts';

async function lockOrder(tx: Tx, id: string) {
  const order = isId(id)
    ? await tx
        .selectFrom('orders')
        .select(['id', 'status', 'paymentMethod', 'paidAt', 'deliveredAt'])
        .where('id', '=', id)
        .where('status', 'in', ['placed', 'refunded'])
        .forUpdate()
        .executeTakeFirst()
    : undefined;
  if (!order) throw new Problem(404, 'Order not found');
  return order;
}

/** Marks one order within a transaction. Returns whether that changed anything. */
async function markDelivery(tx: Tx, who: Admin, publicUrl: string, id: string, isDelivered: boolean): Promise<boolean> {
  const order = await lockOrder(tx, id);
  if ((order.deliveredAt !== null) === isDelivered) return false;
  if (order.status === 'refunded') throw new Problem(409, `Order ${id} was refunded; there is nothing to deliver.`);
  await tx
    .updateTable('orders')
    .set({ deliveredAt: isDelivered ? new Date().toISOString() : null })
    .where('id', '=', id)
    .execute();
  const kind = isDelivered ? 'delivered' : 'delivery taken back';
  const earlier = await tx
    .selectFrom('orderEvents')
    .select('id')
    .where('orderId', '=', id)
    .where('kind', '=', 'delivered')
    .executeTakeFirst();
  await recordEvent(tx, id, kind, who.name);
  await recordChange(tx, who, 'order', id, isDelivered ? 'Marked as delivered' : 'Marked as not delivered');
  if (!isDelivered || earlier) return true;
  const told = await readOrderForMail(tx, id);
  // Nobody is left to write to once a customer has been erased.
  if (told.user.email) await enqueue(tx, 'sendMail', orderDeliveredMail(told, publicUrl));
  return true;
}

/** Marks an order delivered, or takes the mark back; saying the same twice changes nothing. The customer hears of the first delivery by mail. */
export async function deliverOrder(db: Db, who: Admin, publicUrl: string, id: string, isDelivered: boolean): Promise<Order> {
  await transactionOf(db, who, (tx) => markDelivery(tx, who, publicUrl, id, isDelivered));
  return readOrder(db, who, id);
}

/**
 * Marks several orders as `deliverOrder` does each: all or none. They are locked in the order of their keys, so that two
 * such requests wait for each other. Returns how many were changed. Throws 404 for an unknown one, 409 for a refunded one.
 */
export async function deliverOrders(db: Db, who: Admin, publicUrl: string, ids: string[], isDelivered: boolean): Promise<number> {
  return transactionOf(db, who, async (tx) => {
    let changed = 0;
    for (const id of [...new Set(ids)].sort()) changed += Number(await markDelivery(tx, who, publicUrl, id, isDelivered));
    return changed;
  });
}

/** Records that cash was received, with its date, or takes that back. Throws 409 for a card order: the provider says whether it is paid. */
export async function recordCash(db: Db, who: Admin, id: string, isPaid: boolean): Promise<Order> {
  await transactionOf(db, who, async (tx) => {
    const order = await lockOrder(tx, id);
    if (order.paymentMethod === 'Credit Card')
      throw new Problem(409, 'This order was paid by card; the payment provider keeps its record.');
    if ((order.paidAt !== null) === isPaid) return;
    await tx
      .updateTable('orders')
      .set({ paidAt: isPaid ? new Date().toISOString() : null })
      .where('id', '=', id)
      .execute();
    await recordEvent(tx, id, isPaid ? 'cash received' : 'cash taken back', who.name);
    await recordChange(tx, who, 'order', id, isPaid ? 'Recorded cash as received' : 'Took back that cash was received');
  });
  return readOrder(db, who, id);
}
