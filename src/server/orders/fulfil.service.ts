import { sql } from 'kysely';
import type { Pence } from '#contract/market/money.ts';
import { DAY_MS } from '#contract/market/shop-time.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { orderDeliveredMail } from '#server/mail/order-mails.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { CUSTOM_PLAN, type Tx } from '#server/platform/database/connect.ts';
import { enqueue, type PayloadOf } from '#server/platform/jobs/queue.ts';
import { reopenLink } from './corrections/payment-link.service.ts';
import { collectedOf, listParcels, readPieces } from './lines/parcels.service.ts';
import { hasEvent, readOrder } from './read.service.ts';
import { readAsked } from './rules/asked.ts';
import { isDelivered as hasArrived } from './rules/states.ts';
import { invoiceOnce } from './tax-point.service.ts';
import { change, changeByStaff, type LockedOrder, lockListed, lockOrder, tellCustomer } from './transitions.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;

/** Approves an order of a new account, so that it may leave the shop. Idempotent. Throws 404, and 409 once the order has ended. */
export const approveOrder = ({ db }: Pick<Needs, 'db'>, who: Admin, id: string): Promise<Order> =>
  changeByStaff(db, who, id, undefined, (tx, order) => approve(tx, who, order));

async function approve(tx: Tx, who: Admin, order: LockedOrder): Promise<LockedOrder> {
  if (!order.awaitsApproval) return order;
  const approved = await change(tx, order, 'approve', { awaitsApproval: false }, { actor: who.name });
  await recordChange(tx, who, 'order', order.id, 'Approved');
  return approved;
}

/** Deliveries marked together. Their mails wait until the batch can no longer be undone. */
export interface DeliveryBatch {
  id: string;
  /** ISO. */
  undoUntil: string;
}

/**
 * Marks one order as delivered, or takes that back. Delivery approves an order that waits for approval, and taking it back undoes that too. The
 * customer gets one mail: now, or at the end of the batch's undo window. Returns whether anything changed.
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
  // Read before this delivery is in the history.
  const isTold = await wasTold(tx, id);
  if (isDelivered) {
    const { brought, ended } = await broughtBy(tx, order);
    const columns = { toCollect: order.toCollect + brought, collected: ended === null ? null : (order.collected ?? 0) + ended };
    await change(tx, await approve(tx, who, order), 'deliver', columns, { actor: who.name });
  } else {
    const awaitsApproval = await wasApprovedByDelivery(tx, id);
    const place = await whereIs(tx, order);
    // What drivers may have for pieces that came back stays known.
    const { brought, ended } = await broughtBy(tx, order);
    const toCollect = Math.max(0, order.toCollect - brought);
    const collected = ended === null ? null : Math.max(0, (order.collected ?? 0) - ended);
    await change(tx, order, 'takeBackDelivery', { awaitsApproval, toCollect, collected }, { actor: who.name }, place);
    if (place === 'placed' && !order.paidAt) await reopenLink(tx, id);
  }
  await recordChange(tx, who, 'order', id, isDelivered ? 'Marked as delivered' : 'Marked as not delivered');
  if (!isDelivered) return true;
  await invoiceOnce(tx, config, order);
  if (config.reviewMailDays > 0) await askForReviewsLater(tx, id, config.reviewMailDays);
  if (batch) await addToBatch(tx, id, batch, isTold);
  else if (!isTold) await tellNow(tx, { config }, id);
  return true;
}

/**
 * What the drivers of a cash order bring with a delivery: at least what was asked, unless cash was recorded before and their parcels said less. Of an order that
 * is paid by transfer, only what they bring above that, and what the transfer has ended of theirs (`ended`, a part of `collected`).
 */
async function broughtBy(tx: Tx, order: LockedOrder): Promise<{ brought: Pence; ended: Pence | null }> {
  if (order.paymentMethod !== PAYMENT_METHOD.cash) return { brought: 0, ended: null };
  const [asked, lines, parcels] = [await readAsked(tx, order), await readPieces(tx, order.id), await listParcels(tx, order.id)];
  const byDrivers = (due: Pence) => collectedOf(due, lines, parcels);
  // Once the record of a paid order is undone, nothing is asked for what is to be paid back now.
  const left = Math.max(0, asked - order.refundedPrice);
  const wasPaidBefore = order.paidAt !== null && (order.deliveredAt === null || order.paidAt < order.deliveredAt);
  if (order.receivedBy === 'transfer')
    return {
      brought: Math.max(0, byDrivers(asked) - asked),
      ended: wasPaidBefore ? Math.min(asked, byDrivers(asked)) : Math.max(left, byDrivers(left)),
    };
  const areTold = wasPaidBefore && parcels.some(({ status }) => status === 'sent');
  return { brought: areTold ? byDrivers(left) : Math.max(left, byDrivers(left)), ended: null };
}

/** Whether the delivery approved the order: both have the time of one transaction. */
const wasApprovedByDelivery = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx
    .selectFrom('orderEvents')
    .select('at')
    .where('orderId', '=', id)
    .where('kind', '=', 'approved')
    .where('at', '=', (query) => query.selectFrom('orders').select('deliveredAt').where('id', '=', id))
    .modifyEnd(sql.raw(CUSTOM_PLAN))
    .executeTakeFirst()) !== undefined;

/** Whether the customer has had the delivery mail: every delivery sends it unless a batch still holds it back. */
const wasTold = async (tx: Tx, orderId: string): Promise<boolean> =>
  (await hasEvent(tx, orderId, 'delivered')) && !(await selectUntold(tx, orderId).executeTakeFirst());

const selectUntold = (tx: Tx, orderId: string) =>
  tx.selectFrom('deliveryNotices').select('batchId').where('orderId', '=', orderId).where('toldAt', 'is', null);

/** Adds a delivery to a batch, which counts and undoes it by this row, and queues its mail for the end of the undo window, unless the customer has had one. */
async function addToBatch(tx: Tx, orderId: string, { id: batchId, undoUntil }: DeliveryBatch, isTold: boolean): Promise<void> {
  await tx
    .insertInto('deliveryNotices')
    .values({ batchId, orderId, toldAt: isTold ? sql<string>`now()` : null })
    .execute();
  if (!isTold) await enqueue(tx, orderJobs.tellOfDelivery, { orderId }, { key: `delivery ${orderId}`, runAt: undoUntil });
}

async function tellNow(tx: Tx, { config }: Pick<Needs, 'config'>, orderId: string): Promise<void> {
  const toldAt = sql<string>`now()`;
  await tx.updateTable('deliveryNotices').set({ toldAt }).where('orderId', '=', orderId).where('toldAt', 'is', null).execute();
  await tellCustomer(tx, orderId, (order) => orderDeliveredMail(config, order));
}

/** Sends a delivery mail that a batch held back, unless the delivery was undone or the mail has gone out since. */
export async function tellOfDelivery({ db, config }: Services, { orderId }: PayloadOf<typeof orderJobs.tellOfDelivery>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order && hasArrived(order.status) && (await selectUntold(tx, orderId).executeTakeFirst())) await tellNow(tx, { config }, orderId);
  });
}

/** The state of an order that was not delivered after all, by its parcels. */
async function whereIs(tx: Tx, order: LockedOrder): Promise<'placed' | 'partly_dispatched' | 'dispatched' | 'delivery_failed'> {
  if (!order.dispatchedAt) return 'placed';
  const parcels = await listParcels(tx, order.id);
  // Earlier versions dispatched orders as a whole, without parcels.
  if (parcels.length === 0) return 'dispatched';
  if (parcels.every(({ status }) => status === 'failed')) return 'delivery_failed';
  const isRestInShop = (await readPieces(tx, order.id)).some(({ unsent }) => unsent > 0);
  return isRestInShop ? 'partly_dispatched' : 'dispatched';
}

/** Queues the request for reviews. A later delivery of the same order postpones it. */
async function askForReviewsLater(tx: Tx, orderId: string, days: number): Promise<void> {
  const runAt = new Date(Date.now() + days * DAY_MS).toISOString();
  await enqueue(tx, orderJobs.askForReviews, { orderId }, { key: `reviews ${orderId}`, runAt });
}

/** Marks an order as delivered, or takes that back. Idempotent. The first delivery mails the customer. */
export async function deliverOrder(services: Needs, who: Admin, id: string, isDelivered: boolean): Promise<Order> {
  await transactionOf(services.db, who, (tx) => markDelivery(tx, services, who, id, isDelivered));
  return readOrder(services.db, who, id);
}
