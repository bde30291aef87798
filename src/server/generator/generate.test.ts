import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Product, ProductList } from '#contract/catalogue/catalogue.ts';
import type { OrderList } from '#contract/orders/orders.ts';
import { deriveAttributes } from '#server/catalogue/attributes/derive.service.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { runCommand } from '#server/testing/commands.ts';
import { aProduct } from '#server/testing/factories.ts';
import { testDatabase, testShop } from '#server/testing/harness.ts';
import { GENERATED_PASSWORD, generate } from './generate.ts';

const plan = { products: 1_000, orders: 200, seed: 7 };

/** A fingerprint of all generated rows, except what the database assigns: references of orders, and when their documents were mailed. */
async function fingerprint(db: Db): Promise<string> {
  const all = createHash('sha256');
  for (const [table, order] of [
    ['products', 'id'],
    ['product_sizes', 'product_id, position'],
    ['users', 'id'],
    ['orders', 'id'],
    ['order_items', 'order_id, position'],
  ] as const) {
    const { rows } = await sql<{
      text: string;
    }>`select (to_jsonb(t) - 'reference' - 'documents_mailed_at')::text as text from ${sql.table(table)} as t order by ${sql.raw(order)}`.execute(
      db,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) all.update(text);
  }
  return all.digest('hex');
}

test('the same seed makes the same rows, another seed makes others', { tags: ['thorough'] }, async () => {
  const [one, two, other] = await Promise.all([testDatabase(3), testDatabase(3), testDatabase(3)]);
  await generate(one.pool, plan);
  await generate(two.pool, plan);
  await generate(other.pool, { ...plan, seed: 8 });
  const first = await fingerprint(one.db);
  expect(await fingerprint(two.db)).toBe(first);
  expect(await fingerprint(other.db)).not.toBe(first);
});

test('a generated product has the attributes that are derived from it', async () => {
  const { db, pool } = await testDatabase(3);
  await generate(pool, { products: 100, orders: 0, seed: 7 });
  const read = async () => [
    await db.selectFrom('products').selectAll().orderBy('id').execute(),
    await db.selectFrom('productDimensions').selectAll().orderBy('productId').orderBy('position').execute(),
  ];
  const [products, dimensions] = await read();
  await db.transaction().execute(async (tx) =>
    deriveAttributes(
      tx,
      (await tx.selectFrom('products').select('id').execute()).map(({ id }) => id),
    ),
  );
  expect(await read()).toEqual([products, dimensions]);
});

test('indexes that are made afterwards are the same as before', { tags: ['thorough'] }, async () => {
  const { db, pool } = await testDatabase(3);
  const indexes = async () =>
    (await sql<{ indexdef: string }>`select indexdef from pg_indexes where tablename = 'products' order by 1`.execute(db)).rows;
  const before = await indexes();
  await generate(pool, { products: 5_000, orders: 0, seed: 1 });
  expect(await indexes()).toEqual(before);
  expect(before.length).toBeGreaterThan(10);
});

test('the shop shows what was generated, and its customers have their orders', { tags: ['thorough'] }, async () => {
  const { app, db, services } = await testShop();
  await generate(services.pool, plan);
  const list = (await app.inject({ url: '/api/products' })).json<ProductList>();
  expect([list.total, list.products.length, list.pages]).toEqual([1_000, 12, 84]);
  const product = (await app.inject({ url: `/api/products/${list.products[0]?._id}` })).json<Product>();
  expect(product.countInStock).toBe(product.sizes.reduce((sum, { quantity }) => sum + quantity, 0));
  expect((await app.inject({ url: '/api/products?search=sofa' })).json<ProductList>().total).toBeGreaterThan(100);
  const buyer = await db.selectFrom('orders').select('userEmail').executeTakeFirstOrThrow();
  const payload = { email: buyer.userEmail, password: GENERATED_PASSWORD };
  const { token } = (await app.inject({ method: 'POST', url: '/api/users/login', payload })).json<{ token: string }>();
  const mine = (await app.inject({ url: '/api/orders/myorders', headers: { bearer: token } })).json<OrderList>();
  expect(mine.total).toBeGreaterThan(0);
  expect(mine.orders[0]?.totalPrice).toBe(mine.orders[0]?.orderItems.reduce((sum, { price, qty }) => sum + price * qty, 0));
});

test('products and orders show pictures of pieces of the same kind, in the colour of the pictures', async () => {
  const { db, pool } = await testDatabase(3);
  for (const [category, subCategory] of [
    ['Chair', 'Stools'],
    ['Chair', 'Armchairs'],
    ['Lamp', 'Table lamps'],
  ] as const)
    await aProduct(db, { category, subCategory, images: [`/images/${subCategory}.webp`], colors: ['#c4a478'] });
  await generate(pool, { products: 200, orders: 20, seed: 7 });
  const made = await db
    .selectFrom('products')
    .select(['category', 'subCategory', 'images', 'colors'])
    .where('brand', '<>', 'Alder')
    .execute();
  const wanted = (category: string, subCategory: string) => {
    if (category === 'Lamp') return ['/images/Table lamps.webp'];
    if (category !== 'Chair') return [];
    return ['Stools', 'Armchairs'].includes(subCategory) ? [`/images/${subCategory}.webp`] : expect.arrayContaining([expect.any(String)]);
  };
  expect(made.map(({ images }) => images)).toEqual(made.map(({ category, subCategory }) => wanted(category, subCategory)));
  const pictured = made.filter(({ images }) => images.length > 0);
  expect(new Set(pictured.map(({ colors }) => colors[0]?.hexCode))).toEqual(new Set(['#c4a478']));
  const lines = await db.selectFrom('orderItems').innerJoin('products', 'products.id', 'productId').select(['image', 'images']).execute();
  expect(lines.map(({ image }) => image)).toEqual(lines.map(({ images }) => images[0] ?? ''));
});

test('a seed that was used before is refused as a whole', async () => {
  const { db, pool } = await testDatabase(3);
  await generate(pool, { products: 10, orders: 0, seed: 3 });
  await expect(generate(pool, { products: 20, orders: 5, seed: 3 })).rejects.toThrow(/duplicate key/);
  const { total } = await db
    .selectFrom('products')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  expect(total).toBe(10);
});

test('the command explains itself', async () => {
  expect(await runCommand('generate', ['--help'], {})).toMatchObject({ code: 0, output: expect.stringMatching(/^Usage:/), complaint: '' });
});

test('of a piece that comes in several sizes and colours a generated product shows one, and knows which pictures are rooms', async () => {
  const { db, pool } = await testDatabase(3);
  const images = ['/images/oat.webp', '/images/room.webp', '/images/cloth.webp', '/images/moss.webp', '/images/small.webp'];
  const [oat, room, cloth] = images;
  const { _id } = await aProduct(db, { category: 'Sofa', subCategory: '', images, colors: ['#b3aa9d', '#47503b'] });
  const shown = {
    '/images/oat.webp': { kind: 'packshot', size: 'Three-seat', color: '#b3aa9d' },
    '/images/room.webp': { kind: 'room', color: '#b3aa9d' },
    '/images/cloth.webp': { kind: 'material' },
    '/images/moss.webp': { kind: 'packshot', color: '#47503b' },
    '/images/small.webp': { kind: 'packshot', size: 'Two-seat' },
  };
  await sql`update products set shown = ${JSON.stringify(shown)} where id = ${_id}`.execute(db);
  await generate(pool, { products: 50, orders: 0, seed: 7 });
  const { rows } = await sql<{ images: string[]; shown: unknown; colors: { hexCode: string }[] }>`
    select images, shown, colors from products where category = 'Sofa' and id <> ${_id}`.execute(db);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    expect(row.images).toEqual([oat, room, cloth]);
    expect(row.shown).toEqual({
      '/images/oat.webp': { kind: 'packshot', color: '#b3aa9d' },
      '/images/room.webp': { kind: 'room', color: '#b3aa9d' },
      '/images/cloth.webp': { kind: 'material' },
    });
    expect(row.colors.map(({ hexCode }) => hexCode)).toEqual(['#b3aa9d']);
  }
});
