import { sql } from 'kysely';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { orderDeliveredMail } from '#server/mail/order-mails.ts';
import { PLAN_ANEW, type Tx } from '#server/platform/database/connect.ts';
import { enqueue, type Jobs } from '#server/platform/jobs/queue.ts';
import { listParcels, readPieces } from './lines/parcels.service.ts';
import { hasEvent, readOrder } from './read.service.ts';
import { isDelivered as hasArrived } from './rules/states.ts';
import { change, type LockedOrder, lockListed, lockOrder, tellCustomer } from './transitions.service.ts';

const DAY_MS = 86_400_000;

type Needs = Pick<Services, 'db' | 'config'>;

/** Lets a locked order leave the shop that waits for approval; any other stays as it is. Throws 409 where the order has ended. */
export async function approve(tx: Tx, who: Admin, order: LockedOrder): Promise<LockedOrder> {
  if (!order.awaitsApproval) return order;
  const approved = await change(tx, order, 'approve', { awaitsApproval: false }, { actor: who.name });
  await recordChange(tx, who, 'order', order.id, 'Approved');
  return approved;
}

/** A batch of deliveries, whose customers are told later: until then it can be undone. */
export interface DeliveryBatch {
  id: string;
  /** ISO. */
  undoUntil: string;
}

/**
 * Marks one order within a transaction: an order that waits for approval is approved by its delivery, and waits again once that is taken back.
 * Its customer is told once, at once or when its batch can no longer be undone. Returns whether that changed anything.
 */
export async function markDelivery(
  tx: Tx,
  { config }: Pick<Needs, 'config'>,
  who: Admin,
  id: string,
  isDelivered: boolean,
  batch?: DeliveryBatch,
): Promise<boolean> {
  const order = await lockListed(tx, id);
  if ((order.deliveredAt !== null) === isDelivered) return false;
  const isTold = await wasTold(tx, id);
  if (isDelivered) await change(tx, await approve(tx, who, order), 'deliver', {}, { actor: who.name });
  else {
    const awaitsApproval = await wasApprovedByDelivery(tx, id);
    await change(tx, order, 'takeBackDelivery', { awaitsApproval }, { actor: who.name }, await whereIs(tx, order));
  }
  await recordChange(tx, who, 'order', id, isDelivered ? 'Marked as delivered' : 'Marked as not delivered');
  if (isDelivered && config.reviewMailDays > 0) await askLater(tx, id, config.reviewMailDays);
  if (isDelivered && batch) await noteDelivery(tx, id, batch, isTold);
  else if (isDelivered && !isTold) await tellNow(tx, { config }, id);
  return true;
}

/** Whether its delivery approved an order: both times are that of one transaction. */
const wasApprovedByDelivery = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx
    .selectFrom('orderEvents')
    .select('at')
    .where('orderId', '=', id)
    .where('kind', '=', 'approved')
    .where('at', '=', (query) => query.selectFrom('orders').select('deliveredAt').where('id', '=', id))
    .modifyEnd(sql.raw(PLAN_ANEW))
    .executeTakeFirst()) !== undefined;

/** Whether the customer of an order has been told of its delivery: of each that no batch holds back they are. */
const wasTold = async (tx: Tx, orderId: string): Promise<boolean> =>
  (await hasEvent(tx, orderId, 'delivered')) && !(await selectUntold(tx, orderId).executeTakeFirst());

const selectUntold = (tx: Tx, orderId: string) =>
  tx.selectFrom('deliveryNotices').select('batchId').where('orderId', '=', orderId).where('toldAt', 'is', null);

/** Puts a delivery into a batch, and has its customer told at the batch's end. */
async function noteDelivery(tx: Tx, orderId: string, { id: batchId, undoUntil }: DeliveryBatch, isTold: boolean): Promise<void> {
  await tx
    .insertInto('deliveryNotices')
    .values({ batchId, orderId, toldAt: isTold ? sql<string>`now()` : null })
    .execute();
  if (!isTold) await enqueue(tx, 'tellOfDelivery', { orderId }, { key: `delivery ${orderId}`, runAt: undoUntil });
}

async function tellNow(tx: Tx, { config }: Pick<Needs, 'config'>, orderId: string): Promise<void> {
  const toldAt = sql<string>`now()`;
  await tx.updateTable('deliveryNotices').set({ toldAt }).where('orderId', '=', orderId).where('toldAt', 'is', null).execute();
  await tellCustomer(tx, orderId, (order) => orderDeliveredMail(order, config.publicUrl, config.picturesUrl));
}

/** Tells the customer of a delivery that a batch has held back. Nothing is sent where it was undone, or where they have been told since. */
export async function tellOfDelivery({ db, config }: Services, { orderId }: Jobs['tellOfDelivery']): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order && hasArrived(order.status) && (await selectUntold(tx, orderId).executeTakeFirst())) await tellNow(tx, { config }, orderId);
  });
}

/** Where an order is that was not delivered after all: with the courier, as far as it had left the shop. */
async function whereIs(tx: Tx, order: LockedOrder): Promise<'placed' | 'partly_dispatched' | 'dispatched'> {
  if (!order.dispatchedAt) return 'placed';
  const isRestHere = (await listParcels(tx, order.id)).length > 0 && (await readPieces(tx, order.id)).some(({ unsent }) => unsent > 0);
  return isRestHere ? 'partly_dispatched' : 'dispatched';
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

/** Records that cash was received, with its date, or takes that back. Throws 409 for a card order: the provider says whether it is paid. */
export async function recordCash({ db }: Pick<Needs, 'db'>, who: Admin, id: string, isPaid: boolean): Promise<Order> {
  await transactionOf(db, who, async (tx) => {
    const order = await lockListed(tx, id);
    if (order.paymentMethod === PAYMENT_METHOD.card)
      throw new Problem(409, 'This order was paid by card; the payment provider keeps its record.');
    if ((order.paidAt !== null) === isPaid) return;
    if (order.refundedPrice > 0) throw new Problem(409, 'Some of this order has already been refunded.');
    if (isPaid) await change(tx, order, 'receiveCash', { paidAt: new Date().toISOString() }, { actor: who.name });
    else await change(tx, order, 'takeBackCash', { paidAt: null }, { actor: who.name });
    await recordChange(tx, who, 'order', id, isPaid ? 'Recorded cash as received' : 'Took back that cash was received');
  });
  return readOrder(db, who, id);
}
