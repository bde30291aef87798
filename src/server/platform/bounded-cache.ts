import { LRUCache } from 'lru-cache';

/** Bytes of an entry besides its key and `sizeOf`: its place in the map and its objects. */
const OVERHEAD = 300;

/** An LRU cache bounded by bytes. Concurrent misses for one key share one call of `make` (single flight). */
export class BoundedCache<T extends object> {
  readonly #values: LRUCache<string, T, () => Promise<T>>;
  /** Keys that are being made: `lru-cache` does not list them. */
  readonly #waiting = new Set<{ key: string }>();
  readonly #isWorthKeeping: (value: T) => boolean;

  /**
   * `sizeOf` returns the bytes that a value retains: a slice of a shared buffer or string retains all of it. `isWorthKeeping` is asked again at
   * each read, so that an expired value is dropped.
   */
  constructor(maxBytes: number, sizeOf: (value: T) => number, isWorthKeeping: (value: T) => boolean = () => true) {
    this.#values = new LRUCache({
      maxSize: maxBytes,
      // A value larger than the whole cache is returned and not kept.
      sizeCalculation: (value, key) => (isWorthKeeping(value) ? sizeOf(value) + 2 * key.length + OVERHEAD : maxBytes + 1),
      fetchMethod: (_key, _before, { context: make }) => make(),
      // A value that is invalidated while it is being made goes to its callers and is not kept.
      ignoreFetchAbort: true,
      backgroundFetchSize: 0,
    });
    this.#isWorthKeeping = isWorthKeeping;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): T | undefined {
    const value = this.#values.get(key);
    if (!value || this.#isWorthKeeping(value)) return value;
    this.#values.delete(key);
    return undefined;
  }

  /** The value of a key, made by `make` if it is missing. Rejects as `make` does; nothing is kept then. */
  async getOrMake(key: string, make: () => Promise<T>): Promise<T> {
    const value = this.get(key);
    if (value) return value;
    const waiting = { key };
    this.#waiting.add(waiting);
    try {
      return await this.#values.forceFetch(key, { context: make });
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** Measures a value again that has grown, if it is still held. */
  weighAgain(key: string, value: T): void {
    if (this.#values.peek(key) !== value) return;
    this.#values.delete(key);
    this.#values.set(key, value);
  }

  /** Drops stale values. One that is being made has no `value` yet; if stale, it is not kept. */
  invalidate(isStale: (key: string, value: T | undefined) => boolean): void {
    for (const { key } of this.#waiting) if (isStale(key, undefined)) this.#values.delete(key);
    for (const [key, value] of this.#values.entries()) if (isStale(key, value)) this.#values.delete(key);
  }
}
