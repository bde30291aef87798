import { BUDGETS } from '#server/platform/budgets.ts';
import type { Log } from '#server/platform/log.ts';

/** Keys of changes within this time are sent together. */
const GATHER_MS = 50;
/** Keys are sent again after this time: an older answer may have been on its way to the cache during the first purge. */
const AGAIN_MS = 600;
const RETRY_MS = 1_000;
/** The most keys of one request, since headers are limited in length. */
const MOST_KEYS = 100;

/**
 * Purges a cache in front of the shop by surrogate keys (decision 53). Each process does so once its own caches are invalidated, so that its older
 * answers are dropped too. Failed purges are retried until they succeed.
 */
export class Purger {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #log: Log;
  readonly #waiting = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;

  constructor(url: string, headers: Record<string, string>, log: Log) {
    this.#url = url;
    this.#headers = headers;
    this.#log = log;
  }

  /** Purges all answers with one of these keys. */
  purge(keys: readonly string[], afterMs = GATHER_MS): void {
    for (const key of keys) this.#waiting.add(key);
    this.#timer ??= setTimeout(() => void this.#flush(), afterMs).unref();
  }

  async #flush(): Promise<void> {
    this.#timer = undefined;
    const keys = [...this.#waiting];
    this.#waiting.clear();
    for (let n = 0; n < keys.length; n += MOST_KEYS) {
      const batch = keys.slice(n, n + MOST_KEYS);
      if (await this.#send(batch)) setTimeout(() => void this.#send(batch), AGAIN_MS).unref();
    }
  }

  async #send(keys: string[]): Promise<boolean> {
    try {
      const headers = { ...this.#headers, 'surrogate-key': keys.join(' ') };
      const { ok, status } = await fetch(this.#url, { method: 'POST', headers, signal: AbortSignal.timeout(BUDGETS.purge) });
      if (!ok) throw new Error(`it answered ${status}`);
      if (this.#isFailing) this.#log.warn('the cache in front takes purges again');
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!this.#isFailing) this.#log.error({ reason: String(error) }, 'the cache in front cannot be told of changes; it is tried again');
      this.#isFailing = true;
      this.purge(keys, RETRY_MS);
      return false;
    }
  }
}
