import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runJobs } from '#server/app/jobs.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { audit, fillStock } from './books.ts';
import { Buyers, diceOf, reachShop } from './buyers.ts';

const shop = await testShop({ env: MANY_ORDERS });
const { db, services } = shop;

test('the audit of a drill finds nothing where nothing is wrong, and whatever is', async () => {
  for (let n = 0; n < 3; n += 1) await aProduct(db, { sizes: [{ size: 'S', quantity: 9 }] });
  const stock = await fillStock(db);
  const buyers = new Buyers(await reachShop(() => shop.url), diceOf(1));
  await buyers.start(3, 1);
  await eventually(() => expect([buyers.acknowledged.size > 2, buyers.paid.size > 1]).toEqual([true, true]));
  await buyers.stop();
  const mail = join(shop.dataDir, 'mail');
  await sql`update jobs set run_at = now()`.execute(db);
  await runJobs(services);
  const look = () => audit({ db, buyers, payments: services.payments, stock, mail });
  expect(await look()).toEqual([]);

  const [, lost] = [...buyers.acknowledged][0] ?? [];
  const [paid] = buyers.paid;
  await db.updateTable('orders').set({ orderPaymentId: 'another' }).where('orderPaymentId', '=', String(paid)).execute();
  expect(await look()).toEqual([`payment ${paid} has 0 orders`]);
  await db
    .updateTable('orders')
    .set({ orderPaymentId: String(paid) })
    .where('orderPaymentId', '=', 'another')
    .execute();

  for (const file of await readdir(mail)) await rm(join(mail, file));
  const unsent = await look();
  expect(unsent.length).toBe(buyers.acknowledged.size + buyers.paid.size);
  expect(unsent[0]).toContain('was not confirmed by mail');

  await forceOrder(db, String(lost), { status: 'expired' });
  const faults = await look();
  expect(faults[0]).toBe(`order ${lost} is on record as expired`);
  // One of the product, and one of its size.
  expect(faults.filter((fault) => fault.startsWith('of '))).toHaveLength(2);
});
