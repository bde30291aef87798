import { isProblem } from '#contract/platform/problem.ts';

/** How long a call is retried: a database fails over within half a minute. */
const PATIENCE_MS = 60_000;
/** A shop that names a longer time than this is not merely busy: its words are shown at once. */
const SOON_SECONDS = 10;

/**
 * Repeats a call that may be sent twice while the shop answers 503 and asks to come again soon, for at most a minute; `onWait` is called before each
 * new try. Throws the last Problem.
 */
export async function untilAnswered<T>(send: () => Promise<T>, onWait: () => void): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const seconds = isProblem(error) && error.status === 503 ? error.retryAfter : undefined;
      if (!seconds || seconds > SOON_SECONDS || Date.now() + seconds * 1_000 > end) throw error;
      onWait();
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  }
}
