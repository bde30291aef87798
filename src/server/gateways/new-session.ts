import type Stripe from 'stripe';
import type { onlineWays } from '#contract/market/payment-ways.ts';
import { cut } from '#contract/platform/text.ts';

type Way = ReturnType<typeof onlineWays>[number];

/** A payer as the shop knows them, to fill in the provider's page. */
export interface KnownPayer {
  name: string;
  /** May be empty. */
  phone: string;
  /** Undefined if unknown. */
  address?: { line1: string; line2: string; city: string; state: string; postalCode: string; country: string };
}

/** A checkout session to create; amounts in pence. */
export interface NewSession {
  orderId: string;
  /** The provider's idempotency key; the order's id by default. */
  key?: string;
  /** The shop's name and logo on the payment page; the logo is empty if it has no public URL. */
  brand: { name: string; logo: string };
  /** The order's human-readable reference. */
  reference: string;
  lines: { name: string; description: string; amount: number; quantity: number }[];
  /** Discount on the lines and its name; 0 without one. */
  discount: { amount: number; name: string };
  /** Both undefined for a page that names nobody. */
  customerEmail?: string;
  payer?: KnownPayer;
  /** Ways to pay besides cards. */
  ways: readonly Way[];
  successUrl: string;
  cancelUrl: string;
  /** ISO; 30 minutes to 24 hours from now. */
  expiresAt: string;
  /** ISO 3166 two-letter codes that customers can choose from. Empty if no address is collected. */
  countries: readonly string[];
  /** By the method's id; empty if delivery is included. The payer can choose from the first five. */
  shippingOptions: { id: string; label: string; amount: number; estimate?: { min: number; max: number; unit: 'business_day' | 'day' } }[];
}

/** The provider's names; Apple Pay and Google Pay come with cards. All of these settle at once: delayed methods would leave an order unpaid for days. */
const METHODS = { PayPal: 'paypal', Klarna: 'klarna', Clearpay: 'afterpay_clearpay' } as const;

const methodsOf = (ways: readonly Way[]) => [
  'card' as const,
  ...ways.flatMap((way) => (way === 'Apple Pay' || way === 'Google Pay' ? [] : METHODS[way])),
];

/** The provider refuses a customer whose phone number is longer. */
const LONGEST_PHONE = 20;

/** Maps a known payer to the provider's parameters of a customer. */
export function customerOf(customerEmail: string, { name, phone, address }: KnownPayer): Stripe.CustomerCreateParams {
  const contact = { name, ...(phone.length <= LONGEST_PHONE && { phone }) };
  if (!address) return { email: customerEmail, ...contact };
  const { postalCode, ...rest } = address;
  const providerAddress = { ...rest, postal_code: postalCode };
  return { email: customerEmail, ...contact, address: providerAddress, shipping: { ...contact, address: providerAddress } };
}

/** The provider's limit for the name of a coupon. */
const LONGEST_NAME = 40;

/** The provider's parameters of a coupon for one session. */
export function couponOf({ discount: { amount, name } }: NewSession): Stripe.CouponCreateParams | undefined {
  if (amount === 0) return undefined;
  return { amount_off: amount, currency: 'gbp', duration: 'once', max_redemptions: 1, name: cut(name || 'Discount', LONGEST_NAME) };
}

/** The provider refuses a session with more delivery options. */
const MOST_OPTIONS = 5;

/** The provider refuses days below 1, so the page does not say them. */
function estimateOf({ min, max, unit }: { min: number; max: number; unit: 'business_day' | 'day' }) {
  const bound = (value: number) => (value < 1 ? undefined : { unit, value });
  const [minimum, maximum] = [bound(min), bound(max)];
  return maximum && { delivery_estimate: { ...(minimum && { minimum }), maximum } };
}

/** Maps a new session to the provider's parameters, with the provider's ids of its known payer and of its discount. */
export function parametersOf(
  session: NewSession,
  { customer, coupon }: { customer: string | undefined; coupon: string | undefined },
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    branding_settings: {
      display_name: session.brand.name,
      ...(session.brand.logo && { logo: { type: 'url', url: session.brand.logo } }),
    },
    allowed_payment_method_types: methodsOf(session.ways),
    client_reference_id: session.orderId,
    metadata: { orderId: session.orderId, reference: session.reference },
    payment_intent_data: { description: `Order ${session.reference}` },
    ...(customer ? { customer } : session.customerEmail && { customer_email: session.customerEmail }),
    ...(coupon && { discounts: [{ coupon }] }),
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    expires_at: Math.floor(Date.parse(session.expiresAt) / 1000),
    ...(session.countries.length > 0 && {
      phone_number_collection: { enabled: true },
      shipping_address_collection: {
        allowed_countries: [...session.countries] as Stripe.Checkout.SessionCreateParams.ShippingAddressCollection.AllowedCountry[],
      },
    }),
    line_items: session.lines.map(({ name, description, amount, quantity }) => ({
      quantity,
      price_data: { currency: 'gbp', unit_amount: amount, product_data: { name, ...(description && { description }) } },
    })),
    shipping_options: session.shippingOptions.slice(0, MOST_OPTIONS).map(({ id, label, amount, estimate }) => ({
      shipping_rate_data: {
        type: 'fixed_amount',
        display_name: label,
        fixed_amount: { amount, currency: 'gbp' },
        ...(estimate && estimateOf(estimate)),
        metadata: { method: id },
      },
    })),
  };
}
