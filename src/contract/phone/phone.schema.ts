import { z } from 'zod';
import { DeliveryWindow } from '#contract/delivery/delivery.schema.ts';
import { pounds } from '#contract/market/money.ts';
import {
  Colour,
  DeliveryDay,
  DeliveryNote,
  optionalLine,
  Quantity,
  ShippingAddress,
  ShippingChoice,
  Size,
} from '#contract/orders/orders.schema.ts';
import { TOO_MANY_LINES } from '#contract/orders/pieces.schema.ts';
import { MAX_LINES, MAX_PRICE } from '#contract/platform/limits.ts';
import { Id } from '#contract/platform/lists.schema.ts';
import { requiredLine } from '#contract/platform/text.schema.ts';
import { AppliedPromotion, Code } from '#contract/promotions/cart-discount.schema.ts';

/** Pieces of a product, at today's price or at one that staff have agreed. */
const PhoneLine = z.object({
  product: Id,
  size: Size,
  color: Colour,
  qty: Quantity.min(1, 'The quantity must be at least 1.'),
  agreed: z
    .object({
      price: z
        .int('Enter the price in pounds, such as 49.99.')
        .min(1, 'The price must be at least £0.01.')
        .max(MAX_PRICE, `The price can be at most ${pounds(MAX_PRICE)}.`)
        .describe('In pence, of one piece'),
      reason: requiredLine('The reason for the price', 200),
    })
    .nullish(),
});

const Email = z.email('Email is invalid').max(254, 'Email is invalid');
const orderParts = {
  lines: z.array(PhoneLine, 'The pieces must be a list.').max(MAX_LINES, TOO_MANY_LINES).min(1, 'Add a product first.'),
  code: Code.nullish(),
  shippingMethod: ShippingChoice,
  deliveryDay: DeliveryDay,
};

/** What is known while the customer is still on the phone. */
export const PhoneQuoteBody = z.object({
  ...orderParts,
  email: z.union([z.literal(''), Email], 'Email is invalid').nullish(),
  postalCode: optionalLine('ZIP code', 20),
  country: optionalLine('Country', 100),
});

export const PhoneOrderBody = z.object({
  ...orderParts,
  email: z.string('Email is required').trim().min(1, 'Email is required').pipe(Email),
  fullName: requiredLine('Full name', 100),
  phone: requiredLine('Phone number', 30),
  shippingAddress: ShippingAddress,
  deliveryNote: DeliveryNote.nullish(),
  payment: z.enum(['cash', 'link'], 'Choose cash or a payment link.'),
  expected: z.int('The total must be whole pence.').describe('The total that was quoted'),
});

/** What an order by phone comes to now, in pence. */
export const PhoneQuote = z.object({
  customer: z
    .object({
      _id: z.string(),
      name: z.string(),
      orderCount: z.int(),
      trust: z
        .enum(['confirmed', 'used', 'none'])
        .describe(
          'Whether its address is confirmed, or something was paid or delivered with it, or neither. In the last case the order ends its password and sessions',
        ),
    })
    .nullable()
    .describe('The account of the email address; null if it has none'),
  lines: z.array(
    z.object({
      name: z.string(),
      price: z.int(),
      usualPrice: z.int().describe('Without the agreed price'),
      qty: z.int(),
      discount: z.int(),
    }),
  ),
  subTotalPrice: z.int(),
  discount: z.int(),
  discounts: z.array(AppliedPromotion),
  shippingMethod: z.string(),
  shippingPrice: z.int(),
  totalPrice: z.int(),
  methods: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      price: z.int(),
      window: DeliveryWindow.nullable(),
      days: z.array(z.string()).describe('That can be chosen'),
    }),
  ),
});
