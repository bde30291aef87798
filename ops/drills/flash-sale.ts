import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Product } from '#contract/catalogue/catalogue.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { createSession } from '#server/sessions/session.service.ts';
import { cashOrderOf, type Dice, lineOf } from './buyers.ts';

/** Makes customers with a session each; returns its tokens. */
export async function makeCustomers(db: Db, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into users (id, name, email, password_hash)
    select gen_random_uuid(), 'Sally Sale', 'sale-' || place || '@example.com', 'none' from generate_series(1, ${count}::int) as place
    returning id`.execute(db);
  return Promise.all(rows.map(({ id }) => createSession(db, id)));
}

/** A crowd that orders one piece each, from a network and on a connection of their own, which stays open to the end. */
export class FlashSale {
  /** Ids of the orders that were acknowledged. */
  readonly bought: string[] = [];
  /** People who were told that the piece is sold out. */
  soldOut = 0;
  /** People who gave up after a minute of retries. */
  gaveUp = 0;
  /** Answers of 503 with a time to retry. */
  askedAgain = 0;
  /** Unexpected answers and broken connections. */
  readonly wrong: string[] = [];
  /** The time to the answer of each order, a refusal included, and of each page, in ms. */
  readonly answers: number[] = [];
  readonly pages: number[] = [];
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

  /** Lets a person come for each token, spread over `seconds`; resolves once all have an answer. */
  async run(tokens: readonly string[], seconds: number): Promise<void> {
    const agents: Agent[] = [];
    await Promise.all(
      tokens.map(async (token, index) => {
        await setTimeout(this.#dice() * seconds * 1_000);
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        agents.push(agent);
        this.#open += 1;
        this.mostOpen = Math.max(this.mostOpen, this.#open);
        await this.#visitAndOrder(agent, token, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`).catch((error: Error) =>
          this.wrong.push(error.message),
        );
      }),
    );
    for (const agent of agents) agent.destroy();
  }

  async #visitAndOrder(agent: Agent, token: string, address: string): Promise<void> {
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
      const { status, body, retryAfter } = await this.#ask(agent, 'POST', '/api/orders', headers, order);
      this.answers.push(performance.now() - sent);
      if (status === 503 && retryAfter > 0) {
        this.askedAgain += 1;
        await setTimeout(retryAfter * 1_000);
        continue;
      }
      if (status === 201) this.bought.push((JSON.parse(body) as { _id: string })._id);
      else if (status === 409 && /stock|sold|left/i.test(body)) this.soldOut += 1;
      else this.wrong.push(`${status} ${body.slice(0, 200)}`);
      return;
    }
    this.gaveUp += 1;
  }

  #ask(agent: Agent, method: string, path: string, headers: Record<string, string> = {}, body = '') {
    return new Promise<{ status: number; body: string; retryAfter: number }>((resolve, reject) => {
      const asked = request(this.#url + path, { agent, method, headers, timeout: 60_000 }, (reply: IncomingMessage) => {
        const parts: Buffer[] = [];
        reply.on('data', (part: Buffer) => parts.push(part));
        reply.on('error', reject);
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            body: Buffer.concat(parts).toString(),
            retryAfter: Number(reply.headers['retry-after'] ?? 0),
          }),
        );
      });
      asked.on('timeout', () => asked.destroy(new Error('a minute without an answer')));
      asked.on('error', reject);
      asked.end(body);
    });
  }
}
