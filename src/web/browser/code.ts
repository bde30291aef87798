/** What the page's own script gives to code that is loaded later (`start.ts`). */
export interface Code {
  load<T>(read: () => Promise<T>, files: string[], priority?: RequestPriority): Promise<T>;
  askAgain(): Promise<unknown>;
  noteWebgl(): void;
  takeOver(element: Element): void;
}

declare global {
  interface Window {
    code: Code;
  }
}

/**
 * Loads the code of a part that the page can do without. A lost connection leaves the page as it is, with a line that says so: the code is asked
 * for again, instead of an error that takes the whole page away.
 */
export async function loadPatiently<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch {
      await window.code.askAgain();
    }
  }
}
