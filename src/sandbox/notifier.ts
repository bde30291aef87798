import { createHmac } from 'node:crypto';
import type { Ledger, Notice } from './ledger.ts';
import { eventObject } from './objects.ts';

/** The webhook's signature header in the provider's format: time, and HMAC of time and body. The shop refuses one that is older than five minutes. */
export function sign(body: string, secret: string, seconds = Math.floor(Date.now() / 1000)): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

interface Settings {
  secret: string;
  url: () => string;
  baseUrl: () => string;
  log: (line: string) => void;
}

const LONGEST_WAIT_MS = 60_000;

/** Delivers webhooks, with increasing delays between retries, until the shop accepts them. */
export class Notifier {
  readonly #ledger: Ledger;
  readonly #settings: Settings;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #stop = new AbortController();

  constructor(ledger: Ledger, settings: Settings) {
    this.#ledger = ledger;
    this.#settings = settings;
  }

  /**
   * Sends an event now, with its object as it is now. Resolves after the first attempt, successful or not: the payment page waits for it, so that
   * the shop usually knows of a payment before the payer is back.
   */
  async send(notice: Notice, failures = 0): Promise<void> {
    const session = this.#ledger.sessions.get(notice.sessionId);
    const subject = {
      refund: this.#ledger.refunds.get(notice.refundId ?? ''),
      dispute: this.#ledger.disputes.get(notice.disputeId ?? ''),
    };
    // The shop has accepted it already, or the session's line of the ledger could not be read.
    if (!session || !this.#ledger.notices.has(notice.id)) return;
    const body = JSON.stringify(eventObject(notice, session, subject, this.#settings.baseUrl()));
    const headers = { 'content-type': 'application/json', 'stripe-signature': sign(body, this.#settings.secret) };
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(10_000)]);
    const isAccepted = await fetch(this.#settings.url(), { method: 'POST', headers, body, signal }).then(
      (reply) => reply.ok,
      () => false,
    );
    // The ledger may be closed. The event is sent again after the restart, even if the shop has just accepted it.
    if (this.#stop.signal.aborted) return;
    if (isAccepted) this.#ledger.write({ kind: 'delivered', id: notice.id });
    else this.#sendLater(notice, failures + 1);
  }

  /** Resumes unaccepted events after a restart. They wait, since the shop that starts the sandbox does not listen yet. */
  resume(): void {
    for (const notice of this.#ledger.notices.values()) this.#sendLater(notice, 1);
  }

  close(): void {
    this.#stop.abort();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #sendLater(notice: Notice, failures: number): void {
    const delay = Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** (failures - 1));
    this.#settings.log(`payment sandbox: the shop did not take ${notice.type} yet, again in ${delay / 1000} s`);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.send(notice, failures);
    }, delay).unref();
    this.#timers.add(timer);
  }
}
