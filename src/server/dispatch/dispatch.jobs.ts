import type { Services } from '#server/context/services.ts';
import type { Jobs } from '#server/jobs/queue.ts';
import { orderDispatchedMail } from '#server/mail/parcel-mails.ts';
import { listParcels } from '#server/orders/lines/parcels.service.ts';
import { isDelivered } from '#server/orders/rules/states.ts';
import { lockOrder, tellCustomer } from '#server/orders/transitions.service.ts';

/**
 * Tells the customer of a parcel that is on its way, or again where it can be followed by now. Nothing is sent of one whose dispatch was taken
 * back, or that has arrived meanwhile.
 */
export async function tellOfParcel({ db, config }: Services, { parcelId, isAgain = false }: Jobs['tellOfParcel']): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const found = await tx.selectFrom('parcels').select('orderId').where('id', '=', parcelId).executeTakeFirst();
    const order = found && (await lockOrder(tx, found.orderId));
    if (!order || isDelivered(order.status)) return;
    const told = await tx
      .updateTable('parcels')
      .set({ toldAt: new Date().toISOString() })
      .where('id', '=', parcelId)
      .where('status', '=', 'sent')
      .where('toldAt', isAgain ? 'is not' : 'is', null)
      .executeTakeFirst();
    const parcel = (await listParcels(tx, order.id)).find(({ _id }) => _id === parcelId);
    if (told.numUpdatedRows === 0n || !parcel) return;
    const isPart = order.status !== 'dispatched' || (await hasOthers(tx, order.id, parcelId));
    await tellCustomer(tx, order.id, (read) => orderDispatchedMail(read, { parcel, isPart, isAgain }, config.publicUrl));
  });
}

/** Whether an order travels in several parcels. */
async function hasOthers(tx: Parameters<typeof listParcels>[0], orderId: string, parcelId: string): Promise<boolean> {
  return (await listParcels(tx, orderId)).some(({ _id, status }) => _id !== parcelId && status === 'sent');
}
