/** What the journey needs of a browser, whichever protocol drives it. */
export interface Browser {
  /** The browser's name and version. */
  name: string;
  open(url: string): Promise<void>;
  /** Runs the body of a function in the page, with `arguments`, and returns what it returns. */
  run<T>(body: string, ...args: unknown[]): Promise<T>;
  /** Presses and releases the mouse at a place of the window, in CSS pixels. */
  click(x: number, y: number): Promise<void>;
  /** Types with the keyboard; a line break is the Enter key. */
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

/** A browser that can be started, or the Debian packages that this machine lacks for it. */
export interface Startable {
  name: string;
  lacks: string[];
  start: () => Promise<Browser>;
}
