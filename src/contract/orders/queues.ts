/** The queues of orders for staff, each a tab of the order list, by their names in URLs. Their conditions are in the server. */
export const QUEUE_LABELS = {
  approve: 'To approve',
  payment: 'Awaiting payment',
  pack: 'To pack',
  dispatch: 'To dispatch',
  late: 'Late',
  returns: 'Returns to answer',
  coming: 'Returns on their way',
  unpaid: 'Delivered, not paid',
  refunds: 'To pay back',
  disputes: 'Disputes',
} as const;

export type QueueName = keyof typeof QUEUE_LABELS;
export const QUEUE_NAMES = Object.keys(QUEUE_LABELS) as QueueName[];
