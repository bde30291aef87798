import type { Order } from '#contract/orders/orders.ts';
import type { OrderStatus } from '#contract/orders/states.ts';
import { STEP_NAMES, type StepName, stepOf } from '#contract/orders/steps.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import type { Admin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { deliveryFailedMail } from '#server/mail/order-mails.ts';
import { reopenLink } from '#server/orders/corrections/payment-link.service.ts';
import { isAllowed } from '#server/orders/rules/states.ts';
import { change, changeByStaff, type LockedOrder, tellCustomer } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { sendParcelOf } from './dispatch.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;

/** The transport of a parcel that was only marked as dispatched. */
const UNKNOWN = { carrier: '', carrierLink: '', trackingNumber: '', trackingLink: '', expectedOn: null } as const;

/** Ends one parcel of an order, or all that are on their way. Returns whether others still are. Throws 404. */
async function endParcels(tx: Tx, order: LockedOrder, status: 'failed' | 'taken_back', parcelId: string | undefined): Promise<boolean> {
  if (parcelId !== undefined && !isId(parcelId)) throw new Problem(404, 'Parcel not found');
  let update = tx.updateTable('parcels').set({ status }).where('orderId', '=', order.id).where('status', '=', 'sent');
  if (parcelId !== undefined) update = update.where('id', '=', parcelId);
  const ended = await update.returning('id').execute();
  if (parcelId !== undefined && ended.length === 0) throw new Problem(404, 'Parcel not found');
  const others = tx.selectFrom('parcels').select('id').where('orderId', '=', order.id).where('status', '=', 'sent');
  return (await others.executeTakeFirst()) !== undefined;
}

/** Takes back a dispatch: of one parcel, or of all that are on their way. Throws 409 and 404. */
export async function takeBackDispatch(tx: Tx, who: Admin, order: LockedOrder, parcelId?: string): Promise<void> {
  const hasOthers = await endParcels(tx, order, 'taken_back', parcelId);
  const columns = hasOthers ? {} : { dispatchedAt: null };
  await change(tx, order, 'takeBackDispatch', columns, { actor: who.name }, hasOthers ? 'partly_dispatched' : 'packing');
  if (!order.paidAt && !hasOthers) await reopenLink(tx, order.id);
  await recordChange(tx, who, 'order', order.id, 'Marked as not dispatched');
}

/** Records a failed delivery of an order or one parcel, and mails the customer. */
async function failDelivery(tx: Tx, { config }: Pick<Needs, 'config'>, who: Admin, order: LockedOrder, parcelId?: string): Promise<void> {
  await endParcels(tx, order, 'failed', parcelId);
  await change(tx, order, 'failDelivery', {}, { actor: who.name });
  await recordChange(tx, who, 'order', order.id, 'Marked as not delivered by the courier');
  await tellCustomer(tx, order.id, (mailOrder) => deliveryFailedMail(config, mailOrder));
}

/** The step from a state to a stage; if there is no such step, one from another state, whose text refuses it. */
function stepTo(stage: OrderStatus, status: OrderStatus): StepName {
  const steps = STEP_NAMES.filter((name) => stepOf(name).call === 'stage' && stepOf(name).to?.[0] === stage);
  return steps.find((name) => isAllowed(name, status)) ?? (steps[0] as StepName);
}

/** A step that changes nothing but the state. */
async function takeStep(tx: Tx, who: Admin, order: LockedOrder, name: StepName): Promise<void> {
  await change(tx, order, name, {}, { actor: who.name });
  await recordChange(tx, who, 'order', order.id, stepOf(name).audit ?? '');
}

/** Moves an order to a stage of its delivery. Idempotent. The customer gets a mail for each parcel and a failed delivery. Throws 404 and 409. */
export function moveOrder(
  services: Needs,
  who: Admin,
  id: string,
  { stage, parcel }: { stage: OrderStatus; parcel?: string | null | undefined },
): Promise<Order> {
  const parcelId = parcel ?? undefined;
  return changeByStaff(services.db, who, id, undefined, async (tx, order) => {
    if (order.status === stage && parcelId === undefined) return;
    const name = stepTo(stage, order.status);
    if (name === 'dispatch') await sendParcelOf(tx, services, who, order, UNKNOWN);
    else if (name === 'failDelivery') await failDelivery(tx, services, who, order, parcelId);
    else if (name === 'takeBackDispatch') await takeBackDispatch(tx, who, order, parcelId);
    else await takeStep(tx, who, order, name);
  });
}
