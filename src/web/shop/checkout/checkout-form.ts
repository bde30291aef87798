import { addressRulesOf } from '#contract/market/address-rules.ts';
import { COUNTRY_NAMES } from '#contract/market/countries.ts';
import type { Market } from '#contract/market/market.ts';
import { type CreateOrderInput, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { businessBuyer } from '#web/browser/business.ts';
import { cartDiscount } from '#web/browser/cart-discount.ts';
import type { CartItem } from '#web/state/cart.slice.ts';

/** The form's fields (specification §3). */
export interface CheckoutFields {
  email: string;
  fullName: string;
  phone: string;
  address1: string;
  address2: string;
  city: string;
  state: string;
  zip: string;
  country: string;
  deliveryNote: string;
  paymentId: string;
  paymentMethod: string;
}

/** The payment id of cash on delivery (specification §3, clarification 11). */
const CASH_ID = 'COD';

export function emptyFields(market: Market): CheckoutFields {
  return {
    email: '',
    fullName: '',
    phone: '',
    address1: '',
    address2: '',
    city: '',
    state: '',
    country: market.defaultCountry,
    zip: '',
    deliveryNote: '',
    paymentId: CASH_ID,
    paymentMethod: PAYMENT_METHOD.cash,
  };
}

/**
 * The form's values; later sources win. A country or payment method of a draft that cannot be chosen gives way to the default, since what is
 * shown is sent. "COD" belongs to cash: an online payment starts without an id.
 */
export function filledFields(market: Market, ...sources: Partial<CheckoutFields>[]): CheckoutFields {
  const start = emptyFields(market);
  // Only text fields: storage may hold anything.
  const texts = sources.flatMap(Object.entries).filter(([name, value]) => Object.hasOwn(start, name) && typeof value === 'string');
  const fields: CheckoutFields = { ...start, ...Object.fromEntries(texts) };
  const countries = market.countries ?? COUNTRY_NAMES;
  const isCash = fields.paymentMethod !== PAYMENT_METHOD.online;
  return {
    ...fields,
    country: countries.includes(fields.country) ? fields.country : market.defaultCountry,
    paymentMethod: isCash ? PAYMENT_METHOD.cash : PAYMENT_METHOD.online,
    paymentId: isCash ? CASH_ID : fields.paymentId === CASH_ID ? '' : fields.paymentId,
  };
}

/** The order payload (specification §3). The server ignores the four price fields. */
export function payloadOf(fields: CheckoutFields, items: CartItem[], sum: number, shippingMethod: string, day?: string): CreateOrderInput {
  const { address1, address2, city, state, zip, country, deliveryNote, phone, paymentMethod, paymentId, email, fullName } = fields;
  return {
    orderItems: items,
    shippingAddress: { line1: address1, line2: address2, city, state, postalCode: zip, country },
    phone,
    paymentMethod,
    orderPaymentID: paymentId,
    email,
    fullName,
    shippingMethod,
    deliveryNote,
    deliveryDay: day,
    business: businessBuyer(),
    discount: cartDiscount.read(),
    itemsPrice: sum,
    taxPrice: sum,
    shippingPrice: sum,
    totalPrice: sum,
  };
}

/** What identifies an attempt to order. A change of it makes another attempt; a product's new name or picture, or another price of delivery, does not. */
export function attemptOf({ orderItems, discount, deliveryPrice: _, ...others }: CreateOrderInput): object {
  const lines = orderItems.map(({ _id, qty, price, size, color }) => ({ _id, qty, price, size, color }));
  return { lines, ...others, code: discount?.code || undefined };
}

/** Form fields by their paths in the payload. */
export const FIELD_NAMES = {
  'shippingAddress.line1': 'address1',
  'shippingAddress.line2': 'address2',
  'shippingAddress.city': 'city',
  'shippingAddress.state': 'state',
  'shippingAddress.postalCode': 'zip',
  'shippingAddress.country': 'country',
  orderPaymentID: 'paymentId',
} as const;

const required = (what: string, value: string) => value.trim() === '' && `${what} is required`;

/** The market's rules, and fields that the API leaves optional (specification §5). */
export const checkCheckout =
  (market: Market) =>
  ({ email, fullName, phone, state, zip, country }: CheckoutFields) => ({
    email: required('Email', email),
    fullName: required('Full name', fullName),
    phone: addressRulesOf(market).phoneProblem(phone),
    state: addressRulesOf(market).needsState(country) && required(market.labels.state, state),
    zip: addressRulesOf(market).postalCodeProblem(zip, country),
  });
