/** A part of the shop that cannot go on, and why. */
export type Fault = readonly [part: string, reason: string];

/**
 * What has failed and will not mend itself: a restart, or a person, is needed. What is only away for a while, such as a database that restarts,
 * is no fault. `/healthz` fails while there is one.
 */
export class Health {
  readonly #faults = new Map<string, string>();

  /** A part of the shop has failed for the reason given, or is well again. */
  report(part: string, reason: string | undefined): void {
    if (reason === undefined) this.#faults.delete(part);
    else this.#faults.set(part, reason);
  }

  get faults(): Fault[] {
    return [...this.#faults];
  }
}
