import { BUDGETS } from '#server/platform/budgets.ts';

/** Consecutive unanswered calls that open the breaker. */
const FAILURES = 3;

/**
 * Circuit breaker: while a service does not answer, calls fail at once instead of each waiting for its own timeout. After `restMs` one
 * trial call goes through; an answer closes the breaker.
 */
export class Breaker {
  readonly #restMs: number;
  #failures = 0;
  #openUntil = 0;

  constructor(restMs: number = BUDGETS.providerRest) {
    this.#restMs = restMs;
  }

  /** Whether a call may be made now. After a rest this admits one trial call and starts the next rest. */
  admits(): boolean {
    if (this.#failures < FAILURES) return true;
    if (Date.now() < this.#openUntil) return false;
    this.#openUntil = Date.now() + this.#restMs;
    return true;
  }

  /** Records the end of a call. Returns true if it has just opened the breaker. */
  ended(isAnswered: boolean): boolean {
    this.#failures = isAnswered ? 0 : this.#failures + 1;
    if (this.#failures < FAILURES) return false;
    this.#openUntil = Date.now() + this.#restMs;
    return this.#failures === FAILURES;
  }
}
