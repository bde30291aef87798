import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** Everything that one process counts, as a value that can be sent to another. */
export type Reading = MetricObjectWithValues<MetricValue<string>>[];

/** Upper bounds of a request's duration in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const DURATION = 'shop_http_request_duration_seconds';

/** What is known of the requests of one route by one method. */
interface Counted {
  labels: { method: string; route: string };
  /** How many were answered with each status. */
  statuses: Map<number, number>;
  /** How many took as long as each bound at most, but longer than the one before; the last took longer than all. */
  buckets: number[];
  seconds: number;
}

/**
 * Counts requests, and how long they took. Apart from Prometheus' client, which looks for its labels at each: that cost a cached answer half as much as
 * its line in the log.
 */
export class RequestCounts {
  readonly #counted = new Map<string, Counted>();

  /** A request was answered. `route` is the pattern, never the address, so that the number of series stays bounded. */
  ended(method: string, route: string, status: number, seconds: number): void {
    const name = `${method} ${route}`;
    let counted = this.#counted.get(name);
    if (!counted) {
      counted = { labels: { method, route }, statuses: new Map(), buckets: BUCKETS.map(() => 0).concat(0), seconds: 0 };
      this.#counted.set(name, counted);
    }
    counted.statuses.set(status, (counted.statuses.get(status) ?? 0) + 1);
    let bucket = 0;
    while (seconds > (BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    counted.buckets[bucket] = (counted.buckets[bucket] ?? 0) + 1;
    counted.seconds += seconds;
  }

  /** All of it, as Prometheus' client tells of what it counts, with more labels. */
  read(more: Record<string, string>): Reading {
    const all = [...this.#counted.values()];
    const counts = all.flatMap(({ labels, statuses }) =>
      [...statuses].map(([status, value]) => ({ labels: { ...labels, status: String(status), ...more }, value })),
    );
    return [
      { name: 'shop_http_requests_total', help: 'Requests answered.', type: 'counter', values: counts, aggregator: 'sum' },
      {
        name: DURATION,
        help: 'How long requests took.',
        type: 'histogram',
        values: all.flatMap((counted) => durationsOf(counted, more)),
        aggregator: 'sum',
      },
    ] as unknown as Reading;
  }
}

/** Each bucket of a histogram holds all that took as long as its bound or less. */
function durationsOf({ labels, buckets, seconds }: Counted, more: Record<string, string>) {
  let count = 0;
  const bounded = buckets.map((value, n) => {
    count += value;
    return { labels: { le: BUCKETS[n] ?? '+Inf', ...labels, ...more }, value: count, metricName: `${DURATION}_bucket` };
  });
  const whole = { ...labels, ...more };
  return [
    ...bounded,
    { labels: whole, value: seconds, metricName: `${DURATION}_sum` },
    { labels: whole, value: count, metricName: `${DURATION}_count` },
  ];
}
