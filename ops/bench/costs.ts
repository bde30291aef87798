/**
 * `npm run bench:costs`: what one request of each kind costs: processor time of the server and of the database, statements, bytes sent. Eight at
 * a time, at ten thousand products, with the jobs that an order leaves behind. `docs/capacity.md` does its sums with these figures.
 */

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { openSandbox } from '#ops/drills/sandbox.ts';
import { PAYER } from '#sandbox/payer.ts';
import { reachEmbedded } from '#server/platform/database/embedded.ts';
import { freePort } from '#server/platform/ports.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { newFolder } from '#server/testing/new-folder.ts';
import { type Cpu, cpuOf, postmasterOf } from './cpu.ts';
import { type Ask, load } from './load.ts';
import { record, statementsOfRequest } from './recorded-statements.ts';
import { generate, openShop, type Running } from './shop.ts';
import { printTable, type Row } from './table.ts';

const PRODUCTS = 10_000;
const BUYERS = 100;
/** Visitors and buyers who ask at the same time. */
const CLIENTS = 8;
const SECONDS = 5;
const ORDERS = 800;
/** Orders before the measurement: Node compiles what runs often, so the first ones cost several times as much. */
const WARM_UP = 200;
const tokenOf = (n: number) => `bench-costs-${n % BUYERS}`;
const agent = new Agent({ keepAlive: true });

/** Sends a request as a browser does; returns the answer's bytes, as they were sent. */
async function send(url: string, { path, method = 'GET', headers, body }: Ask): Promise<Buffer> {
  // The answer to a body is parsed here, so it comes uncompressed.
  const asked = request(url + path, { method, headers: { 'accept-encoding': body ? 'identity' : 'br', ...headers }, agent }).end(body);
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  const bytes = await buffer(reply);
  if (reply.statusCode === undefined || reply.statusCode >= 400) throw new Error(`${path}: ${reply.statusCode} ${bytes}`);
  return bytes;
}

interface Kind {
  name: string;
  /** Sends the n-th request; returns how many bytes the answer had. */
  once: (n: number) => Promise<number>;
  /** The requests, if a load generator can send them. */
  asks?: Ask[];
}

class Costs {
  readonly rows: Row[] = [];
  readonly #dir: string;
  #pool = new pg.Pool();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Uses another pool, as the database has been started again. */
  usePool(pool: pg.Pool): void {
    this.#pool = pool;
  }

  #used(shop: Running): Cpu {
    return { server: cpuOf(shop.pid).server, database: cpuOf(postmasterOf(this.#dir)).database };
  }

  /** Waits until no job is due. */
  async #untilIdle(): Promise<void> {
    for (;;) {
      const { rows } = await this.#pool.query<{ due: number }>(
        'select count(*)::int as due from jobs where run_at <= now() and attempts < max_attempts',
      );
      if (rows[0]?.due === 0) return;
      await setTimeout(100);
    }
  }

  /** The cost of an idle second. */
  async #idle(shop: Running): Promise<Cpu> {
    const before = this.#used(shop);
    await setTimeout(5_000);
    const after = this.#used(shop);
    return { server: (after.server - before.server) / 5, database: (after.database - before.database) / 5 };
  }

  /** The cost of one order among many at a time, with the jobs that it leaves behind, and without what an idle shop uses. */
  async #orders(shop: Running, ask: Kind['once']): Promise<Cpu> {
    const sendAll = async (orders: number) => {
      const turns = Array.from({ length: CLIENTS }, async (_, client) => {
        for (let n = client; n < orders; n += CLIENTS) await ask(n);
      });
      await Promise.all(turns);
      await this.#untilIdle();
    };
    await sendAll(WARM_UP);
    const idle = await this.#idle(shop);
    const [before, began] = [this.#used(shop), performance.now()];
    await sendAll(ORDERS);
    const [after, seconds] = [this.#used(shop), (performance.now() - began) / 1000];
    const each = (of: keyof Cpu) => Math.max(0, after[of] - before[of] - idle[of] * seconds) / ORDERS;
    return { server: each('server'), database: each('database') };
  }

  async measure(shop: Running, kinds: Kind[]): Promise<void> {
    for (const { name, once: ask, asks } of kinds) {
      if (asks) await load(shop, asks, CLIENTS, 3 * SECONDS);
      const { server, database } = asks ? (await load(shop, asks, CLIENTS, SECONDS)).cpu : await this.#orders(shop, ask);
      let bytes = 0;
      const log = join(this.#dir, 'postgres/cluster/postgres.log');
      const statements = statementsOfRequest(
        await record(this.#pool, log, async () => {
          bytes = await ask(3);
        }),
      );
      this.rows.push([name, millis(server), millis(database), String(statements.length), `${(bytes / 1000).toFixed(1)} KB`]);
    }
  }
}

const millis = (value: number) => `${value.toFixed(value < 1 ? 3 : 1)} ms`;

/** Inserts customers and an administrator with sessions, without logins. */
async function makePeople(pool: pg.Pool): Promise<void> {
  await pool.query(`
    with made as (
      insert into users (id, name, email, password_hash, is_admin)
      select gen_random_uuid(), 'Costs ' || n, 'bench-costs-' || n || '@example.com', 'none', n = ${BUYERS} from generate_series(0, ${BUYERS}) as n
      returning id, name
    )
    insert into sessions (token_hash, user_id, expires_at)
    select sha256(convert_to('bench-costs-' || substr(name, 7), 'UTF8')), id, now() + interval '1 day' from made`);
}

interface Product {
  _id: string;
  name: string;
  price: number;
  images: string[];
  sizes: { size: string; price: number }[];
}

const lineOf = ({ _id, name, price, sizes: [size] }: Product) => ({
  _id,
  name,
  image: '',
  qty: 1,
  price: size?.price || price,
  ...(size && { size: size.size }),
});

function buying(shop: Running, products: Product[], pool: pg.Pool): Kind[] {
  const headers = (n: number) => ({ bearer: tokenOf(n), 'content-type': 'application/json' });
  const productAt = (n: number) => products[n % products.length] as Product;
  const cash = async (n: number) => {
    const payment = { paymentMethod: 'Cash on Delivery', orderPaymentID: 'COD' };
    const body = JSON.stringify({ orderItems: [lineOf(productAt(n))], shippingAddress: ADDRESS, phone: '07700 900123', ...payment });
    return (await send(shop.url, { path: '/api/orders', method: 'POST', headers: headers(n), body })).length;
  };
  const card = async (n: number) => {
    const body = JSON.stringify({ orderItems: [lineOf(productAt(n))] });
    const reply = await send(shop.url, { path: '/stripe/create-checkout-session', method: 'POST', headers: headers(n), body });
    const { url } = JSON.parse(reply.toString()) as { url: string };
    await (await fetch(url, { method: 'POST', body: new URLSearchParams(PAYER), redirect: 'manual' })).arrayBuffer();
    const paid = 'select from orders where provider_session_id = $1 and paid_at is not null';
    while ((await pool.query(paid, [url.split('/').at(-1)])).rowCount === 0) await setTimeout(20);
    return reply.length;
  };
  return [
    { name: 'cash order, with its mail and sums', once: cash },
    { name: 'card order: checkout, notice, mail and sums', once: card },
  ];
}

const get = (shop: Running, name: string, paths: string[], bearer?: string): Kind => {
  const asks = paths.map((path) => ({ path, ...(bearer && { headers: { bearer } }) }));
  return { name, asks, once: async (n) => (await send(shop.url, asks[n % asks.length] ?? { path: '/' })).length };
};

/** Cached answers, and those that are never cached. */
async function measureCached(costs: Costs, shop: Running, products: Product[], pool: pg.Pool): Promise<void> {
  const [first] = products;
  const card = first?.images[0]?.replace(/-\d+\.webp$/, '-640.webp') ?? '';
  await costs.measure(shop, [
    get(shop, 'page of a product, kept', [`/product/${first?._id}`]),
    get(shop, 'list as a page, kept', ['/shop']),
    get(shop, 'product as JSON, kept', [`/api/products/${first?._id}`]),
    get(shop, 'picture of a card', [card]),
    ...buying(shop, products, pool),
    get(shop, 'own orders', ['/api/orders/myorders'], tokenOf(1)),
    get(shop, 'order list of the office', ['/api/orders'], `bench-costs-${BUYERS}`),
  ]);
}

/** Answers on a cache miss. */
async function measureUncached(costs: Costs, shop: Running, products: Product[]): Promise<void> {
  await costs.measure(shop, [
    get(
      shop,
      'page of a product, made',
      products.map(({ _id }) => `/product/${_id}`),
    ),
    get(
      shop,
      'product as JSON, made',
      products.map(({ _id }) => `/api/products/${_id}`),
    ),
    get(shop, 'list as a page, made', ['/shop', '/shop?query=Sofa', '/shop?sortBy=ascprice']),
    get(
      shop,
      'search as JSON, made',
      ['oak', 'table lamp', 'velvet sofa'].map((words) => `/api/products?search=${encodeURIComponent(words)}`),
    ),
  ]);
}

/** The shop with a way to its database, for as long as `work` takes. */
async function withShop(
  dir: string,
  settings: Record<string, string>,
  work: (shop: Running, pool: pg.Pool) => Promise<void>,
): Promise<void> {
  const shop = { ...(await openShop(dir, settings)), url: `http://127.0.0.1:${settings.PORT}` };
  const pool = new pg.Pool({ connectionString: (await reachEmbedded(join(dir, 'postgres'))).url, max: 2 });
  try {
    await work(shop, pool);
  } finally {
    await pool.end();
    await shop.stop();
  }
}

/** The products of the first page, with enough stock for all orders. */
async function productsOf(shop: Running, pool: pg.Pool): Promise<Product[]> {
  const reply = await send(shop.url, { path: '/api/products?inStockQuery=true', headers: { 'accept-encoding': 'identity' } });
  const ids = (JSON.parse(reply.toString()) as { products: Product[] }).products.map(({ _id }) => _id);
  // The stock of all products is filled, since a set has that of its parts.
  await pool.query('update products set count_in_stock = 1000000');
  await pool.query('update product_sizes set quantity = 1000000');
  const details = ids.map((id) => send(shop.url, { path: `/api/products/${id}`, headers: { 'accept-encoding': 'identity' } }));
  return (await Promise.all(details)).map((detail) => JSON.parse(detail.toString()) as Product);
}

async function run(dir: string): Promise<Row[]> {
  // The demo has the pictures that generated products show.
  await (await openShop(dir)).stop();
  await generate(dir, PRODUCTS);
  const port = String(await freePort());
  const sandbox = await openSandbox(`http://127.0.0.1:${port}`, join(dir, 'sandbox'));
  const settings = { ...MANY_ORDERS, ...sandbox.env, PORT: port };
  const costs = new Costs(dir);
  let products: Product[] = [];
  await withShop(dir, settings, async (shop, pool) => {
    await makePeople(pool);
    products = await productsOf(shop, pool);
    costs.usePool(pool);
    await measureCached(costs, shop, products, pool);
  });
  await withShop(dir, { ...settings, PAGE_CACHE_MB: '0' }, async (shop, pool) => {
    costs.usePool(pool);
    await measureUncached(costs, shop, products);
  });
  await sandbox.close();
  return costs.rows;
}

const dir = newFolder('bench');
try {
  printTable(['request', 'CPU server', 'CPU database', 'statements', 'bytes'], await run(dir));
} finally {
  rmSync(dir, { recursive: true, force: true });
}
agent.destroy();
