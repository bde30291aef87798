import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { PAYER } from '#sandbox/payer.ts';
import { Random } from '#server/generator/random.ts';
import { ADDRESS } from '#server/testing/address.ts';

/** Random numbers in [0, 1). */
export type Dice = () => number;

/** The same numbers for the same seed. */
export function diceOf(seed: number): Dice {
  const random = new Random(seed, 'drill', 0);
  return () => random.next();
}

/** The shop and its products; the address may change with each request. */
export interface Target {
  url(): string;
  products: Product[];
}

const PATIENCE_MS = 15_000;
/** The pause before a retry. */
const RETRY_PAUSE_MS = 250;

/** Logs in; returns the session's token. */
export async function logIn(url: string, email: string, password: string): Promise<string> {
  const { status, body } = await send(`${url}/api/users/login`, '', { email, password });
  if (status !== 200) throw new Error(`${email} could not log in: ${status}.`);
  return (body as { token: string }).token;
}

/** Makes an account; returns its session's token. */
async function register(url: string): Promise<string> {
  const account = { name: 'Billie Buyer', email: `buyer-${randomUUID()}@example.com`, password: 'Correct-horse-1' };
  const { status, body } = await send(`${url}/api/users`, '', account);
  if (status >= 300) throw new Error(`An account was answered ${status}: ${JSON.stringify(body)}`);
  return (body as { token: string }).token;
}

/** Places a cash order of one piece. Throws if the shop refuses it. */
export async function orderOne(url: string, token: string, product: Product): Promise<void> {
  const { status, body } = await send(`${url}/api/orders`, token, cashOrderOf(lineOf(product, product.sizes[0], 1)), {
    'idempotency-key': randomUUID(),
  });
  if (status !== 201) throw new Error(`An order was answered ${status}: ${JSON.stringify(body)}`);
}

export const lineOf = ({ _id, name, price }: Product, size: Product['sizes'][number] | undefined, qty: number) => ({
  _id,
  name,
  image: '',
  qty,
  ...(size && { size: size.size }),
  price: size?.price || price,
});

export const cashOrderOf = (line: ReturnType<typeof lineOf>) => ({
  orderItems: [line],
  shippingAddress: ADDRESS,
  phone: '07700 900123',
  paymentMethod: 'Cash on Delivery',
  orderPaymentID: 'COD',
});

/** Reads the products of the first pages of the catalogue, or of all. */
export async function reachProducts(url: string, most = Number.POSITIVE_INFINITY): Promise<Product[]> {
  const products: Product[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, most); page += 1) {
    const list = (await (await fetch(`${url}/api/products?pageNumber=${page}`)).json()) as { products: { _id: string }[]; pages: number };
    pages = list.pages;
    for (const { _id } of list.products) products.push((await (await fetch(`${url}/api/products/${_id}`)).json()) as Product);
  }
  return products;
}

/** Reads the catalogue. */
export const reachShop = async (url: () => string): Promise<Target> => ({ url, products: await reachProducts(url()) });

async function send(
  url: string,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown; hasRetryAfter: boolean }> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', bearer: token, ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  return { status: reply.status, body: await reply.json(), hasRetryAfter: reply.headers.has('retry-after') };
}

/** Customers who place orders one after the other and record what the shop has promised. */
export class Buyers {
  /** Acknowledged cash orders: idempotency key and order id. */
  readonly acknowledged = new Map<string, string>();
  /** Sessions that were paid at the provider. */
  readonly paid = new Set<string>();
  /** Requests without an answer, or with 502, 503 or 504. */
  interrupted = 0;
  /** Unexpected answers. */
  readonly wrong: string[] = [];
  /** Milliseconds of each acknowledged request. */
  readonly latencies: number[] = [];
  /** When each order was acknowledged, in milliseconds since 1970. */
  readonly answeredAt: number[] = [];
  readonly #target: Target;
  readonly #dice: Dice;
  readonly #stopped = new AbortController();
  readonly #working: Promise<void>[] = [];
  #isLost = false;

  constructor(target: Target, dice: Dice) {
    this.#target = target;
    this.#dice = dice;
  }

  /** Starts `count` customers, of whom every third pays by card, each with an account and with `pauseMs` between two orders, until `stop`. */
  async start(count: number, pauseMs = 20): Promise<void> {
    const tokens: string[] = [];
    while (tokens.length < count) tokens.push(await register(this.#target.url()));
    for (const [n, token] of tokens.entries()) this.#working.push(this.#buy(token, n % 3 === 2, pauseMs));
  }

  /** Stops ordering; resolves once the last orders are answered, or at once if the shop is lost for good. */
  async stop({ isLost = false } = {}): Promise<void> {
    this.#isLost = isLost;
    this.#stopped.abort();
    await Promise.all(this.#working);
  }

  async #buy(token: string, byCard: boolean, pauseMs: number): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      await (byCard ? this.#payByCard(token) : this.#payCash(token));
      await setTimeout(pauseMs);
    }
  }

  #line() {
    const products = this.#target.products;
    const product = products[Math.floor(this.#dice() * products.length)] as Product;
    const size = product.sizes[Math.floor(this.#dice() * product.sizes.length)];
    return lineOf(product, size, 1 + Math.floor(this.#dice() * 2));
  }

  /** A cash order, retried with its key until the shop answers. */
  async #payCash(token: string): Promise<void> {
    const key = randomUUID();
    const order = cashOrderOf(this.#line());
    while (!this.#isLost) {
      const reply = await this.#ask(token, '/api/orders', order, { 'idempotency-key': key });
      if (reply?.status === 201) {
        this.acknowledged.set(key, (reply.body as { _id: string })._id);
        this.answeredAt.push(Date.now());
      }
      if (reply && reply.status !== 201) this.wrong.push(`${reply.status} ${JSON.stringify(reply.body)}`);
      if (reply) return;
      await setTimeout(RETRY_PAUSE_MS);
    }
  }

  /** An order by card. Some customers leave the provider's page without paying. */
  async #payByCard(token: string): Promise<void> {
    const reply = await this.#ask(token, '/stripe/create-checkout-session', { orderItems: [this.#line()] });
    if (!reply) return void (await setTimeout(RETRY_PAUSE_MS));
    const { url } = reply.body as { url?: string };
    if (reply.status !== 200 || !url) return void this.wrong.push(`${reply.status} ${JSON.stringify(reply.body)}`);
    if (this.#dice() < 0.2) return;
    const paid = await fetch(url, { method: 'POST', body: new URLSearchParams(PAYER), redirect: 'manual' }).catch(() => undefined);
    // The provider does not answer.
    if (!paid) {
      this.interrupted += 1;
      return;
    }
    await paid.arrayBuffer();
    if (paid.status === 303) this.paid.add(url.split('/').at(-1) ?? '');
    else this.wrong.push(`the provider: ${paid.status}`);
  }

  /** A final answer; undefined without one, or for one that asks for a retry. */
  async #ask(token: string, path: string, body: unknown, headers: Record<string, string> = {}) {
    const start = performance.now();
    try {
      const reply = await send(this.#target.url() + path, token, body, headers);
      // A checkout whose process was killed blocks its customer's next one for some seconds (409 with Retry-After).
      if (![502, 503, 504].includes(reply.status) && !(reply.status === 409 && reply.hasRetryAfter)) {
        this.latencies.push(performance.now() - start);
        return reply;
      }
    } catch {
      // The connection broke: it is unknown whether the order was placed.
    }
    this.interrupted += 1;
    return undefined;
  }
}
