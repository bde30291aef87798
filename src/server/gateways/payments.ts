import Stripe from 'stripe';
import { z } from 'zod';
import { Problem } from '#contract/platform/problem.ts';
import { cut } from '#contract/platform/text.ts';
import type { Log } from '#server/platform/log.ts';
import { Breaker } from './breaker.ts';
import { type NewSession, parametersOf } from './new-session.ts';
import {
  type ProviderDispute,
  type ProviderRefund,
  type RefundRefusal,
  readProviderDispute,
  readProviderRefund,
} from './provider-refund.ts';
import { type ProviderSession, readProviderSession } from './provider-session.ts';

export interface PaymentSettings {
  secretKey: string;
  webhookSecret: string;
  apiBase?: string | undefined;
  /** Timeout of one attempt, 8 s by default. A failed attempt is retried once. */
  timeoutMs?: number;
  /** How long the circuit breaker stays open, 15 s by default. */
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

/** A partial refund; pence. */
export interface RefundPart {
  paymentId: string;
  amount: number;
  /** `refundId` and `attempt` together are the idempotency key. */
  refundId: string;
  attempt: number;
}

/** The payment provider. Throws Problem 503 if unreachable and 502 if it refuses. */
export interface Payments {
  createSession(session: NewSession): Promise<{ id: string; url: string }>;
  /** Undefined if the provider has no such session. */
  findSession(id: string): Promise<ProviderSession | undefined>;
  /** Sessions created since then, newest first. */
  listSessions(since: Date): Promise<ProviderSession[]>;
  /** Expires a session so that it can no longer be paid, and returns it: it may have been paid at the last moment. Undefined if unknown. */
  expireSession(id: string): Promise<ProviderSession | undefined>;
  /** Refunds the whole payment. Idempotent by key. */
  refund(paymentId: string, idempotencyKey: string): Promise<void>;
  /** Refunds an amount. Idempotent by refund and attempt. A permanent refusal is returned as a sentence, not thrown. */
  refundPart(part: RefundPart): Promise<ProviderRefund | RefundRefusal>;
  /** All refunds of a payment, including those made at the provider. */
  listRefunds(paymentId: string): Promise<ProviderRefund[]>;
  /** Disputes (chargebacks) of a payment. */
  listDisputes(paymentId: string): Promise<ProviderDispute[]>;
  /** All refunds of the account created since then. Skips unreadable ones, which may belong to other kinds of payments. */
  listRefundsSince(since: Date): Promise<ProviderRefund[]>;
  /** All disputes of the account created since then; skips unreadable ones. */
  listDisputesSince(since: Date): Promise<ProviderDispute[]>;
  /** Parses a webhook from its raw bytes. Undefined if signed but of an unknown shape. Throws 400 if the signature is wrong. */
  readEvent(rawBody: Buffer, signature: string): ProviderEvent | undefined;
}

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

function clientOf({ secretKey, apiBase, timeoutMs = 8_000 }: PaymentSettings): Stripe {
  const base = apiBase ? new URL(apiBase) : undefined;
  const protocol = base?.protocol === 'https:' ? 'https' : 'http';
  return new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(base && { host: base.hostname, port: base.port || (protocol === 'https' ? '443' : '80'), protocol }),
  });
}

const madeSince = (since: Date) => ({ created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 });

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

/** The provider's official SDK. `apiBase` points it at another host, such as the sandbox. */
export const stripePayments = (settings: PaymentSettings, log: Log): Payments => new StripePayments(settings, log);

class StripePayments implements Payments {
  readonly #stripe: Stripe;
  readonly #breaker: Breaker;
  readonly #webhookSecret: string;
  readonly #log: Log;

  constructor(settings: PaymentSettings, log: Log) {
    this.#stripe = clientOf(settings);
    this.#breaker = new Breaker(settings.restMs);
    this.#webhookSecret = settings.webhookSecret;
    this.#log = log;
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

  listSessions(since: Date): Promise<ProviderSession[]> {
    const wrong = (error: unknown) =>
      this.#log.error({ reason: String(error).slice(0, 300) }, 'a session of the payment provider cannot be read');
    return this.#ask('list sessions', () => readAll(this.#stripe.checkout.sessions.list(madeSince(since)), readProviderSession, wrong));
  }

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

  refund(paymentId: string, idempotencyKey: string): Promise<void> {
    return this.#ask('refund', async () => {
      try {
        const { status } = await this.#stripe.refunds.create({ payment_intent: paymentId }, { idempotencyKey });
        if (!ACCEPTED.has(String(status))) throw new Error(`The provider answered a refund with “${status}”.`);
      } catch (error) {
        // The provider forgets idempotency keys after a day and then refuses the repeat: the first refund was the one requested.
        if ((error as Stripe.errors.StripeError).code !== 'charge_already_refunded') throw error;
      }
    });
  }

  refundPart({ paymentId, amount, refundId, attempt }: RefundPart): Promise<ProviderRefund | RefundRefusal> {
    return this.#ask('refund a part', async () => {
      const parameters = { payment_intent: paymentId, amount, metadata: { refund: refundId, attempt: String(attempt) } };
      try {
        return readProviderRefund(await this.#stripe.refunds.create(parameters, { idempotencyKey: `${refundId}-${attempt}` }));
      } catch (error) {
        const { type, message } = error as Stripe.errors.StripeError;
        if (type !== 'StripeInvalidRequestError' && type !== 'StripeCardError') throw error;
        return { refusal: cut(message, 300) };
      }
    });
  }

  listRefunds(paymentId: string): Promise<ProviderRefund[]> {
    const query = { payment_intent: paymentId, limit: 100 };
    return this.#ask('list refunds', () => readAll(this.#stripe.refunds.list(query), readProviderRefund));
  }

  listDisputes(paymentId: string): Promise<ProviderDispute[]> {
    const query = { payment_intent: paymentId, limit: 100 };
    return this.#ask('list disputes', () => readAll(this.#stripe.disputes.list(query), readProviderDispute));
  }

  listRefundsSince(since: Date): Promise<ProviderRefund[]> {
    return this.#ask('list new refunds', () => readAll(this.#stripe.refunds.list(madeSince(since)), readProviderRefund, () => undefined));
  }

  listDisputesSince(since: Date): Promise<ProviderDispute[]> {
    return this.#ask('list new disputes', () =>
      readAll(this.#stripe.disputes.list(madeSince(since)), readProviderDispute, () => undefined),
    );
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

  /** Calls the provider unless the circuit breaker is open, logs the duration, and turns a failure into a Problem. */
  async #ask<T>(what: string, call: () => Promise<T>): Promise<T> {
    if (!this.#breaker.admits()) throw new Problem(503, UNREACHABLE, undefined, 5);
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
      throw new Problem(statusCode && statusCode < 500 && statusCode !== 429 ? 502 : 503, UNREACHABLE, undefined, 5);
    }
  }
}
