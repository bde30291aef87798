import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS } from '#contract/market/shop-time.ts';
import type { OrderList } from '#contract/orders/orders.ts';
import { anAdmin } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const ROWS = 100_000;
const LIMIT_MS = 50;
const shop = await testShop();
const { app, db } = shop;
const admin = await anAdmin(db);

/** Keys that grow with n, as the shop's own do. */
const key = (n: string, kind: string) => sql.raw(`('01900000-000${kind}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`);

/** Rows are inserted in parts, as a busy machine may need long for all of them at once. */
const PART = 10_000;
const parts = Array.from({ length: ROWS / PART }, (_, part) => sql.raw(`generate_series(${part * PART + 1}, ${(part + 1) * PART}) n`));
type Numbers = (typeof parts)[number];

const TABLES: Record<string, (numbers: Numbers) => RawBuilder<unknown>> = {
  users: (numbers) => sql`
    insert into users (id, name, email, password_hash, created_at)
    select ${key('n', '1')}, 'Person ' || n || ' ' || (array['Ash','Birch','Cedar'])[n % 3 + 1], 'person' || n || '@example.com', 'none',
      now() - n * interval '7 minutes'
    from ${numbers}`,
  products: (numbers) => sql`
    insert into products (id, name, description, category, brand, price, count_in_stock, created_at)
    select ${key('n', '2')}, (array['Sofa','Lamp','Bench','Chair'])[n % 4 + 1] || ' Model' || n, 'For a room.',
      (array['Sofa','Lamp','Bench','Chair'])[n % 4 + 1], 'Brand' || n % 50, 1 + n * 7919 % 90000, n % 40, now() - n * interval '3 minutes'
    from ${numbers}`,
  orders: (numbers) => sql`
    insert into orders (id, user_id, user_name, user_email, full_name, email, status, sub_total_price, shipping_price, tax_price,
      total_price, line1, city, state, postal_code, country, phone, payment_method, paid_at, delivered_at, created_at)
    select ${key('n', '3')}, ${key('n', '1')}, 'Person ' || n, 'person' || n || '@example.com', 'Person ' || n, 'person' || n || '@example.com',
      case when n % 50 = 0 then 'refunded' else 'placed' end, n * 7919 % 500000, 0, 0, n * 7919 % 500000,
      n || ' High Street', 'Kingston upon Hull', 'East Riding of Yorkshire', 'HU1 1AA', 'United Kingdom', '07700900123', 'Cash on Delivery',
      case when n % 3 = 0 then now() end, case when n > 500 and n % 50 > 0 then now() end, now() - n * interval '7 minutes'
    from ${numbers}`,
  order_items: (numbers) => sql`
    insert into order_items (order_id, position, product_id, name, image, qty, price)
    select ${key('n', '3')}, 0, ${key('1 + n * 31 % 5000', '2')}, 'A thing', '', 1 + n % 3, 1000 from ${numbers}`,
};

beforeAll(async () => {
  await sql`alter table products disable trigger products_words_inserted`.execute(db);
  for (const insert of Object.values(TABLES)) for (const numbers of parts) await insert(numbers).execute(db);
  // After all inserts, as the check of a foreign key locks the row that is referred to, and so changes its page.
  for (const table of Object.keys(TABLES)) await sql`vacuum analyze ${sql.table(table)}`.execute(db);
});

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
const middle = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.POSITIVE_INFINITY;

/** A fixed piece of work for the database. With a processor for itself it takes about `REFERENCE_MS`. */
const reference = () => sql`select sum(n) from generate_series(1, 100000) n`.execute(db);
const REFERENCE_MS = 6;

/**
 * The server's milliseconds for a call, the median of three with an empty page cache. A reference workload in between measures how much slower a busy machine
 * is, and that factor is divided out.
 */
async function serverTimeOf(url: string): Promise<number> {
  const [times, references]: [number[], number[]] = [[], []];
  for (let n = 0; n < 3; n += 1) {
    references.push(await timed(reference));
    shop.services.cache.invalidate();
    times.push(await timed(async () => expect((await app.inject({ url, headers: admin.headers })).statusCode).toBe(200)));
  }
  return middle(times) / Math.max(1, middle(references) / REFERENCE_MS);
}

/** The quickest of five such measurements, or the first within the limit: what a call costs is the least that it was seen to take. */
async function quickestOf(url: string): Promise<number> {
  let ms = await serverTimeOf(url);
  for (let round = 0; ms > LIMIT_MS && round < 4; round += 1) ms = Math.min(ms, await serverTimeOf(url));
  return ms;
}

const PAGES = ['', 'pageNumber=5000', 'pageNumber=9800'];
const ORDER_ID = '01900000-0003-7000-8000-00000000c350';
const USER_ID = '01900000-0001-7000-8000-00000000c350';
const ORDERS = [
  ...PAGES,
  'sortBy=oldest&pageNumber=5000',
  ...PAGES.map((page) => `sortBy=total&${page}`),
  ...['', 'pageNumber=1600', 'pageNumber=3300'].map((page) => `paid=true&${page}`),
  ...['', 'pageNumber=3000', 'pageNumber=6500'].map((page) => `paid=false&${page}`),
  ...PAGES.map((page) => `delivered=true&${page}`),
  ...['', 'pageNumber=25', 'pageNumber=49'].map((page) => `delivered=false&${page}`),
  'paid=false&delivered=true&sortBy=total&pageNumber=3000',
  `from=${new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 10)}`,
  `search=${ORDER_ID}`,
  `search=${USER_ID}`,
  'search=person50001@example.com',
  'search=Person 50001',
  ...['', '&pageNumber=900', '&sortBy=total', '&sortBy=oldest&paid=true'].map((rest) => `search=person${rest}`),
];
const PRODUCTS = [
  ...PAGES.map((page) => `sortBy=newest&${page}`),
  ...['name', 'ascprice', 'stock'].flatMap((sort) => PAGES.map((page) => `sortBy=${sort}&${page}`)),
  ...['', 'pageNumber=600', 'pageNumber=1200'].map((page) => `sortBy=newest&stockQuery=low&${page}`),
  ...['', 'pageNumber=120', 'pageNumber=249'].map((page) => `sortBy=name&stockQuery=out&${page}`),
  'search=01900000-0002-7000-8000-00000000c350',
  'search=lamp model50001',
  'search=bench brand7&sortBy=name',
];
const USERS = [
  ...PAGES,
  ...['name', 'email'].flatMap((sort) => PAGES.map((page) => `sortBy=${sort}&${page}`)),
  'role=admin',
  ...PAGES.map((page) => `role=customer&${page}`),
  `search=${USER_ID}`,
  'search=person50001@example.com',
  'search=Person 50001 Birch',
];
const urls = [
  ...ORDERS.map((query) => `/api/orders?${query}`),
  ...PRODUCTS.map((query) => `/api/office/products?${query}`),
  ...USERS.map((query) => `/api/users?${query}`),
  `/api/users/${USER_ID}`,
  `/api/orders/${ORDER_ID}`,
  '/api/orders/sales',
];

test(`every list of the back office answers within ${LIMIT_MS} ms at ${ROWS} rows, on the first page, in the middle and at the end`, async () => {
  const slow: string[] = [];
  for (const url of urls) {
    const ms = await quickestOf(url);
    if (ms > LIMIT_MS) slow.push(`${ms.toFixed(0)} ms ${url}`);
  }
  expect(slow).toEqual([]);
});

interface Statement {
  text?: string;
  values?: unknown[];
}

test('no list reads a whole table', async () => {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  for (const url of urls) {
    shop.services.cache.invalidate();
    await app.inject({ url, headers: admin.headers });
  }
  // An unprepared statement is passed as a text and its values, a prepared one as an object with a name.
  const calls = spy.mock.calls as unknown as [string | Statement, unknown[]?][];
  const statements = calls.map(([one, values = []]): Statement => (typeof one === 'string' ? { text: one, values } : one));
  spy.mockRestore();
  const scans: string[] = [];
  for (const { text = '', values = [] } of statements.filter((statement) =>
    /^\s*(\/\*.*?\*\/)?\s*(select|with)/.test(statement.text ?? ''),
  )) {
    const { rows } = await shop.services.pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    const scan = rows.map((row) => row['QUERY PLAN']).find((line) => /Seq Scan on (orders|order_items|products|users)\b/.test(line));
    if (scan) scans.push(`${scan.trim()}: ${text} ${JSON.stringify(values)}`);
  }
  expect(statements.length).toBeGreaterThan(urls.length);
  expect([...new Set(scans)]).toEqual([]);
});

test('a page deep in the list has the orders that stand there', async () => {
  const idsOf = async (query: string) =>
    (await app.inject({ url: `/api/orders?${query}`, headers: admin.headers })).json<OrderList>().orders.map(({ _id }) => _id);
  for (const [order, way] of [
    ['newest', 'desc'],
    ['oldest', 'asc'],
  ] as const)
    for (const page of [120, 4_321, 6_000, 10_000]) {
      const { rows } = await sql<{ id: string }>`
        select id from orders order by created_at ${sql.raw(way)}, id ${sql.raw(way)} limit 10 offset ${(page - 1) * 10}`.execute(db);
      expect(await idsOf(`sortBy=${order}&pageNumber=${page}`)).toEqual(rows.map(({ id }) => id));
    }
});

test('a search or a filter that finds very many orders ends after the first of the sort', async () => {
  const find = async (query: string) => (await app.inject({ url: `/api/orders?${query}`, headers: admin.headers })).json<OrderList>();
  const list = await find('search=person&pageNumber=2');
  expect([list.total, list.pages, list.isCut]).toEqual([10_000, 1_000, true]);
  expect(list.orders.map(({ _id }) => _id)).toEqual((await find('pageNumber=2')).orders.map(({ _id }) => _id));
  expect((await find('search=person&pageNumber=1001')).orders).toEqual([]);
  // The newest 500, of which ten were refunded.
  expect(await find('search=person&delivered=false')).toMatchObject({ isCut: false, total: 490 });
  expect(await find('delivered=false')).toMatchObject({ isCut: false, total: 490 });
  const delivered = await find('delivered=true');
  expect([delivered.total, delivered.isCut]).toEqual([10_000, true]);
  const { rows } = await sql<{
    id: string;
  }>`select id from orders where delivered_at is not null order by created_at desc, id desc limit 10`.execute(db);
  expect(delivered.orders.map(({ _id }) => _id)).toEqual(rows.map(({ id }) => id));
});

test('what is looked for at that size is found', async () => {
  const total = async (url: string) => (await app.inject({ url, headers: admin.headers })).json<{ total: number }>().total;
  expect(await total('/api/orders?')).toBe(ROWS);
  for (const search of [ORDER_ID, USER_ID, 'person50001@example.com', 'Person 50001'])
    expect(await total(`/api/orders?search=${search}`)).toBe(1);
  expect(await total('/api/office/products?search=lamp model50001')).toBe(1);
  expect(await total('/api/office/products?stockQuery=out')).toBe(2_500);
  expect(await total('/api/users?search=Person 50001 ')).toBe(1);
});
