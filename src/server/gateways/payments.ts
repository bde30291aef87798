import Stripe from 'stripe';
import { z } from 'zod';
import { Problem } from '#contract/platform/problem.ts';
import { cut } from '#contract/platform/text.ts';
import { BUDGETS } from '#server/platform/budgets.ts';
import type { Log } from '#server/platform/log.ts';
import { Breaker } from './breaker.ts';
import { couponOf, customerOf, type NewSession, parametersOf } from './new-session.ts';
import { type ProviderEntry, readProviderEntry } from './provider-entry.ts';
import { type ProviderDispute, type ProviderRefund, readProviderDispute, readProviderRefund } from './provider-refund.ts';
import { type ProviderSession, readProviderSession } from './provider-session.ts';

export interface PaymentSettings {
  secretKey: string;
  /** One, or several that are valid at once, separated by commas. */
  webhookSecret: string;
  apiBase?: string | undefined;
  /** Timeout of one attempt, `BUDGETS.provider` by default. A failed attempt is retried once. */
  timeoutMs?: number;
  /** How long the circuit breaker stays open, `BUDGETS.providerRest` by default. */
  restMs?: number;
}

/** A webhook event with a verified signature. Only the session's id is used: the payload has the endpoint's API version, not the SDK's. */
export interface ProviderEvent {
  id: string;
  kind: string;
  /** Undefined for events that are not about a session. */
  sessionId: string | undefined;
  /** The payment of a refund or dispute event. */
  paymentId?: string;
  isDispute?: boolean;
}

/** Which refunds or disputes to list: those of one payment, or the account's since a moment. */
type ListFilter = { paymentId: string } | { since: Date };

/** As long as the circuit breaker stays open. */
const AGAIN_SECONDS = BUDGETS.providerRest / 1_000;
const UNREACHABLE = 'We can’t take card payments right now. Please try again in a moment, or choose cash on delivery.';

/** States of an accepted refund. */
const ACCEPTED = new Set(['succeeded', 'pending', 'requires_action']);

const Id = z.string().regex(/^[\w.-]{1,255}$/);
const Notice = z.object({ id: Id, type: Id });
const SessionNotice = z.object({ data: z.object({ object: z.object({ object: z.literal('checkout.session'), id: Id }) }) });

/** Event kinds for disputes and for refunds. */
const OF_DISPUTES = /^charge\.dispute\.(created|updated|closed|funds_withdrawn|funds_reinstated)$/;
const OF_REFUNDS = /^(charge\.refunded|charge\.refund\.updated|refund\.(created|updated|failed))$/;
const RefundNotice = z.object({
  data: z.object({ object: z.object({ payment_intent: z.union([Id, z.object({ id: Id }).transform(({ id }) => id)]) }) }),
});

/** Undefined for an event of an undocumented shape. */
function noticeOf(event: unknown): ProviderEvent | undefined {
  const notice = Notice.safeParse(event);
  if (!notice.success) return undefined;
  const { id, type: kind } = notice.data;
  const isDispute = OF_DISPUTES.test(kind);
  if (isDispute || OF_REFUNDS.test(kind)) {
    const about = RefundNotice.safeParse(event);
    // Other kinds of payments have no payment intent.
    return { id, kind, sessionId: undefined, ...(about.success && { paymentId: about.data.data.object.payment_intent, isDispute }) };
  }
  if (!kind.startsWith('checkout.session.')) return { id, kind, sessionId: undefined };
  const about = SessionNotice.safeParse(event);
  return about.success ? { id, kind, sessionId: about.data.data.object.id } : undefined;
}

/** A permanent refusal, as a sentence. Throws any other failure. */
function refusalIn(error: unknown): { refusal: string } {
  const { type, message } = error as Stripe.errors.StripeError;
  if (type !== 'StripeInvalidRequestError' && type !== 'StripeCardError') throw error;
  return { refusal: cut(message, 300) };
}

function clientOf({ secretKey, apiBase, timeoutMs = BUDGETS.provider }: PaymentSettings): Stripe {
  const base = apiBase ? new URL(apiBase) : undefined;
  const protocol = base?.protocol === 'https:' ? 'https' : 'http';
  return new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(base && { host: base.hostname, port: base.port || (protocol === 'https' ? '443' : '80'), protocol }),
  });
}

/** The delivery option that the payer chose is an object of its own, which the provider adds to a session where it is asked to. */
const CHOSEN_OPTION = 'shipping_cost.shipping_rate';

const madeSince = (since: Date) => ({ created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 });
const queryOf = (filter: ListFilter) => ('since' in filter ? madeSince(filter.since) : { payment_intent: filter.paymentId, limit: 100 });

/** Reads all pages of a list. With `onWrong`, unreadable entries are reported and skipped. */
async function readAll<T>(list: AsyncIterable<unknown>, read: (value: unknown) => T, onWrong?: (error: unknown) => void): Promise<T[]> {
  const all: T[] = [];
  for await (const value of list) {
    try {
      all.push(read(value));
    } catch (error) {
      if (!onWrong) throw error;
      onWrong(error);
    }
  }
  return all;
}

/** An account's list may hold entries of other kinds of payment, which cannot be parsed. One payment's list must parse completely. */
const onWrongIn = (filter: ListFilter) => ('since' in filter ? () => undefined : undefined);

/** The payment provider, through its official SDK. Every call throws Problem 503 if it is unreachable and 502 if it refuses. */
export class Payments {
  readonly #stripe: Stripe;
  readonly #breaker: Breaker;
  readonly #webhookSecrets: readonly string[];
  readonly #log: Log;

  constructor(settings: PaymentSettings, log: Log) {
    this.#stripe = clientOf(settings);
    this.#breaker = new Breaker(settings.restMs);
    this.#webhookSecrets = settings.webhookSecret.split(',').map((secret) => secret.trim());
    this.#log = log;
  }

  /** Idempotent by order. */
  createSession(session: NewSession): Promise<{ id: string; url: string }> {
    return this.#ask('create session', async () => {
      const made = { customer: await this.#newCustomer(session), coupon: await this.#newCoupon(session) };
      const { id, url } = await this.#stripe.checkout.sessions.create(parametersOf(session, made), {
        idempotencyKey: session.key ?? session.orderId,
      });
      if (typeof id !== 'string' || typeof url !== 'string' || !URL.canParse(url))
        throw new Error('The provider answered without a session.');
      return { id, url };
    });
  }

  /** Creates a customer, so that the provider's page is filled in. Undefined if the payer is unknown, or the provider refuses the details. */
  async #newCustomer({ orderId, key = orderId, customerEmail, payer }: NewSession): Promise<string | undefined> {
    if (!customerEmail || !payer) return undefined;
    try {
      return (await this.#stripe.customers.create(customerOf(customerEmail, payer), { idempotencyKey: `${key}-customer` })).id;
    } catch (error) {
      if ((error as Stripe.errors.StripeError).type !== 'StripeInvalidRequestError') throw error;
      return undefined;
    }
  }

  /** Creates a coupon for the discount of a checkout, which the page shows as a line. Undefined without one, as for all sessions with a key of their own. */
  async #newCoupon(session: NewSession): Promise<string | undefined> {
    const coupon = couponOf(session);
    return coupon && (await this.#stripe.coupons.create(coupon, { idempotencyKey: `${session.orderId}-discount` })).id;
  }

  /** Undefined if the provider has no such session. */
  findSession(id: string): Promise<ProviderSession | undefined> {
    return this.#ask('read session', async () => {
      try {
        return readProviderSession(await this.#stripe.checkout.sessions.retrieve(id, { expand: [CHOSEN_OPTION] }));
      } catch (error) {
        if ((error as Stripe.errors.StripeError).statusCode === 404) return undefined;
        throw error;
      }
    });
  }

  /** Sessions created since then, newest first. */
  listSessions(since: Date): Promise<ProviderSession[]> {
    const wrong = (error: unknown) =>
      this.#log.error({ reason: String(error).slice(0, 300) }, 'a session of the payment provider cannot be read');
    const query = { ...madeSince(since), expand: [`data.${CHOSEN_OPTION}`] };
    return this.#ask('list sessions', () => readAll(this.#stripe.checkout.sessions.list(query), readProviderSession, wrong));
  }

  /** Expires a session so that it can no longer be paid, and returns it: it may have been paid at the last moment. Undefined if unknown. */
  async expireSession(id: string): Promise<ProviderSession | undefined> {
    try {
      return await this.#ask('expire session', async () => readProviderSession(await this.#stripe.checkout.sessions.expire(id)));
    } catch (error) {
      // The provider refuses to expire a session that was paid or has expired: return its current state.
      const session = await this.findSession(id);
      if (session?.status === 'open') throw error;
      return session;
    }
  }

  /** Refunds the whole payment. Idempotent by key. Returns a permanent refusal, as a sentence, instead of throwing. */
  refund(paymentId: string, idempotencyKey: string): Promise<{ refusal: string } | undefined> {
    return this.#ask('refund', async () => {
      try {
        const { status } = await this.#stripe.refunds.create({ payment_intent: paymentId }, { idempotencyKey });
        if (!ACCEPTED.has(String(status))) throw new Error(`The provider answered a refund with “${status}”.`);
        return undefined;
      } catch (error) {
        // The provider forgets idempotency keys after a day and then refuses the repeat: the first refund was the one requested.
        return (error as Stripe.errors.StripeError).code === 'charge_already_refunded' ? undefined : refusalIn(error);
      }
    });
  }

  /** Refunds an amount in pence. Idempotent by refund and attempt. Returns a permanent refusal, as a sentence, instead of throwing. */
  refundPart(part: {
    paymentId: string;
    amount: number;
    refundId: string;
    attempt: number;
  }): Promise<ProviderRefund | { refusal: string }> {
    const { paymentId, amount, refundId, attempt } = part;
    return this.#ask('refund a part', async () => {
      const parameters = { payment_intent: paymentId, amount, metadata: { refund: refundId, attempt: String(attempt) } };
      try {
        return readProviderRefund(await this.#stripe.refunds.create(parameters, { idempotencyKey: `${refundId}-${attempt}` }));
      } catch (error) {
        return refusalIn(error);
      }
    });
  }

  /** Refunds, including those made at the provider. */
  listRefunds(filter: ListFilter): Promise<ProviderRefund[]> {
    return this.#ask('list refunds', () => readAll(this.#stripe.refunds.list(queryOf(filter)), readProviderRefund, onWrongIn(filter)));
  }

  /** Disputes (chargebacks). */
  listDisputes(filter: ListFilter): Promise<ProviderDispute[]> {
    return this.#ask('list disputes', () => readAll(this.#stripe.disputes.list(queryOf(filter)), readProviderDispute, onWrongIn(filter)));
  }

  /** The entries of the account's balance since then, newest first: charges, refunds, disputes, fees and payouts. */
  listEntries(since: Date): Promise<ProviderEntry[]> {
    const query = { ...madeSince(since), expand: ['data.source'] };
    return this.#ask('list the balance', () => readAll(this.#stripe.balanceTransactions.list(query), readProviderEntry));
  }

  /** Parses a webhook from its raw bytes. Undefined if signed but of an unknown shape. Throws 400 if the signature is wrong. */
  readEvent(rawBody: Buffer, signature: string): ProviderEvent | undefined {
    for (const secret of this.#webhookSecrets) {
      const event = this.#verified(rawBody, signature, secret);
      if (event) return noticeOf(event);
    }
    throw new Problem(400, 'This notice is not signed by the payment provider.');
  }

  #verified(rawBody: Buffer, signature: string, secret: string): Stripe.Event | undefined {
    try {
      return this.#stripe.webhooks.constructEvent(rawBody, signature, secret);
    } catch {
      return undefined;
    }
  }

  /** Calls the provider unless the circuit breaker is open, logs the duration, and turns a failure into a Problem. */
  async #ask<T>(what: string, call: () => Promise<T>): Promise<T> {
    if (!this.#breaker.admits()) throw new Problem(503, UNREACHABLE, undefined, AGAIN_SECONDS);
    const start = performance.now();
    const took = () => Math.round(performance.now() - start);
    try {
      const result = await call();
      this.#breaker.ended(true);
      this.#log.info({ what, ms: took() }, 'payment provider');
      return result;
    } catch (error) {
      const { type, statusCode, message } = error as Stripe.errors.StripeError;
      this.#log.error({ what, ms: took(), type, statusCode, reason: message }, 'payment provider failed');
      if (this.#breaker.ended(type !== 'StripeConnectionError'))
        this.#log.error('the payment provider does not answer and is not asked for a while');
      throw new Problem(statusCode && statusCode < 500 && statusCode !== 429 ? 502 : 503, UNREACHABLE, undefined, AGAIN_SECONDS);
    }
  }
}
