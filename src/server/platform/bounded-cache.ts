import { LRUCache } from 'lru-cache';

/** Bytes of an entry besides its key and `sizeOf`: its place in the map and its objects. */
const OVERHEAD = 350;

/** An LRU cache bounded by bytes. Concurrent misses for one key share one call of `make` (single flight). */
export class BoundedCache<T extends object> {
  readonly #values: LRUCache<string, T>;
  /** Values that are being made and may be kept, by key. */
  readonly #making = new Map<string, Promise<T>>();
  /** Values that `outdate` has made stale, also those that were still being made. */
  readonly #stale = new WeakSet<T | Promise<T>>();
  readonly #isWorthKeeping: (value: T) => boolean;

  /**
   * `sizeOf` returns the bytes that a value retains: a slice of a shared buffer or string retains all of it. `isWorthKeeping` is asked again at
   * each read, so that an expired value is dropped.
   */
  constructor(maxBytes: number, sizeOf: (value: T) => number, isWorthKeeping: (value: T) => boolean = () => true) {
    // A value larger than the whole cache is returned and not kept.
    this.#values = new LRUCache({ maxSize: maxBytes, sizeCalculation: (value, key) => sizeOf(value) + 2 * key.length + OVERHEAD });
    this.#isWorthKeeping = isWorthKeeping;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): T | undefined {
    const value = this.#held(key);
    return value && this.#stale.has(value) ? undefined : value;
  }

  /** The value that `outdate` has made stale, while there is room for it and no newer one. */
  getStale(key: string): T | undefined {
    const value = this.#held(key);
    return value && this.#stale.has(value) ? value : undefined;
  }

  /** The value of a key that is being made. */
  makingOf(key: string): Promise<T> | undefined {
    return this.#making.get(key);
  }

  /** The value of a key, made by `make` if it is missing. Rejects as `make` does; nothing is kept then. */
  async getOrMake(key: string, make: () => Promise<T>): Promise<T> {
    const existing = this.get(key) ?? this.#making.get(key);
    if (existing) return existing;
    const making = make();
    this.#making.set(key, making);
    try {
      const value = await making;
      if (this.#isWorthKeeping(value)) this.#keep(key, value, making);
      return value;
    } finally {
      if (this.#making.get(key) === making) this.#making.delete(key);
    }
  }

  /** Keeps a new value unless it was dropped while it was being made; one that was outdated is kept as stale, unless there is a newer one. */
  #keep(key: string, value: T, making: Promise<T>): void {
    const isStale = this.#stale.has(making);
    const wasDropped = !isStale && this.#making.get(key) !== making;
    const hasNewer = isStale && this.get(key) !== undefined;
    if (wasDropped || hasNewer) return;
    if (isStale) this.#stale.add(value);
    this.#values.set(key, value);
  }

  /** Measures a value again that has grown, if it is still held. */
  weighAgain(key: string, value: T): void {
    if (this.#values.peek(key) !== value) return;
    this.#values.delete(key);
    this.#values.set(key, value);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  /** Drops stale values. One that is being made is not kept. */
  invalidate(isStale: (key: string) => boolean): void {
    this.#dropStale(isStale, (key) => this.#values.delete(key));
  }

  /** As `invalidate`, but `getStale` still finds the values. One that is being made has no `value` yet. */
  outdate(isStale: (key: string, value: T | undefined) => boolean): void {
    for (const [key, making] of this.#making) if (isStale(key, undefined)) this.#stale.add(making);
    this.#dropStale(isStale, (_, value) => this.#stale.add(value));
  }

  /** Calls `drop` for each stale value. One that is being made is made again for later requests. */
  #dropStale(isStale: (key: string, value: T | undefined) => boolean, drop: (key: string, value: T) => unknown): void {
    for (const key of this.#making.keys()) if (isStale(key, undefined)) this.#making.delete(key);
    for (const [key, value] of this.#values.entries()) if (isStale(key, value)) drop(key, value);
  }

  #held(key: string): T | undefined {
    const value = this.#values.get(key);
    if (!value || this.#isWorthKeeping(value)) return value;
    this.#values.delete(key);
    return undefined;
  }
}
