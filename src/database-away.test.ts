import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import { cuttableDatabase } from '#server/testing/cuttable.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { render } from '#web/entry-server.tsx';

const database = await cuttableDatabase();
const { app, db, services } = await testShop({ render, database });
const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
services.invalidation.watch();
afterAll(() => services.invalidation.stop());

async function read(url: string) {
  const start = performance.now();
  const { statusCode, payload, headers } = await app.inject({ url });
  const cache = String(headers['server-timing']).replace('cache;desc=', '');
  return { status: statusCode, text: payload, cache, control: headers['cache-control'], ms: performance.now() - start };
}

/** A product that is on three pages, which an edit has dropped; the edit's name is not on them. */
async function anEditedProduct(name: string) {
  const product = await aProduct(db, { name: `${name} before`, category: name, stock: 5 });
  await services.invalidation.catchUp();
  const pages = [`/product/${product._id}`, `/shop?query=${name}`, `/api/products/${product._id}`];
  for (const page of pages) expect([page, (await read(page)).text.includes(`${name} before`)]).toEqual([page, true]);
  const edit = async (to: string) => {
    await db.updateTable('products').set({ name: to }).where('id', '=', product._id).execute();
    await productsChanged(db, [product._id]);
    await services.invalidation.catchUp();
  };
  await edit(`${name} after`);
  return { product, pages, edit };
}

/** Every page says what it said before the edit, in less than two seconds. */
async function expectOld(pages: string[], name: string) {
  for (const page of pages) {
    const { status, text, cache, control, ms } = await read(page);
    expect([page, status, text.includes(`${name} before`), cache, control]).toEqual([page, 200, true, 'stale', 'no-cache']);
    expect(ms).toBeLessThan(2_000);
  }
}

/** Every page shows the edit as soon as the database is known to be back. */
async function expectNew(pages: string[], name: string) {
  await eventually(() => expect(services.invalidation.isAway).toBe(false));
  for (const page of pages) {
    const { status, text } = await read(page);
    expect([page, status, text.includes(`${name} after`), text.includes(`${name} before`)]).toEqual([page, 200, true, false]);
  }
}

const order = (product: { _id: string; name: string; price: number }) =>
  app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(product)]) });

test('what a change has dropped is read while the database is away, nothing else; once it is back the change shows', async () => {
  const { product, pages } = await anEditedProduct('Sofa');
  await database.cut();
  await expectOld(pages, 'Sofa');
  // Known by now, and not asked again.
  await expectOld(pages, 'Sofa');
  expect([(await read(`/product/${admin._id}`)).status, (await read('/shop?query=Lamp')).status]).toEqual([503, 503]);
  const mine = await app.inject({ url: '/api/orders/myorders', headers: buyer.headers });
  const refused = await order(product);
  expect([mine.statusCode, refused.statusCode, refused.json().message]).toEqual([503, 503, expect.stringContaining('not available')]);
  await database.mend();
  await expectNew(pages, 'Sofa');
});

test('a database that goes away again after its first answer takes no page with it', async () => {
  const { pages } = await anEditedProduct('Wardrobe');
  await expectNew(pages, 'Wardrobe');
  await database.cut();
  await eventually(() => expect(services.invalidation.isAway).toBe(true));
  await database.mend();
  await eventually(() => expect(services.invalidation.isAway).toBe(false));
  await database.cut();
  for (const page of pages) {
    const { status, text, cache } = await read(page);
    expect([page, status, text.includes('Wardrobe after'), cache]).toEqual([page, 200, true, 'stale']);
  }
  await database.mend();
  await expectNew(pages, 'Wardrobe');
});

test('a database that freezes keeps no reader waiting for two seconds', async () => {
  const { pages } = await anEditedProduct('Table');
  database.freeze();
  await expectOld(pages, 'Table');
  const all = await Promise.all(pages.map(read));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(Math.max(...all.map(({ ms }) => ms))).toBeLessThan(500);
  database.thaw();
  await expectNew(pages, 'Table');
});

test('a page that takes long of a database that answers is waited for', { tags: ['thorough'] }, async () => {
  const { pages } = await anEditedProduct('Desk');
  const lock = await services.pool.connect();
  await lock.query('begin; lock table products in access exclusive mode');
  const reading = Promise.all(pages.map(read));
  await setTimeout(2_000);
  await lock.query('rollback');
  lock.release();
  for (const { status, text, cache } of await reading) expect([status, text.includes('Desk after'), cache]).toEqual([200, true, 'miss']);
});

test('what is deleted is not shown again', async () => {
  const { product, pages } = await anEditedProduct('Lamp');
  const gone = await app.inject({ method: 'DELETE', url: `/api/products/${product._id}`, headers: admin.headers });
  expect(gone.statusCode).toBeLessThan(300);
  const [page = ''] = pages;
  expect((await read(page)).status).toBe(410);
  await database.cut();
  expect((await read(page)).status).toBe(503);
  await database.mend();
  await eventually(() => expect(services.invalidation.isAway).toBe(false));
});
