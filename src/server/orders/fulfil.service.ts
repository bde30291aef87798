import { Problem } from '#contract/base/problem.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import type { Tx } from '#server/db/connect.ts';
import { enqueue } from '#server/jobs/queue.ts';
import { orderDeliveredMail } from '#server/mail/order-mails.ts';
import { readOrder, readOrderForMail } from './read.service.ts';
import { LISTED } from './states.ts';
import { change, type LockedOrder, lockOrder } from './transitions.service.ts';

const DAY_MS = 86_400_000;

type Needs = Pick<Services, 'db' | 'config'>;

/** An order that staff can see, locked. Throws 404 for any other. */
async function lockListed(tx: Tx, id: string): Promise<LockedOrder> {
  const order = await lockOrder(tx, id);
  if (!order || !LISTED.includes(order.status)) throw new Problem(404, 'Order not found');
  return order;
}

/** Marks one order within a transaction. Returns whether that changed anything. */
async function markDelivery(tx: Tx, { config }: Pick<Needs, 'config'>, who: Admin, id: string, isDelivered: boolean): Promise<boolean> {
  const order = await lockListed(tx, id);
  if ((order.deliveredAt !== null) === isDelivered) return false;
  const earlier = await tx
    .selectFrom('orderEvents')
    .select('id')
    .where('orderId', '=', id)
    .where('kind', '=', 'delivered')
    .executeTakeFirst();
  if (isDelivered) await change(tx, order, 'deliver', { deliveredAt: new Date().toISOString() }, { kind: 'delivered', actor: who.name });
  else await change(tx, order, 'takeBackDelivery', { deliveredAt: null }, { kind: 'delivery taken back', actor: who.name });
  await recordChange(tx, who, 'order', id, isDelivered ? 'Marked as delivered' : 'Marked as not delivered');
  if (isDelivered && config.reviewMailDays > 0) await askLater(tx, id, config.reviewMailDays);
  if (!isDelivered || earlier) return true;
  const told = await readOrderForMail(tx, id);
  // Nobody is left to write to once a customer has been erased.
  if (told.user.email) await enqueue(tx, 'sendMail', orderDeliveredMail(told, config.publicUrl));
  return true;
}

/** Has the customer asked for reviews some days from now. A later delivery of the same order moves that moment. */
async function askLater(tx: Tx, orderId: string, days: number): Promise<void> {
  const runAt = new Date(Date.now() + days * DAY_MS).toISOString();
  await enqueue(tx, 'askForReviews', { orderId }, { key: `reviews ${orderId}`, runAt });
}

/** Marks an order delivered, or takes the mark back; saying the same twice changes nothing. The customer hears of the first delivery by mail. */
export async function deliverOrder(services: Needs, who: Admin, id: string, isDelivered: boolean): Promise<Order> {
  await transactionOf(services.db, who, (tx) => markDelivery(tx, services, who, id, isDelivered));
  return readOrder(services.db, who, id);
}

/**
 * Marks several orders as `deliverOrder` does each: all or none. They are locked in the order of their keys, so that two
 * such requests wait for each other. Returns how many were changed. Throws 404 for an unknown one, 409 for a refunded one.
 */
export async function deliverOrders(services: Needs, who: Admin, ids: string[], isDelivered: boolean): Promise<number> {
  return transactionOf(services.db, who, async (tx) => {
    let changed = 0;
    for (const id of [...new Set(ids)].sort()) changed += Number(await markDelivery(tx, services, who, id, isDelivered));
    return changed;
  });
}

/** Records that cash was received, with its date, or takes that back. Throws 409 for a card order: the provider says whether it is paid. */
export async function recordCash({ db }: Pick<Needs, 'db'>, who: Admin, id: string, isPaid: boolean): Promise<Order> {
  await transactionOf(db, who, async (tx) => {
    const order = await lockListed(tx, id);
    if (order.paymentMethod === PAYMENT_METHOD.card)
      throw new Problem(409, 'This order was paid by card; the payment provider keeps its record.');
    if ((order.paidAt !== null) === isPaid) return;
    if (isPaid) await change(tx, order, 'receiveCash', { paidAt: new Date().toISOString() }, { kind: 'cash received', actor: who.name });
    else await change(tx, order, 'takeBackCash', { paidAt: null }, { kind: 'cash taken back', actor: who.name });
    await recordChange(tx, who, 'order', id, isPaid ? 'Recorded cash as received' : 'Took back that cash was received');
  });
  return readOrder(db, who, id);
}
