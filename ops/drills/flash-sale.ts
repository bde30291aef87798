import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Product } from '#contract/catalogue/catalogue.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { cashOrderOf, type Dice, lineOf } from './buyers.ts';

/** Makes customers who are logged in; returns the tokens of their sessions. */
export async function makeCustomers(db: Db, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest());
  await sql`
    with made as (
      insert into users (id, name, email, password_hash)
      select gen_random_uuid(), 'Sally Sale', 'sale-' || place || '@example.com', 'none' from generate_series(1, ${count}::int) as place
      returning id, email)
    insert into sessions (token_hash, user_id, expires_at)
    select hash, made.id, now() + interval '1 day' from unnest(${hashes}::bytea[]) with ordinality as given (hash, place)
    join made on made.email = 'sale-' || place || '@example.com'`.execute(db);
  return tokens;
}

/** People who come for one piece within a short time, each from a network of their own, on a connection that stays open to the end. */
export class FlashSale {
  /** Ids of the orders that were acknowledged. */
  readonly bought: string[] = [];
  /** Those whose cart was refused because the piece is sold out. */
  soldOut = 0;
  /** Those who gave up after a minute of new tries. */
  gaveUp = 0;
  /** Answers that asked to come again. */
  askedAgain = 0;
  /** Answers that nobody should hear, and connections that broke. */
  readonly wrong: string[] = [];
  /** How long each request of an order waited for any answer, and each page, in ms. */
  readonly words: number[] = [];
  readonly pages: number[] = [];
  /** When the orders were sent that were acknowledged, and when one was first told that all is sold. */
  readonly sentAt: number[] = [];
  mostOpen = 0;
  #open = 0;
  readonly #url: string;
  readonly #product: Product;
  readonly #dice: Dice;

  constructor(url: string, product: Product, dice: Dice) {
    this.#url = url;
    this.#product = product;
    this.#dice = dice;
  }

  /** Everybody comes within so many seconds; resolves once each has an answer. */
  async run(tokens: readonly string[], seconds: number): Promise<void> {
    const agents: Agent[] = [];
    await Promise.all(
      tokens.map(async (token, index) => {
        await setTimeout(this.#dice() * seconds * 1_000);
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        agents.push(agent);
        this.#open += 1;
        this.mostOpen = Math.max(this.mostOpen, this.#open);
        await this.#come(agent, token, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`).catch((error: Error) =>
          this.wrong.push(error.message),
        );
      }),
    );
    for (const agent of agents) agent.destroy();
  }

  async #come(agent: Agent, token: string, address: string): Promise<void> {
    const path = `/product/${this.#product._id}`;
    const start = performance.now();
    const page = await this.#ask(agent, 'GET', path, { 'x-forwarded-for': address });
    this.pages.push(performance.now() - start);
    if (page.status !== 200) this.wrong.push(`the page: ${page.status}`);
    await setTimeout(this.#dice() * 3_000);
    const order = JSON.stringify(cashOrderOf(lineOf(this.#product, this.#product.sizes[0], 1)));
    const headers = { 'x-forwarded-for': address, bearer: token, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    for (const end = performance.now() + 60_000; performance.now() < end; ) {
      const sent = performance.now();
      const { status, body, again } = await this.#ask(agent, 'POST', '/api/orders', headers, order);
      this.words.push(performance.now() - sent);
      if (status === 503 && again > 0) {
        this.askedAgain += 1;
        await setTimeout(again * 1_000);
        continue;
      }
      if (status === 201) {
        this.bought.push((JSON.parse(body) as { _id: string })._id);
        this.sentAt.push(sent);
      } else if (status === 409 && /stock|sold|left/i.test(body)) this.soldOut += 1;
      else this.wrong.push(`${status} ${body.slice(0, 200)}`);
      return;
    }
    this.gaveUp += 1;
  }

  #ask(agent: Agent, method: string, path: string, headers: Record<string, string> = {}, body = '') {
    return new Promise<{ status: number; body: string; again: number }>((resolve, reject) => {
      const asked = request(this.#url + path, { agent, method, headers, timeout: 60_000 }, (reply: IncomingMessage) => {
        const parts: Buffer[] = [];
        reply.on('data', (part: Buffer) => parts.push(part));
        reply.on('error', reject);
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            body: Buffer.concat(parts).toString(),
            again: Number(reply.headers['retry-after'] ?? 0),
          }),
        );
      });
      asked.on('timeout', () => asked.destroy(new Error('a minute without an answer')));
      asked.on('error', reject);
      asked.end(body);
    });
  }
}
