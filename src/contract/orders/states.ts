import type { EventKind } from './events.ts';

interface State {
  /** Who has the order: nobody, since it is not paid; the shop; a courier; its customer. Or it has ended. */
  phase: 'unpaid' | 'shop' | 'courier' | 'customer' | 'ended';
  /** In lists, on pages and in the CSV. */
  label: string;
  /** On the pages of its buyer, where the specification has other words. */
  buyerLabel?: string;
  /** Goes on from “Order K7MX-4QPD”, in the sentence that refuses a step. */
  refusal: string;
  sign: 'clock' | 'package' | 'truck' | 'check' | 'cross' | 'return';
  /** Of the pill. After a bad one nothing follows by itself. */
  tone: 'calm' | 'good' | 'bad';
  /** What happens next, for its buyer. `[words](/path)` is a link. */
  next: string;
  /** Where the office finds it: a tab of the order list. */
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
  /** Gave its stock back; a payment that arrives late may still place it. */
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
  /** The courier could not deliver it: it is sent again, or comes back. */
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
  /** The customer wants to send pieces back, and waits for an answer. */
  return_asked: {
    phase: 'customer',
    label: 'Return requested',
    refusal: 'has a return that waits for an answer',
    sign: 'return',
    tone: 'calm',
    next: 'We have your request for a return and will reply by the next working day.',
  },
  /** The shop waits for pieces that it agreed to take back. */
  return_approved: {
    phase: 'customer',
    label: 'Return approved',
    refusal: 'has a return on its way',
    sign: 'return',
    tone: 'calm',
    next: 'We are waiting for your return. We will refund you once we have received it.',
  },
  /** Every piece came back. */
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
  /** Its payment could not become an order and went back. */
  refunded: {
    phase: 'ended',
    label: 'Refunded',
    refusal: 'was refunded',
    sign: 'cross',
    tone: 'bad',
    next: 'We are refunding your payment to your card. It usually arrives within 5-10 business days.',
  },
} as const satisfies Record<string, State>;

export type OrderStatus = keyof typeof STATES;
export type Phase = State['phase'];
export const STATUSES = Object.keys(STATES) as OrderStatus[];

/** The states of some phases. */
export const statesIn = (...phases: Phase[]): OrderStatus[] => STATUSES.filter((status) => phases.includes(STATES[status].phase));

/** The states whose orders the office finds under a tab. */
export const statesInQueue = (queue: State['queue']): OrderStatus[] =>
  STATUSES.filter((status) => (STATES[status] as State).queue === queue);

/** The states in which customers and staff see an order. */
export type SeenStatus = Exclude<OrderStatus, 'awaiting_payment' | 'expired'>;
export const SEEN_STATUSES = statesIn('shop', 'courier', 'customer', 'ended') as [SeenStatus, ...SeenStatus[]];

/** On its way to the customer, and nothing has come in between. */
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

/** What its buyer's pages call an order's state. */
export function buyerLabelOf(order: Parameters<typeof stateOf>[0]): string {
  const { label, buyerLabel = label } = stateOf(order);
  return buyerLabel;
}

interface Step {
  from: readonly OrderStatus[];
  /** Several where it depends on the order's pieces; none where the order stays in its state. */
  to?: readonly OrderStatus[];
  /** Who takes it. */
  who: 'customer' | 'office' | 'provider' | 'shop';
  /** Ends the sentence that refuses it in any other state. */
  refusal: string;
  /** What it leaves in the history: the first, where the caller does not say which. */
  events: readonly [EventKind, ...EventKind[]];
  /** Of its button. */
  label?: string;
  /** Of its button in some states. */
  labelIn?: Partial<Record<OrderStatus, string>>;
  /** States in which it is what usually comes next: its button stands first. */
  usualIn?: readonly OrderStatus[];
  /** Of its button at one parcel of several. */
  parcelLabel?: string;
  /** The call of the API that takes it, where the button needs no more than that: where its parcel is, whether it is delivered, whether its cash is there. */
  call?: 'stage' | 'delivery' | 'cash';
  /** What the administrators' own history says, where the step needs no code of its own. */
  audit?: string;
  /** Pieces leave the shop, or are prepared to: not before an order is approved. */
  isLeaving?: true;
}

const UNDELIVERED = statesIn('shop', 'courier');
const DELIVERED = statesIn('customer');
const LATE = 'it can no longer be cancelled';

/**
 * Everything that can happen to an order once it is stored. The server takes each by `change` (transitions.service.ts); the database has the pairs of
 * states in `order_steps` and refuses any other. Buttons stand in this order.
 */
export const STEPS = {
  /** The provider says that the card checkout was paid; an expired one takes its stock again. */
  pay: { from: ['awaiting_payment', 'expired'], to: ['placed'], who: 'provider', refusal: 'there is nothing to pay', events: ['paid'] },
  /** Nobody paid in time, or another amount was paid: the stock goes back. */
  expire: { from: ['awaiting_payment'], to: ['expired'], who: 'shop', refusal: 'it holds nothing', events: ['hold given back'] },
  /** A payment that cannot become an order goes back to the customer. */
  refuse: {
    from: ['expired'],
    to: ['refunded'],
    who: 'provider',
    refusal: 'its payment cannot be refused',
    events: ['refund started', 'refund by hand needed'],
  },
  /** Somebody has looked at a larger first order of an account. */
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
  /** All that is left of it leaves, or some of it. */
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
    refusal: 'nobody is packing it',
    events: ['packing taken back'],
    label: 'Take back packing',
    call: 'stage',
    audit: 'Marked as not being packed',
  },
  /** The courier brings it back, or could not find the address; one parcel of several may follow another. */
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
  /** Approves an order that waits for it. */
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
  /** The delivery was marked by mistake: the order is where its parcels are. */
  takeBackDelivery: {
    from: ['delivered'],
    to: ['placed', 'partly_dispatched', 'dispatched'],
    who: 'office',
    refusal: 'there is nothing to deliver',
    events: ['delivery taken back'],
    label: 'Mark as not delivered',
    usualIn: ['delivered'],
    call: 'delivery',
  },
  cancel: {
    from: ['placed', 'packing', 'delivery_failed'],
    to: ['cancelled'],
    who: 'office',
    refusal: LATE,
    events: ['cancelled'],
    label: 'Cancel order',
  },
  /** Lines of it are cancelled, and others are left. */
  cancelLines: {
    from: ['placed', 'packing', 'partly_dispatched', 'delivery_failed'],
    who: 'office',
    refusal: LATE,
    events: ['partly cancelled'],
    label: 'Cancel order',
  },
  /** What had not left yet is cancelled; the courier has the rest. */
  cancelUnsent: {
    from: ['partly_dispatched', 'delivery_failed'],
    to: ['dispatched'],
    who: 'office',
    refusal: LATE,
    events: ['partly cancelled'],
    label: 'Cancel order',
  },
  cancelByCustomer: {
    from: ['placed'],
    to: ['cancelled'],
    who: 'customer',
    refusal: LATE,
    events: ['cancelled'],
    label: 'Cancel order',
  },
  cancelLinesByCustomer: {
    from: ['placed'],
    who: 'customer',
    refusal: LATE,
    events: ['partly cancelled'],
    label: 'Cancel order',
  },
  askForReturn: {
    from: ['delivered', 'return_asked', 'return_approved'],
    to: ['return_asked'],
    who: 'customer',
    refusal: 'nothing of it can be returned',
    events: ['return asked for'],
    label: 'Return pieces',
  },
  /** The shop agrees to take pieces back that it was asked about in another way. */
  agreeToReturn: {
    from: ['delivered', 'return_asked', 'return_approved'],
    to: ['return_asked', 'return_approved'],
    who: 'office',
    refusal: 'nothing of it can be returned',
    events: ['return agreed'],
    label: 'Take pieces back',
  },
  /** A return is approved or refused; what the order waits for next depends on its other returns. */
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
  /** Pieces came back. */
  receiveReturn: {
    from: ['return_asked', 'return_approved'],
    to: DELIVERED,
    who: 'office',
    refusal: 'no return is open',
    events: ['return received'],
    label: 'Record what came back',
  },
  /** Money goes back, or a refund turned out differently; what became of the parcel is another matter. */
  refund: {
    from: [...UNDELIVERED, ...DELIVERED, 'cancelled'],
    who: 'office',
    refusal: 'there is nothing to refund',
    events: ['refund started', 'refunded', 'refund failed', 'refund tried again'],
    label: 'Refund',
  },
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
    label: 'Take back cash received',
    call: 'cash',
  },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof STEPS;
export const STEP_NAMES = Object.keys(STEPS) as [StepName, ...StepName[]];

/** A step by its name, without what the compiler knows of this one. */
export const stepOf = (name: StepName): Step => STEPS[name];

const isStage = (status: OrderStatus) => STEP_NAMES.some((name) => stepOf(name).call === 'stage' && stepOf(name).to?.[0] === status);
/** Where an administrator can say that an order is, short of its delivery, which is a call of its own (specification §7). */
export const STAGES = STATUSES.filter(isStage) as [OrderStatus, ...OrderStatus[]];

/** The label of a step's button at an order in some state. */
export const labelOf = (name: StepName, status: OrderStatus): string => stepOf(name).labelIn?.[status] ?? stepOf(name).label ?? '';
