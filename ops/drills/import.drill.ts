import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ImportReport } from '#contract/catalogue/catalogue.ts';
import { deriveNext } from '#server/catalogue/attributes/derive.service.ts';
import { csvRow } from '#server/platform/csv.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { longestTurnOf } from '#server/testing/cpu-time.ts';
import { aCustomer, aLine, anAdmin, aPayload } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { importer } from '#server/testing/imports.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { logIn, orderOne, reachProducts } from './buyers.ts';
import { quantile } from './readers.ts';
import { aWholeShop } from './whole-shop.ts';

const { app, db } = await testShop({ env: MANY_ORDERS });
const admin = await anAdmin(db);
const { send, check } = importer(app, admin);
const { formOf, inject } = sender();
const MB = 1024 * 1024;
/** Products of a large shop; `IMPORT_PRODUCTS=50000` measures the largest. */
const SIZE = Number(process.env.IMPORT_PRODUCTS ?? 5_200);

test.each([
  ['commas', ','.repeat(9.9 * MB)],
  ['commas below a head', `name,brand\n${','.repeat(9.9 * MB)}`],
  ['empty lines', '\n'.repeat(9.9 * MB)],
  ['rows of one letter', `name\n${'x\n'.repeat(4.9 * MB)}`],
  ['a quotation mark that is never closed', `name\n"${'x'.repeat(9.9 * MB)}`],
  ['quotation marks', '"'.repeat(9.9 * MB)],
  ['names of columns', Array.from({ length: 90 }, (_, n) => `c${n}`.padEnd(9_000, 'x')).join(',')],
])('10 MB of %s neither stop the shop nor fill its memory', async (_, csv) => {
  const before = process.memoryUsage().rss;
  const longest = await longestTurnOf(async () => {
    const report = await check(csv);
    expect(report.errors.length).toBeGreaterThan(0);
    expect(JSON.stringify(report).length).toBeLessThan(200_000);
  });
  expect(longest).toBeLessThan(1_000);
  expect((process.memoryUsage().rss - before) / MB).toBeLessThan(400);
});

test('people buy while a thousand products are imported, and none of them waits for many batches', async () => {
  const count = 1_000;
  await db
    .insertInto('products')
    .columns(['id', 'name', 'description', 'category', 'brand', 'price', 'countInStock'])
    .expression((eb) =>
      eb
        .selectFrom(eb.fn<{ n: number }>('generate_series', [eb.lit(1), eb.lit(count)]).as('n'))
        .select((row) => [
          row.fn<string>('gen_random_uuid').as('id'),
          row.val('Many').as('name'),
          row.val('A sofa.').as('text'),
          row.val('x').as('category'),
          row.val('x').as('brand'),
          row.val(100).as('price'),
          row.val(50).as('stock'),
        ]),
    )
    .execute();
  const products = await db.selectFrom('products').select(['id', 'name', 'price']).orderBy('id').execute();
  const csv = csvRow(['_id', 'description']) + products.map(({ id }, n) => csvRow([id, `Sofa number ${n}`])).join('');
  const { fingerprint } = await check(csv);
  let isDone = false;
  const importing = send(csv, fingerprint).then((reply) => {
    isDone = true;
    return reply.json<ImportReport>();
  });
  const buyer = await aCustomer(db);
  const written = async () => {
    const changed = db.selectFrom('products').where('description', 'like', 'Sofa number %');
    const { all } = await changed.select((eb) => eb.fn.countAll<number>().as('all')).executeTakeFirstOrThrow();
    return all;
  };
  /** The products written, in batches of 50, while a request waited. */
  const waits: number[] = [];
  while (!isDone) {
    const { id, name, price } = products[Math.floor(Math.random() * count)] as (typeof products)[number];
    const before = await written();
    const payload = aPayload([aLine({ _id: id, name, price })]);
    const reply = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
    expect(reply.statusCode).toBe(201);
    waits.push((await written()) - before);
  }
  expect(await importing).toMatchObject({ isDone: true, changed: count, errors: [] });
  expect(waits.length).toBeGreaterThan(5);
  expect(Math.max(...waits)).toBeLessThan(count / 4);
});

test('a shop of more than 5,000 products reads its own export, changes nothing by it, and then what was changed in it, and holds nobody up', async () => {
  await fill(db, SIZE, 'One of many');
  for (const columns of ['words', 'fields']) {
    const csv = (await app.inject({ url: `/api/products/export?columns=${columns}`, headers: admin.headers })).body;
    const edited = csv.replaceAll('A chair.', 'A good chair.');
    const payloads = [csv, edited].map(formOf);
    const before = process.memoryUsage().rss;
    const started = performance.now();
    const longest = await longestTurnOf(async () => {
      const report = (await inject(payloads[0])).json<ImportReport>();
      expect(report).toMatchObject({ added: 0, changed: 0, errors: [] });
      expect(report.unchanged).toBeGreaterThanOrEqual(SIZE);
      const changed = (await inject(payloads[1])).json<ImportReport>();
      expect(changed).toMatchObject({ added: 0, changed: SIZE, errors: [] });
      expect(changed.changes).toHaveLength(200);
    });
    const seconds = Math.round((performance.now() - started) / 1000);
    const [size, memory] = [csv.length, process.memoryUsage().rss - before].map((bytes) => Math.round(bytes / MB));
    process.stdout.write(
      `${SIZE} products as ${columns}, ${csv.split('\r\n').length - 2} rows, ${size} MB: checked twice in ${seconds} s, longest turn ${Math.round(longest)} ms, ${memory} MB more memory\n`,
    );
    expect(longest).toBeLessThan(150);
  }
});

/** Rows of the file that is carried out, each product with its two sizes. */
const ROWS = Number(process.env.IMPORT_ROWS ?? 20_000);
/** Rows of the file of another shop, which is only checked. */
const FOREIGN_ROWS = 50_000;
const MOST_MB = 400;

test('a price list is carried out while people search and buy, and the shop stays small', async () => {
  const shop = await aWholeShop(aFolder());
  // The product that people buy is in the file too, but keeps its price: an order at an old price is refused.
  const [product = expect.fail()] = await reachProducts(shop.url(), 1);
  await fill(shop.db, Math.floor(ROWS / 3), 'Listed');
  await shop.db.updateTable('products').set({ countInStock: 1_000_000 }).where('id', '=', product._id).execute();
  await shop.db.updateTable('productSizes').set({ quantity: 1_000_000 }).where('productId', '=', product._id).execute();
  const [office, customer] = await Promise.all([
    logIn(shop.url(), 'admin@example.com', 'Admin123!'),
    logIn(shop.url(), 'customer@example.com', 'Customer123!'),
  ]);
  const headers = { bearer: office };
  const exported = await (await fetch(`${shop.url()}/api/products/export?columns=words`, { headers })).text();
  const csv = exported.replaceAll('A chair.', 'A good chair.').replaceAll(',100.00,', ',101.00,');
  const post = async (fingerprint?: string) => {
    const form = new FormData();
    form.append('file', new Blob([csv], { type: 'text/csv' }), 'products.csv');
    if (fingerprint) form.append('fingerprint', fingerprint);
    const reply = await fetch(`${shop.url()}/api/products/import`, { method: 'POST', headers, body: form });
    expect(reply.status).toBe(200);
    return (await reply.json()) as ImportReport;
  };
  const memory = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${shop.pid()}/status`, 'utf8'))?.[1]) / 1024;
  const before = memory();
  const started = performance.now();
  const { fingerprint, errors } = await post();
  expect(errors).toEqual([]);
  const checked = performance.now();
  let isDone = false;
  const writing = post(fingerprint).finally(() => {
    isDone = true;
  });
  const repeat = async (act: () => Promise<unknown>) => {
    const outcome = { times: [] as number[], failures: [] as string[] };
    while (!isDone) {
      const start = performance.now();
      await act().catch((error: Error) => outcome.failures.push(error.message));
      outcome.times.push(performance.now() - start);
      await setTimeout(20);
    }
    return outcome;
  };
  const search = async () => {
    const words = ['chair', 'oak sofa', 'lamp', 'bed'][Math.floor(Math.random() * 4)] ?? '';
    const reply = await fetch(
      `${shop.url()}/api/products?search=${encodeURIComponent(`${words} under £${Math.ceil(Math.random() * 900)}`)}`,
    );
    if (!reply.ok) throw new Error(String(reply.status));
    await reply.arrayBuffer();
  };
  const outcomes = await Promise.all([
    repeat(() => orderOne(shop.url(), customer, product)),
    repeat(search),
    repeat(async () => (await fetch(`${shop.url()}/healthz`)).arrayBuffer()),
  ]);
  const report = await writing;
  expect(report).toMatchObject({ isDone: true, leftOut: 0, errors: [] });
  expect(report.changed).toBeGreaterThanOrEqual(Math.floor(ROWS / 3));
  const done = performance.now();
  const [orders, searches, health] = outcomes.map(({ times, failures }) => {
    const [p99, most] = [quantile(times, 0.99), Math.max(...times)].map((ms) => `${Math.round(ms)} ms`);
    return `${times.length}, ${failures.length} failed, p99 ${p99}, at most ${most}`;
  });
  process.stdout.write(
    `${csv.split('\r\n').length - 2} rows, ${Math.round(csv.length / MB)} MB: checked in ${Math.round((checked - started) / 1000)} s, carried out in ${Math.round((done - checked) / 1000)} s; orders ${orders}; searches ${searches}; /healthz ${health}; memory at most ${Math.round(before)} → ${Math.round(memory())} MB\n`,
  );
  expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
  for (const { times } of outcomes) expect(quantile(times, 0.99)).toBeLessThan(1_000);
  expect(memory()).toBeLessThan(MOST_MB);
});

test('50,000 rows of another shop are checked in small turns', async () => {
  const rows = Array.from({ length: Math.floor(FOREIGN_ROWS / 3) }, (_, n) =>
    ['S', 'M', 'L']
      .map((size) => csvRow([`h${n}`, `Chair ${n}`, '<p>A chair &amp; more.</p>', 'Alder', 'Chair', size, '100.00', 'shopify', 3]))
      .join(''),
  );
  const head = ['Handle', 'Title', 'Body (HTML)', 'Vendor', 'Type', 'Option1 Value', 'Variant Price', 'Variant Inventory Tracker'];
  const payload = formOf(csvRow([...head, 'Variant Inventory Qty']) + rows.join(''));
  const before = process.memoryUsage().rss;
  const started = performance.now();
  const longest = await longestTurnOf(async () => {
    expect((await inject(payload)).json<ImportReport>()).toMatchObject({ added: rows.length, errors: [] });
  });
  process.stdout.write(
    `${rows.length * 3} rows of another shop, ${Math.round(payload.length / MB)} MB: checked in ${Math.round((performance.now() - started) / 1000)} s, longest turn ${Math.round(longest)} ms, ${Math.round((process.memoryUsage().rss - before) / MB)} MB more memory\n`,
  );
  expect(longest).toBeLessThan(150);
});

/** Adds products with two sizes each, and derives their attributes as the shop does. */
async function fill(to: Db, count: number, name: string): Promise<void> {
  for (let made = 0; made < count; made += 1_300)
    await sql`
      with made as (
        insert into products (id, name, description, category, brand, price, count_in_stock)
        select gen_random_uuid(), ${name}, 'A chair.', 'x', 'x', 10000, 50 from generate_series(1, least(1300, ${count - made}::int)) returning id)
      insert into product_sizes (product_id, position, size, quantity, price, measurements)
      select id, n, 'Size ' || n, 25, 10000, '[{"name":"Width","value":"80"}]' from made, generate_series(0, 1) n`.execute(to);
  while ((await deriveNext(to)).isMore);
}

/** The payload in parts, as it comes from a network. */
async function* inParts(payload: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < payload.length; at += 64 * 1024) {
    await setImmediate();
    yield payload.subarray(at, at + 64 * 1024);
  }
}

/** Sends files whose forms were made before, so that only the server's own turns are measured. */
function sender() {
  const boundary = 'boundary-of-the-drill';
  return {
    formOf: (csv: string) =>
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="products.csv"\r\nContent-Type: text/csv\r\n\r\n${csv}\r\n--${boundary}--\r\n`,
      ),
    inject: (payload: Buffer | undefined) =>
      app.inject({
        method: 'POST',
        url: '/api/products/import',
        headers: { ...admin.headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
        payload: Readable.from(inParts(payload ?? Buffer.alloc(0))),
      }),
  };
}
