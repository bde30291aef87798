/** The states of an order: what a sentence says of it, and whether customers and staff see it in their lists. */
const states = {
  /** Holds its stock while the customer pays by card. */
  awaiting_payment: { words: 'awaits its payment', isListed: false },
  /** Gave its stock back; a payment that arrives late may still place it. */
  expired: { words: 'was never paid', isListed: false },
  placed: { words: 'is placed', isListed: true },
  refunded: { words: 'was refunded', isListed: true },
} as const;

export type OrderStatus = keyof typeof states;
export const STATUSES = Object.keys(states) as OrderStatus[];
export const LISTED = STATUSES.filter((status) => states[status].isListed);

interface Transition {
  from: readonly OrderStatus[];
  to: OrderStatus;
  /** Ends the sentence that refuses it in any other state. */
  refusal: string;
}

/**
 * Everything that can happen to an order once it is stored. Each is one function of this folder, which goes through `change`
 * (transitions.service.ts). The database refuses every change of state that is not here: a new one comes with a migration like 0190.
 */
export const transitions = {
  /** The provider says that the card checkout was paid; an expired one takes its stock again. */
  pay: { from: ['awaiting_payment', 'expired'], to: 'placed', refusal: 'there is nothing to pay' },
  /** Nobody paid in time, or another amount was paid: the stock goes back. */
  expire: { from: ['awaiting_payment'], to: 'expired', refusal: 'it holds nothing' },
  /** A payment that cannot become an order goes back to the customer. */
  refuse: { from: ['expired'], to: 'refunded', refusal: 'its payment cannot be refused' },
  deliver: { from: ['placed'], to: 'placed', refusal: 'there is nothing to deliver' },
  takeBackDelivery: { from: ['placed'], to: 'placed', refusal: 'there is nothing to deliver' },
  receiveCash: { from: ['placed'], to: 'placed', refusal: 'there is nothing to pay' },
  takeBackCash: { from: ['placed'], to: 'placed', refusal: 'there is nothing to pay' },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** Whether an order in this state can go through a transition. */
export function isAllowed(name: TransitionName, status: OrderStatus): boolean {
  const { from }: Transition = transitions[name];
  return from.includes(status);
}

/** The sentence that refuses it, for people. */
export const refusalOf = (name: TransitionName, { id, status }: { id: string; status: OrderStatus }): string =>
  `Order ${id} ${states[status].words}; ${transitions[name].refusal}.`;
