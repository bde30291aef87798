import type { Stage } from '#contract/orders/life.ts';
import type { Order } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { deliveryFailedMail } from '#server/mail/order-mails.ts';
import { readOrder } from '#server/orders/read.service.ts';
import { change, type LockedOrder, lockListed, tellCustomer } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { sendParcelOf } from './dispatch.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;

/** A parcel of which nobody knows how it travels. */
const UNKNOWN = { carrier: '', trackingNumber: '', trackingLink: '', expectedOn: null } as const;

/** Marks the parcels of an order that are on their way, or one of them. Returns whether others still are. Throws 404 for one that is not. */
async function endParcels(tx: Tx, order: LockedOrder, status: 'failed' | 'taken_back', only: string | undefined): Promise<boolean> {
  if (only !== undefined && !isId(only)) throw new Problem(404, 'Parcel not found');
  let ending = tx.updateTable('parcels').set({ status }).where('orderId', '=', order.id).where('status', '=', 'sent');
  if (only !== undefined) ending = ending.where('id', '=', only);
  const ended = await ending.returning('id').execute();
  if (only !== undefined && ended.length === 0) throw new Problem(404, 'Parcel not found');
  const left = tx.selectFrom('parcels').select('id').where('orderId', '=', order.id).where('status', '=', 'sent');
  return (await left.executeTakeFirst()) !== undefined;
}

/** A dispatch was marked by mistake: of one parcel, or of all that are on their way. Throws 409 and 404. */
export async function takeBackDispatch(tx: Tx, who: Admin, order: LockedOrder, only?: string): Promise<void> {
  const areOthers = await endParcels(tx, order, 'taken_back', only);
  const columns = areOthers ? {} : { dispatchedAt: null };
  const event = { kind: 'dispatch taken back', actor: who.name };
  await change(tx, order, 'takeBackDispatch', columns, event, areOthers ? 'partly_dispatched' : 'packing');
  await recordChange(tx, who, 'order', order.id, 'Marked as not dispatched');
}

/** The courier could not hand an order over, or one parcel of it; the customer is told. */
async function failDelivery(tx: Tx, { config }: Pick<Needs, 'config'>, who: Admin, order: LockedOrder, only?: string): Promise<void> {
  await endParcels(tx, order, 'failed', only);
  await change(tx, order, 'failDelivery', {}, { kind: 'delivery failed', actor: who.name });
  await recordChange(tx, who, 'order', order.id, 'Marked as not delivered by the courier');
  await tellCustomer(tx, order.id, (told) => deliveryFailedMail(told, config.publicUrl));
}

async function pack(tx: Tx, who: Admin, order: LockedOrder, isPacking: boolean): Promise<void> {
  const event = { kind: isPacking ? 'being packed' : 'packing taken back', actor: who.name };
  await change(tx, order, isPacking ? 'pack' : 'unpack', {}, event);
  await recordChange(tx, who, 'order', order.id, isPacking ? 'Marked as being packed' : 'Marked as not being packed');
}

/**
 * Says where an order is on its way; saying the same twice changes nothing. The customer hears by mail of each parcel and of a failed delivery.
 * Throws 404, and 409 where the order cannot be there.
 */
export async function moveOrder(
  services: Needs,
  who: Admin,
  id: string,
  { stage, parcel }: { stage: Stage; parcel?: string | null | undefined },
): Promise<Order> {
  const { db } = services;
  const only = parcel ?? undefined;
  await transactionOf(db, who, async (tx) => {
    const order = await lockListed(tx, id);
    if (order.status === stage && only === undefined) return;
    const hasLeft = order.status === 'dispatched' || order.status === 'partly_dispatched';
    if (stage === 'dispatched') await sendParcelOf(tx, who, order, UNKNOWN);
    else if (stage === 'delivery_failed') await failDelivery(tx, services, who, order, only);
    else if (stage === 'packing' && hasLeft) await takeBackDispatch(tx, who, order, only);
    else await pack(tx, who, order, stage === 'packing');
  });
  return readOrder(db, who, id);
}
