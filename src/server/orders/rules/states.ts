import { type SqlBool, sql } from 'kysely';
import type { SeenStatus } from '#contract/orders/life.ts';

/** The states of an order, and what a sentence says of it. */
const states = {
  /** Holds its stock while the customer pays by card. */
  awaiting_payment: 'awaits its payment',
  /** Gave its stock back; a payment that arrives late may still place it. */
  expired: 'was never paid',
  placed: 'is placed',
  packing: 'is being packed',
  dispatched: 'was dispatched',
  /** Stored as placed, with the date of its delivery, as earlier versions of the shop store it. */
  delivered: 'was delivered',
  /** The courier could not deliver it: it is sent again, or comes back. */
  delivery_failed: 'could not be delivered',
  cancelled: 'was cancelled',
  refunded: 'was refunded',
} as const;

export type OrderStatus = keyof typeof states;
export const STATUSES = Object.keys(states) as OrderStatus[];

/** States that neither customers nor staff see. */
const UNSEEN = ['awaiting_payment', 'expired'] as const satisfies OrderStatus[];
/** Whether an order in this state shows in lists and can be opened. */
export const isSeen = (status: OrderStatus): status is SeenStatus => !UNSEEN.some((unseen) => unseen === status);
/** The same for rows: what the indexes of `orders` hold. */
export const listed = sql<SqlBool>`status not in (${sql.join(UNSEEN.map(sql.lit))})`;

/** The values of the column `status` of orders whose pieces are bought: on their way, or delivered. */
export const SOLD = ['placed', 'packing', 'dispatched', 'delivery_failed'] as const;
/** The same for rows. */
export const sold = sql<SqlBool>`status in (${sql.join(SOLD.map(sql.lit))})`;
/** Whether the pieces of an order in this state are bought. */
export const isSold = (status: OrderStatus): boolean => SOLD.some((one) => one === storedAs(status));
/** Orders that are still to be delivered. */
export const undelivered = sql<SqlBool>`(${sold} and delivered_at is null)`;

/** The state of an order from its row. */
export const statusOf = ({ status, deliveredAt }: { status: string; deliveredAt: string | null }): OrderStatus =>
  status === 'placed' && deliveredAt !== null ? 'delivered' : (status as OrderStatus);

/** What the column `status` holds for a state. */
export const storedAs = (status: OrderStatus): string => (status === 'delivered' ? 'placed' : status);

interface Transition {
  from: readonly OrderStatus[];
  /** Undefined where the order stays in its state. */
  to?: OrderStatus;
  /** Ends the sentence that refuses it in any other state. */
  refusal: string;
}

const UNDELIVERED = ['placed', 'packing', 'dispatched', 'delivery_failed'] as const;

/**
 * Everything that can happen to an order once it is stored. Each is one function of this folder, which goes through `change`
 * (transitions.service.ts). The database refuses every change of state that is not here: a new one comes with a migration like 0340.
 */
export const transitions = {
  /** The provider says that the card checkout was paid; an expired one takes its stock again. */
  pay: { from: ['awaiting_payment', 'expired'], to: 'placed', refusal: 'there is nothing to pay' },
  /** Nobody paid in time, or another amount was paid: the stock goes back. */
  expire: { from: ['awaiting_payment'], to: 'expired', refusal: 'it holds nothing' },
  /** A payment that cannot become an order goes back to the customer. */
  refuse: { from: ['expired'], to: 'refunded', refusal: 'its payment cannot be refused' },
  pack: { from: ['placed'], to: 'packing', refusal: 'it cannot be packed' },
  unpack: { from: ['packing'], to: 'placed', refusal: 'nobody is packing it' },
  dispatch: { from: ['placed', 'packing', 'delivery_failed'], to: 'dispatched', refusal: 'it cannot be dispatched' },
  /** The dispatch was marked by mistake. */
  takeBackDispatch: { from: ['dispatched'], to: 'packing', refusal: 'no courier has it' },
  /** The courier brings it back, or could not find the address. */
  failDelivery: { from: ['dispatched'], to: 'delivery_failed', refusal: 'no courier has it' },
  deliver: { from: UNDELIVERED, to: 'delivered', refusal: 'there is nothing to deliver' },
  /** The delivery was marked by mistake: of an order that had left the shop, and of any other. */
  takeBackToCourier: { from: ['delivered'], to: 'dispatched', refusal: 'there is nothing to deliver' },
  takeBackDelivery: { from: ['delivered'], to: 'placed', refusal: 'there is nothing to deliver' },
  cancel: { from: ['placed', 'packing', 'delivery_failed'], to: 'cancelled', refusal: 'it can no longer be cancelled' },
  /** Lines of it are cancelled, and others are left. */
  cancelLines: { from: ['placed', 'packing', 'delivery_failed'], refusal: 'it can no longer be cancelled' },
  cancelByCustomer: { from: ['placed'], to: 'cancelled', refusal: 'it can no longer be cancelled' },
  cancelLinesByCustomer: { from: ['placed'], refusal: 'it can no longer be cancelled' },
  /** Money goes back, or a refund turned out differently; what became of the parcel is another matter. */
  refund: { from: [...UNDELIVERED, 'delivered', 'cancelled'], refusal: 'there is nothing to refund' },
  receiveCash: { from: [...UNDELIVERED, 'delivered'], refusal: 'there is nothing to pay' },
  takeBackCash: { from: [...UNDELIVERED, 'delivered'], refusal: 'there is nothing to pay' },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** Whether an order in this state can go through a transition. */
export function isAllowed(name: TransitionName, status: OrderStatus): boolean {
  const { from }: Transition = transitions[name];
  return from.includes(status);
}

/** The state after a transition. */
export function stateAfter(name: TransitionName, status: OrderStatus): OrderStatus {
  const { to = status }: Transition = transitions[name];
  return to;
}

/** The sentence that refuses it, for people. */
export const refusalOf = (name: TransitionName, { reference, status }: { reference: string; status: OrderStatus }): string =>
  `Order ${reference} ${states[status]}; ${transitions[name].refusal}.`;
