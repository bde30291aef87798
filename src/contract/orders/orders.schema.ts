import { z } from 'zod';
import { DeliveryWindow } from '#contract/delivery/delivery.schema.ts';
import { Parcel } from '#contract/delivery/parcels.schema.ts';
import { InvoiceSummary } from '#contract/invoices/invoices.schema.ts';
import { pounds } from '#contract/market/money.ts';
import { MAX_LINES, MAX_PRICE, MAX_QUANTITY, MAX_QUANTITY_TEXT } from '#contract/platform/limits.ts';
import { Id, oneOf, optionalText, PageNumber, paging, searchText } from '#contract/platform/lists.schema.ts';
import { oneLine, requiredLine } from '#contract/platform/text.schema.ts';
import { Return } from '#contract/returns/returns.schema.ts';
import { EVENTS } from './events.ts';
import { PAYMENT_METHOD } from './orders.ts';
import { Pieces, Place, TOO_MANY_LINES } from './pieces.schema.ts';
import { CANCEL_REASONS, type CancelReason, CUSTOMER_REASONS, REFUND_REASONS, REFUND_STATES } from './reasons.ts';
import { SEEN_STATUSES, STAGES, STEP_NAMES } from './states.ts';

/** A line as the cart keeps it (specification §3) with the chosen size and colour. The server reads ids, quantity, size, colour; it only compares the price. */
export const CartLine = z.object({
  _id: z.string('Each line of the cart must name its product.').max(100, 'We do not recognise this product.'),
  name: z.string('The name of a line must be text.').max(300, 'The name of a line is too long.').default(''),
  image: z.string('The picture of a line must be text.').max(2000, 'The picture of a line is too long.').nullish(),
  price: z
    .number('The price of a line must be a number of pence.')
    .int('The price of a line must be whole pence.')
    .min(0, 'The price of a line cannot be below 0.')
    .max(MAX_PRICE, `The price of a line can be at most ${pounds(MAX_PRICE)}.`),
  qty: z
    .number('The quantity must be a number.')
    .int('The quantity must be a whole number.')
    .min(1, 'The quantity must be at least 1.')
    .max(MAX_QUANTITY, MAX_QUANTITY_TEXT),
  size: z.string('The size of a line must be text.').max(60, 'We do not recognise this size.').nullish(),
  color: z.string('The colour of a line must be text.').max(60, 'We do not recognise this colour.').nullish(),
});

export const CartLines = z.array(CartLine, 'Not Items Found').min(1, 'Not Items Found').max(MAX_LINES, TOO_MANY_LINES);

/** A line that may be left out: nothing is an empty line. */
const optionalLine = (what: string, max: number) =>
  oneLine(what, max)
    .nullish()
    .transform((value) => value ?? '');

export const ShippingAddress = z.object(
  {
    line1: requiredLine('Address line 1', 200),
    line2: optionalLine('Address line 2', 200),
    city: requiredLine('City', 100),
    state: optionalLine('State', 100),
    postalCode: requiredLine('ZIP code', 20),
    country: requiredLine('Country', 100),
  },
  'The shipping address is required',
);

const ShippingChoice = z.enum(['standard', 'express'], 'Choose standard or express delivery.').nullish();

/** The order creation payload (specification §3). The four price fields are read by nobody: the server prices every line itself. */
export const CreateOrderBody = z
  .object({
    orderItems: CartLines,
    shippingAddress: ShippingAddress,
    phone: requiredLine('Phone number', 30),
    paymentMethod: oneLine('Payment method', 60).default('Cash on Delivery'),
    orderPaymentID: oneLine('Payment ID', 200).nullish(),
    /** Where the shop reaches the buyer about this order; mails go to the account's address only. */
    email: z.union([z.literal(''), z.email('Email is invalid').max(254, 'Email is invalid')], 'Email is invalid').nullish(),
    fullName: oneLine('Full name', 200).nullish(),
    shippingMethod: ShippingChoice,
    itemsPrice: z.unknown().optional(),
    taxPrice: z.unknown().optional(),
    shippingPrice: z.unknown().optional(),
    totalPrice: z.unknown().optional(),
  })
  .refine(({ paymentMethod, orderPaymentID }) => paymentMethod !== PAYMENT_METHOD.online || Boolean(orderPaymentID), {
    path: ['orderPaymentID'],
    error: 'Payment ID is required for online payments',
    // Also while other fields are wrong, so that a form names all of them at once.
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

export const OrderItem = z.object({
  _id: z.string(),
  name: z.string(),
  image: z.string(),
  qty: z.int(),
  price: z.int(),
  size: z.string().nullable(),
  color: z.string().nullable(),
  /** What people call that colour. */
  colourName: z.string().nullable(),
  /** No colour was chosen of a product that has colours. */
  isColourOpen: z.boolean(),
  /** Pieces that were cancelled before they left the shop. */
  cancelledQty: z.int(),
  /** Pieces that came back and are in stock again. */
  returnedQty: z.int(),
  /** Pieces that came back and cannot be sold again. */
  spoiledQty: z.int(),
  /** Pieces whose price was given back. */
  refundedQty: z.int(),
});

const orderFields = {
  _id: z.string(),
  /** What people call the order, such as K7MX-4QPD: on pages, mails, slips and the phone. */
  reference: z.string(),
  createdAt: z.string(),
  orderItems: z.array(OrderItem),
  shippingAddress: z.object({
    line1: z.string(),
    line2: z.string(),
    city: z.string(),
    state: z.string(),
    postalCode: z.string(),
    country: z.string(),
  }),
  fullName: z.string(),
  email: z.string(),
  phone: z.string(),
  subTotalPrice: z.int(),
  shippingPrice: z.int(),
  taxPrice: z.int(),
  totalPrice: z.int(),
  shippingMethod: z.string(),
  /** The days on which it is to arrive, as its buyer was told; null where the days cannot be told. */
  deliveryWindow: DeliveryWindow.nullable(),
  paymentMethod: z.string(),
  orderPaymentID: z.string().nullable(),
  isPaid: z.boolean(),
  paidAt: z.string().nullable(),
  /** What became of it since it was placed. */
  status: z.enum(SEEN_STATUSES),
  dispatchedAt: z.string().nullable(),
  isDelivered: z.boolean(),
  deliveredAt: z.string().nullable(),
  /** The payment was given back, or will be: nothing is delivered. */
  isRefunded: z.boolean(),
  /** Cancelled before it was paid, and so not to be paid any more. */
  waivedPrice: z.int(),
  /** What went back to the customer after the sale, or is on its way there. */
  refundedPrice: z.int(),
  /** A larger first order of an account, which an administrator looks at before it is packed. */
  awaitsApproval: z.boolean(),
  /** What is still to be paid, such as in cash on delivery. */
  amountDue: z.int(),
  /** Money is to be given back and has not been yet: the provider has not confirmed it, or a person has to do it. */
  isRefundDue: z.boolean(),
};

/** One entry of an order's history. */
export const OrderEvent = z.object({
  at: z.string(),
  kind: z.enum(EVENTS),
  actor: z.string(),
  detail: z.string(),
});

/** Money that goes back to the customer; what failed, and by whom it was asked for, is for administrators only. */
export const Refund = z.object({
  _id: z.string(),
  createdAt: z.string(),
  amount: z.int(),
  reason: z.string(),
  detail: z.string(),
  actor: z.string(),
  isByHand: z.boolean(),
  status: z.enum(REFUND_STATES),
  /** Pending, and the shop has given up asking the provider, which could not be reached for days: somebody has to try again. */
  isStuck: z.boolean(),
  failure: z.string(),
});

export const OrderSummary = z.object({ ...orderFields, user: z.string().nullable(), userName: z.string(), userEmail: z.string() });
export const Order = z.object({
  ...orderFields,
  user: z.object({ _id: z.string().nullable(), name: z.string(), email: z.string() }),
  /** For administrators; empty for the owner. */
  events: z.array(OrderEvent),
  refunds: z.array(Refund),
  /** What has left the shop, the oldest first. */
  parcels: z.array(Parcel),
  /** The invoice and its credit notes, the oldest first. */
  invoices: z.array(InvoiceSummary),
  returns: z.array(Return),
  /** The last day on which its customer can ask for a return; null before its delivery. */
  returnUntil: z.string().nullable(),
  /** The steps that its reader can take now. */
  can: z.array(z.enum(STEP_NAMES)),
  /** Whether its own customer, who reads it, can ask for one now. */
  isReturnable: z.boolean(),
  /** Whether its own customer, who reads it, can cancel it or lines of it now. */
  isCancellable: z.boolean(),
  /** Whether an administrator, who reads it, can. */
  isCancellableByShop: z.boolean(),
  /** How much an administrator can still give back; 0 for the owner. */
  refundable: z.int(),
});

export const ListMyOrdersQuery = z.object({ pageNumber: PageNumber });
export const ListOrdersQuery = z.object({
  pageNumber: PageNumber,
  search: searchText,
  user: optionalText,
  /** The id of a queue (`Queues`); any other means all. */
  queue: optionalText,
  paid: optionalText,
  delivered: optionalText,
  from: optionalText,
  to: optionalText,
  sortBy: oneOf(['newest', 'oldest', 'total']),
});
export const OrderList = z.object({
  orders: z.array(OrderSummary),
  ...paging,
  /** A search or a filter found more orders than the total: the list ends with it. */
  isCut: z.boolean(),
});
/** What became of an order that was sent with an `Idempotency-Key`: null where none was placed. */
export const Attempt = z.object({ order: Order.nullable() });
export const DeliverBody = z.object({ isDelivered: z.boolean('isDelivered must be true or false') });
/** Where the parcel of an order is, short of its delivery. */
export const StageBody = z.object({
  stage: z.enum(STAGES, `Choose ${STAGES.join(', ').replace(/, (?=[^,]*$)/, ' or ')}.`),
  /** The one parcel that was not dispatched after all, or could not be delivered; all of them where nothing is said. */
  parcel: Id.nullish(),
});
const Places = z.array(Place, 'Choose lines of the order.').min(1, 'Choose at least one line.').max(MAX_LINES, TOO_MANY_LINES);
const CHOOSE_REASON = 'Choose a reason.';
/** Without lines, the whole order. */
export const CancelOwnBody = z.object({ lines: Places.optional(), reason: z.enum(CUSTOMER_REASONS, CHOOSE_REASON) });
export const CancelBody = z.object({
  lines: Places.optional(),
  reason: z.enum(Object.keys(CANCEL_REASONS) as [CancelReason, ...CancelReason[]], CHOOSE_REASON),
});

const wholePence = z
  .number('The amount must be a number of pence.')
  .int('The amount must be whole pence.')
  .min(1, 'The amount must be at least £0.01.')
  .max(MAX_PRICE * MAX_QUANTITY, 'The amount is too large.');
/** An amount, or pieces of lines at their price. */
export const RefundBody = z.object({
  amount: wholePence.nullish(),
  lines: Pieces.nullish(),
  reason: z.enum(REFUND_REASONS, CHOOSE_REASON),
  /** The pieces are back and can be sold again. */
  isRestocked: z.boolean('isRestocked must be true or false').default(false),
});
export const CashBody = z.object({ isPaid: z.boolean('isPaid must be true or false') });

/** The body of a card checkout; `customerID` is not believed, the session says who pays. */
export const CheckoutSessionBody = z.object({
  orderItems: CartLines,
  customerID: z.unknown().optional(),
  shippingMethod: ShippingChoice,
});
/** Where the payer goes, and the order that comes of it once it is paid. */
export const CheckoutSession = z.object({ url: z.string(), orderId: z.string() });
/** A card payment: not known yet, an order, given back, or ended without any. The order is there where it is listed. */
export const Payment = z.object({ state: z.enum(['waiting', 'settled', 'refunded', 'ended']), order: Order.nullable() });
/** The mark of the cancel address from which a customer comes back. */
export const LeaveCheckoutBody = z.object({ mark: z.string('The mark must be a text.').max(200, 'The mark is too long.') });

/** What the cart page asks when it opens: what became of its lines. */
export const CheckCartBody = z.object({
  orderItems: z.array(CartLine, 'The lines of the cart are missing.').max(MAX_LINES, TOO_MANY_LINES),
});
export const CheckedLine = z.object({
  _id: z.string(),
  /** False when the product, or the chosen size, is no longer sold. */
  isSold: z.boolean(),
  /** The product has several sizes and the line names none: it cannot be ordered before one is chosen. */
  needsSize: z.boolean(),
  /** The size that is ordered: the one that the line names, or the only one that there is. */
  size: z.string().nullable(),
  /** What people call the line's colour. */
  colourName: z.string().nullable(),
  name: z.string(),
  /** The product's first picture. */
  image: z.string(),
  /** The picture of the line's size and colour, where there is one; else the first. */
  picture: z.string(),
  price: z.int(),
  /** Pieces that can be ordered now, of the chosen size. */
  available: z.int(),
});
export const CheckedCart = z.object({ lines: z.array(CheckedLine) });

/** The tabs of the order list: what waits for somebody, and all, which has no id. */
export const Queues = z.object({ queues: z.array(z.object({ id: z.string(), label: z.string(), count: z.int() })) });

/** What the panel on top of the order list shows of the last 30 days; amounts in pence, days in the shop's time. */
export const Sales = z.object({
  /** Every day, the oldest first, those without an order too. */
  days: z.array(z.object({ day: z.string(), orders: z.int(), revenue: z.int() })),
  /** What the 30 days before those came to. */
  before: z.object({ orders: z.int(), revenue: z.int() }),
  bestSellers: z.array(z.object({ _id: z.string(), name: z.string(), pieces: z.int(), revenue: z.int() })),
  awaitingDelivery: z.int(),
});
