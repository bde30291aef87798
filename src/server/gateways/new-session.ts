import type Stripe from 'stripe';

/** What the shop asks the provider to sell; amounts in pence. */
export interface NewSession {
  orderId: string;
  /** What people call the order. */
  reference: string;
  lines: { name: string; description: string; amount: number; quantity: number }[];
  customerEmail: string;
  successUrl: string;
  cancelUrl: string;
  /** ISO; between 30 minutes and 24 hours from now. */
  expiresAt: string;
  /** Two-letter codes of the countries that can be chosen. */
  countries: readonly string[];
  /** Empty where delivery is included. */
  shippingOptions: { label: string; amount: number; minDays: number; maxDays: number; unit: 'business_day' | 'day' }[];
}

/** A new session in the provider's words. */
export function parametersOf(session: NewSession): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    // Paid at once or not at all: no payment that is promised today and arrives next week.
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
