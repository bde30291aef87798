import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { PAYMENT_METHOD } from '#contract/orders.ts';
import type { Family, Labels, Sample } from './format.ts';

/** Upper bounds of a request's duration in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * What became of a payment: an order was settled, its money given back, it names no order, an order's payment is unknown to the provider,
 * or it must be given back and only a person can.
 */
export const PAYMENT_OUTCOMES = ['settled', 'refunded', 'unmatched', 'missing', 'stranded'] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

interface Durations {
  labels: Labels;
  /** Requests in each bucket alone; the last is for those longer than all bounds. */
  counts: number[];
  sum: number;
}

/** Adds one to a series, made at its first use. */
function addOne(series: Map<string, { labels: Labels; value: number }>, key: string, labels: Labels): void {
  const one = series.get(key);
  if (one) one.value += 1;
  else series.set(key, { labels, value: 1 });
}

/** What this process has counted since its start; several processes are added up by whoever reads them. */
export class Metrics {
  readonly #requests = new Map<string, { labels: Labels; value: number }>();
  readonly #durations = new Map<string, Durations>();
  readonly #orders = new Map<string, number>(Object.values(PAYMENT_METHOD).map((method) => [method, 0]));
  readonly #payments = new Map<PaymentOutcome, number>(PAYMENT_OUTCOMES.map((outcome) => [outcome, 0]));
  readonly #loop: IntervalHistogram = monitorEventLoopDelay({ resolution: 20 });

  constructor() {
    this.#loop.enable();
  }

  /** A request was answered. `route` is the pattern, never the address, so that the number of series stays bounded. */
  requestEnded(method: string, route: string, status: number, seconds: number): void {
    addOne(this.#requests, `${method} ${status} ${route}`, { method, route, status });
    const key = `${method} ${route}`;
    let durations = this.#durations.get(key);
    if (!durations) {
      durations = { labels: { method, route }, counts: new Array<number>(BUCKETS.length + 1).fill(0), sum: 0 };
      this.#durations.set(key, durations);
    }
    const found = BUCKETS.findIndex((bound) => seconds <= bound);
    const bucket = found === -1 ? BUCKETS.length : found;
    durations.counts[bucket] = (durations.counts[bucket] ?? 0) + 1;
    durations.sum += seconds;
  }

  /** An order was placed, counted once it is stored for good. */
  orderPlaced(paymentMethod: string): void {
    this.#orders.set(paymentMethod, (this.#orders.get(paymentMethod) ?? 0) + 1);
  }

  /** Something became of a payment, counted once it is stored for good. */
  paymentEnded(outcome: PaymentOutcome): void {
    this.#payments.set(outcome, (this.#payments.get(outcome) ?? 0) + 1);
  }

  /** Everything counted, and how late the event loop was since the last reading. */
  read(): Family[] {
    return [
      { name: 'shop_http_requests_total', type: 'counter', help: 'Requests answered.', samples: [...this.#requests.values()] },
      {
        name: 'shop_http_request_duration_seconds',
        type: 'histogram',
        help: 'How long requests took.',
        samples: [...this.#durations.values()].flatMap(histogramOf),
      },
      {
        name: 'shop_orders_placed_total',
        type: 'counter',
        help: 'Orders placed, by payment method.',
        samples: [...this.#orders].map(([method, value]) => ({ labels: { method }, value })),
      },
      {
        name: 'shop_payments_total',
        type: 'counter',
        help: 'Card payments, by what became of them.',
        samples: [...this.#payments].map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      this.#readLoop(),
    ];
  }

  #readLoop(): Family {
    const at = (quantile: number, nanoseconds: number): Sample => ({ labels: { quantile }, value: nanoseconds / 1e9 });
    const loop = this.#loop;
    const samples = loop.count === 0 ? [at(1, 0)] : [at(0.5, loop.percentile(50)), at(0.99, loop.percentile(99)), at(1, loop.max)];
    loop.reset();
    return { name: 'nodejs_eventloop_lag_seconds', type: 'gauge', help: 'How late the event loop was since the last reading.', samples };
  }
}

/** The series of one histogram: buckets hold everything up to their bound. */
function histogramOf({ labels, counts, sum }: Durations): Sample[] {
  let total = 0;
  const buckets = [...BUCKETS, Number.POSITIVE_INFINITY].map((bound, index) => {
    total += counts[index] ?? 0;
    return { suffix: '_bucket', labels: { ...labels, le: bound === Number.POSITIVE_INFINITY ? '+Inf' : bound }, value: total };
  });
  return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total }];
}
