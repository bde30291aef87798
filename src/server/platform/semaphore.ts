import { Problem } from '#contract/platform/problem.ts';

const AGAIN_SECONDS = 5;

/** What somebody is answered for whom there is no capacity left at the moment. */
export const tooBusy = () => new Problem(503, 'The shop is very busy right now. Please try again in a moment.', undefined, AGAIN_SECONDS);

interface Waiter {
  begin: () => void;
  refuse: (problem: Problem) => void;
}

/**
 * Bounds how much work runs at once (a counting semaphore), fairly between networks: the next place goes to the network with the least running,
 * in turn. The rest waits in a queue of bounded length. Where it is full, the network with the most in it loses its last place to a network with
 * fewer; other work is refused with 503.
 */
export class Semaphore {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  /** The network of each work that runs. */
  readonly #running: string[] = [];
  /** By network, the one whose turn is longest ago first. */
  readonly #queues = new Map<string, Waiter[]>();
  #waiting = 0;

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** Does the work once it is its turn. Throws 503 where too much waits already. */
  async run<T>(network: string, work: () => Promise<T>): Promise<T> {
    if (this.#running.length < this.#atOnce) this.#running.push(network);
    else await this.#wait(network);
    try {
      return await work();
    } finally {
      this.#leave(network);
    }
  }

  #wait(network: string): Promise<void> {
    if (this.#waiting >= this.#mostWaiting) this.#makeRoom(this.#queues.get(network)?.length ?? 0);
    this.#waiting += 1;
    return new Promise((begin, refuse) => {
      this.#queues.set(network, [...(this.#queues.get(network) ?? []), { begin, refuse }]);
    });
  }

  /** Refuses the last of the longest queue. Throws 503 where the one that comes would be no better off than that one. */
  #makeRoom(own: number): void {
    const [longest] = [...this.#queues.values()].sort((one, other) => other.length - one.length);
    if (!longest || longest.length <= own + 1) throw tooBusy();
    longest.pop()?.refuse(tooBusy());
    this.#waiting -= 1;
  }

  /** Hands the place to the next that waits, after what has arrived meanwhile has had its turn. */
  #leave(network: string): void {
    this.#running.splice(this.#running.indexOf(network), 1);
    const runningOf = (name: string) => this.#running.filter((one) => one === name).length;
    const [next] = [...this.#queues].sort(([one], [other]) => runningOf(one) - runningOf(other));
    if (!next) return;
    const [name, [first, ...rest]] = next;
    this.#queues.delete(name);
    if (rest.length > 0) this.#queues.set(name, rest);
    this.#running.push(name);
    this.#waiting -= 1;
    if (first) setImmediate(first.begin);
  }
}
