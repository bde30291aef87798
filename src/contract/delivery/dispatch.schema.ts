import { z } from 'zod';
import { ImportForm, ImportReport } from '#contract/catalogue/import.schema.ts';
import { DeliverBody, ListOrdersQuery, OrderItem, OrderSummary } from '#contract/orders/orders.schema.ts';
import { QUEUE_NAMES } from '#contract/orders/queues.ts';
import { Done, Id, optionalText } from '#contract/platform/lists.schema.ts';
import { calendarDay } from '#contract/platform/text.schema.ts';
import { Transport } from './parcels.schema.ts';

const UNREADABLE = 'This filter cannot be read.';
const YesOrNo = z.enum(['true', 'false', ''], UNREADABLE).optional();
const AnyText = z.string(UNREADABLE).max(500, UNREADABLE).optional();
const DayOrNone = z.union([z.literal(''), calendarDay(UNREADABLE)], UNREADABLE).optional();

/** The list's filters, read strictly: a mistyped one is refused, since without it the change would be for all orders. An empty text is no filter. */
const ChangeFilters = z.strictObject({
  search: AnyText,
  tag: AnyText,
  user: z.union([z.literal(''), z.guid()], UNREADABLE).optional(),
  queue: z.enum([...QUEUE_NAMES, ''], UNREADABLE).optional(),
  paid: YesOrNo,
  delivered: YesOrNo,
  from: DayOrNone,
  to: DayOrNone,
});

/** Dispatches the orders that the filters find. Without `expected` it is only checked; with the number that the check found, it is carried out. */
export const DispatchManyBody = Transport.pick({ carrier: true, expectedOn: true }).extend({
  filters: ChangeFilters,
  expected: z.int('The number of orders must be a whole number.').min(1, 'There is nothing to dispatch.').nullish(),
});

/** Orders to mark together, all or none. */
export const DeliverManyBody = DeliverBody.extend({
  ids: z.array(Id).min(1, 'Choose at least one order.').max(100, 'At most 100 orders can be marked at once.'),
  /** Only counts what it would change. */
  isCheck: z.boolean('isCheck must be true or false').nullish(),
});

/** What marking a selection as delivered would change. */
const DeliveryCheck = z.object({
  /** Not delivered yet. */
  orders: z.int(),
  /** Customers who have not had the delivery mail. */
  mails: z.int(),
  /** Orders of which nothing was dispatched. */
  undispatched: z.int(),
  /** Waiting for approval, which the delivery gives. */
  unapproved: z.int(),
});
export type DeliveryCheck = z.infer<typeof DeliveryCheck>;
export const DeliverMany = Done.extend({ check: DeliveryCheck.nullable() });

/** Orders that were dispatched or marked as delivered together. */
export const Batch = z.object({
  _id: z.string(),
  kind: z.enum(['dispatch', 'delivery']),
  createdAt: z.string(),
  actor: z.string(),
  orders: z.int(),
  /** End of the undo window, after which the mails leave. */
  undoUntil: z.string(),
});
export type Batch = z.infer<typeof Batch>;
export const BatchList = z.object({ batches: z.array(Batch) });

export const DispatchMany = z.object({
  /** Orders of this batch. */
  orders: z.int(),
  /** Orders left for later batches. */
  later: z.int(),
  /** Orders that are not ready to be dispatched. */
  others: z.int(),
  /** Null if it was only checked. */
  batch: Batch.nullable(),
});

/** A courier's CSV; without a fingerprint it is only checked. */
export const CourierForm = ImportForm.extend({
  /** For rows without a carrier. */
  carrier: Transport.shape.carrier,
});

/** A row's effect: it dispatches its order, adds a tracking number, or has none, with the reason. */
export const CourierRow = z.object({
  row: z.int(),
  reference: z.string(),
  effect: z.enum(['dispatch', 'track', 'none']),
  text: z.string(),
});
/** The effect of a courier's CSV, planned or done. Row 1 is the header. */
export const CourierReport = ImportReport.pick({ isDone: true, errors: true, fingerprint: true }).extend({
  dispatched: z.int(),
  tracked: z.int(),
  /** Rows without an effect. */
  left: z.int(),
  rows: z.array(CourierRow),
});

/** The orders to print: all that the list's filters find, or some of them by `orders`, their comma-separated references. */
export const PrintQuery = ListOrdersQuery.omit({ pageNumber: true, sortBy: true }).extend({ orders: optionalText });

const printed = {
  /** The number of orders with nothing to send. */
  others: z.int(),
  /** The number of orders beyond the limit of one print, which are the newest. */
  more: z.int(),
};
const PickedPiece = OrderItem.pick({ name: true, size: true, colourName: true, isColourOpen: true, sku: true, qty: true });
/** Pieces to pick for several orders, by product. */
export const PickingList = z.object({
  ...printed,
  orders: z.int(),
  pieces: z.array(
    PickedPiece.extend({
      image: z.string(),
      orders: z.array(z.object({ reference: z.string(), qty: z.int(), tags: z.array(z.string()) })),
    }),
  ),
});
/** The packing slip of what is left to send of an order. */
export const Slip = OrderSummary.pick({
  reference: true,
  createdAt: true,
  fullName: true,
  userName: true,
  phone: true,
  shippingAddress: true,
  amountDue: true,
  status: true,
  awaitsApproval: true,
  shippingLabel: true,
  deliveryWindow: true,
  isDayChosen: true,
  deliveryNote: true,
}).extend({ lines: z.array(PickedPiece) });
export const Slips = z.object({ ...printed, slips: z.array(Slip) });
