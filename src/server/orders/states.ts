/** What an order can become (the database's check knows the same states). */
export const transitions = {
  /** Holds its stock while the customer pays; listed nowhere. */
  awaiting_payment: ['placed', 'expired', 'refunded'],
  /** Gave its stock back; a payment that arrives late may still place it. */
  expired: ['placed', 'refunded'],
  placed: ['refunded'],
  refunded: [],
} as const;

export type OrderStatus = keyof typeof transitions;

/** The states from which an order may come to a state. */
export function statesBefore(status: OrderStatus): OrderStatus[] {
  return (Object.keys(transitions) as OrderStatus[]).filter((from) => (transitions[from] as readonly OrderStatus[]).includes(status));
}
