import { setTimeout } from 'node:timers/promises';

/** Asks again until the check passes, for at most so many seconds; then throws what it threw last. */
export async function eventually<T>(check: () => T | Promise<T>, seconds = 60): Promise<T> {
  const end = Date.now() + seconds * 1_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await setTimeout(50);
    }
  }
}
