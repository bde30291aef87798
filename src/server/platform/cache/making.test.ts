import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { aCustomer, aProduct, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const LIMITS = { SEARCHES_AT_ONCE: '1', SEARCHES_WAITING: '1', PAGES_AT_ONCE: '1', PAGES_WAITING: '1' };
const { app, db, services } = await testShop({ env: LIMITS });
/** Nobody reads a table until the function that it answers with is called, or the test is over. */
async function lockTable(table: string): Promise<() => Promise<unknown>> {
  const lock = await db.startTransaction().execute();
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(lock);
  await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(lock);
  const unlock = async () => lock.isRolledBack || lock.rollback().execute();
  onTestFinished(async () => void (await unlock()));
  return unlock;
}

const get = (url: string) => app.inject({ url });

test('where too many searches wait, the next is told when to come again; what is in the cache, logins and pages of other kinds are not', async () => {
  const [product, user] = [await aProduct(db), await aCustomer(db)];
  await services.invalidation.catchUp();
  const kept = '/api/products?pageNumber=1';
  expect((await get(kept)).statusCode).toBe(200);

  const unlock = await lockTable('products');
  // One is made, one may wait, and one is refused: whichever comes last to the queue.
  const asked = ['/api/products?search=one', '/api/products?search=two', '/api/products?search=three'].map((url) => ({
    url,
    answer: get(url),
  }));
  const refused = await Promise.race(asked.map(async ({ url, answer }) => ({ url, answer: await answer })));
  expect([refused.answer.statusCode, refused.answer.headers['retry-after'], refused.answer.headers['cache-control']]).toEqual([
    503,
    '5',
    'no-store',
  ]);
  expect(refused.answer.json()).toEqual({ message: 'The shop is very busy right now. Please try again in a moment.' });
  const waiting = asked.filter(({ url }) => url !== refused.url);
  for (const path of ['/api/products/facets?search=four', '/api/products/suggestions?search=five'])
    expect([path, (await get(path)).statusCode]).toEqual([path, 503]);
  const page = await get('/shop?search=six');
  expect([page.statusCode, page.headers['retry-after'], page.headers['content-type']]).toEqual([503, '5', 'text/html; charset=utf-8']);
  expect(page.body).toContain('<meta http-equiv="refresh" content="5">');
  expect(page.body).toContain('try again by itself');

  // One flight for all who ask for the same.
  const again = waiting.map(({ url }) => get(url));
  expect((await get(kept)).statusCode).toBe(200);
  expect((await get('/contact')).statusCode).toBe(200);
  const payload = { email: user.email, password: PASSWORD };
  expect((await app.inject({ method: 'POST', url: '/api/users/login', payload })).statusCode).toBe(200);
  await unlock();
  const answers = await Promise.all([...waiting.map(({ answer }) => answer), ...again]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  expect((await get(refused.url)).statusCode).toBe(200);
  expect((await get(`/api/products/${product._id}`)).statusCode).toBe(200);
});

test('where too many pages of other kinds wait, searches go on', async () => {
  const products = [await aProduct(db), await aProduct(db), await aProduct(db)];
  const unlock = await lockTable('product_sizes');
  const slow = products.map(({ _id }) => get(`/api/products/${_id}`));
  expect((await Promise.race(slow)).statusCode).toBe(503);
  expect((await get('/login')).statusCode).toBe(503);
  await unlock();
  expect((await Promise.all(slow)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 503]);
});
