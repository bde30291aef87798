import { z } from 'zod';
import { isPostcodeOrFirstHalf } from '#contract/delivery/areas.ts';
import { DeliveryQuery, DeliveryWindow } from '#contract/delivery/delivery.schema.ts';
import { Parcel } from '#contract/delivery/parcels.schema.ts';
import { BusinessBuyer, InvoiceSummary } from '#contract/invoices/invoices.schema.ts';
import { pounds } from '#contract/market/money.ts';
import { MAX_LINES, MAX_PRICE, MAX_QUANTITY, MAX_QUANTITY_TEXT } from '#contract/platform/limits.ts';
import { Id, oneOf, optionalText, PageNumber, paging, searchText } from '#contract/platform/lists.schema.ts';
import { calendarDay, oneLine, requiredLine } from '#contract/platform/text.schema.ts';
import { AppliedPromotion, Code, SeenDiscount } from '#contract/promotions/cart-discount.schema.ts';
import { Return } from '#contract/returns/returns.schema.ts';
import { EVENTS } from './events.ts';
import { PAYMENT_METHOD, vatNumberProblem } from './orders.ts';
import { LinePosition, Pieces, Revision, SeenRefundable, SeenRevision, TOO_MANY_LINES } from './pieces.schema.ts';
import {
  CANCEL_REASONS,
  type CancelReason,
  CUSTOMER_REASONS,
  OVERPAYMENT_STATES,
  PAID_BACK_BY,
  type PaidBackBy,
  REFUND_REASONS,
  REFUND_STATES,
  WRITE_OFF_REASONS,
} from './reasons.ts';
import { SEEN_STATUSES } from './states.ts';
import { STAGES, STEP_NAMES } from './steps.ts';

/** What clients send besides and nothing reads. It is dropped, whatever its size. */
const unused = z
  .unknown()
  .transform(() => undefined)
  .optional();

/** A cart line (specification §3) with the chosen size and colour. The server only compares its price, and does not read name and picture. */
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
  /** What is in a set, as the customer was shown it; empty for any other product. The order is refused if that has changed. */
  seenParts: z.string('The parts of a line must be text.').max(20_000, 'The parts of a line are too long.').nullish(),
});

/** “Not Items Found” is the specification's text. */
export const CartLines = z.array(CartLine, 'Not Items Found').min(1, 'Not Items Found').max(MAX_LINES, TOO_MANY_LINES);

/** An optional line; empty by default. */
export const optionalLine = (what: string, max: number) =>
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

/** What the driver should know, such as a gate code. */
export const DeliveryNote = oneLine('The note for the driver', 300);

/** The day of delivery that the customer has chosen, `YYYY-MM-DD`. */
export const DeliveryDay = calendarDay('Choose a day of delivery.').nullish();

export const ShippingChoice = oneLine('Delivery method', 40).nullish();

/** What a business wants on its invoice. */
const BusinessFields = z.object({
  company: optionalLine('The company name', 100),
  vatNumber: optionalLine('The VAT number', 20).superRefine((text, { addIssue }) => {
    const message = vatNumberProblem(text);
    if (message) addIssue({ code: 'custom', message });
  }),
  orderNumber: optionalLine('Your order number', 40),
});
/** Null if all fields are empty. */
export const Business = BusinessFields.nullish().transform((typed) => (typed && Object.values(typed).some(Boolean) ? typed : null));

/** The order creation payload (specification §3). The four price fields are ignored: the server prices every line. */
export const CreateOrderBody = z
  .object({
    orderItems: CartLines,
    shippingAddress: ShippingAddress,
    phone: requiredLine('Phone number', 30),
    paymentMethod: oneLine('Payment method', 60).default('Cash on Delivery'),
    orderPaymentID: oneLine('Payment ID', 200).nullish(),
    /** For questions about this order; mails go to the account's address only. */
    email: z.union([z.literal(''), z.email('Email is invalid').max(254, 'Email is invalid')], 'Email is invalid').nullish(),
    fullName: oneLine('Full name', 200).nullish(),
    shippingMethod: ShippingChoice,
    deliveryNote: DeliveryNote.nullish(),
    deliveryDay: DeliveryDay,
    business: Business,
    discount: SeenDiscount.nullish(),
    /** The price of delivery that the customer was shown, in pence. The order is refused if it is more by now. */
    deliveryPrice: z.number('The price of delivery must be a number of pence.').int().min(0).nullish(),
    itemsPrice: unused,
    taxPrice: unused,
    shippingPrice: unused,
    totalPrice: unused,
  })
  .refine(({ paymentMethod, orderPaymentID }) => paymentMethod !== PAYMENT_METHOD.online || Boolean(orderPaymentID), {
    path: ['orderPaymentID'],
    error: 'Payment ID is required for online payments',
    // Checked also while other fields are wrong, so that a form names all of them at once.
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

export const OrderItem = z.object({
  _id: z.string(),
  name: z.string(),
  image: z.string(),
  qty: z.int(),
  price: z.int(),
  /** Discount on the whole line, in pence. */
  discount: z.int(),
  size: z.string().nullable(),
  color: z.string().nullable(),
  /** Such as `Oatmeal`. */
  colourName: z.string().nullable(),
  /** The product has colours, and none was chosen. */
  isColourOpen: z.boolean(),
  /** The shop's own number of the piece, as it is today; empty without one. */
  sku: z.string(),
  /** Cancelled before dispatch. */
  cancelledQty: z.int(),
  /** Came back and were restocked. */
  returnedQty: z.int(),
  /** Came back and cannot be sold again. */
  spoiledQty: z.int(),
  /** Pieces whose price was refunded, or is not owed any more. */
  refundedQty: z.int(),
  /** Refunded for pieces of the line at less than their price, in pence: taken off the last of them that leave. */
  partialRefund: z.int(),
});

const orderFields = {
  _id: z.string(),
  /** Human-readable, such as K7MX-4QPD. */
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
  business: BusinessBuyer.nullable(),
  subTotalPrice: z.int(),
  /** Discount on the subtotal in pence: the sum of the lines' discounts. */
  discount: z.int(),
  /** The promotions that were applied. */
  discounts: z.array(AppliedPromotion),
  shippingPrice: z.int(),
  /** The part of it that a correction has taken off. */
  deliveryOff: z.int(),
  taxPrice: z.int(),
  totalPrice: z.int(),
  shippingMethod: z.string(),
  /** The customer's words for the driver; may be empty. */
  deliveryNote: z.string(),
  /** What the method was called when the order was placed. */
  shippingLabel: z.string(),
  /** The promised days; null while the shop is closed for too long. */
  deliveryWindow: DeliveryWindow.nullable(),
  /** The window is the one day that the customer has chosen. */
  isDayChosen: z.boolean(),
  paymentMethod: z.string(),
  orderPaymentID: z.string().nullable(),
  isPaid: z.boolean(),
  paidAt: z.string().nullable(),
  status: z.enum(SEEN_STATUSES),
  dispatchedAt: z.string().nullable(),
  isDelivered: z.boolean(),
  deliveredAt: z.string().nullable(),
  /** The payment could not become an order and is refunded. */
  isRefunded: z.boolean(),
  /** The price of what was cancelled before it was paid, and so is no longer owed. */
  waivedPrice: z.int(),
  /** The part of it that staff wrote off. */
  writtenOffPrice: z.int(),
  /** Refunds, done and pending. */
  refundedPrice: z.int(),
  /** A large first order of an account, which an administrator must approve before it is packed. */
  awaitsApproval: z.boolean(),
  /** Still to be paid, such as in cash on delivery. */
  amountDue: z.int(),
  /** A refund is outstanding: the provider has not confirmed it, or a person has to make it. */
  isRefundDue: z.boolean(),
};

/** One entry of an order's history. */
export const OrderEvent = z.object({
  at: z.string(),
  kind: z.enum(EVENTS),
  actor: z.string(),
  detail: z.string(),
});

const RESTOCKED_OR_NOT = 'isRestocked must be true or false';
const PAID_BACK_WAYS = Object.keys(PAID_BACK_BY) as [PaidBackBy, ...PaidBackBy[]];

/** A refund. Only administrators see its actor and failure. */
export const Refund = z.object({
  _id: z.string(),
  createdAt: z.string(),
  amount: z.int(),
  reason: z.string(),
  detail: z.string(),
  actor: z.string(),
  isByHand: z.boolean(),
  /** Null until it was paid back by hand. */
  paidBackBy: z.enum(PAID_BACK_WAYS).nullable(),
  status: z.enum(REFUND_STATES),
  /** Pending, and its job has given up after days of failures: a person must retry it. */
  isStuck: z.boolean(),
  failure: z.string(),
  /** The part of a failed refund that can be paid now, by trying it again or by hand. */
  openPrice: z.int(),
});

/** Money that came in besides what was due. Customers see no actor, and only what is to be paid back or was. */
export const Overpayment = z.object({
  _id: z.string(),
  receivedAt: z.string(),
  amount: z.int(),
  /** `card`: a payment that came too late or twice and was not kept, whose refund the bank has returned. */
  receivedBy: z.enum([...PAID_BACK_WAYS, 'card']),
  actor: z.string(),
  /** Recorded with the order's own payment, and undone with it. */
  isWithPayment: z.boolean(),
  status: z.enum(OVERPAYMENT_STATES),
  /** Null until it was paid back. */
  paidBackBy: z.enum(PAID_BACK_WAYS).nullable(),
});

export const OrderSummary = z.object({ ...orderFields, user: z.string().nullable(), userName: z.string(), userEmail: z.string() });
export const Order = z.object({
  ...orderFields,
  user: z.object({ _id: z.string().nullable(), name: z.string(), email: z.string() }),
  /** A change of its pieces that waits for the customer to pay the difference. */
  correction: z
    .object({
      difference: z.int(),
      takenOff: z.string(),
      added: z.string(),
      /** ISO. */
      payUntil: z.string(),
    })
    .nullable(),
  /** For an order by phone: until when (ISO) it must be paid by card, or else it is cancelled, unless it has left by then. */
  payUntil: z.string().nullable(),
  /** The number of changes to it. A correction names the revision that was shown. */
  revision: z.int(),
  /** For administrators; empty for its customer. */
  events: z.array(OrderEvent),
  refunds: z.array(Refund),
  /** Oldest first. The order's own sums leave them out. */
  overpayments: z.array(Overpayment),
  /** Oldest first. */
  parcels: z.array(Parcel),
  /** What is due in cash on delivery and no driver of a parcel that has left collects, in pence. Below 0 if the drivers collect more than is due. */
  uncollected: z.int(),
  /** What to record as received, in pence: what is due or, if it is more, what the drivers of a cash order were to collect. */
  toReceive: z.int(),
  /** How staff recorded its payment; null for any other payment, and for records from before this was stored. */
  receivedBy: z.enum(PAID_BACK_WAYS).nullable(),
  /** The invoice and its credit notes, oldest first. */
  invoices: z.array(InvoiceSummary),
  returns: z.array(Return),
  /** The positions of the lines that two people carry; empty before delivery. */
  carriedByTwo: z.array(z.int()),
  /** The last day to request a return; null before delivery. */
  returnUntil: z.string().nullable(),
  /** The steps that the reader can take now. */
  can: z.array(z.enum(STEP_NAMES)),
  /** The reader is its customer and can request a return now. */
  isReturnable: z.boolean(),
  /** The reader is its customer and can cancel it, or lines of it, now. */
  isCancellable: z.boolean(),
  /** The reader is an administrator and can cancel it now. */
  isCancellableByShop: z.boolean(),
  /** The largest refund that can still be made. */
  refundable: z.int(),
  /** What is to be paid back now for what was cancelled or came back: not while a bank holds it, nor once a bank has given it back. */
  owedPrice: z.int(),
  /** The part of the payment that is disputed at the bank, or was lost there, and is not counted for pieces that were cancelled or came back. */
  heldPrice: z.int(),
  /** What was written off of the price, and is not counted for pieces that were cancelled or came back: it comes off what the next ones bring back. */
  writtenOff: z.int(),
  /** The part of the payment for cancelled and returned pieces that is not owed: staff kept it, a bank holds it, or a bank has given it back. */
  keptPrice: z.int(),
});

export const ListMyOrdersQuery = z.object({ pageNumber: PageNumber });
export const ListOrdersQuery = z.object({
  pageNumber: PageNumber,
  search: searchText,
  user: optionalText,
  /** The id of a queue; any other text means all orders. */
  queue: optionalText,
  /** A tag of the order or its customer. */
  tag: optionalText,
  /** `true` or `false`, as for `delivered`; any other text means both. */
  paid: optionalText,
  delivered: optionalText,
  from: optionalText,
  to: optionalText,
  sortBy: oneOf(['newest', 'oldest', 'total']),
});
export const OrderList = z.object({
  orders: z.array(OrderSummary),
  ...paging,
  /** There are more orders than `total`, at which the list ends. */
  isCut: z.boolean(),
});
/** The list for staff, with their tags of each order and its customer. */
export const OfficeOrderList = OrderList.extend({
  orders: z.array(OrderSummary.extend({ tags: z.array(z.string()), customerTags: z.array(z.string()) })),
});
/** The order that was placed with an `Idempotency-Key`, if any. */
export const Attempt = z.object({ order: Order.nullable() });
export const DeliveryNoteBody = z.object({ deliveryNote: DeliveryNote });
const Day = calendarDay('Enter a day.');
export const DeliveryDetailsBody = z.object({
  revision: Revision,
  fullName: oneLine('Full name', 200),
  phone: requiredLine('Phone number', 30),
  shippingAddress: ShippingAddress,
  /** The agreed days. Left out, the order keeps its window. */
  deliveryWindow: z
    .object({ from: Day, to: Day })
    .refine(({ from, to }) => from <= to, { path: ['to'], error: 'The last day is before the first.' })
    .nullish(),
});
export const Size = z.string('The size must be text.').max(60, 'We do not recognise this size.').nullish();
export const Colour = z.string('The colour must be text.').max(60, 'We do not recognise this colour.').nullish();
export const Quantity = z.int('The quantity must be a whole number.').max(MAX_QUANTITY, MAX_QUANTITY_TEXT);
/** How many pieces of each line are wanted, of those that have not left. Lines that are not named stay. */
export const CorrectionBody = z.object({
  revision: Revision,
  lines: z
    .array(
      z.object({
        line: LinePosition,
        qty: Quantity.min(0, 'The quantity cannot be below 0.'),
        /** The line's own by default, or if it is null. */
        size: Size,
        /** The line's own by default; null for no colour. */
        color: Colour,
        /** The price of further pieces of the line: as ordered, or today's. */
        price: z.enum(['then', 'now'], 'Choose then or now for the price.').default('then'),
      }),
      'The lines must be a list.',
    )
    .max(MAX_LINES, TOO_MANY_LINES)
    .default([]),
  /** Pieces at today's price. */
  added: z
    .array(
      z.object({ product: Id, size: Size, color: Colour, qty: Quantity.min(1, 'The quantity must be at least 1.') }),
      'What is added must be a list.',
    )
    .max(MAX_LINES, TOO_MANY_LINES)
    .default([]),
  /** The pieces that are taken off can be sold again. */
  isRestocked: z.boolean(RESTOCKED_OR_NOT).default(true),
  /** The difference in pence that was shown. Without it the answer only reports the difference. */
  expected: z.int('The difference must be whole pence.').nullish(),
});
/** The price difference of a correction, with the order once it is made. */
export const Correction = z.object({
  /** Pence more to pay; below 0 for a lower price, which is refunded if the order is paid. */
  difference: z.int(),
  /** The part of the difference by which delivery becomes cheaper, in pence. */
  deliveryOff: z.int(),
  /** The customer gets a link to pay the difference by card. The order changes once it is paid. */
  isToBePaid: z.boolean(),
  /** In words: `1 × Oslo Sofa (Two-seat)`; may be empty. */
  takenOff: z.string(),
  added: z.string(),
  order: Order.nullable(),
});
export const DeliverBody = z.object({ isDelivered: z.boolean('isDelivered must be true or false') });
/** A stage of an order before its delivery. */
export const StageBody = z.object({
  stage: z.enum(STAGES, `Choose ${STAGES.join(', ').replace(/, (?=[^,]*$)/, ' or ')}.`),
  /** The parcel that was not dispatched after all, or could not be delivered; all by default. */
  parcel: Id.nullish(),
});
const LinePositions = z
  .array(LinePosition, 'Choose lines of the order.')
  .min(1, 'Choose at least one line.')
  .max(MAX_LINES, TOO_MANY_LINES);
const CHOOSE_REASON = 'Choose a reason.';
/** Without lines, the whole order is cancelled. */
export const CancelOwnBody = z.object({
  lines: LinePositions.optional(),
  pieces: z.never('Customers cancel whole lines. To keep some pieces of a line, please contact us.').optional(),
  reason: z.enum(CUSTOMER_REASONS, CHOOSE_REASON),
});
/** Without lines and pieces, the whole order is cancelled. */
export const CancelBody = z.object({
  lines: LinePositions.optional(),
  /** Pieces of lines, instead of whole lines. */
  pieces: Pieces.min(1, 'Choose at least one piece.').optional(),
  reason: z.enum(Object.keys(CANCEL_REASONS) as [CancelReason, ...CancelReason[]], CHOOSE_REASON),
  /** The pieces can be sold again. By default they can, unless the reason says that they are missing or damaged. */
  isRestocked: z.boolean(RESTOCKED_OR_NOT).optional(),
  revision: SeenRevision,
  refundable: SeenRefundable,
});

const anyPence = z
  .number('The amount must be a number of pence.')
  .int('The amount must be whole pence.')
  .max(MAX_PRICE * MAX_QUANTITY, 'The amount is too large.');
const wholePence = anyPence.min(1, 'The amount must be at least £0.01.');
/** An amount, or pieces at their price. */
const PaidBack = z.enum(PAID_BACK_WAYS, 'Choose how you pay it back.');

export const RefundBody = z.object({
  amount: wholePence.nullish(),
  lines: Pieces.nullish(),
  reason: z.enum(REFUND_REASONS, CHOOSE_REASON),
  /** The pieces are back and can be sold again. */
  isRestocked: z.boolean(RESTOCKED_OR_NOT).default(false),
  /** How it was paid back, if the provider does not refund it. */
  paidBackBy: PaidBack.optional(),
  revision: SeenRevision,
  refundable: SeenRefundable,
});
const CHOOSE_WAY = 'Choose how it was paid.';
/** What the page showed of a failed refund; 409 if another sum can be paid by now. */
const SeenOpenPrice = z.int().optional();
export const RetryBody = z.object({ openPrice: SeenOpenPrice });
export const SettleBody = z.object({ paidBackBy: PaidBack, openPrice: SeenOpenPrice });
export const PaidBackBody = z.object({ paidBackBy: PaidBack });
/** What came in besides what is due, in pence. */
export const OverpaymentBody = z.object({ amount: wholePence, receivedBy: z.enum(PAID_BACK_WAYS, CHOOSE_WAY), revision: SeenRevision });
export const NotCollectedBody = z.object({ revision: SeenRevision });
export const CashBody = z.object({
  isPaid: z.boolean('isPaid must be true or false'),
  /** What came in, in pence. Left out, what is due. What is above the sum due has to be paid back. Less is enough, or 0, if the rest came in before. */
  amount: anyPence.min(0, 'The amount must be at least £0.00.').optional(),
  /** How it was paid. Left out, cash on delivery is paid in cash, anything else by transfer. Only cash goes into the cash box. */
  receivedBy: z.enum(PAID_BACK_WAYS, CHOOSE_WAY).optional(),
  revision: SeenRevision,
});

/** Gives up what is still due for a delivered order, or an amount of it in pence. */
export const WriteOffBody = z.object({
  amount: wholePence.optional(),
  reason: z.enum(WRITE_OFF_REASONS, CHOOSE_REASON),
  revision: SeenRevision,
});

/** What the payer has typed at the checkout so far, to fill in the provider's page. It may be unfinished, and never stops a payment. */
const TypedPayer = z
  .object({
    fullName: optionalLine('Full name', 200),
    phone: optionalLine('Phone number', 30),
    shippingAddress: z.object({
      line1: optionalLine('Address line 1', 200),
      line2: optionalLine('Address line 2', 200),
      city: optionalLine('City', 100),
      state: optionalLine('State', 100),
      postalCode: optionalLine('ZIP code', 20),
      country: optionalLine('Country', 100),
    }),
  })
  .nullish()
  .catch(null);

/** The body of a card checkout. `customerID` is ignored: the session says who pays. */
export const CheckoutSessionBody = z.object({
  orderItems: CartLines,
  customerID: unused,
  shippingMethod: ShippingChoice,
  postcode: DeliveryQuery.shape.postcode,
  deliveryDay: DeliveryDay,
  business: Business,
  payer: TypedPayer,
  discount: SeenDiscount.nullish(),
});
/** The provider's page for the difference of a correction, or for an order by phone. */
export const PaymentPage = z.object({ url: z.string() });
/** What an emailed payment link asks for. */
export const PaymentLink = z.object({
  reference: z.string(),
  amount: z.int().describe('In pence'),
  pieces: z.string().describe('What is paid for, in words'),
  payUntil: z.string(),
  isWhole: z.boolean().describe('The whole order, and not the difference of a correction'),
  isSent: z.boolean().describe('The order has left before it was paid'),
  state: z.enum(['open', 'paid', 'ended']),
});
/** The provider's page, and the id of the order once it is paid. */
export const CheckoutSession = z.object({ url: z.string(), orderId: z.string() });
/** The state of a card payment, with its order once it is placed. */
export const Payment = z.object({ state: z.enum(['waiting', 'settled', 'refunded', 'ended']), order: Order.nullable() });
/** The token of a checkout's cancel link. */
export const LeaveCheckoutBody = z.object({ mark: z.string('The mark must be text.').max(200, 'The mark is too long.') });

/** Checks the lines of a cart when its page opens. */
export const CheckCartBody = z.object({
  orderItems: z.array(CartLine, 'The lines of the cart are missing.').max(MAX_LINES, TOO_MANY_LINES),
});
/** A cart and a code, to compute their discount. */
export const CartDiscountBody = z.object({
  ...CheckCartBody.shape,
  code: Code.nullish(),
  /** One that is not British counts as none: classic shops take five digits. */
  postcode: z
    .string('The postcode must be text.')
    .nullish()
    .transform((text) => (text && isPostcodeOrFirstHalf(text) ? text : undefined)),
});
export const CheckedLine = z.object({
  _id: z.string(),
  /** False if the product or the chosen size is no longer sold. */
  isSold: z.boolean(),
  /** The product has several sizes and the line has none. */
  needsSize: z.boolean(),
  /** The line's size, or the only one. */
  size: z.string().nullable(),
  colourName: z.string().nullable(),
  name: z.string(),
  /** The product's first picture. */
  image: z.string(),
  /** The best picture of the line's size and colour. */
  picture: z.string(),
  price: z.int(),
  /** The price before the current sale; null if it must not be shown (decision 120). */
  wasPrice: z.int().nullable(),
  /** Pieces that can be ordered now. */
  available: z.int(),
  /** The parts of one set, if the product is a set. */
  parts: z.array(z.object({ name: z.string(), qty: z.int() })),
});
export const CheckedCart = z.object({ lines: z.array(CheckedLine) });

/** The sales panel: the last 30 days, amounts in pence, days in the shop's time. */
export const Sales = z.object({
  /** All 30 days, oldest first. */
  days: z.array(z.object({ day: z.string(), orders: z.int(), revenue: z.int() })),
  /** The sums of the 30 days before. */
  before: z.object({ orders: z.int(), revenue: z.int() }),
  bestSellers: z.array(z.object({ _id: z.string(), name: z.string(), pieces: z.int(), revenue: z.int() })),
  awaitingDelivery: z.int(),
});
