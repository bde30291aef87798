import { setTimeout } from 'node:timers/promises';

/** Visitors who load pages one after the other. */
export class Readers {
  served = 0;
  /** Failures: a status, or the connection's error. */
  readonly failures: string[] = [];
  readonly latencies: number[] = [];
  /** For each answer: when it came, in milliseconds since 1970, and for how long its address had been asked for in vain. */
  readonly #waits: { at: number; ms: number }[] = [];
  /** Since when an address has been asked for in vain. */
  readonly #failingSince = new Map<string, number>();
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

  /** The longest time for which one address was asked for in vain, in ms. */
  longestWait(from: number, to: number): number {
    const over = this.#waits.filter(({ at }) => at > from && at < to).map(({ ms }) => ms);
    return Math.max(0, ...over, ...[...this.#failingSince.values()].map((since) => to - since));
  }

  async #look(urls: string[], from: number, pauseMs: number): Promise<void> {
    for (let n = from * 7; !this.#stopped.signal.aborted; n += 1) {
      const [url = '', asked, start] = [urls[n % urls.length], Date.now(), performance.now()];
      try {
        const reply = await fetch(url, { signal: AbortSignal.timeout(15_000) });
        await reply.arrayBuffer();
        if (reply.ok) {
          this.served += 1;
          this.#waits.push({ at: Date.now(), ms: Date.now() - (this.#failingSince.get(url) ?? asked) });
          this.#failingSince.delete(url);
        } else this.#fail(url, asked, String(reply.status));
      } catch (error) {
        this.#fail(url, asked, String((error as Error).cause ?? error));
      }
      this.latencies.push(performance.now() - start);
      await setTimeout(pauseMs);
    }
  }

  #fail(url: string, asked: number, reason: string): void {
    this.failures.push(reason);
    if (!this.#failingSince.has(url)) this.#failingSince.set(url, asked);
  }
}

/** The quantile of some figures; `share` is 0 to 1. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
