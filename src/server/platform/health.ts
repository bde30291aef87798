/** A failed part of the shop, and why. */
export type Fault = readonly [part: string, reason: string];

/** Faults that need a restart or a person; `/healthz` fails while there is one. A passing outage, such as a database restart, is not a fault. */
export class Health {
  readonly #faults = new Map<string, string>();

  /** Records a part's fault, or with undefined its recovery. */
  report(part: string, reason: string | undefined): void {
    if (reason === undefined) this.#faults.delete(part);
    else this.#faults.set(part, reason);
  }

  get faults(): Fault[] {
    return [...this.#faults];
  }
}
