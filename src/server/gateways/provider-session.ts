import { z } from 'zod';
import { countryName } from '#contract/market/countries.ts';
import { cut } from '#contract/platform/text.ts';

declare const origin: unique symbol;

/** A checkout session at the provider; pence and ISO times. Only `readProviderSession` makes one, so the type proves its origin. */
export interface ProviderSession {
  readonly [origin]: true;
  id: string;
  orderId: string;
  /** `expired`: ended without payment. */
  status: 'open' | 'complete' | 'expired';
  isPaid: boolean;
  /** The payment to refund; null until paid. */
  paymentId: string | null;
  total: number;
  shipping: number;
  /** The id of the delivery option that the payer chose; empty if unknown, as of a page that an earlier version opened. */
  shippingMethod: string;
  currency: string;
  email: string;
  name: string;
  phone: string;
  address: { line1: string; line2: string; city: string; state: string; postalCode: string; country: string };
  createdAt: string;
}

export const ProviderId = z.string().min(1).max(255);
/** A payment by its id, or as the object that the provider puts in its place. */
export const PaymentId = z.union([ProviderId, z.object({ id: ProviderId }).transform(({ id }) => id)]);

const MAX_TEXT = 300;

/**
 * One line of payer-typed text, made well-formed by way of UTF-8: breaks and control characters, which labels and mail headers refuse, become
 * spaces. Other types become empty.
 */
const text = z
  .string()
  .transform((value) => cut(Buffer.from(value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(), 'utf8').toString('utf8'), MAX_TEXT))
  .catch('');

const Address = z.object({ line1: text, line2: text, city: text, state: text, postal_code: text, country: text });
const Contact = z.object({ name: text, email: text, phone: text, address: Address.nullable().catch(null) });
const Shipping = z.object({ name: text, address: Address.nullable().catch(null) });

/**
 * Schema of a session in the SDK's API version. Payment fields are strict; fields about the payer may be missing, since an address must not
 * lose a payment.
 */
const Session = z.object({
  object: z.literal('checkout.session'),
  id: ProviderId,
  // Seconds, up to the latest Date.
  created: z.int().min(0).max(8_640_000_000_000),
  payment_status: z.string(),
  amount_total: z.int().nullable(),
  currency: z.string().max(10).nullable(),
  // An unknown state counts as open, never as ended.
  status: z.enum(['open', 'complete', 'expired']).catch('open'),
  client_reference_id: text,
  metadata: z.object({ orderId: text }).catch({ orderId: '' }),
  payment_intent: PaymentId.nullish(),
  total_details: z.object({ amount_shipping: z.int() }).nullish(),
  shipping_cost: z
    .object({ shipping_rate: z.object({ metadata: z.object({ method: text }) }) })
    .nullable()
    .catch(null),
  customer_details: Contact.nullable().catch(null),
  collected_information: z
    .object({ shipping_details: Shipping.nullable().catch(null) })
    .nullable()
    .catch(null),
});

const NOWHERE = { line1: '', line2: '', city: '', state: '', postal_code: '', country: '' };

/**
 * Parses a session from the provider's response. Throws a ZodError for anything else: a proxy's error page must not pass for an unpaid
 * session.
 */
export function readProviderSession(value: unknown): ProviderSession {
  const session = Session.parse(value);
  const payer = session.customer_details;
  const shipping = session.collected_information?.shipping_details;
  const { postal_code: postalCode, country, ...address } = shipping?.address ?? payer?.address ?? NOWHERE;
  return {
    id: session.id,
    orderId: session.client_reference_id || session.metadata.orderId,
    status: session.status,
    isPaid: session.payment_status === 'paid',
    paymentId: session.payment_intent ?? null,
    total: session.amount_total ?? 0,
    shipping: session.total_details?.amount_shipping ?? 0,
    shippingMethod: session.shipping_cost?.shipping_rate.metadata.method ?? '',
    currency: session.currency ?? '',
    email: payer?.email ?? '',
    name: shipping?.name || payer?.name || '',
    phone: payer?.phone ?? '',
    address: { ...address, postalCode, country: countryName(country) },
    createdAt: new Date(session.created * 1000).toISOString(),
  } satisfies Omit<ProviderSession, typeof origin> as ProviderSession;
}
