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
  /** Stored as being packed, with the date of its dispatch. */
  partly_dispatched: 'was dispatched in part',
  dispatched: 'was dispatched',
  /** Stored as placed, with the date of its delivery, as earlier versions of the shop store it. */
  delivered: 'was delivered',
  /** The courier could not deliver it: it is sent again, or comes back. */
  delivery_failed: 'could not be delivered',
  /** The customer wants to send pieces back, and waits for an answer. Stored as delivered with `return_stage`, as are the next two. */
  return_asked: 'has a return that waits for an answer',
  /** The shop waits for pieces that it agreed to take back. */
  return_approved: 'has a return on its way',
  /** Every piece came back. */
  returned: 'came back',
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
export const isSold = (status: OrderStatus): boolean => SOLD.some((one) => one === storedAs(status).status);
/** Orders that are still to be delivered. */
export const undelivered = sql<SqlBool>`(${sold} and delivered_at is null)`;

/** States of an order that has reached its customer; its row has the date. */
const DELIVERED = ['delivered', 'return_asked', 'return_approved', 'returned'] as const;
/** Whether an order in this state has been delivered, whatever came back since. */
export const isDelivered = (status: OrderStatus): boolean => DELIVERED.some((one) => one === status);

/** The columns of a row that make its state. */
export interface StateColumns {
  status: string;
  dispatchedAt: string | null;
  deliveredAt: string | null;
  returnStage: string | null;
}

/** States that have no value of their own in the column `status`: what it and `return_stage` hold for them. */
const STORED: Partial<Record<OrderStatus, Pick<StateColumns, 'status' | 'returnStage'>>> = {
  partly_dispatched: { status: 'packing', returnStage: null },
  delivered: { status: 'placed', returnStage: null },
  return_asked: { status: 'placed', returnStage: 'asked' },
  return_approved: { status: 'placed', returnStage: 'approved' },
  returned: { status: 'placed', returnStage: 'returned' },
};

/** The state of an order from its row. */
export function statusOf({ status, dispatchedAt, deliveredAt, returnStage }: StateColumns): OrderStatus {
  if (status === 'packing' && dispatchedAt !== null) return 'partly_dispatched';
  if (status !== 'placed' || deliveredAt === null) return status as OrderStatus;
  return DELIVERED.find((one) => STORED[one]?.returnStage === returnStage) ?? 'delivered';
}

/** What the columns `status` and `return_stage` hold for a state. */
export const storedAs = (status: OrderStatus) => STORED[status] ?? { status, returnStage: null };

interface Transition {
  from: readonly OrderStatus[];
  /** Several where it depends on the order's pieces; undefined where the order stays in its state. */
  to?: OrderStatus | readonly OrderStatus[];
  /** Ends the sentence that refuses it in any other state. */
  refusal: string;
}

const UNDELIVERED = ['placed', 'packing', 'partly_dispatched', 'dispatched', 'delivery_failed'] as const;

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
  /** All that is left of it leaves, or some of it. */
  dispatch: {
    from: ['placed', 'packing', 'partly_dispatched', 'delivery_failed'],
    to: ['dispatched', 'partly_dispatched'],
    refusal: 'it cannot be dispatched',
  },
  /** A dispatch was marked by mistake. */
  takeBackDispatch: { from: ['partly_dispatched', 'dispatched'], to: ['packing', 'partly_dispatched'], refusal: 'no courier has it' },
  /** The courier brings it back, or could not find the address; one parcel of several may follow another. */
  failDelivery: { from: ['partly_dispatched', 'dispatched', 'delivery_failed'], to: 'delivery_failed', refusal: 'no courier has it' },
  deliver: { from: UNDELIVERED, to: 'delivered', refusal: 'there is nothing to deliver' },
  /** The delivery was marked by mistake: the order is where its parcels are. */
  takeBackDelivery: { from: ['delivered'], to: ['placed', 'partly_dispatched', 'dispatched'], refusal: 'there is nothing to deliver' },
  cancel: { from: ['placed', 'packing', 'delivery_failed'], to: 'cancelled', refusal: 'it can no longer be cancelled' },
  /** Lines of it are cancelled, and others are left. */
  cancelLines: { from: ['placed', 'packing', 'partly_dispatched', 'delivery_failed'], refusal: 'it can no longer be cancelled' },
  /** What had not left yet is cancelled; the rest is on its way. */
  cancelUnsent: { from: ['partly_dispatched', 'delivery_failed'], to: 'dispatched', refusal: 'it can no longer be cancelled' },
  cancelByCustomer: { from: ['placed'], to: 'cancelled', refusal: 'it can no longer be cancelled' },
  cancelLinesByCustomer: { from: ['placed'], refusal: 'it can no longer be cancelled' },
  askForReturn: {
    from: ['delivered', 'return_asked', 'return_approved'],
    to: 'return_asked',
    refusal: 'nothing of it can be returned',
  },
  /** The shop agrees to take pieces back that it was asked about in another way. */
  agreeToReturn: {
    from: ['delivered', 'return_asked', 'return_approved'],
    to: ['return_asked', 'return_approved'],
    refusal: 'nothing of it can be returned',
  },
  /** A return is approved, refused or given up; what the order waits for next depends on its other returns. */
  judgeReturn: { from: ['return_asked', 'return_approved'], to: DELIVERED, refusal: 'no return is open' },
  /** Pieces came back. */
  receiveReturn: { from: ['return_asked', 'return_approved'], to: DELIVERED, refusal: 'no return is open' },
  /** Money goes back, or a refund turned out differently; what became of the parcel is another matter. */
  refund: { from: [...UNDELIVERED, ...DELIVERED, 'cancelled'], refusal: 'there is nothing to refund' },
  /** Somebody has looked at a larger first order of an account. */
  approve: { from: ['placed'], refusal: 'there is nothing to approve' },
  receiveCash: { from: [...UNDELIVERED, ...DELIVERED], refusal: 'there is nothing to pay' },
  takeBackCash: { from: [...UNDELIVERED, ...DELIVERED], refusal: 'there is nothing to pay' },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** Whether an order in this state can go through a transition. */
export function isAllowed(name: TransitionName, status: OrderStatus): boolean {
  const { from }: Transition = transitions[name];
  return from.includes(status);
}

/** The states to which a transition can lead. */
export function statesAfter(name: TransitionName, status: OrderStatus): readonly OrderStatus[] {
  const { to = status }: Transition = transitions[name];
  return typeof to === 'string' ? [to] : to;
}

/** The sentence that refuses it, for people. */
export const refusalOf = (name: TransitionName, { reference, status }: { reference: string; status: OrderStatus }): string =>
  `Order ${reference} ${states[status]}; ${transitions[name].refusal}.`;
