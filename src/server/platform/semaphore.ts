import { Problem } from '#contract/platform/problem.ts';

const AGAIN_SECONDS = 5;

/** The answer when there is no capacity left. */
export const tooBusy = () => new Problem(503, 'The shop is very busy right now. Please try again in a moment.', undefined, AGAIN_SECONDS);

interface Waiter {
  begin: () => void;
  refuse: (reason: unknown) => void;
}

/**
 * A counting semaphore, fair between networks: the next place goes to the network with the least work running, in turn. The queue is
 * bounded. When it is full, the network with the most work in it loses its last place to a network with less; other work is refused with 503, as is work
 * that has waited too long.
 */
export class Semaphore {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #longestMs: number | undefined;
  /** The network of each piece of running work. */
  readonly #running: string[] = [];
  /** By network, least recently served first. */
  readonly #queues = new Map<string, Waiter[]>();
  #waiting = 0;

  constructor(atOnce: number, mostWaiting: number, longestMs?: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
    this.#longestMs = longestMs;
  }

  /** Whether other work waits for a place. */
  get isAwaited(): boolean {
    return this.#waiting > 0;
  }

  /**
   * Runs the work in its turn, which `leave` ends early. Throws 503 if the queue is full, or if the turn does not come within `longestMs`; and the reason of
   * `signal`, if it is aborted before the turn comes.
   */
  async run<T>(network: string, work: (leave: () => void) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running.length < this.#atOnce) this.#running.push(network);
    else await this.#wait(network, signal);
    let hasPlace = true;
    const leave = () => {
      if (hasPlace) this.#leave(network);
      hasPlace = false;
    };
    try {
      return await work(leave);
    } finally {
      leave();
    }
  }

  #wait(network: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting >= this.#mostWaiting) this.#makeRoom(this.#queues.get(network)?.length ?? 0);
    this.#waiting += 1;
    let timer: NodeJS.Timeout | undefined;
    let onAbort = () => {};
    const turn = new Promise<void>((begin, refuse) => {
      const waiter = { begin, refuse };
      this.#queues.set(network, [...(this.#queues.get(network) ?? []), waiter]);
      if (this.#longestMs !== undefined) timer = setTimeout(() => this.#giveUp(network, waiter, tooBusy()), this.#longestMs);
      onAbort = () => this.#giveUp(network, waiter, signal?.reason);
      signal?.addEventListener('abort', onAbort);
    });
    return turn.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  }

  /** Refuses work that waits no longer, unless its turn has just come. */
  #giveUp(network: string, waiter: Waiter, reason: unknown): void {
    const queue = this.#queues.get(network) ?? [];
    if (!queue.includes(waiter)) return;
    const others = queue.filter((one) => one !== waiter);
    if (others.length > 0) this.#queues.set(network, others);
    else this.#queues.delete(network);
    this.#waiting -= 1;
    waiter.refuse(reason);
  }

  /** Refuses the last work of the longest queue. Throws 503 if the caller's own queue, with the caller, would be as long. */
  #makeRoom(ownLength: number): void {
    const [longest] = [...this.#queues.values()].sort((one, other) => other.length - one.length);
    if (!longest || longest.length <= ownLength + 1) throw tooBusy();
    longest.pop()?.refuse(tooBusy());
    this.#waiting -= 1;
  }

  /** The waiting network with the least work running; of several the least recently served. */
  #next(): string | undefined {
    let next: string | undefined;
    let leastRunning = Number.POSITIVE_INFINITY;
    for (const network of this.#queues.keys()) {
      const running = this.#running.filter((one) => one === network).length;
      if (running >= leastRunning) continue;
      next = network;
      leastRunning = running;
      if (leastRunning === 0) break;
    }
    return next;
  }

  /** Gives the place to the next in the queue; `setImmediate` first serves what has arrived meanwhile. */
  #leave(network: string): void {
    this.#running.splice(this.#running.indexOf(network), 1);
    const next = this.#next();
    if (next === undefined) return;
    const [waiter, ...rest] = this.#queues.get(next) ?? [];
    this.#queues.delete(next);
    if (rest.length > 0) this.#queues.set(next, rest);
    this.#running.push(next);
    this.#waiting -= 1;
    if (waiter) setImmediate(waiter.begin);
  }
}
