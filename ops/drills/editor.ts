import { setTimeout } from 'node:timers/promises';
import type { Product } from '#contract/catalogue/catalogue.ts';

/** The longest delay of a change in another process: it polls each second if a NOTIFY was lost, and the machine may be busy. */
const LONGEST_MS = 5_000;

/** An administrator who edits a product repeatedly and checks that every process shows the edit. */
export class Editor {
  readonly #balancer: string;
  readonly #token: string;
  readonly #product: Product;
  readonly #servers: () => string[];
  readonly #stopped = new AbortController();
  #working = Promise.resolve();
  /** Edits seen in every process. */
  changes = 0;
  /** Milliseconds from the answer to an edit until a process showed it. */
  readonly delays: number[] = [];
  /** Milliseconds from the answer to an edit until the last request of a stale page. */
  readonly ages: number[] = [];
  readonly faults: string[] = [];

  /** @param servers returns the addresses of the running processes. */
  constructor(balancer: string, token: string, product: Product, servers: () => string[]) {
    this.#balancer = balancer;
    this.#token = token;
    this.#product = product;
    this.#servers = servers;
  }

  start(): void {
    this.#working = this.#rewrite();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#working;
  }

  async #rewrite(): Promise<void> {
    for (let n = 1; !this.#stopped.signal.aborted; n += 1) {
      const text = `As of change ${n}.`;
      if (await this.#write(text)) {
        await Promise.all(this.#servers().map((server) => this.#follow(server, text)));
        this.changes += 1;
      }
      await setTimeout(150);
    }
  }

  async #write(description: string): Promise<boolean> {
    const { name, category, subCategory, brand, price, countInStock } = this.#product;
    const form = new FormData();
    for (const [field, value] of Object.entries({ name, description, category, subCategory, brand, price, countInStock }))
      form.set(field, String(value));
    const request = { method: 'PUT', headers: { bearer: this.#token }, body: form, signal: AbortSignal.timeout(15_000) };
    const reply = await fetch(`${this.#balancer}/api/products/${this.#product._id}`, request).catch(() => undefined);
    if (reply && reply.status !== 200 && reply.status < 502)
      this.faults.push(`an edit was answered ${reply.status}: ${await reply.text()}`);
    return reply?.status === 200;
  }

  /** Waits until a process shows the text; it must not show an older one afterwards. */
  async #follow(server: string, text: string): Promise<void> {
    const start = performance.now();
    let age = 0;
    for (let seen = 0; seen < 3; ) {
      const asked = performance.now() - start;
      const page = await this.#page(server);
      // The drill has ended the process meanwhile.
      if (page === undefined) return;
      const late = performance.now() - start;
      if (page.includes(text)) {
        if (seen === 0) {
          this.delays.push(late);
          this.ages.push(age);
        }
        seen += 1;
      } else if (seen > 0) return void this.faults.push(`${server} went back to a page from before “${text}”`);
      else if (late > LONGEST_MS) return void this.faults.push(`${server} did not show “${text}” within ${LONGEST_MS} ms`);
      else age = asked;
    }
  }

  async #page(server: string): Promise<string | undefined> {
    try {
      const reply = await fetch(`${server}/product/${this.#product._id}`, { signal: AbortSignal.timeout(15_000) });
      return reply.ok ? await reply.text() : undefined;
    } catch {
      return undefined;
    }
  }
}
