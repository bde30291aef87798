/** How long until code is asked for again that did not come, unless the connection is back sooner. */
const AGAIN_MS = 10_000;

/**
 * Loads the code of a part that the page can do without. A lost connection leaves the page as it is: the code is asked for again once there is
 * one, instead of an error that takes the whole page away.
 */
export async function loadPatiently<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => {
        window.addEventListener('online', resolve, { once: true });
        setTimeout(resolve, AGAIN_MS);
      });
    }
  }
}
