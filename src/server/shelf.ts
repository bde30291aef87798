import { LRUCache } from 'lru-cache';

/**
 * Values that cost something to make, in bounded memory, each made once however many ask for it at a time. What was being made when `forget`
 * was called is given to those who wait for it, but not kept: it may be from before the change.
 */
export class Shelf<T extends object> {
  readonly #values: LRUCache<string, T>;
  readonly #making = new Map<string, Promise<T>>();
  readonly #isWorthKeeping: (value: T) => boolean;

  /** `sizeOf` tells a value's size in bytes. */
  constructor(maxBytes: number, sizeOf: (value: T) => number, isWorthKeeping: (value: T) => boolean = () => true) {
    this.#values = new LRUCache({ maxSize: maxBytes, sizeCalculation: (value, key) => sizeOf(value) + key.length + 1 });
    this.#isWorthKeeping = isWorthKeeping;
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
