import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ImportReport } from '#contract/catalogue/catalogue.ts';
import { listBrokenRules } from '#server/books/shop-rules.ts';
import { generate } from '#server/generator/generate.ts';
import { csvRow } from '#server/platform/csv.ts';
import { withDatabase } from '#server/platform/database/with-database.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { runCommand } from '#server/testing/commands.ts';
import { eventually } from '#server/testing/eventually.ts';
import { anAdmin } from '#server/testing/factories.ts';
import { fillStock } from './books.ts';
import { Buyers, diceOf, reachShop } from './buyers.ts';
import { aWholeShop } from './whole-shop.ts';

const PRODUCTS = Number(process.env.MOMENT_PRODUCTS ?? 1_000);
const ORDERS = Number(process.env.MOMENT_ORDERS ?? 5_000);
const DELETED = 400;
const say = (text: string) => void process.stdout.write(`${text}\n`);

/** Waits until the shop has rehearsed a restore. */
async function untilRehearsed(url: string): Promise<void> {
  await eventually(async () => expect(await (await fetch(`${url}/metrics`)).text()).toContain('timestamp_seconds{what="rehearsed"}'), 240);
}

/** Restores a moment into a new folder. Returns the folder, and the seconds that it took. */
async function restore(archive: string, moment: string) {
  const dataDir = join(aFolder(), 'copy');
  const start = Date.now();
  const ending = await runCommand('backup', ['restore', '--at', moment], { BACKUP_WAL: archive, SHOP_DATA_DIR: dataDir });
  expect(ending).toMatchObject({ code: 0 });
  return { dataDir, seconds: Math.round((Date.now() - start) / 1_000) };
}

test(`after ${DELETED} deleted products and a wrong price list the second before is taken back, while people buy`, async () => {
  const [data, archive] = [aFolder(), aFolder()];
  const shop = await aWholeShop(data, { BACKUP_WAL: archive });
  await generate(shop.pool, { products: PRODUCTS, orders: ORDERS, seed: 3 });
  // More than people buy, but no more than an import accepts.
  await sql`update products set count_in_stock = 10000`.execute(shop.db);
  await sql`update product_sizes set quantity = 10000`.execute(shop.db);
  await untilRehearsed(shop.url());
  const admin = await anAdmin(shop.db);
  const buyers = new Buyers(await reachShop(shop.url), diceOf(3));
  await buyers.start(3, 200);
  const products = await shop.db.selectFrom('products').select(['id', 'price']).where('deletedAt', 'is', null).orderBy('id').execute();
  await setTimeout(3_000);
  const { rows } = await sql<{ now: string }>`select now() as now`.execute(shop.db);
  const before = String(rows[0]?.now);
  await setTimeout(1_000);

  const ask = async (path: string, options: RequestInit) => {
    const reply = await fetch(`${shop.url()}${path}`, { ...options, headers: { ...admin.headers, ...options.headers } });
    expect([path, reply.status, reply.ok ? '' : await reply.text()]).toEqual([path, 200, '']);
    return reply;
  };
  for (const { id } of products.slice(0, DELETED)) await ask(`/api/products/${id}`, { method: 'DELETE' });
  const list =
    csvRow(['_id', 'price']) +
    products
      .slice(DELETED)
      .map(({ id }) => csvRow([id, '100']))
      .join('');
  const form = () => {
    const body = new FormData();
    body.append('file', new Blob([list], { type: 'text/csv' }), 'prices.csv');
    return body;
  };
  const report = (await (await ask('/api/products/import', { method: 'POST', body: form() })).json()) as ImportReport;
  expect(report.errors).toEqual([]);
  const confirmed = form();
  confirmed.append('fingerprint', report.fingerprint);
  await ask('/api/products/import', { method: 'POST', body: confirmed });
  await setTimeout(5_000);

  const { dataDir, seconds } = await restore(archive, before);
  const live = { SHOP_DATA_DIR: data };
  const compared = await runCommand('backup', ['restore', '--compare', dataDir], live);
  expect(compared.output).toContain(`${products.length} products differ from the copy`);
  const taken = await runCommand('backup', ['restore', '--take-back', dataDir], live);
  expect(taken.output).toContain(`${products.length} products have been taken back`);
  await buyers.stop();

  const now = await shop.db.selectFrom('products').select(['id', 'price']).where('deletedAt', 'is', null).orderBy('id').execute();
  expect(now).toEqual(products);
  const { rows: orders } = await sql<{ key: string }>`select idempotency_key as key from orders where idempotency_key is not null`.execute(
    shop.db,
  );
  const keys = new Set(orders.map(({ key }) => key));
  expect([...buyers.acknowledged.keys()].filter((key) => !keys.has(key))).toEqual([]);
  expect(await listBrokenRules(shop.db)).toEqual([]);
  say(`moment: restored in ${seconds} s; ${compared.output.split('\n').findLast((line) => line.includes('orders were placed since'))}`);
});

test('the machine is lost while people buy: what was answered three seconds before is in the archive', async () => {
  const [data, archive] = [aFolder(), aFolder()];
  const shop = await aWholeShop(data, { BACKUP_WAL: archive });
  await fillStock(shop.db);
  await untilRehearsed(shop.url());
  const buyers = new Buyers(await reachShop(shop.url), diceOf(4));
  await buyers.start(4, 50);
  await eventually(() => expect(buyers.acknowledged.size).toBeGreaterThan(100), 60);
  const answered = new Set(buyers.acknowledged.keys());
  await setTimeout(3_000);
  await shop.lose();
  await buyers.stop({ isLost: true });
  await rm(data, { recursive: true, force: true });
  const { dataDir, seconds } = await restore(archive, 'latest');
  await withDatabase({ databaseUrl: undefined, dataDir }, async ({ db }) => {
    const { rows } = await sql<{ key: string }>`select idempotency_key as key from orders where idempotency_key is not null`.execute(db);
    const keys = new Set(rows.map(({ key }) => key));
    expect([...answered].filter((key) => !keys.has(key))).toEqual([]);
    expect(await listBrokenRules(db)).toEqual([]);
    const lost = [...buyers.acknowledged.keys()].filter((key) => !keys.has(key)).length;
    say(
      `lost machine: restored in ${seconds} s, ${keys.size} orders; ${lost} of ${buyers.acknowledged.size} acknowledged ones were younger than the archive`,
    );
  });
});
