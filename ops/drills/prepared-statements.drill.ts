import { expect, test } from 'vitest';
import { connect, MOST_PREPARED } from '#server/platform/database/connect.ts';
import { aCustomer, aLine, aPayload, aProduct } from '#server/testing/factories.ts';
import { testDatabase, testShop } from '#server/testing/harness.ts';

/** One connection, so that everything which is prepared is prepared there. */
const shop = await testShop({ pool: 1 });
const filled = await testShop({ pool: 1 });

async function prepared(): Promise<number> {
  const { rows } = await shop.services.pool.query('select count(*)::int as count from pg_prepared_statements');
  return rows[0].count;
}

test('what reads a product and what places an order is planned a few times on a connection, and not each time', async () => {
  // In an empty shop every plan is as cheap as any other.
  await filled.services.pool.query(
    `insert into products (id, name, description, category, brand, price, count_in_stock)
     select gen_random_uuid(), 'Bench ' || n, '', 'Bench ' || n % 9, 'Brand ' || n % 50, n, n % 7 from generate_series(1, 5000) as n`,
  );
  await filled.services.pool.query('analyze');
  const products = [];
  for (let n = 0; n < 15; n += 1) products.push(await aProduct(filled.db, { sizes: [{ size: 'One', price: 0, quantity: 9 }] }));
  for (const product of products) {
    for (const path of ['', '/related', '/reviews']) {
      expect((await filled.app.inject({ url: `/api/products/${product._id}${path}` })).statusCode).toBe(200);
    }
    const { headers } = await aCustomer(filled.db);
    const payload = aPayload([aLine(product, { size: 'One' })]);
    expect((await filled.app.inject({ method: 'POST', url: '/api/orders', headers, payload })).statusCode).toBe(201);
  }
  // PostgreSQL plans a statement five times before it may keep a plan for all values.
  const { rows } = await filled.services.pool.query(
    'select left(statement, 200) as text from pg_prepared_statements where custom_plans > 5',
  );
  expect(rows).toEqual([]);
});

test('lists that are asked for in every combination of filters leave no prepared statements behind', async () => {
  const lists: string[] = [];
  for (const search of ['', 'a', 'a b', 'a b c', 'a b c d'])
    for (const category of ['', 'x', 'x_y'])
      for (const brand of ['', 'x', 'x_y'])
        for (const price of ['', '&minPriceQuery=1', '&maxPriceQuery=9', '&minPriceQuery=1&maxPriceQuery=9'])
          lists.push(`/api/products?search=${search.replaceAll(' ', '+')}&categoryQuery=${category}&brandQuery=${brand}${price}`);
  for (const url of lists.slice(0, 10)) await shop.app.inject({ url });
  const before = await prepared();
  for (const url of lists) expect((await shop.app.inject({ url })).statusCode).toBe(200);
  expect((await prepared()) - before).toBeLessThan(10);
});

test('one connection keeps a bounded number of prepared statements, and goes on without', async () => {
  const { pool } = shop.services;
  for (let n = 0; n < MOST_PREPARED + 50; n += 1) {
    const { rows } = await pool.query(`select $1::int + ${n} as sum`, [1]);
    expect(rows[0].sum).toBe(n + 1);
  }
  expect(await prepared()).toBe(MOST_PREPARED);
});

test('behind a pooler, whose next statement may run on another connection, nothing is prepared', async () => {
  const { url } = await testDatabase();
  const preparedBy = async (isPooled: boolean) => {
    const { db, pool, close } = connect(url, { max: 1, isPooled });
    for (let n = 0; n < 3; n += 1) await db.selectFrom('products').select('id').where('name', '=', 'None').execute();
    const { rows } = await pool.query('select count(*)::int as count from pg_prepared_statements');
    await close();
    return rows[0].count;
  };
  expect(await preparedBy(false)).toBe(1);
  expect(await preparedBy(true)).toBe(0);
});
