import type { EventKind } from './events.ts';

interface State {
  /** Who has the pieces; `ended`: cancelled or refunded. */
  phase: 'unpaid' | 'shop' | 'courier' | 'customer' | 'ended';
  /** In lists, on pages and in the CSV. */
  label: string;
  /** On the buyer's pages, if the specification has another text. */
  buyerLabel?: string;
  /** After “Order K7MX-4QPD” in the message that refuses a step. */
  refusal: string;
  sign: 'clock' | 'package' | 'truck' | 'check' | 'cross' | 'return';
  /** Of the pill. A bad state stays until a person acts. */
  tone: 'calm' | 'good' | 'bad';
  /** The next step, for the buyer. `[words](/path)` is a link. */
  next: string;
  /** Its tab in the office's order list. */
  queue?: 'pack' | 'dispatch';
}

/** The states of an order. */
export const STATES = {
  /** Holds its stock while the customer pays by card. */
  awaiting_payment: {
    phase: 'unpaid',
    label: 'Awaiting payment',
    refusal: 'awaits its payment',
    sign: 'clock',
    tone: 'calm',
    next: '',
  },
  /** Its stock was released; a late payment may still place it. */
  expired: { phase: 'unpaid', label: 'Never paid', refusal: 'was never paid', sign: 'cross', tone: 'bad', next: '' },
  placed: {
    phase: 'shop',
    label: 'Placed',
    buyerLabel: 'On the Way',
    refusal: 'is placed',
    sign: 'clock',
    tone: 'calm',
    next: 'We are getting your order ready.',
    queue: 'pack',
  },
  packing: {
    phase: 'shop',
    label: 'Being packed',
    refusal: 'is being packed',
    sign: 'package',
    tone: 'calm',
    next: 'We are packing your order.',
    queue: 'dispatch',
  },
  partly_dispatched: {
    phase: 'courier',
    label: 'Dispatched in part',
    refusal: 'was dispatched in part',
    sign: 'truck',
    tone: 'calm',
    next: 'The courier has part of your order. We are getting the rest ready.',
    queue: 'dispatch',
  },
  dispatched: {
    phase: 'courier',
    label: 'Dispatched',
    refusal: 'was dispatched',
    sign: 'truck',
    tone: 'good',
    next: 'The courier has your order.',
  },
  /** The order is dispatched again, or comes back. */
  delivery_failed: {
    phase: 'courier',
    label: 'Delivery failed',
    refusal: 'could not be delivered',
    sign: 'cross',
    tone: 'bad',
    next: 'The courier could not deliver your order. Please [call us](/contact) to agree another day.',
    queue: 'dispatch',
  },
  delivered: {
    phase: 'customer',
    label: 'Delivered',
    refusal: 'was delivered',
    sign: 'check',
    tone: 'good',
    next: 'Your order has arrived.',
  },
  return_asked: {
    phase: 'customer',
    label: 'Return requested',
    refusal: 'has a return that waits for an answer',
    sign: 'return',
    tone: 'calm',
    next: 'We have your request for a return and will reply by the next working day.',
  },
  return_approved: {
    phase: 'customer',
    label: 'Return approved',
    refusal: 'has a return on its way',
    sign: 'return',
    tone: 'calm',
    next: 'We are waiting for your return. We will refund you once we have received it.',
  },
  /** All pieces came back. */
  returned: {
    phase: 'customer',
    label: 'Returned',
    refusal: 'came back',
    sign: 'return',
    tone: 'good',
    next: 'We have received your return.',
  },
  cancelled: {
    phase: 'ended',
    label: 'Cancelled',
    refusal: 'was cancelled',
    sign: 'cross',
    tone: 'bad',
    next: 'Your order is cancelled.',
  },
  /** Its payment could not become an order. */
  refunded: {
    phase: 'ended',
    label: 'Refunded',
    refusal: 'was refunded',
    sign: 'cross',
    tone: 'bad',
    next: 'We are refunding your payment to the card or account that you paid with. It usually arrives within 5-10 business days.',
  },
} as const satisfies Record<string, State>;

export type OrderStatus = keyof typeof STATES;
export type Phase = State['phase'];
export const STATUSES = Object.keys(STATES) as OrderStatus[];

export const statesIn = (...phases: Phase[]): OrderStatus[] => STATUSES.filter((status) => phases.includes(STATES[status].phase));

export const statesInQueue = (queue: State['queue']): OrderStatus[] =>
  STATUSES.filter((status) => (STATES[status] as State).queue === queue);

/** Whether a note can still reach a driver: some pieces have yet to leave. */
export const canReachDriver = (status: OrderStatus): boolean => [...statesInQueue('pack'), ...statesInQueue('dispatch')].includes(status);

/** The states of orders that people see. */
export type SeenStatus = Exclude<OrderStatus, 'awaiting_payment' | 'expired'>;
export const SEEN_STATUSES = statesIn('shop', 'courier', 'customer', 'ended') as [SeenStatus, ...SeenStatus[]];

/** On its way to the customer, without a failed delivery. */
export const isUnderWay = (status: OrderStatus): boolean => statesIn('shop', 'courier').includes(status) && STATES[status].tone !== 'bad';

/** A placed order that an administrator must approve. */
export const TO_BE_APPROVED = {
  ...STATES.placed,
  label: 'Being checked',
  buyerLabel: 'Being checked',
  next: 'We check larger first orders by hand before we pack them, usually within a working day. There is nothing you need to do.',
};

/** The words for an order's state. */
export const stateOf = ({ status, awaitsApproval }: { status: OrderStatus; awaitsApproval: boolean }): State =>
  status === 'placed' && awaitsApproval ? TO_BE_APPROVED : STATES[status];

/** An order's state in the buyer's words. */
export function buyerLabelOf(order: Parameters<typeof stateOf>[0]): string {
  const { label, buyerLabel = label } = stateOf(order);
  return buyerLabel;
}

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
    usualIn: ['packing', 'delivery_failed'],
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
    usualIn: ['partly_dispatched', 'dispatched'],
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
    usualIn: ['delivered'],
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
  cancel: {
    from: ['placed', 'packing', 'delivery_failed'],
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
    label: 'Cancel order',
  },
  cancelLinesByCustomer: {
    from: ['placed'],
    who: 'customer',
    refusal: TOO_LATE,
    events: ['partly cancelled'],
    label: 'Cancel order',
  },
  askForReturn: {
    from: ['delivered', 'return_asked', 'return_approved'],
    to: ['return_asked'],
    who: 'customer',
    refusal: 'nothing in it can be returned',
    events: ['return asked for'],
    label: 'Return pieces',
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
    label: 'Cancel this return',
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
    from: [...UNDELIVERED, ...DELIVERED],
    who: 'office',
    refusal: 'there is nothing to pay',
    events: ['cash taken back'],
    label: 'Undo cash received',
    call: 'cash',
  },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof STEPS;
export const STEP_NAMES = Object.keys(STEPS) as [StepName, ...StepName[]];

/** A step, typed with all optional fields. */
export const stepOf = (name: StepName): Step => STEPS[name];

const isStage = (status: OrderStatus) => STEP_NAMES.some((name) => stepOf(name).call === 'stage' && stepOf(name).to?.[0] === status);
/** The stages that an administrator can set. Delivery is a call of its own (specification §7). */
export const STAGES = STATUSES.filter(isStage) as [OrderStatus, ...OrderStatus[]];

export const labelOf = (name: StepName, status: OrderStatus): string => stepOf(name).labelIn?.[status] ?? stepOf(name).label ?? '';
