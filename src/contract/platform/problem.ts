/** A failure with a message for people: its HTTP status and, for an invalid payload, a text for each field. */
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

/** Recognises a Problem by its name, since development tools may load this file twice. */
export function isProblem(error: unknown): error is Problem {
  return error instanceof Error && error.name === 'Problem' && 'status' in error;
}

/** The message of an unexpected failure (specification §8, the generic request error). */
export const GENERIC_MESSAGE = 'Something went wrong. Please try again.';

/** The message of any error: that of a Problem, else the generic one, which reveals nothing. */
export function messageOf(error: unknown): string {
  return isProblem(error) ? error.message : GENERIC_MESSAGE;
}
