import { setTimeout } from 'node:timers/promises';
import type { Product } from '#contract/catalogue/catalogue.ts';

/** The longest that a page in another process may be behind a change: the watch asks each second where a notice was lost, and the machine may be busy. */
const LONGEST_MS = 5_000;

/** An administrator who rewrites a product again and again, and looks at every process until it shows what was written. */
export class Editor {
  readonly #balancer: string;
  readonly #token: string;
  readonly #product: Product;
  readonly #servers: () => string[];
  readonly #stopped = new AbortController();
  #working = Promise.resolve();
  /** Changes that were seen everywhere. */
  changes = 0;
  /** How long after the answer to a change each process showed it, in milliseconds. */
  readonly delays: number[] = [];
  /** How long after the answer to a change a page was last asked for that was still from before it, in milliseconds. */
  readonly ages: number[] = [];
  readonly faults: string[] = [];

  /** @param servers are the processes that run right now. */
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

  /** Waits until a process shows the text; once it has, it must not show an older one again. */
  async #follow(server: string, text: string): Promise<void> {
    const start = performance.now();
    let age = 0;
    for (let seen = 0; seen < 3; ) {
      const asked = performance.now() - start;
      const page = await this.#page(server);
      // The process ended meanwhile, on purpose.
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
