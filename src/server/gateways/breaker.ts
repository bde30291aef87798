/** So many calls in a row without an answer open the breaker. */
const FAILURES = 3;
/** Unless said otherwise, nobody asks for so long after that. */
const REST_MS = 15_000;

/**
 * A circuit breaker: while a service does not answer, calls fail at once instead of each waiting for its own timeout. After a rest one call
 * tries; its answer lets all others through again.
 */
export class Breaker {
  readonly #restMs: number;
  #failures = 0;
  #openUntil = 0;

  constructor(restMs = REST_MS) {
    this.#restMs = restMs;
  }

  /** Whether a call may be made now. Where that ends a rest, only this one may until its end is known. */
  admits(): boolean {
    if (this.#failures < FAILURES) return true;
    if (Date.now() < this.#openUntil) return false;
    this.#openUntil = Date.now() + this.#restMs;
    return true;
  }

  /** A call has ended, with any answer or with none. Returns whether that opened the breaker. */
  ended(isAnswered: boolean): boolean {
    this.#failures = isAnswered ? 0 : this.#failures + 1;
    if (this.#failures < FAILURES) return false;
    this.#openUntil = Date.now() + this.#restMs;
    return this.#failures === FAILURES;
  }
}
