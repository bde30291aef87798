import type { Parcel } from '#contract/delivery/parcels.schema.ts';
import type { Services } from '#server/context/services.ts';
import { orderDispatchedMail } from '#server/mail/parcel-mails.ts';
import { listParcels, readPieces, withCashDue } from '#server/orders/lines/parcels.service.ts';
import { isDelivered } from '#server/orders/rules/states.ts';
import { lockOrder, tellCustomer } from '#server/orders/transitions.service.ts';
import { declareJobs, job, type PayloadOf } from '#server/platform/jobs/queue.ts';

export const deliveryJobs = declareJobs({
  /** `isAgain`: a second mail, with the tracking that the first one lacked. */
  tellOfParcel: job<{ parcelId: string; isAgain?: boolean }>({ label: 'Tell a customer about a parcel' }),
});

/** Mails the customer that a parcel was sent, and again (`isAgain`) once it can be tracked. Does nothing if its dispatch was undone or it has arrived. */
export async function tellOfParcel(
  { db, config }: Services,
  { parcelId, isAgain = false }: PayloadOf<typeof deliveryJobs.tellOfParcel>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const found = await tx.selectFrom('parcels').select('orderId').where('id', '=', parcelId).executeTakeFirst();
    const order = found && (await lockOrder(tx, found.orderId));
    if (!order || isDelivered(order.status)) return;
    const marked = await tx
      .updateTable('parcels')
      .set({ toldAt: new Date().toISOString() })
      .where('id', '=', parcelId)
      .where('status', '=', 'sent')
      .where('toldAt', isAgain ? 'is not' : 'is', null)
      .executeTakeFirst();
    const parcels = await listParcels(tx, order.id);
    const sent = parcels.filter(({ status }) => status === 'sent');
    if (marked.numUpdatedRows === 0n || !sent.some(({ _id }) => _id === parcelId)) return;
    const isAnythingUnsent = (await readPieces(tx, order.id)).some(({ unsent }) => unsent > 0);
    await tellCustomer(tx, order.id, (mailOrder) => {
      const parcel = withCashDue(mailOrder, parcels).parcels.find(({ _id }) => _id === parcelId) as Parcel;
      const isLast = !isAnythingUnsent && sent.at(-1)?._id === parcelId;
      const dispatch = { parcel, isPart: isAnythingUnsent || sent.length > 1, isLast, isAgain };
      return orderDispatchedMail(config, mailOrder, dispatch);
    });
  });
}
