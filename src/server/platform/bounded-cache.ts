import { LRUCache } from 'lru-cache';

/** What an entry costs besides its key and what `sizeOf` counts: its place in the map and its own objects. */
const OVERHEAD = 300;

/** A cache of bounded size: the least recently used values make room for new ones. Concurrent misses for one key are a single flight. */
export class BoundedCache<T extends object> {
  readonly #values: LRUCache<string, T, () => Promise<T>>;
  /** Keys whose values callers wait for: `lru-cache` does not list them. */
  readonly #waiting = new Set<{ key: string }>();
  readonly #isWorthKeeping: (value: T) => boolean;

  /**
   * `sizeOf` tells a value's size in bytes, as held and not as sent: a slice of a shared buffer holds all of that buffer, and a slice of a
   * string all of that string. `isWorthKeeping` is asked again whenever a value is read: one that has expired is dropped.
   */
  constructor(maxBytes: number, sizeOf: (value: T) => number, isWorthKeeping: (value: T) => boolean = () => true) {
    this.#values = new LRUCache({
      maxSize: maxBytes,
      // What is larger than the whole cache is returned and not kept.
      sizeCalculation: (value, key) => (isWorthKeeping(value) ? sizeOf(value) + 2 * key.length + OVERHEAD : maxBytes + 1),
      fetchMethod: (_key, _before, { context: make }) => make(),
      // What is invalidated while it is being made is returned to those who wait for it and not kept.
      ignoreFetchAbort: true,
      backgroundFetchSize: 0,
    });
    this.#isWorthKeeping = isWorthKeeping;
  }

  /** How many values are held. */
  get size(): number {
    return this.#values.size;
  }

  get(key: string): T | undefined {
    const value = this.#values.get(key);
    if (!value || this.#isWorthKeeping(value)) return value;
    this.#values.delete(key);
    return undefined;
  }

  /** The value of a key; `make` makes it where it is not there. Rejects as `make` does; then nothing is kept. */
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

  /** Counts a value again that has grown since it was kept, where it is still kept. */
  weighAgain(key: string, value: T): void {
    if (this.#values.peek(key) !== value) return;
    this.#values.delete(key);
    this.#values.set(key, value);
  }

  /** Drops the values that `isStale`, and keeps those that are being made from being kept; their `value` is not known yet. */
  invalidate(isStale: (key: string, value: T | undefined) => boolean): void {
    for (const { key } of this.#waiting) if (isStale(key, undefined)) this.#values.delete(key);
    for (const [key, value] of this.#values.entries()) if (isStale(key, value)) this.#values.delete(key);
  }
}
