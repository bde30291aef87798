import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { PAYMENT_METHOD } from '#contract/orders/orders.ts';

/**
 * The end of a payment: an order was settled, its money given back, it names no order, an order's payment is unknown to the provider,
 * or it must be given back and only a person can.
 */
export const PAYMENT_OUTCOMES = ['settled', 'refunded', 'unmatched', 'missing', 'stranded'] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

/** Upper bounds of a request's duration in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The counts of this process since its start, beside those that Prometheus' client has of any Node process. */
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

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // An alert on growth needs the 0 from which it grows.
    for (const method of Object.values(PAYMENT_METHOD)) this.#orders.inc({ method }, 0);
    for (const outcome of PAYMENT_OUTCOMES) this.#payments.inc({ outcome }, 0);
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** A request was answered. `route` is the pattern, never the address, so that the number of series stays bounded. */
  requestEnded(method: string, route: string, status: number, seconds: number): void {
    this.#requests.inc({ method, route, status });
    this.#durations.observe({ method, route }, seconds);
  }

  /** An order was placed, counted once it is stored for good. */
  orderPlaced(method: string): void {
    this.#orders.inc({ method });
  }

  /** A payment has ended, counted once that is stored for good. */
  paymentEnded(outcome: PaymentOutcome): void {
    this.#payments.inc({ outcome });
  }
}
