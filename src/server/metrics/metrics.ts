import { AggregatorRegistry, Counter, collectDefaultMetrics, Registry } from 'prom-client';
import { PAYMENT_METHOD } from '#contract/orders.ts';
import { type Reading, RequestCounts } from './request-counts.ts';

/**
 * What became of a payment: an order was settled, its money given back, it names no order, an order's payment is unknown to the provider,
 * or it must be given back and only a person can.
 */
export const PAYMENT_OUTCOMES = ['settled', 'refunded', 'unmatched', 'missing', 'stranded'] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

/** Asks the other processes of the shop on this machine for their readings. */
type AskOthers = () => Promise<Reading[]>;

/**
 * What this process has counted since its start, beside what Prometheus' client tells of any Node process. Where several processes serve on one
 * machine each has a name, which is a label of all that it tells: a process that is replaced starts again at 0, and a sum over all would
 * seem to fall.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new RequestCounts();
  readonly #orders = this.#counter('shop_orders_placed_total', 'Orders placed, by payment method.', ['method']);
  readonly #payments = this.#counter('shop_payments_total', 'Card payments, by what became of them.', ['outcome']);
  readonly #labels: Record<string, string>;
  #askOthers: AskOthers = async () => [];

  constructor(process?: string) {
    this.#labels = process ? { process } : {};
    collectDefaultMetrics({ register: this.#registry });
    // An alert on growth needs the 0 from which it grows.
    for (const method of Object.values(PAYMENT_METHOD)) this.#orders.inc({ method }, 0);
    for (const outcome of PAYMENT_OUTCOMES) this.#payments.inc({ outcome }, 0);
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  /** A request was answered. `route` is the pattern, never the address, so that the number of series stays bounded. */
  requestEnded(method: string, route: string, status: number, seconds: number): void {
    this.#requests.ended(method, route, status, seconds);
  }

  /** An order was placed, counted once it is stored for good. */
  orderPlaced(method: string): void {
    this.#orders.inc({ method });
  }

  /** Something became of a payment, counted once it is stored for good. */
  paymentEnded(outcome: PaymentOutcome): void {
    this.#payments.inc({ outcome });
  }

  /** Everything counted by this process, with its name where it has one, and what is `beside` it. */
  async read(beside?: Registry): Promise<Reading> {
    const registry = Registry.merge(beside ? [this.#registry, beside] : [this.#registry]);
    registry.setDefaultLabels(this.#labels);
    return [...(await registry.getMetricsAsJSON()), ...this.#requests.read(this.#labels)];
  }

  /** This process is one of several on the machine, and `ask` reaches the others. */
  hasOthers(ask: AskOthers): void {
    this.#askOthers = ask;
  }

  /** The same for all processes of the shop on this machine. */
  async readAll(beside: Registry): Promise<Reading[]> {
    return [await this.read(beside), ...(await this.#askOthers())];
  }
}

/** Readings in Prometheus' text format. Series with the same labels are added up; those of a process have its name. */
export function textOf(readings: readonly Reading[]): Promise<string> {
  // Left to themselves some are averaged, and some left out, as if no label told the processes apart.
  const summed = readings.map((reading) => reading.map((metric) => ({ ...metric, aggregator: 'sum' as const })));
  return AggregatorRegistry.aggregate(summed).metrics();
}
