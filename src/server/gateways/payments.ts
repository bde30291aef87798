import Stripe from 'stripe';
import { z } from 'zod';
import { Problem } from '#contract/base/problem.ts';
import type { Log } from '#server/base/log.ts';
import { Breaker } from './breaker.ts';
import { type ProviderSession, readProviderSession } from './provider-session.ts';

export interface PaymentSettings {
  secretKey: string;
  webhookSecret: string;
  apiBase?: string | undefined;
  /** How long one try may take; 8 s unless said. A failed try is followed by one more. */
  timeoutMs?: number;
  /** How long nobody asks a provider that has stopped answering; 15 s unless said. */
  restMs?: number;
}

/** What the shop asks the provider to sell; amounts in pence. */
export interface NewSession {
  orderId: string;
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

/** A signed notice of the provider. Of its session only the id counts: what it says is in the endpoint's API version, not in the SDK's. */
export interface ProviderEvent {
  id: string;
  kind: string;
  /** Undefined for a kind that is about something else than a session. */
  sessionId: string | undefined;
}

/** The payment provider. Its failures are Problems: 503 when it cannot be reached, 502 when it refuses. */
export interface Payments {
  createSession(session: NewSession): Promise<{ id: string; url: string }>;
  /** Undefined when the provider knows no such session. */
  findSession(id: string): Promise<ProviderSession | undefined>;
  /** Sessions made since then, newest first. */
  listSessions(since: Date): AsyncIterable<ProviderSession>;
  /** Closes a session so that nobody can pay it any more, and says how it ended: it may have been paid at the last moment. Undefined like `findSession`. */
  expireSession(id: string): Promise<ProviderSession | undefined>;
  /** Gives back everything that was paid; the key makes repetition harmless. */
  refund(paymentId: string, idempotencyKey: string): Promise<void>;
  /** Reads a notice from its raw bytes; undefined when it is signed but of an unknown shape. Throws 400 when the signature is not the provider's. */
  readEvent(rawBody: Buffer, signature: string): ProviderEvent | undefined;
}

const UNREACHABLE = 'Card payment cannot be reached just now. Please try again in a moment, or choose cash on delivery.';

/** What a refund is while it is on its way, and in the end. */
const REFUNDING = new Set(['succeeded', 'pending', 'requires_action']);

const Id = z.string().regex(/^[\w.-]{1,255}$/);
const Notice = z.object({ id: Id, type: Id });
const SessionNotice = z.object({ data: z.object({ object: z.object({ object: z.literal('checkout.session'), id: Id }) }) });

const SessionPage = z.object({ data: z.array(z.unknown()), has_more: z.boolean() });

/** Undefined for a notice of another shape than the provider documents. */
function noticeOf(event: unknown): ProviderEvent | undefined {
  const notice = Notice.safeParse(event);
  if (!notice.success) return undefined;
  const { id, type: kind } = notice.data;
  if (!kind.startsWith('checkout.session.')) return { id, kind, sessionId: undefined };
  const about = SessionNotice.safeParse(event);
  return about.success ? { id, kind, sessionId: about.data.data.object.id } : undefined;
}

function parametersOf(session: NewSession): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    // Paid at once or not at all: no payment that is promised today and arrives next week.
    allowed_payment_method_types: ['card'],
    client_reference_id: session.orderId,
    metadata: { orderId: session.orderId },
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

function sdkOf({ secretKey, apiBase, timeoutMs = 8_000 }: PaymentSettings): Stripe {
  const base = apiBase ? new URL(apiBase) : undefined;
  return new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(base && {
      host: base.hostname,
      port: base.port || (base.protocol === 'https:' ? '443' : '80'),
      protocol: base.protocol === 'https:' ? 'https' : 'http',
    }),
  });
}

/** The provider through its official SDK; `apiBase` points it at another host, such as the sandbox. */
export const stripePayments = (settings: PaymentSettings, log: Log): Payments => new StripePayments(settings, log);

class StripePayments implements Payments {
  readonly #stripe: Stripe;
  readonly #webhookSecret: string;
  readonly #breaker: Breaker;
  readonly #log: Log;

  constructor(settings: PaymentSettings, log: Log) {
    this.#stripe = sdkOf(settings);
    this.#webhookSecret = settings.webhookSecret;
    this.#breaker = new Breaker(settings.restMs);
    this.#log = log;
  }

  /** Runs an outside call: logs how long it took and turns its failure into a Problem. */
  async #ask<T>(what: string, run: () => Promise<T>): Promise<T> {
    if (!this.#breaker.admits()) throw new Problem(503, UNREACHABLE, undefined, 5);
    const start = performance.now();
    const took = () => Math.round(performance.now() - start);
    try {
      const result = await run();
      this.#breaker.ended(true);
      this.#log.info({ what, ms: took() }, 'payment provider');
      return result;
    } catch (error) {
      const { type, statusCode, message } = error as Stripe.errors.StripeError;
      this.#log.error({ what, ms: took(), type, statusCode, reason: message }, 'payment provider failed');
      if (this.#breaker.ended(type !== 'StripeConnectionError'))
        this.#log.error('the payment provider does not answer and is not asked for a while');
      throw new Problem(statusCode && statusCode < 500 && statusCode !== 429 ? 502 : 503, UNREACHABLE, undefined, 5);
    }
  }

  createSession(session: NewSession): Promise<{ id: string; url: string }> {
    return this.#ask('create session', async () => {
      const { id, url } = await this.#stripe.checkout.sessions.create(parametersOf(session), { idempotencyKey: session.orderId });
      if (typeof id !== 'string' || typeof url !== 'string' || !URL.canParse(url))
        throw new Error('The provider answered without a session.');
      return { id, url };
    });
  }

  findSession(id: string): Promise<ProviderSession | undefined> {
    return this.#ask('read session', async () => {
      try {
        return readProviderSession(await this.#stripe.checkout.sessions.retrieve(id));
      } catch (error) {
        if ((error as Stripe.errors.StripeError).statusCode === 404) return undefined;
        throw error;
      }
    });
  }

  async *listSessions(since: Date): AsyncIterable<ProviderSession> {
    const created = { gte: Math.floor(since.getTime() / 1000) };
    let after: { starting_after?: string } = {};
    for (let hasMore = true; hasMore; ) {
      const page = await this.#ask('list sessions', async () =>
        SessionPage.parse(await this.#stripe.checkout.sessions.list({ created, limit: 100, ...after })),
      );
      yield* page.data.flatMap((value) => this.#readable(value));
      const last = Id.safeParse((page.data.at(-1) as { id?: unknown } | undefined)?.id);
      hasMore = page.has_more && last.success;
      if (last.success) after = { starting_after: last.data };
    }
  }

  /** One session that cannot be read must not hide those beside it. */
  #readable(value: unknown): ProviderSession[] {
    try {
      return [readProviderSession(value)];
    } catch (error) {
      this.#log.error({ reason: String(error).slice(0, 300) }, 'a session of the payment provider cannot be read');
      return [];
    }
  }

  async expireSession(id: string): Promise<ProviderSession | undefined> {
    try {
      return await this.#ask('expire session', async () => readProviderSession(await this.#stripe.checkout.sessions.expire(id)));
    } catch (error) {
      // Refused when it is over already, one way or the other: then its end is what counts.
      const session = await this.findSession(id);
      if (session?.status === 'open') throw error;
      return session;
    }
  }

  refund(paymentId: string, idempotencyKey: string): Promise<void> {
    return this.#ask('refund', async () => {
      try {
        const { status } = await this.#stripe.refunds.create({ payment_intent: paymentId }, { idempotencyKey });
        if (!REFUNDING.has(String(status))) throw new Error(`The provider answered a refund with “${status}”.`);
      } catch (error) {
        // The provider forgets keys after a day; what is given back already is what was asked for.
        if ((error as Stripe.errors.StripeError).code !== 'charge_already_refunded') throw error;
      }
    });
  }

  readEvent(rawBody: Buffer, signature: string): ProviderEvent | undefined {
    let event: unknown;
    try {
      event = this.#stripe.webhooks.constructEvent(rawBody, signature, this.#webhookSecret);
    } catch {
      throw new Problem(400, 'This notice is not signed by the payment provider.');
    }
    return noticeOf(event);
  }
}
