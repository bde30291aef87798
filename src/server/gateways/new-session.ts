import type Stripe from 'stripe';

/** A checkout session to create; amounts in pence. */
export interface NewSession {
  orderId: string;
  /** The order's human-readable reference. */
  reference: string;
  lines: { name: string; description: string; amount: number; quantity: number }[];
  customerEmail: string;
  successUrl: string;
  cancelUrl: string;
  /** ISO; 30 minutes to 24 hours from now. */
  expiresAt: string;
  /** ISO 3166 two-letter codes that customers can choose from. */
  countries: readonly string[];
  /** Empty if delivery is included. */
  shippingOptions: { label: string; amount: number; minDays: number; maxDays: number; unit: 'business_day' | 'day' }[];
}

/** Maps a new session to the provider's parameters. */
export function parametersOf(session: NewSession): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    // Cards settle at once. Delayed methods would leave an order unpaid for days.
    allowed_payment_method_types: ['card'],
    client_reference_id: session.orderId,
    metadata: { orderId: session.orderId, reference: session.reference },
    payment_intent_data: { description: `Order ${session.reference}` },
    customer_email: session.customerEmail,
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    expires_at: Math.floor(Date.parse(session.expiresAt) / 1000),
    phone_number_collection: { enabled: true },
    shipping_address_collection: {
      allowed_countries: [...session.countries] as Stripe.Checkout.SessionCreateParams.ShippingAddressCollection.AllowedCountry[],
    },
    line_items: session.lines.map(({ name, description, amount, quantity }) => ({
      quantity,
      price_data: { currency: 'gbp', unit_amount: amount, product_data: { name, ...(description && { description }) } },
    })),
    shipping_options: session.shippingOptions.map(({ label, amount, minDays, maxDays, unit }) => ({
      shipping_rate_data: {
        type: 'fixed_amount',
        display_name: label,
        fixed_amount: { amount, currency: 'gbp' },
        delivery_estimate: { minimum: { unit, value: minDays }, maximum: { unit, value: maxDays } },
      },
    })),
  };
}
