import { randomBytes } from 'node:crypto';
import { listAt, textAt, type Value } from './form.ts';
import type { Entered } from './hosted-page.ts';
import type { Coupon, Customer, LineItem, Session } from './ledger.ts';
import { totalOf } from './objects.ts';

/** An error in the provider's format. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | undefined;
  constructor(status: number, message: string, type = 'invalid_request_error', code?: string) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
  }
}

/** Unix time. */
export const nowInSeconds = () => Math.floor(Date.now() / 1000);
/** A new id such as `cs_test_…`. */
export const newId = (prefix: string) => `${prefix}_${randomBytes(18).toString('base64url').replace(/[-_]/g, 'x')}`;
/** The session after payment with the hosted page's form. */
export function paidSession(session: Session, entered: Entered): Session {
  const { name = '', email = '', phone = '', line1 = '', line2 = '', city = '', state = '', postal_code = '', country = '' } = entered;
  const shippingIndex = session.shipping[Number(entered.shipping ?? 0)] ? Number(entered.shipping ?? 0) : 0;
  const shippingAmount = session.shipping[shippingIndex]?.amount ?? 0;
  const address = {
    line1,
    line2,
    city,
    state,
    postal_code,
    country: session.countries.includes(country) ? country : (session.countries[0] ?? 'GB'),
  };
  return {
    ...session,
    status: 'complete',
    paymentIntent: newId('pi'),
    paidAt: nowInSeconds(),
    payer: { name, email, phone, address, shippingAmount, shippingIndex },
  };
}

/** The shop's URL after payment. */
export function successUrl(session: Session): string {
  return session.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

function readLines(form: { [name: string]: Value }): Session['lines'] {
  const lines = listAt(form, 'line_items').map((line) => ({
    name: textAt(line, 'price_data', 'product_data', 'name'),
    description: textAt(line, 'price_data', 'product_data', 'description'),
    amount: Number(textAt(line, 'price_data', 'unit_amount')),
    quantity: Number(textAt(line, 'quantity') || 1),
  }));
  const isValid = ({ name, amount, quantity }: LineItem) =>
    name !== '' && Number.isInteger(amount) && amount >= 0 && Number.isInteger(quantity) && quantity >= 1;
  if (lines.length === 0 || !lines.every(isValid))
    throw new ApiError(400, 'Invalid line_items: each needs a name, a unit_amount in pence and a quantity.');
  if (lines.length > 100) throw new ApiError(400, 'Invalid line_items: at most 100 are allowed.');
  return lines;
}

function readMetadata(form: Value): Record<string, string> {
  const metadata = typeof form === 'object' ? form.metadata : undefined;
  return typeof metadata === 'object' ? Object.fromEntries(Object.keys(metadata).map((name) => [name, textAt(metadata, name)])) : {};
}

function readShippingOptions(form: { [name: string]: Value }): Session['shipping'] {
  const options = listAt(form, 'shipping_options').flatMap((option) =>
    typeof option === 'object' && option.shipping_rate_data ? option.shipping_rate_data : [],
  );
  if (options.length > 5) throw new ApiError(400, 'Invalid shipping_options: at most 5 are allowed.');
  const days = options.flatMap((rate) => ['minimum', 'maximum'].map((bound) => textAt(rate, 'delivery_estimate', bound, 'value')));
  if (days.some((value) => value !== '' && !/^[1-9]\d*$/.test(value)))
    throw new ApiError(400, 'Invalid delivery_estimate: a value must be greater than 0.');
  return options.map((rate) => ({
    label: textAt(rate, 'display_name'),
    amount: Number(textAt(rate, 'fixed_amount', 'amount')),
    metadata: readMetadata(rate),
  }));
}

/** Validates the parameters of a new customer. Throws an ApiError 400. */
export function readCustomer(form: { [name: string]: Value }): Customer {
  const [email, phone, name] = [textAt(form, 'email'), textAt(form, 'phone'), textAt(form, 'name')];
  if (phone.length > 20) throw new ApiError(400, 'Invalid phone: must be at most 20 characters');
  const address = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'];
  const entries = address.map((part) => [part, textAt(form, 'shipping', 'address', part)]);
  return { id: newId('cus'), fields: { email, phone, name, ...Object.fromEntries(entries) } };
}

/** Validates the parameters of a new coupon. Throws an ApiError 400. */
export function readCoupon(form: { [name: string]: Value }): Coupon {
  const [amount, name] = [Number(textAt(form, 'amount_off')), textAt(form, 'name')];
  if (!Number.isInteger(amount) || amount < 1) throw new ApiError(400, 'Invalid amount_off: must be at least 1.');
  if (textAt(form, 'currency') !== 'gbp') throw new ApiError(400, 'Missing required param: currency.');
  if (name.length > 40) throw new ApiError(400, 'Invalid name: must be at most 40 characters');
  return { id: newId('coupon'), name, amount };
}

/** The objects that a new session can name. */
interface NamedObjects {
  customers: ReadonlyMap<string, Customer>;
  coupons: ReadonlyMap<string, Coupon>;
}

/** Validates the parameters of a new session. Throws an ApiError 400. */
export function readSession(form: { [name: string]: Value }, { customers, coupons }: NamedObjects): Session {
  const now = nowInSeconds();
  const customerId = textAt(form, 'customer');
  const customer = customers.get(customerId);
  if (customerId && !customer) throw new ApiError(400, `No such customer: '${customerId}'`);
  const couponId = textAt(form, 'discounts', '0', 'coupon');
  const coupon = coupons.get(couponId);
  if (couponId && !coupon) throw new ApiError(400, `No such coupon: '${couponId}'`);
  const expiresAt = Number(textAt(form, 'expires_at') || now + 86_400);
  // Ten seconds of tolerance for clocks and the way of the request.
  if (expiresAt < now + 1_790 || expiresAt > now + 86_410)
    throw new ApiError(400, 'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.');
  if (textAt(form, 'mode') !== 'payment') throw new ApiError(400, 'Invalid mode: must be payment.');
  if (!textAt(form, 'success_url')) throw new ApiError(400, 'Missing required param: success_url.');
  const countries = listAt(form, 'shipping_address_collection', 'allowed_countries').filter((code) => typeof code === 'string');
  const session: Session = {
    id: newId('cs_test'),
    status: 'open',
    created: now,
    expiresAt,
    reference: textAt(form, 'client_reference_id'),
    metadata: readMetadata(form),
    currency: textAt(form, 'line_items', '0', 'price_data', 'currency') || 'gbp',
    lines: readLines(form),
    shipping: readShippingOptions(form),
    countries,
    successUrl: textAt(form, 'success_url'),
    cancelUrl: textAt(form, 'cancel_url') || '/',
    email: textAt(form, 'customer_email') || customer?.fields.email || '',
    customer,
    coupon,
    methods: listAt(form, 'allowed_payment_method_types').filter((method) => typeof method === 'string'),
    brand: {
      name: textAt(form, 'branding_settings', 'display_name'),
      logo: textAt(form, 'branding_settings', 'logo', 'url'),
    },
  };
  if (totalOf(session) < 30) throw new ApiError(400, 'The Checkout Session total must be at least £0.30.');
  if (totalOf(session) > 99_999_999) throw new ApiError(400, 'The Checkout Session total must be at most £999,999.99.');
  return session;
}
