/** The API of the page's inline script (`start.ts`). */
export interface Code {
  load<T>(read: () => Promise<T>, files: string[], priority?: RequestPriority): Promise<T>;
  askAgain(): Promise<unknown>;
  noteWebgl(): void;
  /** Repeats the click or submit that was made in an element before it was hydrated. */
  takeOver(element: Element): void;
}

declare global {
  interface Window {
    code: Code;
  }
}

/** Loads optional code. After a lost connection the page stays, with a line that says so, and the code is requested again. */
export async function loadPatiently<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch {
      await window.code.askAgain();
    }
  }
}
