/** What the states of an order are called wherever they are not said in the specification's own words ("On the Way", "Delivered at"). */
export const STATUS_TEXT = {
  placed: 'Placed',
  packing: 'Being packed',
  partly_dispatched: 'Dispatched in part',
  dispatched: 'Dispatched',
  delivered: 'Delivered',
  delivery_failed: 'Delivery failed',
  return_asked: 'Return requested',
  return_approved: 'Return approved',
  returned: 'Returned',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
} as const;

/** A placed order that awaits an administrator's word. */
export const BEING_CHECKED = 'Being checked';

/** The states in which customers and staff see an order. */
export type SeenStatus = keyof typeof STATUS_TEXT;
export const SEEN_STATUSES = Object.keys(STATUS_TEXT) as [SeenStatus, ...SeenStatus[]];

/** Where an administrator can say that an order's parcel is. Its delivery is a call of its own (specification §7). */
export const STAGES = ['placed', 'packing', 'dispatched', 'delivery_failed'] as const;
export type Stage = (typeof STAGES)[number];

/** Why a customer cancels. */
export const CUSTOMER_REASONS = [
  'I changed my mind',
  'I ordered it by mistake',
  'I found it at a better price',
  'It takes too long',
  'Another reason',
] as const;

/** Why an administrator cancels, by what the customer reads of it; empty where that is between the shop and its books. */
export const CANCEL_REASONS = {
  'The customer asked for it': 'as you asked',
  'Not in stock': 'because it is out of stock after all',
  'Damaged in the warehouse': 'because it was damaged in our warehouse',
  'Cannot be delivered': 'because we could not deliver to your address',
  'Another reason': '',
} as const;
export type CancelReason = keyof typeof CANCEL_REASONS;

/** Why money is given back. */
export const REFUND_REASONS = [
  'Returned',
  'Damaged or faulty',
  'Not as described',
  'Never arrived',
  'Late delivery',
  'Goodwill',
  'Another reason',
] as const;

/** What became of a refund. */
export const REFUND_STATES = ['pending', 'done', 'failed'] as const;
