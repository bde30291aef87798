/** A part of the shop that cannot go on, and why. */
export type Fault = readonly [part: string, reason: string];

/**
 * What has failed and will not mend itself: a restart, or a person, is needed. What is only away for a while, such as a database that restarts,
 * is no fault. `/healthz` fails while there is one.
 */
export class Health {
  readonly #faults = new Map<string, string>();
  #onChange: () => void = () => undefined;

  /** A part of the shop has failed for the reason given, or is well again. */
  report(part: string, reason: string | undefined): void {
    if (reason === undefined) this.#faults.delete(part);
    else this.#faults.set(part, reason);
    this.#onChange();
  }

  /** Takes over what the primary process has found. */
  replace(faults: readonly Fault[]): void {
    this.#faults.clear();
    for (const [part, reason] of faults) this.#faults.set(part, reason);
  }

  get faults(): Fault[] {
    return [...this.#faults];
  }

  /** Calls back after each report; one listener is enough. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }
}
