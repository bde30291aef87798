import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '#server/platform/database/connect.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { eventually } from '#server/testing/eventually.ts';
import { audit, fillStock, finishJobs } from './books.ts';
import { Buyers, diceOf, logIn, reachShop } from './buyers.ts';
import { aWholeShop } from './whole-shop.ts';

/** Locks all products against changes until the returned transaction ends. */
async function lockProducts(db: Db) {
  const tx = await db.startTransaction().execute();
  await sql`set local statement_timeout = 0`.execute(tx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
  await sql`lock table products in exclusive mode`.execute(tx);
  return tx;
}

test('while orders wait for a lock longer than a statement may take they are 503, pages are shown, and all goes on by itself (§17.3)', async () => {
  const shop = await aWholeShop(aFolder());
  const stock = await fillStock(shop.db);
  const target = await reachShop(shop.url);
  const token = await logIn(shop.url(), 'customer@example.com', 'Customer123!');
  const { _id, name, price, sizes } = target.products[0] ?? expect.fail();
  const line = { _id, name, qty: 1, price: sizes[0]?.price || price, ...(sizes[0] && { size: sizes[0].size }) };
  const order = () =>
    fetch(`${shop.url()}/api/orders`, {
      method: 'POST',
      headers: { bearer: token, 'content-type': 'application/json' },
      body: JSON.stringify({ orderItems: [line], shippingAddress: ADDRESS, phone: '07700 900123' }),
    });
  expect((await order()).status).toBe(201);
  const buyers = new Buyers(target, diceOf(1));
  await buyers.start(3);

  const lock = await lockProducts(shop.db);
  const refused = await order();
  expect([refused.status, (await refused.json()).message]).toEqual([503, expect.stringContaining('very busy')]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // A statement that was cancelled after its time.
  await eventually(() => expect(shop.output()).toContain('"code":"57014"'));
  for (const path of ['/readyz', `/api/products?search=sofa&minPriceQuery=${Date.now() % 1_000}`, '/shop?minPrice=7'])
    expect([path, (await fetch(shop.url() + path)).status]).toEqual([path, 200]);
  await lock.commit().execute();
  const sold = buyers.acknowledged.size;
  await eventually(() => expect(buyers.acknowledged.size).toBeGreaterThan(sold + 5), 60);
  await buyers.stop();
  expect((await order()).status).toBe(201);
  await finishJobs(shop.db);
  expect(await audit({ ...shop, buyers, stock })).toEqual([]);
});
