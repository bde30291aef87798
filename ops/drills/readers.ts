import { setTimeout } from 'node:timers/promises';

/** Visitors who load pages one after the other. */
export class Readers {
  served = 0;
  /** Failures: a status, or the connection's error. */
  readonly failures: string[] = [];
  readonly latencies: number[] = [];
  /** When each page was there, in milliseconds since 1970. */
  readonly servedAt: number[] = [];
  readonly #stopped = new AbortController();
  readonly #working: Promise<void>[] = [];

  /** Starts `count` visitors, who load these addresses in turn with `pauseMs` between two. */
  start(count: number, urls: string[], pauseMs: number): void {
    for (let n = 0; n < count; n += 1) this.#working.push(this.#look(urls, n, pauseMs));
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#working);
  }

  async #look(urls: string[], from: number, pauseMs: number): Promise<void> {
    for (let n = from * 7; !this.#stopped.signal.aborted; n += 1) {
      const start = performance.now();
      try {
        const reply = await fetch(urls[n % urls.length] ?? '', { signal: AbortSignal.timeout(15_000) });
        await reply.arrayBuffer();
        if (reply.ok) {
          this.served += 1;
          this.servedAt.push(Date.now());
        } else this.failures.push(String(reply.status));
      } catch (error) {
        this.failures.push(String((error as Error).cause ?? error));
      }
      this.latencies.push(performance.now() - start);
      await setTimeout(pauseMs);
    }
  }
}

/** The quantile of some figures; `share` is 0 to 1. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
