/** The queues of staff work, each a tab of the order list: its name in addresses, and its label. The server has their conditions. */
export const QUEUE_LABELS = {
  approve: 'To approve',
  payment: 'Awaiting payment',
  pack: 'To pack',
  dispatch: 'To dispatch',
  late: 'Late',
  returns: 'Returns to answer',
  coming: 'Returns on their way',
  unpaid: 'Delivered, not paid',
  refunds: 'Refunds failed',
  disputes: 'Disputes',
} as const;

export type QueueName = keyof typeof QUEUE_LABELS;
export const QUEUE_NAMES = Object.keys(QUEUE_LABELS) as QueueName[];
