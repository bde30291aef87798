import { setTimeout } from 'node:timers/promises';
import type { Dice } from './buyers.ts';

const WORDS = `
  walnut oak velvet linen brass rattan grey green blue cream black pine leather boucle marble
  small large narrow deep tall round square modern rustic vintage cosy bedroom hallway living
  sofa chair lamp bench wardrobe table dresser vase mirror shelf drawer legs storage cushion`
  .trim()
  .split(/\s+/);

/** New searches of eight words and four amounts each, sent at a fixed rate without waiting for answers. */
export class SearchFlood {
  /** How many were answered, by status. */
  readonly answers: Record<string, number> = {};
  /** How many were answered 503 without a time to wait. */
  unexplained = 0;
  readonly #url: string;
  readonly #dice: Dice;
  readonly #stopped = new AbortController();
  readonly #asked: Promise<void>[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(url: string, dice: Dice) {
    this.#url = url;
    this.#dice = dice;
  }

  start(perSecond: number): void {
    this.#running = this.#run(perSecond);
  }

  /** Resolves once each search has its answer. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    await Promise.all(this.#asked);
  }

  async #run(perSecond: number): Promise<void> {
    const began = performance.now();
    while (!this.#stopped.signal.aborted) {
      const due = ((performance.now() - began) / 1000) * perSecond;
      while (this.#asked.length < due) this.#asked.push(this.#ask(this.#asked.length));
      await setTimeout(1000 / perSecond);
    }
  }

  async #ask(n: number): Promise<void> {
    const one = (from: number, to: number) => from + Math.floor(this.#dice() * (to - from));
    const words = Array.from({ length: 8 }, () => WORDS[one(0, WORDS.length)]);
    const text = `${words.join(' ')} under £${one(50, 2_000)} under ${one(40, 300)}cm wide under ${one(30, 120)}cm deep over ${one(5, 60)}cm high`;
    const path = n % 2 === 0 ? '/shop' : '/api/products';
    const status = await fetch(`${this.#url}${path}?search=${encodeURIComponent(text)}`, { signal: AbortSignal.timeout(120_000) })
      .then(async (reply) => {
        await reply.arrayBuffer();
        if (reply.status === 503 && !reply.headers.has('retry-after')) this.unexplained += 1;
        return String(reply.status);
      })
      .catch((error: Error) => error.name);
    this.answers[status] = (this.answers[status] ?? 0) + 1;
  }
}
