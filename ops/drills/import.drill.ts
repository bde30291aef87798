import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ImportReport } from '#contract/catalogue/catalogue.ts';
import { csvRow } from '#server/platform/csv.ts';
import { longestTurnOf } from '#server/testing/cpu-time.ts';
import { aCustomer, aLine, anAdmin, aPayload } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { importer } from '#server/testing/imports.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';

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
          ...[row.val('Many').as('name'), row.val('A sofa.').as('text'), row.val('x').as('category'), row.val('x').as('brand')],
          ...[row.val(100).as('price'), row.val(50).as('stock')],
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
  for (let made = 0; made < SIZE; made += 1_300)
    await sql`
      with made as (
        insert into products (id, name, description, category, brand, price, count_in_stock)
        select gen_random_uuid(), 'One of many', 'A chair.', 'x', 'x', 100, 50 from generate_series(1, least(1300, ${SIZE - made}::int)) returning id)
      insert into product_sizes (product_id, position, size, quantity, price, measurements)
      select id, n, 'Size ' || n, 25, 0, '[{"name":"Width","value":"80"}]' from made, generate_series(0, 1) n`.execute(db);
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

/** As it comes from a network. */
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
