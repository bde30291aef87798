import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { makeEventMonths } from './events.jobs.ts';

const shop = await testShop({ env: MANY_ORDERS });
const { app, db, services } = shop;

const nameOf = (at: Date) => `order_events_${at.toISOString().slice(0, 7).replace('-', '_')}`;
const monthsOn = (months: number) => new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + months, 15));
/** A key as the shop would make it at another time. */
const keyAt = (at: Date) =>
  `${at
    .getTime()
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}${newId().slice(13)}`;

async function rowsOf<T>(from: Db, query: RawBuilder<T>): Promise<T[]> {
  return (await query.execute(from)).rows;
}

/** In which part of the table the events of an order lie. */
const partsOf = async (id: string, from = db) =>
  (
    await rowsOf(from, sql<{ part: string }>`select distinct tableoid::regclass::text as part from order_events where order_id = ${id}`)
  ).map(({ part }) => part);
const parts = async (from = db) =>
  (
    await rowsOf(
      from,
      sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'order_events'::regclass`,
    )
  ).map(({ name }) => name);

/** An order written straight into the database, with `events` events. */
async function anOrder(from: Db, id: string, events = 1): Promise<string> {
  await sql`
    insert into orders (id, user_name, user_email, status, sub_total_price, shipping_price, tax_price, total_price, payment_method)
    values (${id}::uuid, 'Ada', 'ada@example.com', 'placed', 1, 0, 0, 1, 'Cash on Delivery')`.execute(from);
  for (let n = 0; n < events; n += 1)
    await sql`insert into order_events (order_id, kind, actor) values (${id}::uuid, ${`step ${n}`}, 'Ada')`.execute(from);
  return id;
}

test('what happens to an order of today lies in its month, and reading it looks at no other', async () => {
  const [buyer, product] = [await aCustomer(db), await aProduct(db)];
  const payload = aPayload([aLine(product)]);
  const { _id } = (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json<Order>();
  expect(await partsOf(_id)).toEqual([nameOf(new Date())]);
  const plan = await rowsOf(
    db,
    sql<{ 'QUERY PLAN': string }>`explain (costs off) select * from order_events where order_id = ${sql.lit(_id)} order by id`,
  );
  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect([...new Set(text.match(/order_events_\w+?(?=_pkey| )/g))]).toEqual([nameOf(new Date())]);
});

test.each([
  ['an order whose key says nothing of its time', `f${randomUUID().slice(1)}`, 'order_events_other'],
  ['an order of a year that nobody has thought of', keyAt(new Date('2090-01-01')), 'order_events_other'],
  ['an order from before the months', keyAt(new Date('2019-05-05')), 'order_events_oldest'],
])('%s is kept safe', async (_, id, part) => {
  await anOrder(db, id, 3);
  expect(await partsOf(id)).toEqual([part]);
  expect(await db.selectFrom('orderEvents').select('kind').where('orderId', '=', id).orderBy('id').execute()).toHaveLength(3);
});

test('the coming months are there after the job, and what had to wait elsewhere for its month goes into it', async () => {
  const coming = [1, 2, 3].map((months) => nameOf(monthsOn(months)));
  expect(await parts()).toEqual(expect.arrayContaining(coming));
  for (const name of coming) await sql`drop table ${sql.table(name)}`.execute(db);
  const [next, elsewhere] = [await anOrder(db, keyAt(monthsOn(2)), 2), await anOrder(db, keyAt(new Date('2091-01-01')))];
  expect(await partsOf(next)).toEqual(['order_events_other']);
  const daysLeft = async () => Number(/^shop_event_months_days (\S+)$/m.exec((await app.inject({ url: '/metrics' })).body)?.[1]);
  expect(await daysLeft()).toBeLessThan(32);
  await makeEventMonths(services);
  expect(await daysLeft()).toBeGreaterThan(80);
  expect(await parts()).toEqual(expect.arrayContaining(coming));
  expect([await partsOf(next), await partsOf(elsewhere)]).toEqual([[nameOf(monthsOn(2))], ['order_events_other']]);
  for (const part of [nameOf(monthsOn(2)), 'order_events_other'])
    await expect(sql`delete from ${sql.table(part)}`.execute(db)).rejects.toThrow('order_events is append-only');
  const before = await parts();
  await makeEventMonths(services);
  expect(await parts()).toEqual(before);
});

test('a month that is moved to another disk keeps nobody waiting who reads or writes another', async () => {
  const [buyer, admin, product] = [await aCustomer(db), await anAdmin(db), await aProduct(db, { stock: 20 })];
  const old = await anOrder(db, keyAt(new Date('2018-05-05')));
  const mover = await services.pool.connect();
  try {
    await mover.query('begin; lock table order_events_oldest in access exclusive mode');
    // Often enough for PostgreSQL to settle on a plan.
    for (let n = 0; n < 12; n += 1) {
      const payload = aPayload([aLine(product)]);
      const placed = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
      const read = await app.inject({ url: `/api/orders/${placed.json<Order>()._id}`, headers: admin.headers });
      const list = await app.inject({ url: '/api/orders', headers: admin.headers });
      expect([placed.statusCode, read.statusCode, list.statusCode]).toEqual([201, 200, 200]);
      expect(read.json<Order>()).toMatchObject({ events: [{ kind: 'placed' }] });
    }
  } finally {
    mover.release(true);
  }
  expect(await partsOf(old)).toEqual(['order_events_oldest']);
});
