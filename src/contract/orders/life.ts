/** What the states of an order are called wherever they are not said in the specification's own words ("On the Way", "Delivered at"). */
export const STATUS_TEXT = {
  placed: 'Placed',
  packing: 'Being packed',
  dispatched: 'Dispatched',
  delivered: 'Delivered',
  delivery_failed: 'Delivery failed',
  refunded: 'Refunded',
} as const;

/** The states in which customers and staff see an order. */
export type SeenStatus = keyof typeof STATUS_TEXT;
export const SEEN_STATUSES = Object.keys(STATUS_TEXT) as [SeenStatus, ...SeenStatus[]];

/** Where an administrator can say that an order's parcel is. Its delivery is a call of its own (specification §7). */
export const STAGES = ['placed', 'packing', 'dispatched', 'delivery_failed'] as const;
export type Stage = (typeof STAGES)[number];
