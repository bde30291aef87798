/** A failure that a person can read: its HTTP status, its message and, for a bad payload, a text for each field. */
export class Problem extends Error {
  readonly status: number;
  readonly errors: Record<string, string> | undefined;
  /** Seconds after which the same call may work again (429 and 503). */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, errors?: Record<string, string>, retryAfter?: number) {
    super(message);
    this.name = 'Problem';
    this.status = status;
    this.errors = errors;
    this.retryAfter = retryAfter;
  }
}

/** Tells a Problem by its name, since development tools may load this file twice. */
export function isProblem(error: unknown): error is Problem {
  return error instanceof Error && error.name === 'Problem' && 'status' in error;
}

/** What is said of a failure that nobody foresaw (specification §8, the generic request error). */
export const GENERIC_MESSAGE = 'Something went wrong. Please try again.';

/** The words for an error of any kind: a Problem speaks for itself, anything else is not for a visitor's eyes. */
export function messageOf(error: unknown): string {
  return isProblem(error) ? error.message : GENERIC_MESSAGE;
}
