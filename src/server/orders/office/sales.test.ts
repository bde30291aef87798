import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import type { Today } from '#contract/office/office.schema.ts';
import type { Order, Sales } from '#contract/orders/orders.ts';
import { STATUSES } from '#contract/orders/states.ts';
import { isSold } from '#server/orders/rules/states.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { runs } from '#server/testing/runs.ts';
import { sumSales } from './sales.service.ts';

const { app, db } = await testShop({ env: MANY_ORDERS });
const [admin, buyer] = [await anAdmin(db), await aCustomer(db)];

const get = async <T>(url: string) => (await app.inject({ url, headers: admin.headers })).json<T>();
const send = (method: 'POST' | 'PUT', url: string, payload: object) => app.inject({ method, url, headers: admin.headers, payload });
const readSales = () => get<Sales>('/api/orders/sales');

async function place(products: { _id: string; name: string; price: number }[], qty: number): Promise<Order> {
  const payload = aPayload(products.map((product) => aLine(product, { qty })));
  return (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json();
}

/** What the panel must show, counted from the orders themselves. */
async function countSales() {
  const { rows } = await sql<{ orders: number; revenue: number }>`
    select count(*)::int as orders, coalesce(sum(total_price - waived_price - refunded_price), 0)::int as revenue
    from orders where order_state in (${sql.join(STATUSES.filter(isSold))}) and created_at > now() - interval '29 days'`.execute(db);
  const { rows: pieces } = await sql<{ _id: string; pieces: number; revenue: number }>`
    select product_id as _id, sum(i.qty - cancelled_qty - returned_qty - spoiled_qty)::int as pieces,
      sum((i.qty - cancelled_qty - returned_qty - spoiled_qty) * price)::int as revenue
    from order_items i join orders o on o.id = i.order_id where o.order_state in (${sql.join(STATUSES.filter(isSold))})
    group by product_id having sum(i.qty - cancelled_qty - returned_qty - spoiled_qty) > 0 order by pieces desc, product_id limit 5`.execute(
    db,
  );
  return { ...rows[0], pieces };
}

async function expectSums(): Promise<void> {
  const { days, bestSellers } = await readSales();
  const [orders, revenue] = [days.reduce((sum, day) => sum + day.orders, 0), days.reduce((sum, day) => sum + day.revenue, 0)];
  const pieces = bestSellers.map(({ _id, pieces: count, revenue: sum }) => ({ _id, pieces: count, revenue: sum }));
  expect({ orders, revenue, pieces }).toEqual(await countSales());
}

test('whatever becomes of orders, the sums of each day are what the orders come to, before and after they are added up (§23.3)', async () => {
  const products = [await aProduct(db, { stock: 900, price: 1_000 }), await aProduct(db, { stock: 900, price: 333 })];
  const step = fc.record({
    name: fc.constantFrom('place', 'cancel', 'cancel line', 'cash', 'refund', 'deliver', 'add up'),
    which: fc.nat(5),
    qty: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const orders = [await place(products, 2)];
      for (const { name, which, qty } of steps) {
        const id = orders[which % orders.length]?._id ?? '';
        if (name === 'place') orders.push(await place(products, qty));
        if (name === 'cancel') await send('POST', `/api/office/orders/${id}/cancel`, { reason: 'Not in stock' });
        if (name === 'cancel line') await send('POST', `/api/office/orders/${id}/cancel`, { reason: 'Not in stock', lines: [which % 2] });
        if (name === 'cash') await send('PUT', `/api/orders/${id}/cash`, { isPaid: true });
        if (name === 'refund') await send('POST', `/api/office/orders/${id}/refunds`, { amount: qty, reason: 'Goodwill' });
        if (name === 'deliver') await send('PUT', `/api/orders/${id}/deliver`, { isDelivered: true });
        if (name === 'add up') await sumSales({ db });
      }
      await expectSums();
      await sumSales({ db });
      await expectSums();
      // Nor do the reports' facts lack anything that the orders have.
      await sql`select recount_sales_facts(shop_day(now()))`.execute(db);
      expect(await db.selectFrom('salesFactChanges').selectAll().execute()).toEqual([]);
    }),
    { numRuns: runs(4) },
  );
});

test('the database counts the same states as sold as the code does (§23.3)', async () => {
  for (const status of STATUSES) {
    const { rows } = await sql<{ isSold: boolean }>`select is_sold(${status}) as is_sold`.execute(db);
    expect([status, rows[0]?.isSold]).toEqual([status, isSold(status)]);
  }
});

test('the thirty days are compared with those before', async () => {
  const { before } = await readSales();
  const { _id } = await place([await aProduct(db, { price: 5_000 })], 1);
  await forceOrder(db, _id, { createdAt: new Date(Date.now() - 45 * 86_400_000).toISOString() });
  await sumSales({ db });
  expect((await readSales()).before).toEqual({ orders: before.orders + 1, revenue: before.revenue + 5_000 });
});

test('best sellers are those of thirty days, before and after the job has moved them on', async () => {
  await sumSales({ db });
  const lamp = await aProduct(db, { price: 100, stock: 900 });
  const { _id } = lamp;
  await place([lamp], 60);
  await sumSales({ db });
  const bestOf = async () => (await readSales()).bestSellers.find((best) => best._id === _id)?.pieces ?? 0;
  expect(await bestOf()).toBe(60);
  // Thirty days go by, but for the order of another day, and a job that has not run since.
  await sql`update sales_pieces set day = shop_day(now()) - 30 where product_id = ${_id}`.execute(db);
  await sql`insert into sales_pieces (day, product_id, pieces, revenue) values (shop_day(now()), ${_id}, 7, 700)`.execute(db);
  await sql`update sales_window set since = since - 1`.execute(db);
  await sql`update sales_best_sellers set pieces = pieces + 60, revenue = revenue + 6000 where product_id = ${_id}`.execute(db);
  expect(await bestOf()).toBe(7);
  await sumSales({ db });
  expect(await bestOf()).toBe(7);
  const { rows } = await sql`
    select product_id, sum(pieces)::int as pieces, sum(revenue)::int as revenue from sales_pieces where day > shop_day(now()) - 30 group by 1 having sum(pieces) <> 0
    except select product_id, pieces::int, revenue::int from sales_best_sellers`.execute(db);
  expect(rows).toEqual([]);
});

test('changes of a large import are added up in parts', async () => {
  const before = (await readSales()).days.at(-1)?.revenue ?? 0;
  await sql`insert into sales_changes (day, orders, revenue) select shop_day(now()), 0, 1 from generate_series(1, 45000)`.execute(db);
  await sumSales({ db });
  expect((await db.selectFrom('salesChanges').selectAll().execute()).length).toBe(0);
  expect((await readSales()).days.at(-1)?.revenue).toBe(before + 45_000);
});

test('the panel and the tabs are read from sums and small indexes: no statement reads the orders as a whole (§23.3)', async () => {
  const said = vi.spyOn(pg.Client.prototype, 'query');
  await readSales();
  const { waiting } = await get<Today>('/api/office/today');
  const texts = said.mock.calls
    .map(([query]) => (typeof query === 'string' ? query : (query as { text?: string })?.text) ?? '')
    .filter((text) => text.includes(' from orders'));
  said.mockRestore();
  expect(waiting.filter(({ place }) => place === 'orders').map(({ label }) => label)).toEqual([
    'To approve',
    'Awaiting payment',
    'To pack',
    'To dispatch',
    'Late',
    'Returns to answer',
    'Returns on their way',
    'Delivered, not paid',
    'To pay back',
    'Disputes',
  ]);
  // What is read of orders is what waits: each condition is that of an index.
  expect(texts).toHaveLength(2);
  // On one connection: where only few orders are, PostgreSQL would rather read them all.
  await db.connection().execute(async (connection) => {
    await sql`set enable_seqscan = off`.execute(connection);
    for (const text of texts) {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`${sql.raw(`explain ${text}`)}`.execute(connection);
      const plan = JSON.stringify(rows);
      expect(plan).not.toContain('Seq Scan on orders');
      expect(plan).not.toMatch(/using orders_in_list/);
    }
    await sql`reset enable_seqscan`.execute(connection);
  });
});
