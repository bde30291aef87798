/** The kinds of history events. The office shows these names. */
export const EVENTS = [
  'placed',
  'payment started',
  'paid',
  'hold given back',
  'approved',
  'note for the driver',
  'delivery details changed',
  'being packed',
  'packing taken back',
  'dispatched',
  'dispatched in part',
  'dispatch taken back',
  'parcel changed',
  'delivery failed',
  'delivered',
  'delivery taken back',
  'cash received',
  'cash taken back',
  'cancelled',
  'partly cancelled',
  'not back in stock',
  'return asked for',
  'return agreed',
  'return refused',
  'return withdrawn',
  'return received',
  'refund started',
  'refund by hand needed',
  'refund tried again',
  'refund failed',
  'refunded',
  'payment not found',
  'payment disputed',
  'dispute won',
  'dispute lost',
  'dispute closed',
] as const;

export type EventKind = (typeof EVENTS)[number];

/** A dispute's event, by its status. */
export const DISPUTE_EVENTS = {
  open: 'payment disputed',
  won: 'dispute won',
  lost: 'dispute lost',
  closed: 'dispute closed',
} as const satisfies Record<string, EventKind>;
