import { dayText, windowText } from '#contract/delivery/delivery-window.ts';
import { shopDate } from '#contract/market/shop-time.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { STATES, TO_BE_APPROVED } from '#contract/orders/states.ts';

/** A step on an order's way: done, next, still to come, or its end. */
export interface Step {
  name: string;
  state: 'done' | 'next' | 'later' | 'ended';
  /** The date, or the expected one. */
  when: string;
}

type Progress = Pick<
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

const day = (iso: string | null): string => (iso ? shopDate(iso) : '');

/** Once everything is sent, the courier's date of the last parcel replaces the promised days. */
function expectedOf({ status, deliveryWindow, parcels }: Progress): string {
  const days = parcels.flatMap((parcel) => (parcel.status === 'sent' && parcel.expectedOn ? [parcel.expectedOn] : [])).sort();
  const last = status === 'dispatched' ? days.at(-1) : undefined;
  if (last) return dayText(last);
  return deliveryWindow ? windowText(deliveryWindow) : '';
}

/**
 * An order's steps. An approval follows the order at once. Payment is the last step for cash on delivery, otherwise it comes before dispatch.
 * An ended order shows what was done, and its end.
 */
export function stepsOf(order: Progress): Step[] {
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
  const isPaidInCash = paymentMethod === PAYMENT_METHOD.cash;
  const approval = awaitsApproval ? [{ name: TO_BE_APPROVED.buyerLabel, isDone: false, when: '' }] : [];
  // The shop's own van may deliver without a dispatch.
  const onTheWay = isDelivered && !dispatchedAt ? [delivered] : [dispatched, delivered];
  const rest = isPaidInCash ? [...onTheWay, paid] : [paid, ...onTheWay];
  const steps = [placed, ...approval, ...rest];
  if (tone === 'bad') {
    const done = steps.filter(({ isDone }) => isDone).map(({ name, when }) => ({ name, when, state: 'done' as const }));
    return [...done, { name: label, state: 'ended', when: '' }];
  }
  const next = steps.findIndex(({ isDone }) => !isDone);
  return steps.map(({ name, isDone, when }, index) => ({ name, when, state: isDone ? 'done' : index === next ? 'next' : 'later' }));
}
