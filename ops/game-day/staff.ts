import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Product } from '#contract/catalogue/catalogue.ts';
import type { Buyers, Dice } from '#ops/drills/buyers.ts';

const AGAIN_MS = 500;

/** A call of the office through nginx; undefined where there was no answer, or one that asks to come again. */
async function call(url: string, token: string, method: string, body: FormData | object, key?: string): Promise<Response | undefined> {
  const isForm = body instanceof FormData;
  const headers = { bearer: token, ...(!isForm && { 'content-type': 'application/json' }), ...(key && { 'idempotency-key': key }) };
  const init = { method, headers, body: isForm ? body : JSON.stringify(body), signal: AbortSignal.timeout(15_000) };
  const reply = await fetch(url, init).catch(() => undefined);
  return reply && reply.status < 502 ? reply : undefined;
}

export const ADMIN = { email: 'admin@example.com', password: 'Admin123!' };

/** Runs until `stop`. */
abstract class Worker {
  readonly #stopped = new AbortController();
  #working = Promise.resolve();

  start(pauseMs: number): void {
    this.#working = this.#go(pauseMs);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#working;
  }

  protected get isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  protected abstract work(): Promise<void>;

  async #go(pauseMs: number): Promise<void> {
    while (!this.isStopped) {
      await this.work();
      await setTimeout(pauseMs);
    }
  }
}

/** Somebody in the office who cancels orders and gives money back, and records what the shop has promised. */
export class Staff extends Worker {
  /** Orders that were asked to be cancelled: true once that was acknowledged. */
  readonly cancelled = new Map<string, boolean>();
  /** Refunds that were acknowledged: key and order. */
  readonly refunded = new Map<string, { order: string; amount: number }>();
  readonly wrong: string[] = [];
  readonly #shop: string;
  readonly #token: string;
  readonly #buyers: Buyers;
  readonly #dice: Dice;
  readonly #seen = new Set<string>();

  constructor(shop: string, token: string, buyers: Buyers, dice: Dice) {
    super();
    this.#shop = shop;
    this.#token = token;
    this.#buyers = buyers;
    this.#dice = dice;
  }

  protected async work(): Promise<void> {
    if (this.#dice() < 0.5) await this.#cancel();
    else await this.#refund();
  }

  async #cancel(): Promise<void> {
    const orders = [...this.#buyers.acknowledged.values()];
    const id = orders[Math.floor(this.#dice() * orders.length)];
    if (!id || this.cancelled.has(id)) return;
    this.cancelled.set(id, false);
    while (!this.isStopped) {
      const reply = await call(`${this.#shop}/api/office/orders/${id}/cancel`, this.#token, 'POST', { reason: 'Not in stock' });
      // An answer that was lost, and the order is cancelled already.
      if (reply?.status === 200 || reply?.status === 409) this.cancelled.set(id, true);
      else if (reply) this.wrong.push(`cancelling was answered ${reply.status}: ${await reply.text()}`);
      if (reply) return;
      await setTimeout(AGAIN_MS);
    }
  }

  async #refund(): Promise<void> {
    const found = await fetch(`${this.#shop}/api/orders?paid=true`, {
      headers: { bearer: this.#token },
      signal: AbortSignal.timeout(15_000),
    }).catch(() => undefined);
    if (!found?.ok) return;
    const { orders } = (await found.json()) as { orders: { _id: string; isPaid: boolean }[] };
    const order = orders.find(({ _id, isPaid }) => isPaid && !this.#seen.has(_id));
    if (!order) return;
    this.#seen.add(order._id);
    const [key, amount] = [randomUUID(), 100 + Math.floor(this.#dice() * 100)];
    while (!this.isStopped) {
      const body = { amount, reason: 'Goodwill' };
      await call(`${this.#shop}/api/users/proof`, this.#token, 'POST', { password: ADMIN.password });
      const reply = await call(`${this.#shop}/api/office/orders/${order._id}/refunds`, this.#token, 'POST', body, key);
      if (reply?.ok) this.refunded.set(key, { order: order._id, amount });
      else if (reply && reply.status !== 409) this.wrong.push(`a refund was answered ${reply.status}: ${await reply.text()}`);
      if (reply) return;
      await setTimeout(AGAIN_MS);
    }
  }
}

/** Somebody who rewrites a product without end, and looks for what the shop has promised to show. */
export class Writer extends Worker {
  readonly wrong: string[] = [];
  readonly #shop: string;
  readonly #token: string;
  readonly #product: Product;
  #next = 1;
  #promised = 0;

  constructor(shop: string, token: string, product: Product) {
    super();
    this.#shop = shop;
    this.#token = token;
    this.#product = product;
  }

  get changes(): number {
    return this.#promised;
  }

  protected async work(): Promise<void> {
    const n = this.#next;
    this.#next += 1;
    const { name, category, subCategory, brand, price, countInStock } = this.#product;
    const form = new FormData();
    const fields = { name, description: `As of change ${n}.`, category, subCategory, brand, price, countInStock };
    for (const [field, value] of Object.entries(fields)) form.set(field, String(value));
    const reply = await call(`${this.#shop}/api/products/${this.#product._id}`, this.#token, 'PUT', form);
    if (reply?.ok) this.#promised = n;
    else if (reply) this.wrong.push(`an edit was answered ${reply.status}: ${await reply.text()}`);
  }

  /** After what was broken has healed: no process may show a page from before what is promised now, two seconds later. Returns a sentence for each that does. */
  async check(servers: readonly string[]): Promise<string[]> {
    const promised = this.#promised;
    await setTimeout(2_000);
    const ages = servers.map(async (server) => {
      const reply = await fetch(`${server}/product/${this.#product._id}`, { signal: AbortSignal.timeout(15_000) });
      const shown = Number(/As of change (\d+)\./.exec(await reply.text())?.[1] ?? 0);
      return reply.ok && shown >= promised
        ? ''
        : `${server} (${reply.status}) showed change ${shown} two seconds after ${promised} was made`;
    });
    return (await Promise.all(ages)).filter(Boolean);
  }
}
