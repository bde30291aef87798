import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { type OrderStatus, STATUSES } from '#contract/orders/states.ts';
import { STEP_NAMES, stepOf } from '#contract/orders/steps.ts';
import { runJobs } from '#server/app/jobs.ts';
import { knownMigrations, migrate } from '#server/platform/database/migrate.ts';
import { newId } from '#server/platform/ids.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, PASSWORD } from '#server/testing/factories.ts';
import { emptyDatabase, testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { inTurn } from '#server/testing/processes.ts';
import { isDelivered, statesAfter } from './rules/states.ts';
import { change, lockOrder } from './transitions.service.ts';

const shop = await testShop({ pool: 20 });
const { app, db } = shop;
const ask = await inTurn(shop);

const place = async (buyer: { headers: Record<string, string> }, product: Parameters<typeof aLine>[0], qty = 1) =>
  (
    await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(product, { qty })]) })
  ).json<Order>();

const STEPS_TAKEN = STEP_NAMES.flatMap((name) =>
  stepOf(name).from.flatMap((before) => statesAfter(name, before).map((after) => `${before} → ${after}`)),
);

test('the table of steps in the database is the one in the code', async () => {
  const { rows } = await sql<{ step: string }>`select from_state || ' → ' || to_state as step from order_steps`.execute(db);
  const changing = STEPS_TAKEN.filter((step) => new Set(step.split(' → ')).size === 2);
  expect(rows.map(({ step }) => step).sort()).toEqual([...new Set(changing)].sort());
});

const NOW = new Date().toISOString();
/** Column values that a state requires. */
const rowIn = (orderState: OrderStatus) => ({
  orderState,
  dispatchedAt: orderState === 'partly_dispatched' ? NOW : null,
  deliveredAt: isDelivered(orderState) ? NOW : null,
});

test('the database allows the steps in the table and no others (§20.1)', async () => {
  const { _id } = await place(await aCustomer(db), await aProduct(db));
  for (const before of STATUSES)
    for (const after of STATUSES) {
      if (before === after) continue;
      await forceOrder(db, _id, { ...rowIn(before), holdExpiresAt: NOW });
      const step = db.updateTable('orders').set(rowIn(after)).where('id', '=', _id).execute();
      if (STEPS_TAKEN.includes(`${before} → ${after}`)) await step;
      else await expect(step).rejects.toThrow(`an order that is ${before} cannot become ${after}`);
    }
});

test('the previous version keeps the state in other columns, and both agree', async () => {
  const { _id } = await place(await aCustomer(db), await aProduct(db));
  const read = db.selectFrom('orders').select(['orderState', 'status', 'returnStage', 'dispatchedAt', 'deliveredAt']).where('id', '=', _id);
  const known = new Set<string>();
  for (const state of STATUSES) {
    await forceOrder(db, _id, { ...rowIn(state), holdExpiresAt: NOW });
    const { orderState, ...before } = await read.executeTakeFirstOrThrow();
    expect(orderState).toBe(state);
    // The previous version sees a state that it does not know as placed.
    if (state !== 'placed' && before.status === 'placed' && before.deliveredAt === null) continue;
    known.add(JSON.stringify(before));
    await forceOrder(db, _id, { status: 'cancelled', dispatchedAt: null, deliveredAt: null, returnStage: null });
    expect(await read.executeTakeFirstOrThrow()).toMatchObject({ orderState: 'cancelled' });
    await forceOrder(db, _id, before);
    expect(await read.executeTakeFirstOrThrow()).toEqual({ orderState: state, ...before });
  }
  expect(known.size).toBeGreaterThanOrEqual(13);
});

test('older orders get their state in the new column, even if the previous version writes during the backfill', async () => {
  const shopBefore = await emptyDatabase();
  const names = await knownMigrations();
  const upTo = (end: string) =>
    migrate(
      shopBefore,
      names.filter((name) => name < end),
    );
  await upTo('0570');
  const rows = [
    ['placed', null, null, null, 'placed'],
    ['placed', NOW, NOW, null, 'delivered'],
    ['placed', NOW, NOW, 'returned', 'returned'],
    ['packing', NOW, null, null, 'partly_dispatched'],
    ['dispatched', NOW, null, null, 'delivery_failed'],
    ['cancelled', null, null, null, 'cancelled'],
  ] as const;
  const insert = ([status, dispatchedAt, deliveredAt, returnStage]: (typeof rows)[number], index: number) =>
    sql`
    insert into orders (id, reference, user_name, user_email, status, dispatched_at, delivered_at, return_stage, sub_total_price, shipping_price,
      tax_price, total_price, payment_method)
    values (${newId()}::uuid, ${`R${index}`}, 'Ada', 'ada@example.com', ${status}, ${dispatchedAt}, ${deliveredAt}, ${returnStage}, 1, 0, 0, 1,
      'Cash on Delivery')`.execute(shopBefore.db);
  for (const [index, row] of rows.entries()) await insert(row, index);
  await upTo('0571');
  await sql`update orders set status = 'delivery_failed' where status = 'dispatched'`.execute(shopBefore.db);
  await insert(rows[1], rows.length);
  await migrate(shopBefore);
  const { rows: filled } = await sql<{ state: string }>`select order_state as state from orders order by reference`.execute(shopBefore.db);
  expect(filled.map(({ state }) => state)).toEqual([...rows.map((row) => row[4]), 'delivered']);
  await expect(sql`update orders set status = 'placed' where order_state = 'cancelled'`.execute(shopBefore.db)).rejects.toThrow(
    'an order that is cancelled cannot become placed',
  );
});

test('an order’s answer says which steps its reader can take (§20.2)', async () => {
  const [buyer, admin, stranger] = [await aCustomer(db), await anAdmin(db), await anAdmin(db)];
  const { _id } = await place(buyer, await aProduct(db));
  const can = async ({ headers }: typeof buyer) => (await app.inject({ url: `/api/orders/${_id}`, headers })).json<Order>().can;
  expect(await can(buyer)).toEqual(['cancelByCustomer', 'cancelLinesByCustomer']);
  expect(await can(admin)).toEqual([
    'pack',
    'dispatch',
    'deliver',
    'correctPieces',
    'correctDelivery',
    'cancel',
    'cancelLines',
    'receiveCash',
  ]);
  await forceOrder(db, _id, { awaitsApproval: true });
  expect(await can(admin)).toEqual(['approve', 'deliver', 'correctPieces', 'correctDelivery', 'cancel', 'cancelLines', 'receiveCash']);
  const payload = { isDelivered: true };
  await app.inject({ method: 'PUT', url: `/api/orders/${_id}/deliver`, headers: admin.headers, payload });
  expect(await can(buyer)).toEqual(['askForReturn']);
  expect(await can(stranger)).toEqual(['takeBackDelivery', 'agreeToReturn', 'receiveCash', 'writeOff']);
  await forceOrder(db, _id, { paidAt: new Date().toISOString(), deliveredAt: new Date(Date.now() - 30 * 86_400_000).toISOString() });
  expect([await can(buyer), await can(admin)]).toEqual([
    [],
    ['takeBackDelivery', 'agreeToReturn', 'refund', 'takeBackCash', 'receiveMore'],
  ]);
});

test('a step that the table does not allow is refused and changes nothing', async () => {
  const { _id, reference } = await place(await aCustomer(db), await aProduct(db));
  const attempt = db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, _id);
    if (order) await change(tx, order, 'expire', { payloadHash: null }, { actor: 'Nobody' });
  });
  await expect(attempt).rejects.toMatchObject({ status: 409, message: `Order ${reference} is placed; nothing is reserved for it.` });
  const events = await db.selectFrom('orderEvents').select('kind').where('orderId', '=', _id).execute();
  expect(events).toEqual([{ kind: 'placed' }]);
});

test.each([
  ['a state that does not exist', { orderState: 'lost' }],
  ['a wait without an end', { status: 'awaiting_payment', holdExpiresAt: null }],
  ['a total that is not the sum', { totalPrice: 1 }],
  ['a price below nothing', { shippingPrice: -1 }],
  ['a way to send that has no name', { shippingMethod: '' }],
])('the database refuses an order with %s', async (_, change) => {
  const { _id } = await place(await aCustomer(db), await aProduct(db));
  await expect(db.updateTable('orders').set(change).where('id', '=', _id).execute()).rejects.toMatchObject({ code: '23514' });
});

test.each(['order_events', 'audit_entries'])('%s is append-only: no update, delete or truncate', async (table) => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const { _id } = await place(buyer, await aProduct(db));
  const url = `/api/orders/${_id}/deliver`;
  expect((await app.inject({ method: 'PUT', url, headers: admin.headers, payload: { isDelivered: true } })).statusCode).toBe(200);
  const count = async () => (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db)).rows[0]?.n;
  const before = await count();
  expect(before).toBeGreaterThan(0);
  const column = table === 'order_events' ? sql.ref('detail') : sql.ref('change');
  for (const statement of [
    sql`update ${sql.table(table)} set ${column} = 'nothing happened'`,
    sql`delete from ${sql.table(table)}`,
    sql`truncate ${sql.table(table)}`,
  ])
    await expect(statement.execute(db)).rejects.toThrow(`${table} is append-only`);
  await expect(sql`delete from orders where id = ${_id}`.execute(db)).rejects.toThrow();
  expect(await count()).toBe(before);
});

test('an order keeps what was bought as it was, whatever becomes of the product and the account (§7.8)', async () => {
  const [buyer, admin] = [await aCustomer(db, { name: 'Nia Then' }), await anAdmin(db)];
  const sofa = await aProduct(db, { name: 'Sofa Then', price: 10_000, images: ['/images/then-1200.webp'] });
  const { _id } = await place(buyer, sofa, 2);
  await db
    .updateTable('products')
    .set({ name: 'Sofa Now', price: 99, images: ['/images/now-1200.webp'] })
    .where('id', '=', sofa._id)
    .execute();
  await app.inject({ method: 'DELETE', url: `/api/products/${sofa._id}`, headers: admin.headers });
  const payload = { name: 'Nia Now', email: `now-${buyer.email}`, currentPassword: PASSWORD };
  await app.inject({ method: 'PUT', url: '/api/users/profile', headers: buyer.headers, payload });
  await app.inject({ method: 'DELETE', url: `/api/users/${buyer._id}`, headers: admin.headers });
  const order = (await app.inject({ url: `/api/orders/${_id}`, headers: admin.headers })).json<Order>();
  expect(order.orderItems).toMatchObject([{ name: 'Sofa Then', price: 10_000, qty: 2, image: '/images/then-1200.webp' }]);
  expect(order).toMatchObject({ totalPrice: 20_000, user: { _id: null, name: 'Nia Then', email: buyer.email } });
});

test('if several administrators mark an order at once, only one succeeds: one event, one mail', async () => {
  const [buyer, ...admins] = [await aCustomer(db), ...(await Promise.all(Array.from({ length: 6 }, () => anAdmin(db))))];
  for (let round = 0; round < 4; round += 1) {
    const { _id } = await place(buyer, await aProduct(db));
    const put = (admin: (typeof admins)[number], what: string, payload: object) =>
      ask({ method: 'PUT', url: `/api/orders/${_id}/${what}`, headers: admin.headers, payload });
    const replies = await Promise.all(
      admins.flatMap((admin) => [put(admin, 'deliver', { isDelivered: true }), put(admin, 'cash', { isPaid: true })]),
    );
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const { events } = (await ask({ url: `/api/orders/${_id}`, headers: admins[0]?.headers ?? {} })).json<Order>();
    expect(events.map(({ kind }) => kind).sort()).toEqual(['cash received', 'delivered', 'placed']);
  }
  await runJobs(shop.services);
  expect((await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => subject?.includes('was delivered'))).toHaveLength(4);
});

test('cash cannot be recorded or undone on a card order, whose payment is what the provider reports', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const { _id } = await place(buyer, await aProduct(db));
  await db.updateTable('orders').set({ paymentMethod: 'Credit Card', paidAt: new Date().toISOString() }).where('id', '=', _id).execute();
  const reply = await app.inject({ method: 'PUT', url: `/api/orders/${_id}/cash`, headers: admin.headers, payload: { isPaid: false } });
  expect([reply.statusCode, reply.json().message]).toEqual([409, 'This order was paid by card; the payment provider keeps its record.']);
});

test('a refunded order can no longer be marked as delivered', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const { _id, reference } = await place(buyer, await aProduct(db));
  await forceOrder(db, _id, { status: 'refunded' });
  const reply = await app.inject({
    method: 'PUT',
    url: `/api/orders/${_id}/deliver`,
    headers: admin.headers,
    payload: { isDelivered: true },
  });
  expect([reply.statusCode, reply.json().message]).toEqual([409, `Order ${reference} was refunded; there is nothing to deliver.`]);
});

test('nobody sees an order that is awaiting payment', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const payload = { orderItems: [aLine(await aProduct(db))] };
  await app.inject({ method: 'POST', url: '/stripe/create-checkout-session', headers: buyer.headers, payload });
  const { id } = await db.selectFrom('orders').select('id').where('userId', '=', buyer._id).executeTakeFirstOrThrow();
  for (const { headers } of [buyer, admin]) expect((await app.inject({ url: `/api/orders/${id}`, headers })).statusCode).toBe(404);
  const reply = await app.inject({
    method: 'PUT',
    url: `/api/orders/${id}/deliver`,
    headers: admin.headers,
    payload: { isDelivered: true },
  });
  expect(reply.statusCode).toBe(404);
});
