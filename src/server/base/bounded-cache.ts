import { LRUCache } from 'lru-cache';

/** What an entry costs besides its key and what `sizeOf` counts: its place in the map and its own objects. */
const OVERHEAD = 300;

/**
 * A bounded cache with single flight: least recently used values make room for new ones, and concurrent misses for one key share one call of
 * `make`. A value that was being made when `forget` was called is given to those who wait for it but not stored: it may be from before the
 * change.
 */
export class BoundedCache<T extends object> {
  readonly #values: LRUCache<string, T>;
  readonly #making = new Map<string, Promise<T>>();
  readonly #isWorthKeeping: (value: T) => boolean;

  /**
   * `sizeOf` tells a value's size in bytes, as held and not as sent: a slice of a shared buffer holds all of that buffer, and a slice of a
   * string all of that string.
   */
  constructor(maxBytes: number, sizeOf: (value: T) => number, isWorthKeeping: (value: T) => boolean = () => true) {
    this.#values = new LRUCache({ maxSize: maxBytes, sizeCalculation: (value, key) => sizeOf(value) + 2 * key.length + OVERHEAD });
    this.#isWorthKeeping = isWorthKeeping;
  }

  /** How many values are held. */
  get size(): number {
    return this.#values.size;
  }

  find(key: string): T | undefined {
    return this.#values.get(key);
  }

  /** The value of a key, made by `make` where it is not there. Rejects as `make` does; then nothing is kept. */
  read(key: string, make: () => Promise<T>): Promise<T> {
    const kept = this.#values.get(key);
    if (kept) return Promise.resolve(kept);
    const running = this.#making.get(key);
    if (running) return running;
    const made = make();
    this.#making.set(key, made);
    const settle = (value?: T) => {
      if (this.#making.get(key) !== made) return;
      this.#making.delete(key);
      if (value && this.#isWorthKeeping(value)) this.#values.set(key, value);
    };
    made.then(settle, () => settle());
    return made;
  }

  /** Drops what `isOld` says, also of what is being made, whose value is not known yet. */
  forget(isOld: (key: string, value: T | undefined) => boolean): void {
    for (const key of this.#making.keys()) if (isOld(key, undefined)) this.#making.delete(key);
    for (const [key, value] of this.#values.entries()) if (isOld(key, value)) this.#values.delete(key);
  }
}
