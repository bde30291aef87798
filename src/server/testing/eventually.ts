import { setTimeout } from 'node:timers/promises';

/** Repeats a check until it passes; after the given seconds throws its last error. */
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
