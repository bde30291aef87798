/**
 * `npm run bench:office`: how long the order list, its tabs, its searches and the panel of sales take with five million orders of three years, the
 * first time after an order has come in. `npm run bench:office -- FOLDER` takes the data folder of a shop that is there already, `--keep` leaves
 * the one that it made, `--orders=N` makes as many. Making five million takes some 12 GB and a quarter of an hour.
 */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { DAY_MS } from '#contract/market/shop-time.ts';
import { QUEUE_NAMES } from '#contract/orders/queues.ts';
import { PAGE_SIZE } from '#contract/platform/lists.ts';
import { withoutIndexes } from '#server/generator/generate.ts';
import { reachEmbedded } from '#server/platform/database/embedded.ts';
import { newFolder } from '#server/testing/new-folder.ts';
import { type Cpu, cpuEach, cpuOf, postmasterOf } from './cpu.ts';
import { type Ask, oneByOne } from './load.ts';
import { generate, openShop } from './shop.ts';
import { median, ms, printTable, type Row, whole } from './table.ts';

const PRODUCTS = 6_300;
const YEARS = 3;
const PART = 100_000;
const ROUNDS = 15;
const TOKEN = 'bench-office';

/** The key of order `n`, counted from the newest. */
const KEY = "('01900000-0003-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid";
/** What became of order `n`: the newest wait, nearly all others were delivered. */
const STATUS = `case when n <= 3000 then 'placed' when n <= 4500 then 'packing' when n <= 4700 then 'delivery_failed' when n <= 14000 then 'dispatched'
  when n % 50 = 0 then 'cancelled' else 'placed' end`;

const ORDERS = (from: number, to: number, all: number) => `
  insert into orders (id, reference, user_id, user_name, user_email, full_name, email, status, sub_total_price, shipping_price, tax_price, total_price,
    line1, city, postal_code, country, phone, payment_method, paid_at, delivered_at, dispatched_at, created_at)
  select ${KEY}, upper(substr(lpad(to_hex(n), 8, '0'), 1, 4) || '-' || substr(lpad(to_hex(n), 8, '0'), 5)), null, person, mail, person, mail, status,
    price, 0, 0, price, n % 180 || ' High Street', 'Leeds', 'LS1 4AP', 'United Kingdom',
    case when n = 777 then '07700 900777' else '07700 900123' end, 'Cash on Delivery',
    case when status = 'placed' and n > 14000 then at end, case when status = 'placed' and n > 14000 then at + interval '6 days' end,
    case when status in ('dispatched', 'delivery_failed') then at end, at
  from (
    select n, ${STATUS} as status, 1000 + n::bigint * 7919 % 200000 as price, now() - n * interval '${YEARS} years' / ${all} as at,
      (array['Ada', 'Ben', 'Cleo', 'Dev', 'Elif', 'Finn', 'Grace'])[n % 7 + 1] || ' ' || (array['Ash', 'Birch', 'Cedar', 'Dale', 'Elder'])[n % 5 + 1]
        || to_hex(n / 4) as person, 'buyer' || n / 4 || '@example.com' as mail
    from generate_series(${from}, ${to}) as n
  ) as made`;

const ITEMS = (from: number, to: number) => `
  insert into order_items (order_id, position, product_id, name, image, qty, price)
  select ${KEY}, line, product.id, product.name, '', 1 + n % 2, 1000
  from generate_series(${from}, ${to}) as n cross join generate_series(0, n % 3) as line join numbered product on product.place = (n::bigint * 31 + line * 977 + n / 700) % ${PRODUCTS}`;

const WAITING = `
  insert into order_returns (id, order_id, reason, actor, status) select gen_random_uuid(), ${KEY}, 'Wrong piece', 'Buyer', 'asked'
    from generate_series(20001, 20300) as n;
  update orders set return_stage = 'asked' where id in (select order_id from order_returns) and status = 'placed';
  insert into order_refunds (id, order_id, amount, reason, actor, is_by_hand, status) select gen_random_uuid(), ${KEY}, 1, 'Goodwill', 'Admin', false,
    case when n % 10 = 0 then 'failed' else 'done' end from generate_series(30001, 130000) as n;
  insert into order_disputes (id, order_id, status, amount, reason) select 'dp_' || n, ${KEY}, case when n % 20 = 0 then 'open' else 'lost' end, 1, 'fraudulent'
    from generate_series(40001, 42000) as n`;

/** Writes orders straight into the database, without foreign keys and triggers, but for those that are `enable always`: states and sums are kept. */
async function fill(client: pg.PoolClient, orders: number): Promise<void> {
  await client.query("set session_replication_role = replica; set maintenance_work_mem = '512MB'; set synchronous_commit = off");
  await client.query(
    'create temp table numbered as select id, name, row_number() over (order by id) - 1 as place from products; analyze numbered',
  );
  const parts = Array.from(
    { length: Math.ceil(orders / PART) },
    (_, part) => [part * PART + 1, Math.min((part + 1) * PART, orders)] as const,
  );
  await withoutIndexes(client, 'orders', async () => {
    for (const [from, to] of parts) await client.query(ORDERS(from, to, orders));
    console.log('Making indexes of the orders');
  });
  await withoutIndexes(client, 'order_items', async () => {
    for (const [from, to] of parts) await client.query(ITEMS(from, to));
    console.log('Making indexes of their lines');
  });
  await client.query(WAITING);
  await client.query('set session_replication_role = origin');
  await client.query('vacuum (analyze) orders, order_items, order_returns, order_refunds, order_disputes');
}

async function make(dir: string, orders: number): Promise<void> {
  await generate(dir, PRODUCTS);
  const embedded = await reachEmbedded(join(dir, 'postgres'));
  const pool = new pg.Pool({ connectionString: embedded.url, max: 1 });
  const client = await pool.connect();
  await fill(client, orders);
  client.release();
  await pool.end();
  await embedded.stop();
}

/** An administrator with a session, who never logged in. */
async function makeAdmin(pool: pg.Pool): Promise<void> {
  await pool.query(`
    with made as (
      insert into users (id, name, email, password_hash, is_admin) values (gen_random_uuid(), 'Bench', 'bench-office@example.com', 'none', true)
      on conflict do nothing returning id
    )
    insert into sessions (token_hash, user_id, expires_at)
    select sha256(convert_to('${TOKEN}', 'UTF8')), id, now() + interval '1 day' from made`);
}

/** An order comes in, as the shop itself would write it. */
async function orderArrives(pool: pg.Pool): Promise<void> {
  await pool.query(`
    with made as (
      insert into orders (id, user_name, user_email, full_name, email, status, sub_total_price, shipping_price, tax_price, total_price, line1, city,
        postal_code, country, phone, payment_method)
      values (gen_random_uuid(), 'Nora New', 'nora@example.com', 'Nora New', 'nora@example.com', 'placed', 1000, 0, 0, 1000, '1 High Street', 'Leeds',
        'LS1 4AP', 'United Kingdom', '07700 900123', 'Cash on Delivery') returning id
    )
    insert into order_items (order_id, position, product_id, name, image, qty, price)
    select made.id, 0, product.id, product.name, '', 1, 1000 from made, (select id, name from products order by random() limit 1) as product`);
}

const lists = (queries: string[]): string[] => queries.map((query) => `/api/orders?${query}`);
const pagesOf = (queue: string, pages: number[]) => lists(pages.map((page) => `queue=${queue}&pageNumber=${page}`));

const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const reportOf = (from: number, to: number) => `/api/office/reports?from=${dayAgo(from)}&to=${dayAgo(to)}`;

const kindsOf = (pages: number): Record<string, string[]> => ({
  'what waits today, and the tabs': ['/api/office/today'],
  'panel of sales': ['/api/orders/sales'],
  'reports of 30 days': [reportOf(29, 0)],
  'reports of a year': [reportOf(365, 0)],
  'first page of each waiting tab': lists(QUEUE_NAMES.map((queue) => `queue=${queue}`)),
  'to pack, later pages': pagesOf('pack', [2, 30, 150, 299]),
  'to dispatch, later pages': pagesOf('dispatch', [2, 80, 160]),
  'to pay back (10,000), later pages': pagesOf('refunds', [2, 500, 999]),
  'all, first pages': lists(['pageNumber=1', 'pageNumber=2', 'pageNumber=50']),
  'all, last page': lists([`pageNumber=${pages}`]),
  'all, in the middle': lists([`pageNumber=${pages / 2}`, `pageNumber=${pages / 2}&sortBy=oldest`]),
  'paid or delivered': lists(['paid=true', 'delivered=true', 'paid=false']),
  'by reference': lists(['search=0000-1234', 'search=001e8480', 'search=0000 FFFF']),
  'by tracking or invoice number': lists(['search=AB12345678GB', 'search=INV-000042']),
  'by a phone number of one order': lists(['search=07700900777']),
  'by a phone number or postcode that all have': lists(['search=07700900123', 'search=LS1 4AP']),
  'by id': lists(['search=01900000-0003-7000-8000-000000001234']),
  'by address': lists(['search=buyer777777@example.com', 'search=buyer5@example.com']),
  'by a whole name': lists(['search=Ada Ash1', 'search=Grace Elder2dc6c']),
  'by a first name that one in seven has': lists(['search=grace']),
});

async function measure(dir: string, orders: number): Promise<Row[]> {
  const shop = await openShop(dir, { PAGE_CACHE_MB: '0' });
  const embedded = await reachEmbedded(join(dir, 'postgres'));
  const pool = new pg.Pool({ connectionString: embedded.url, max: 1 });
  await makeAdmin(pool);
  await untilSummed(pool);
  const postmaster = postmasterOf(dir);
  const usedBy = (): Cpu => ({ server: cpuOf(shop.pid).server, database: cpuOf(postmaster).database });
  const rows: Row[] = [];
  for (const [kind, paths] of Object.entries(kindsOf(orders / PAGE_SIZE.admin))) {
    const asks: Ask[] = paths.map((path) => ({ path, headers: { bearer: TOKEN } }));
    const times: number[] = [];
    await oneByOne(shop.url, asks);
    const used: Cpu = { server: 0, database: 0 };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const ask of asks) {
        await orderArrives(pool);
        const before = usedBy();
        times.push(...(await oneByOne(shop.url, [ask])));
        const { server, database } = cpuEach(before, usedBy(), 1);
        used.server += server;
        used.database += database;
      }
    const each = cpuEach({ server: 0, database: 0 }, used, times.length);
    rows.push([kind, ms(median(times)), ms(Math.max(...times)), ms(each.server), ms(each.database)]);
  }
  await pool.end();
  await shop.stop();
  return rows;
}

/** Waits until the shop's own job has added the sums up, then vacuums and analyses as PostgreSQL would some minutes later. */
async function untilSummed(pool: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ left: number }>(
      'select (select count(*) from sales_changes)::int + (select count(*) from sales_fact_changes)::int as left',
    );
    if ((rows[0]?.left ?? 0) < 1_000) break;
    await setTimeout(1_000);
  }
  await pool.query('vacuum (analyze) sales_changes, sales_pieces, sales_best_sellers, sales_facts, sales_fact_changes, sales_fact_months');
}

const [given] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const orders = Number(process.argv.find((argument) => argument.startsWith('--orders='))?.slice('--orders='.length) ?? 5_000_000);
const dir = given ?? newFolder('bench');
if (!given) await make(dir, orders);
console.log(`${dir}: ${whole(orders)} orders of ${YEARS} years`);
printTable(
  ['the first time after an order', 'p50', 'slowest', 'processor of the server', 'and of the database'],
  await measure(dir, orders),
);
if (!given && !process.argv.includes('--keep')) rmSync(dir, { recursive: true, force: true });
