import { Problem } from '#contract/platform/problem.ts';

const AGAIN_SECONDS = 5;

/** What somebody is answered for whom there is no capacity left at the moment. */
export const tooBusy = () => new Problem(503, 'The shop is very busy right now. Please try again in a moment.', undefined, AGAIN_SECONDS);

interface Waiter {
  network: string;
  begin: () => void;
}

/**
 * Bounds how much work runs at once (a counting semaphore). The rest waits in a queue of bounded length, of which one network takes half at
 * most, so that nobody alone keeps all others out. Work beyond that is refused with 503.
 */
export class Semaphore {
  #free: number;
  readonly #mostWaiting: number;
  readonly #waiting: Waiter[] = [];

  constructor(atOnce: number, mostWaiting: number) {
    this.#free = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** Does the work once it is its turn. Throws 503 where too much waits already. */
  async run<T>(network: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(network);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(network: string): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const ofNetwork = this.#waiting.filter((waiter) => waiter.network === network).length;
    if (this.#waiting.length >= this.#mostWaiting || ofNetwork >= this.#mostWaiting / 2) throw tooBusy();
    await new Promise<void>((begin) => this.#waiting.push({ network, begin }));
  }

  /** Hands its place to the next that waits, after what has arrived meanwhile has had its turn. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) setImmediate(next.begin);
    else this.#free += 1;
  }
}
