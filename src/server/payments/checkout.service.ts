import { COUNTRY_CODES, countryCode } from '#contract/countries.ts';
import { type CheckoutSessionBody, PAYMENT_METHOD } from '#contract/orders.ts';
import { Problem } from '#contract/problem.ts';
import type { Customer } from '#server/context.ts';
import type { NewSession } from '#server/gateways/payments.ts';
import { newId } from '#server/ids.ts';
import { enqueue } from '#server/jobs/queue.ts';
import { storeOrder } from '#server/orders/place.service.ts';
import { type PricedLine, subtotalOf } from '#server/orders/pricing.ts';
import type { Services } from '#server/services.ts';
import { releaseOrder } from './settle.service.ts';

const MINUTE_MS = 60_000;
/** The provider's shortest session is 30 minutes; a minute more covers the way there. */
const SESSION_MINUTES = 31;
/** The hold outlives the session, so that nobody can pay for stock that was given back. */
const HOLD_MINUTES = 33;

const empty = { fullName: '', email: '', phone: '', line1: '', line2: '', city: '', state: '', postalCode: '', country: '' };

/** The price of the chosen way to send comes first: the provider's page preselects it. */
function shippingOptionsOf({ config }: Services, lines: PricedLine[], chosen: string): NewSession['shippingOptions'] {
  const options = config.market.shippingOptions(subtotalOf(lines));
  if (options.length === 1 && options[0].price === 0) return [];
  return [...options]
    .sort((a, b) => Number(b.id === chosen) - Number(a.id === chosen))
    .map(({ label, price, minDays, maxDays }) => ({ label, amount: price, minDays, maxDays }));
}

/**
 * Starts a card checkout: holds the stock in an order that awaits its payment, and asks the provider for a page to pay on.
 * Throws 409 like placing an order, and 502 or 503 when the provider fails; then the stock is given back at once.
 */
export async function startCheckout(services: Services, who: Customer, body: CheckoutSessionBody): Promise<{ url: string }> {
  const { db, config, payments } = services;
  const id = newId();
  const now = Date.now();
  const shippingMethod = body.shippingMethod ?? 'standard';
  const holdExpiresAt = new Date(now + HOLD_MINUTES * MINUTE_MS).toISOString();
  const lines = await db.transaction().execute(async (tx) => {
    const draft = {
      ...empty,
      id,
      status: 'awaiting_payment' as const,
      paymentMethod: PAYMENT_METHOD.card,
      orderPaymentId: null,
      shippingMethod,
      holdExpiresAt,
      idempotencyKey: null,
      payloadHash: null,
    };
    const { lines: priced } = await storeOrder(tx, who, config.market, body.orderItems, draft);
    if (subtotalOf(priced) < 30) throw new Problem(400, 'Card payment starts at £0.30.');
    await enqueue(tx, 'expireHold', { orderId: id }, { runAt: holdExpiresAt, key: `hold-${id}` });
    return priced;
  });
  try {
    const session = await payments.createSession({
      orderId: id,
      lines: lines.map(({ name, size, color, price, qty }) => ({
        name,
        description: [size, color].filter(Boolean).join(', '),
        amount: price,
        quantity: qty,
      })),
      customerEmail: who.email,
      successUrl: `${config.publicUrl}/successPayment`,
      cancelUrl: `${config.publicUrl}/cart`,
      expiresAt: new Date(now + SESSION_MINUTES * MINUTE_MS).toISOString(),
      countries: config.market.countries?.map(countryCode) ?? COUNTRY_CODES,
      shippingOptions: shippingOptionsOf(services, lines, shippingMethod),
    });
    await db
      .updateTable('orders')
      .set({ providerSessionId: session.id })
      .where('id', '=', id)
      .where('providerSessionId', 'is', null)
      .execute();
    return { url: session.url };
  } catch (error) {
    await db.transaction().execute((tx) => releaseOrder(tx, id, 'the payment page could not be opened'));
    throw error;
  }
}
