import { windowText } from '#contract/delivery/delivery-window.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { STATES, TO_BE_APPROVED } from '#contract/orders/states.ts';

/** One step on the way of an order: behind it, the next one, one that is still to come, or where it ended. */
export interface Step {
  name: string;
  state: 'done' | 'next' | 'later' | 'ended';
  /** When it was, or is expected to be. */
  when: string;
}

type Known = Pick<
  Order,
  | 'status'
  | 'createdAt'
  | 'paidAt'
  | 'dispatchedAt'
  | 'deliveredAt'
  | 'deliveryWindow'
  | 'paymentMethod'
  | 'isPaid'
  | 'isDelivered'
  | 'awaitsApproval'
> & { parcels: readonly Pick<Order['parcels'][number], 'status' | 'expectedOn'>[] };

const day = (iso: string | null): string => (iso ? shopDay(iso) : '');

/** When it is expected: once all of it is on the way, what the courier says of the last parcel is newer than what was promised. */
function expectedOf({ status, deliveryWindow, parcels }: Known): string {
  const days = parcels.flatMap(({ status: is, expectedOn }) => (is === 'sent' && expectedOn ? [expectedOn] : [])).sort();
  const last = status === 'dispatched' ? days.at(-1) : undefined;
  if (last) return windowText({ from: last, to: last });
  return deliveryWindow ? windowText(deliveryWindow) : '';
}

/**
 * The steps of an order: one that is being checked waits for that first, what is paid at the door comes last, anything else is paid before it leaves. An order that ended elsewhere shows what
 * was done, and how it ended.
 */
export function stepsOf(order: Known): Step[] {
  const { status, createdAt, paidAt, dispatchedAt, deliveredAt, paymentMethod, isPaid, isDelivered, awaitsApproval } = order;
  const { phase, tone, label } = STATES[status];
  const isInPart = status === 'partly_dispatched';
  const expected = expectedOf(order);
  const paid = { name: 'Paid', isDone: isPaid, when: day(paidAt) };
  const dispatched = {
    name: STATES.dispatched.label,
    isDone: (phase === 'courier' && !isInPart) || isDelivered,
    when: isInPart ? 'in part' : day(dispatchedAt),
  };
  const delivered = { name: STATES.delivered.label, isDone: isDelivered, when: isDelivered ? day(deliveredAt) : expected };
  const placed = { name: STATES.placed.label, isDone: true, when: day(createdAt) };
  const isAtTheDoor = paymentMethod === PAYMENT_METHOD.cash;
  const checked = awaitsApproval ? [{ name: TO_BE_APPROVED.label, isDone: false, when: '' }] : [];
  const rest = isAtTheDoor ? [dispatched, delivered, paid] : [paid, dispatched, delivered];
  const steps = [placed, ...checked, ...rest];
  if (tone === 'bad') {
    const done = steps.filter(({ isDone }) => isDone).map(({ name, when }) => ({ name, when, state: 'done' as const }));
    return [...done, { name: label, state: 'ended', when: '' }];
  }
  const next = steps.findIndex(({ isDone }) => !isDone);
  return steps.map(({ name, isDone, when }, index) => ({ name, when, state: isDone ? 'done' : index === next ? 'next' : 'later' }));
}
