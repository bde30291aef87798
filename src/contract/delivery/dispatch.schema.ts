import { z } from 'zod';
import { ImportForm, ImportReport } from '#contract/catalogue/import.schema.ts';
import { DeliverBody, ListOrdersQuery, OrderItem, OrderSummary } from '#contract/orders/orders.schema.ts';
import { Done, Id, optionalText } from '#contract/platform/lists.schema.ts';
import { Transport } from './parcels.schema.ts';

/** The orders that a list's filters find are dispatched in one go; `expected` is how many the check before it counted. */
export const DispatchManyBody = Transport.pick({ carrier: true, expectedOn: true }).extend({
  filters: ListOrdersQuery.omit({ pageNumber: true, sortBy: true }),
  expected: z.int('The number of orders must be a whole number.').min(1, 'There is nothing to dispatch.').nullish(),
});

/** Orders to mark in one go; all of them are marked, or none. */
export const DeliverManyBody = DeliverBody.extend({
  ids: z.array(Id).min(1, 'Choose at least one order.').max(100, 'At most 100 orders can be marked at once.'),
  /** Nothing is marked: the answer says what it would come to. */
  isCheck: z.boolean('isCheck must be true or false').nullish(),
});

/** What marking a selection as delivered comes to. */
const DeliveryCheck = z.object({
  /** Those that are not delivered yet. */
  orders: z.int(),
  /** Customers who have not been told of the delivery. */
  mails: z.int(),
  /** Orders of which nothing has been dispatched. */
  here: z.int(),
  /** Orders that wait for approval, and are approved by it. */
  unapproved: z.int(),
});
export type DeliveryCheck = z.infer<typeof DeliveryCheck>;
export const DeliverMany = Done.extend({ check: DeliveryCheck.nullable() });

/** What was dispatched, or marked as delivered, in one go. */
export const Batch = z.object({
  _id: z.string(),
  kind: z.enum(['dispatch', 'delivery']),
  createdAt: z.string(),
  actor: z.string(),
  orders: z.int(),
  /** Until then it can be undone; the mails leave after it. */
  undoUntil: z.string(),
});
export type Batch = z.infer<typeof Batch>;
export const BatchList = z.object({ batches: z.array(Batch) });

/** How many orders of those found would be dispatched at once, how many after them, and how many not; once they were, the batch too. */
export const DispatchMany = z.object({ orders: z.int(), later: z.int(), others: z.int(), batch: Batch.nullable() });

/** A courier's CSV; without a fingerprint it is only checked. */
export const CourierForm = ImportForm.extend({
  /** Who brings the parcels of rows that do not say. */
  carrier: Transport.shape.carrier,
});

/** What becomes of a row: its order is dispatched, the parcel that it left in gets its number, or nothing, and why. */
export const CourierRow = z.object({
  row: z.int(),
  reference: z.string(),
  effect: z.enum(['dispatch', 'track', 'none']),
  text: z.string(),
});
/** What a courier's CSV would do, or did. Rows count as in a spreadsheet: the head is row 1. */
export const CourierReport = ImportReport.pick({ isDone: true, errors: true, fingerprint: true }).extend({
  dispatched: z.int(),
  tracked: z.int(),
  /** Rows with which nothing happens. */
  left: z.int(),
  rows: z.array(CourierRow),
});

/** Which orders to print: those that a list's filters find, or of them the ones with these references, joined by commas. */
export const PrintQuery = ListOrdersQuery.omit({ pageNumber: true, sortBy: true }).extend({ orders: optionalText });

const printed = {
  /** Orders that the filters find of which nothing is to be sent. */
  others: z.int(),
  /** Orders that did not fit any more: the newest. */
  more: z.int(),
};
const PickedPiece = OrderItem.pick({ name: true, size: true, colourName: true, isColourOpen: true, qty: true });
/** What is fetched from the shelves for many orders at once, by product. */
export const PickingList = z.object({
  ...printed,
  orders: z.int(),
  pieces: z.array(PickedPiece.extend({ image: z.string(), orders: z.array(z.object({ reference: z.string(), qty: z.int() })) })),
});
/** The paper that goes with what is left to be sent of an order. */
export const Slip = OrderSummary.pick({
  ...({ reference: true, createdAt: true, fullName: true, userName: true, phone: true, shippingAddress: true, amountDue: true } as const),
  ...({ status: true, awaitsApproval: true, shippingMethod: true, deliveryWindow: true } as const),
}).extend({ lines: z.array(PickedPiece) });
export const Slips = z.object({ ...printed, slips: z.array(Slip) });
