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
  label: 'To be approved',
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

/** The buttons of a buyer's own steps. */
export const BUYER_BUTTONS = {
  cancel: 'Cancel order',
  askForReturn: 'Return pieces',
  withdrawReturn: 'Cancel this return',
} as const;
