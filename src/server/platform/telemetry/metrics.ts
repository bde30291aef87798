import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { PAYMENT_METHOD } from '#contract/orders/orders.ts';

/**
 * The outcomes of a card payment. `unmatched`: it belongs to no order; `missing`: the provider does not know an order's payment; `stranded`: only a
 * person can refund it.
 */
export const PAYMENT_OUTCOMES = ['settled', 'refunded', 'unmatched', 'missing', 'stranded'] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

/** Upper bounds of request durations in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The counters of this process, in addition to the default ones of a Node process. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = this.#counter('shop_http_requests_total', 'Requests answered.', ['method', 'route', 'status']);
  readonly #durations = new Histogram({
    name: 'shop_http_request_duration_seconds',
    help: 'How long requests took.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [this.registry],
  });
  readonly #orders = this.#counter('shop_orders_placed_total', 'Orders placed, by payment method.', ['method']);
  readonly #payments = this.#counter('shop_payments_total', 'Card payments, by how they ended.', ['outcome']);

  readonly #backups = new Gauge({
    name: 'shop_backup_timestamp_seconds',
    help: 'The last moment in the WAL archive, and the last one that was restored and found good.',
    labelNames: ['what'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // An alert on growth needs the initial 0.
    for (const method of Object.values(PAYMENT_METHOD)) this.#orders.inc({ method }, 0);
    for (const outcome of PAYMENT_OUTCOMES) this.#payments.inc({ outcome }, 0);
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** Counts a request. `route` is the pattern, never the URL, so that the number of series stays bounded. */
  requestEnded(method: string, route: string, status: number, seconds: number): void {
    this.#requests.inc({ method, route, status });
    this.#durations.observe({ method, route }, seconds);
  }

  /** Counts an order, after its transaction has committed. */
  orderPlaced(method: string): void {
    this.#orders.inc({ method });
  }

  /** Records, if `BACKUP_WAL` is set, the latest moment in the WAL archive, or the time of the latest successful rehearsal of a restore. */
  backupReached(what: 'archived' | 'rehearsed', at: Date): void {
    this.#backups.set({ what }, at.getTime() / 1000);
  }

  /** Counts the outcome of a payment, after its transaction has committed. */
  paymentEnded(outcome: PaymentOutcome): void {
    this.#payments.inc({ outcome });
  }
}
