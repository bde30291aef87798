import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { reachEmbedded } from '#server/platform/database/embedded.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { newFolder } from '#server/testing/new-folder.ts';
import { allPictures } from './all-pictures.ts';
import { type Ask, type LoadResult, load } from './load.ts';
import { asksForChanges, record, type Statement, statementsOfRequest } from './recorded-statements.ts';
import { memoryOf, openShop, type Running } from './shop.ts';
import { median, micros, type Row, ratio, whole } from './table.ts';

const CLIENTS = 16;
const SECONDS = 4;
const ROUNDS = 3;
const PRODUCTS = 1_000;
const READS = ['/', '/shop', '/newarrivals', '/shop?search=oak', '/api/products'];
const START = '00000000-0000-7000-8000-';
const keyOf = (n: number) => `${START}${String(n).padStart(12, '0')}`;

/** Enough accounts that none reaches the limit on what one may have open. */
const ACCOUNTS = 4_000;
const tokenOf = (n: number) => `bench-token-${n}`;

/** Inserts accounts with sessions, without logins. */
async function makeBuyers(pool: pg.Pool): Promise<void> {
  const numbers = `('${START}' || lpad(n::text, 12, '0'))::uuid as id, n from generate_series(0, ${ACCOUNTS - 1}) as n`;
  await pool.query(
    `insert into users (id, name, email, password_hash) select id, 'Buyer ' || n, 'buyer-' || n || '@example.com', 'none' from (select ${numbers}) as buyer`,
  );
  await pool.query(
    `insert into sessions (token_hash, user_id, expires_at) select sha256(convert_to('bench-token-' || n, 'UTF8')), id, now() + interval '1 day' from (select ${numbers}) as buyer`,
  );
}

function orderFor(token: string, product: number): Ask {
  const line = { _id: keyOf(product), name: 'Bench', image: '', price: 10_000, qty: 1 };
  const prices = { itemsPrice: 10_000, taxPrice: 0, shippingPrice: 0, totalPrice: 10_000 };
  const payment = { paymentMethod: 'Cash on Delivery', orderPaymentID: 'COD' };
  const body = JSON.stringify({ orderItems: [line], shippingAddress: ADDRESS, phone: '07700 900123', ...payment, ...prices });
  return { path: '/api/orders', method: 'POST', headers: { bearer: token, 'content-type': 'application/json' }, body };
}

/** A pgbench script of the same statements: another order of another product by another buyer each time, everything else as it was. */
function scriptOf(statements: Statement[], { order, product, buyer }: Record<'order' | 'product' | 'buyer', string>): string {
  const key = (name: string) => `('${START}' || lpad(:${name}::text, 12, '0'))::uuid`;
  const literal = (value: string | null) => {
    if (value === null) return 'null';
    if (value === order) return key('order');
    if (value === product) return key('product');
    if (value === buyer) return key('buyer');
    // The lock that keeps orders of one customer apart.
    if (value === `orders of ${buyer}`) return `('orders of ' || ${key('buyer')})`;
    if (value === `{${product}}` || value === `{"${product}"}`) return `array[${key('product')}]`;
    // pgbench would take a colon before a letter for a variable.
    return `E'${value.replace(/[\\':\n]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)}'`;
  };
  // With the snapshot of the recording, the query for changes would list every order since then.
  const parameterOf = (text: string, value: string | null) =>
    asksForChanges({ text }) ? 'pg_snapshot_xmin(pg_current_snapshot())::text' : literal(value);
  const lines = statements.map(
    ({ text, values }) => `${text.replace(/\$(\d+)/g, (_, n: string) => parameterOf(text, values[Number(n) - 1] ?? null))};`,
  );
  return [
    `\\set product random(1, ${PRODUCTS})`,
    `\\set buyer random(0, ${ACCOUNTS - 1})`,
    '\\set order random(1, 900000000000)',
    ...lines,
  ].join('\n');
}

/** Transactions a second of a script; undefined where pgbench is not installed. */
function pgbench(url: string, script: string): number | undefined {
  const options = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(SECONDS), '-f', script, url];
  const { status, stdout, stderr, error } = spawnSync('pgbench', options, { encoding: 'utf8' });
  if (error) return undefined;
  if (status !== 0) throw new Error(`pgbench: ${stderr}`);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

/** Waits until the shop has handled the orders whose answers the load generator did not wait for. */
async function untilIdle(pool: pg.Pool): Promise<void> {
  let placed: string | undefined;
  for (;;) {
    const { rows } = await pool.query<{ count: string }>('select count(*) from orders');
    if (rows[0]?.count === placed) return;
    placed = rows[0]?.count;
    await setTimeout(1_000);
  }
}

/** Memory in MB once every width of every picture and many pages were asked for as well. */
async function memoryAfterReads(shop: Running): Promise<number> {
  for (const paths of [await allPictures(shop.url), READS]) {
    const asks = paths.map((path) => ({ path }));
    await load(shop, asks, CLIENTS, SECONDS);
  }
  return memoryOf(shop);
}

/** Cash orders of 16 clients over HTTP, in turn with pgbench running the same statements on the same server. */
export async function measureOrders(): Promise<{ rows: Row[]; memory: number }> {
  const dir = newFolder('bench');
  const shop = await openShop(dir);
  const embedded = await reachEmbedded(join(dir, 'postgres'));
  const pool = new pg.Pool({ connectionString: embedded.url, max: 1 });
  await pool.query(
    `insert into products (id, name, description, category, brand, price, count_in_stock)
     select ('${START}' || lpad(n::text, 12, '0'))::uuid, 'Bench', 'A bench.', 'Bench', 'Bench', 10000, 100000000 from generate_series(1, ${PRODUCTS}) as n`,
  );
  await makeBuyers(pool);
  // Buyers and products in turn, so that hardly any two orders at a time have the same.
  const asks = Array.from({ length: ACCOUNTS }, (_, n) => orderFor(tokenOf(n), 1 + ((n * 61) % PRODUCTS)));
  await load(shop, asks, CLIENTS, 1);
  await untilIdle(pool);
  const before = await pool.query<{ id: string }>('select id from orders');
  const statements = statementsOfRequest(
    await record(pool, join(dir, 'postgres/cluster/postgres.log'), () => sendOne(shop.url, orderFor(tokenOf(0), 8))),
  );
  const known = new Set(before.rows.map(({ id }) => id));
  const placed = (await pool.query<{ id: string }>('select id from orders')).rows.find(({ id }) => !known.has(id))?.id ?? '';
  const script = join(dir, 'order.sql');
  writeFileSync(script, scriptOf(statements, { order: placed, product: keyOf(8), buyer: keyOf(0) }));
  const orders: LoadResult[] = [];
  const limits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    orders.push(await load(shop, asks, CLIENTS, SECONDS));
    const tps = pgbench(embedded.url, script);
    if (tps !== undefined) limits.push(tps);
  }
  await pool.end();
  const memory = await memoryAfterReads(shop);
  await shop.stop();
  rmSync(dir, { recursive: true, force: true });
  const figure = (pick: (result: LoadResult) => number) => median(orders.map(pick));
  const perSecond = figure((result) => result.perSecond);
  const compared = limits.length > 0 ? [whole(median(limits)), ratio(perSecond / median(limits))] : ['pgbench is not installed', ''];
  const cost = [micros(figure((result) => result.cpu.server)), micros(figure((result) => result.cpu.database))];
  return { memory, rows: [[`cash orders, ${statements.length} statements each`, whole(perSecond), ...cost, ...compared]] };
}

async function sendOne(url: string, { path, headers, body }: Ask): Promise<void> {
  const reply = await fetch(url + path, { method: 'POST', headers: headers ?? {}, body: body ?? '' });
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
}
