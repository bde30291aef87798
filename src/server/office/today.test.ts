import { sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import type { Today } from '#contract/office/office.schema.ts';
import type { Order, OrderList } from '#contract/orders/orders.ts';
import { QUEUE_NAMES } from '#contract/orders/queues.ts';
import type { StockList } from '#contract/stock/stock.ts';
import { catalogueJobs } from '#server/catalogue/jobs.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { demote, whileWaiting } from '#server/testing/while-waiting.ts';

const { app, db } = await testShop();
const [admin, buyer] = [await anAdmin(db), await aCustomer(db)];
const get = async <T>(url: string) => (await app.inject({ url, headers: admin.headers })).json<T>();
const readToday = () => get<Today>('/api/office/today');
const countOf = async (id: string) => (await readToday()).waiting.find((one) => one.id === id)?.count;

test('today counts each list of orders and leads to it; the menu counts an order in two lists once', async () => {
  const payload = aPayload([aLine(await aProduct(db))]);
  const { _id } = (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json<Order>();
  await sql`update orders set delivery_from = current_date - 9, delivery_to = current_date - 7 where id = ${_id}`.execute(db);
  const { waiting, orders } = await readToday();
  const inLists = waiting.filter(({ place }) => place === 'orders');
  expect(inLists.map(({ id }) => id)).toEqual(QUEUE_NAMES);
  for (const { path, count } of inLists) expect((await get<OrderList>(path.replace('/admin/orderlist', '/api/orders'))).total).toBe(count);
  expect([await countOf('pack'), await countOf('late')]).toEqual([1, 1]);
  expect(orders).toMatchObject({ waiting: 1, all: 1 });
  expect(await countOf('pack')).toBe(1);
  await app.inject({ method: 'PUT', url: `/api/orders/${_id}/deliver`, headers: admin.headers, payload: { isDelivered: true } });
  expect(await countOf('pack')).toBe(0);
});

test('what runs low is counted as its list shows it: products and sizes, by the level of each', async () => {
  const expectSame = async () => {
    const { total } = await get<StockList>('/api/stock?show=low');
    expect(await countOf('low')).toBe(total);
    return total;
  };
  const before = await expectSame();
  const [own, sized, few] = [await aProduct(db, { stock: 50 }), await aProduct(db, { stock: 60 }), await aProduct(db, { stock: 2 })];
  await sql`update products set low_stock = 50 where id = ${own._id}`.execute(db);
  for (const [size, quantity] of [
    ['S', 4],
    ['L', 56],
  ] as const)
    await db
      .insertInto('productSizes')
      .values({ productId: sized._id, position: quantity, size, quantity, price: 1, measurements: '[]' })
      .execute();
  expect(await expectSame()).toBe(before + 3);
  await sql`update products set low_stock = 1 where id in (${sized._id}, ${few._id})`.execute(db);
  expect(await expectSame()).toBe(before + 1);
});

test('a job that failed for good is shown with its reason until an administrator tries it again', async () => {
  expect((await readToday()).failedJobs).toEqual([]);
  await enqueue(db, catalogueJobs.showProduct, { productId: '01890000-0000-7000-8000-000000000000' });
  await sql`update jobs set attempts = max_attempts, last_error = 'Error: refused' where name = 'showProduct'`.execute(db);
  const { failedJobs, waiting } = await readToday();
  expect(waiting.find(({ id }) => id === 'jobs')?.count).toBe(1);
  expect(failedJobs).toMatchObject([{ name: 'Make a scheduled product live', reason: 'Error: refused' }]);
  const retry = ({ headers } = admin) =>
    app.inject({ method: 'POST', url: `/api/office/failed-jobs/${failedJobs[0]?._id}/retry`, headers });
  const demoted = await anAdmin(db);
  expect((await whileWaiting(db, demoted, () => retry(demoted), demote(demoted))).statusCode).toBe(403);
  expect((await retry()).statusCode).toBe(200);
  expect([await countOf('jobs'), (await retry()).statusCode]).toEqual([0, 404]);
  const changes = await db
    .selectFrom('auditEntries')
    .select('change')
    .where('actorId', '=', admin._id)
    .where('entity', '=', 'user')
    .execute();
  expect(changes).toEqual([{ change: 'Tried a failed job again: Make a scheduled product live' }]);
});

test('the counts are one statement, which reads no table of orders, products or jobs as a whole', async () => {
  const said = vi.spyOn(pg.Client.prototype, 'query');
  await readToday();
  const texts = said.mock.calls
    .map(([query]) => (typeof query === 'string' ? query : (query as { text?: string })?.text) ?? '')
    .filter((text) => text.includes('count('));
  said.mockRestore();
  expect(texts).toHaveLength(1);
  await db.connection().execute(async (connection) => {
    await sql`set enable_seqscan = off`.execute(connection);
    const { rows } = await sql`${sql.raw(`explain ${texts[0]}`)}`.execute(connection);
    expect(JSON.stringify(rows)).not.toMatch(/Seq Scan on (orders|products|product_sizes|jobs)/);
    await sql`reset enable_seqscan`.execute(connection);
  });
});
