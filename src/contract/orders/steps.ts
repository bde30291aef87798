import type { EventKind } from './events.ts';
import { BUYER_BUTTONS, type OrderStatus, SEEN_STATUSES, STATUSES, statesIn } from './states.ts';

interface Step {
  from: readonly OrderStatus[];
  /** Several if it depends on the order's pieces; undefined if the state stays. */
  to?: readonly OrderStatus[];
  /** Who takes it. */
  who: 'customer' | 'office' | 'provider' | 'shop';
  /** Ends the message that refuses it in other states. */
  refusal: string;
  /** Its history events; the first by default. */
  events: readonly [EventKind, ...EventKind[]];
  /** Of its button. */
  label?: string;
  /** Of its button in some states. */
  labelIn?: Partial<Record<OrderStatus, string>>;
  /** States in which its button comes first. */
  usualIn?: readonly OrderStatus[];
  /** Of its button beside one parcel of several. */
  parcelLabel?: string;
  /** The API call of its button, if that asks for nothing more. */
  call?: 'stage' | 'delivery' | 'cash';
  /** Its audit entry, if the step needs no code of its own. */
  audit?: string;
  /** Pieces leave, or are packed to leave: refused while the order waits for approval, or while the bank holds its payment. */
  isLeaving?: true;
}

const UNDELIVERED = statesIn('shop', 'courier');
const DELIVERED = statesIn('customer');
const TOO_LATE = 'it can no longer be cancelled';

/**
 * The transitions of an order. The server takes each by `change` (transitions.service.ts); a trigger refuses pairs of states that are not in the table
 * `order_steps`. Buttons are shown in this order.
 */
export const STEPS = {
  /** A card payment; an expired checkout takes its stock again. */
  pay: { from: ['awaiting_payment', 'expired'], to: ['placed'], who: 'provider', refusal: 'there is nothing to pay', events: ['paid'] },
  /** Not paid in time, or a wrong amount: the stock is released. */
  expire: { from: ['awaiting_payment'], to: ['expired'], who: 'shop', refusal: 'nothing is reserved for it', events: ['hold given back'] },
  /** A payment that cannot become an order is refunded. */
  refuse: {
    from: ['expired'],
    to: ['refunded'],
    who: 'provider',
    refusal: 'its payment cannot be refused',
    events: ['refund started', 'refund by hand needed'],
  },
  /** A large first order of an account. */
  approve: {
    from: ['placed'],
    who: 'office',
    refusal: 'there is nothing to approve',
    events: ['approved'],
    label: 'Approve the order',
  },
  pack: {
    from: ['placed'],
    to: ['packing'],
    who: 'office',
    refusal: 'it cannot be packed',
    events: ['being packed'],
    label: 'Start packing',
    usualIn: ['placed'],
    call: 'stage',
    audit: 'Marked as being packed',
    isLeaving: true,
  },
  dispatch: {
    from: ['placed', 'packing', 'partly_dispatched', 'delivery_failed'],
    to: ['dispatched', 'partly_dispatched'],
    who: 'office',
    refusal: 'it cannot be dispatched',
    events: ['dispatched', 'dispatched in part'],
    label: 'Mark as dispatched',
    usualIn: ['packing', 'partly_dispatched', 'delivery_failed'],
    labelIn: { partly_dispatched: 'Dispatch the rest', delivery_failed: 'Dispatch again' },
    call: 'stage',
    isLeaving: true,
  },
  unpack: {
    from: ['packing'],
    to: ['placed'],
    who: 'office',
    refusal: 'it is not being packed',
    events: ['packing taken back'],
    label: 'Stop packing',
    call: 'stage',
    audit: 'Marked as not being packed',
  },
  /** Of the order or one parcel. */
  failDelivery: {
    from: ['partly_dispatched', 'dispatched', 'delivery_failed'],
    to: ['delivery_failed'],
    who: 'office',
    refusal: 'no courier has it',
    events: ['delivery failed'],
    label: 'Delivery failed',
    parcelLabel: 'This one failed',
    call: 'stage',
  },
  /** A dispatch was marked by mistake. */
  takeBackDispatch: {
    from: ['partly_dispatched', 'dispatched'],
    to: ['packing', 'partly_dispatched'],
    who: 'office',
    refusal: 'no courier has it',
    events: ['dispatch taken back'],
    label: 'Mark as not dispatched',
    parcelLabel: 'This one was not dispatched',
    call: 'stage',
  },
  /** Also approves an order that waits for approval. */
  deliver: {
    from: UNDELIVERED,
    to: ['delivered'],
    who: 'office',
    refusal: 'there is nothing to deliver',
    events: ['delivered'],
    label: 'Mark as delivered',
    usualIn: ['dispatched'],
    call: 'delivery',
  },
  /** A delivery was marked by mistake: its parcels decide the state. */
  takeBackDelivery: {
    from: ['delivered'],
    to: ['placed', 'partly_dispatched', 'dispatched', 'delivery_failed'],
    who: 'office',
    refusal: 'there is nothing to deliver',
    events: ['delivery taken back'],
    label: 'Mark as not delivered',
    call: 'delivery',
  },
  /** Exchanges, adds or removes pieces that have not left. */
  correctPieces: {
    from: ['placed', 'packing', 'partly_dispatched', 'delivery_failed'],
    who: 'office',
    refusal: 'its pieces can no longer be changed',
    events: ['corrected'],
    label: 'Change the pieces',
  },
  /** Recipient, address, phone number and the agreed days. */
  correctDelivery: {
    from: ['placed', 'packing', 'partly_dispatched', 'delivery_failed'],
    who: 'office',
    refusal: 'its delivery details can no longer be changed',
    events: ['delivery details changed'],
    label: 'Change delivery details',
  },
  /** Of a partly dispatched order only once what had left has come back. */
  cancel: {
    from: ['placed', 'packing', 'partly_dispatched', 'delivery_failed'],
    to: ['cancelled'],
    who: 'office',
    refusal: TOO_LATE,
    events: ['cancelled'],
    label: 'Cancel order',
  },
  cancelLines: {
    from: ['placed', 'packing', 'partly_dispatched', 'delivery_failed'],
    who: 'office',
    refusal: TOO_LATE,
    events: ['partly cancelled'],
    label: 'Cancel order',
  },
  /** Everything that has not left is cancelled. */
  cancelUnsent: {
    from: ['partly_dispatched', 'delivery_failed'],
    to: ['dispatched'],
    who: 'office',
    refusal: TOO_LATE,
    events: ['partly cancelled'],
    label: 'Cancel order',
  },
  cancelByCustomer: {
    from: ['placed'],
    to: ['cancelled'],
    who: 'customer',
    refusal: TOO_LATE,
    events: ['cancelled'],
    label: BUYER_BUTTONS.cancel,
  },
  cancelLinesByCustomer: {
    from: ['placed'],
    who: 'customer',
    refusal: TOO_LATE,
    events: ['partly cancelled'],
    label: BUYER_BUTTONS.cancel,
  },
  askForReturn: {
    from: ['delivered', 'return_asked', 'return_approved'],
    to: ['return_asked'],
    who: 'customer',
    refusal: 'nothing in it can be returned',
    events: ['return asked for'],
    label: BUYER_BUTTONS.askForReturn,
  },
  /** A return that was requested in another way. */
  agreeToReturn: {
    from: ['delivered', 'return_asked', 'return_approved'],
    to: ['return_asked', 'return_approved'],
    who: 'office',
    refusal: 'nothing in it can be returned',
    events: ['return agreed'],
    label: 'Start a return',
  },
  /** The next state depends on the order's other returns. */
  judgeReturn: {
    from: ['return_asked', 'return_approved'],
    to: DELIVERED,
    who: 'office',
    refusal: 'no return is open',
    events: ['return agreed', 'return refused'],
    label: 'Answer the return',
    labelIn: { return_approved: 'Nothing came back' },
  },
  withdrawReturn: {
    from: ['return_asked', 'return_approved'],
    to: DELIVERED,
    who: 'customer',
    refusal: 'no return is open',
    events: ['return withdrawn'],
    label: BUYER_BUTTONS.withdrawReturn,
  },
  receiveReturn: {
    from: ['return_asked', 'return_approved'],
    to: DELIVERED,
    who: 'office',
    refusal: 'no return is open',
    events: ['return received'],
    label: 'Record what came back',
  },
  /** A refund was made or has changed; the state stays. */
  refund: {
    from: [...UNDELIVERED, ...DELIVERED, 'cancelled'],
    who: 'office',
    refusal: 'there is nothing to refund',
    events: ['refund started', 'refunded', 'refund failed', 'refund tried again'],
    label: 'Refund',
  },
  /** Pays an order by phone, by its emailed link. */
  payByLink: { from: [...UNDELIVERED, ...DELIVERED], who: 'provider', refusal: 'there is nothing to pay', events: ['paid'] },
  receiveCash: {
    from: [...UNDELIVERED, ...DELIVERED],
    who: 'office',
    refusal: 'there is nothing to pay',
    events: ['cash received'],
    label: 'Record cash received',
    call: 'cash',
  },
  takeBackCash: {
    from: [...UNDELIVERED, ...DELIVERED, 'cancelled'],
    who: 'office',
    refusal: 'there is nothing to pay',
    events: ['cash taken back'],
    label: 'Undo cash received',
    call: 'cash',
  },
  /** What came in besides what is due has to be paid back, in any state. */
  receiveMore: {
    from: SEEN_STATUSES,
    who: 'office',
    refusal: 'nothing can be recorded for it',
    events: ['more received', 'more taken back', 'more paid back'],
    label: 'Record more money',
  },
  /** The drivers of a cash order have nothing of what less is due of by now. */
  notCollected: {
    from: DELIVERED,
    who: 'office',
    refusal: 'there is nothing to collect',
    events: ['nothing collected'],
    label: 'Nothing was collected',
  },
  /** What is still due is given up. */
  writeOff: { from: DELIVERED, who: 'office', refusal: 'there is nothing to write off', events: ['written off'], label: 'Write off' },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof STEPS;
export const STEP_NAMES = Object.keys(STEPS) as [StepName, ...StepName[]];

/** A step, typed with all optional fields. */
export const stepOf = (name: StepName): Step => STEPS[name];

const isStage = (status: OrderStatus) => STEP_NAMES.some((name) => stepOf(name).call === 'stage' && stepOf(name).to?.[0] === status);
/** The stages that an administrator can set. Delivery is a call of its own (specification §7). */
export const STAGES = STATUSES.filter(isStage) as [OrderStatus, ...OrderStatus[]];

export const labelOf = (name: StepName, status: OrderStatus): string => stepOf(name).labelIn?.[status] ?? stepOf(name).label ?? '';
