/** Deterministic random numbers (mulberry32), by seed, by what they are for (`stream`) and by row. */
export class Random {
  #state: number;

  constructor(seed: number, stream: string, index: number) {
    let state = seed >>> 0;
    for (const letter of stream) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193);
    this.#state = Math.imul(state ^ index, 0x9e3779b1) ^ (index << 7);
    this.next();
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.next() * list.length)];
    if (picked === undefined) throw new Error('There is nothing to pick from.');
    return picked;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** A UUIDv7 for a time (ms): sortable, like the shop's own keys. */
  uuid(at: number): string {
    const time = at.toString(16).padStart(12, '0');
    const hex = (digits: number) =>
      Math.floor(this.next() * 16 ** digits)
        .toString(16)
        .padStart(digits, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${this.pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(6)}${hex(6)}`;
  }
}
