import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { LOW_STOCK, type OfficeProductList } from '#contract/catalogue/catalogue.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Order, OrderList, Sales } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { makeJobsDue } from '#server/testing/jobs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { forceOrder } from '#server/testing/orders.ts';

const shop = await testShop({ env: MANY_ORDERS });
const { app, db } = shop;
const admin = await anAdmin(db);
const get = (url: string) => app.inject({ url, headers: admin.headers });
const list = async (query: string) => (await get(`/api/orders?${query}`)).json<OrderList>();
const deliver = (ids: string[], isDelivered = true) =>
  app.inject({ method: 'PUT', url: '/api/orders/deliver', headers: admin.headers, payload: { ids, isDelivered } });

async function anOrder(buyer: Awaited<ReturnType<typeof aCustomer>>, product: Parameters<typeof aLine>[0], qty = 1): Promise<Order> {
  const payload = aPayload([aLine(product, { qty })], { fullName: buyer.name });
  return (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json<Order>();
}
const change = (id: string, set: Record<string, string | boolean>) => forceOrder(db, id, set);
/** The shop's day some days ago, and a time within it. */
const dayOf = (daysAgo: number) =>
  new Date(Date.parse(shopDay(new Date().toISOString())) - daysAgo * 86_400_000).toISOString().slice(0, 10);
const day = (daysAgo: number) => `${dayOf(daysAgo)}T12:00:00.000Z`;

test('an order is found by its phone number and postcode, however they are typed, by its invoice and by a tracking number', async () => {
  const buyer = await aCustomer(db);
  const line = aLine(await aProduct(db));
  const place = async (more: Record<string, unknown>) => {
    const sent = { method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([line], more) } as const;
    return (await app.inject(sent)).json<Order>();
  };
  const address = { line1: '1 Quay', line2: '', city: 'Hull', state: '', postalCode: 'HU1 3DT', country: 'United Kingdom' };
  const one = await place({ phone: '07700 900777', shippingAddress: address });
  await place({});
  await db.insertInto('parcels').values({ id: one._id, orderId: one._id, actor: 'Ada', trackingNumber: 'ZX 4471-0099' }).execute();
  await app.inject({ method: 'PUT', url: `/api/orders/${one._id}/cash`, headers: admin.headers, payload: { isPaid: true } });
  const { number } = await db.selectFrom('invoices').select('number').where('orderId', '=', one._id).executeTakeFirstOrThrow();
  const found = async (search: string) => (await list(`search=${encodeURIComponent(search)}`)).orders.map(({ _id }) => _id);
  for (const search of [
    '07700900777',
    '+44 (0)7700 900 777',
    'hu13dt',
    'HU1 3DT',
    'zx44710099',
    `INV-${String(number).padStart(6, '0')}`,
    `inv ${number}`,
  ])
    expect([search, await found(search)]).toEqual([search, [one._id]]);
  for (const search of ['7700900', 'HU1', 'INV-999999', 'CN-000001']) expect([search, await found(search)]).toEqual([search, []]);
});

test('the panel shows thirty days with their orders and revenue, the best sellers and what awaits delivery', async () => {
  const before = (await get('/api/orders/sales')).json<Sales>();
  const buyer = await aCustomer(db);
  const [sofa, lamp] = [await aProduct(db, { price: 10_000, stock: 900 }), await aProduct(db, { price: 500, stock: 900 })];
  await anOrder(buyer, sofa, 90);
  await anOrder(buyer, lamp, 95);
  const old = await anOrder(buyer, sofa, 3);
  await change(old._id, { createdAt: day(29) });
  await change((await anOrder(buyer, sofa, 50))._id, { createdAt: day(31) });
  await change((await anOrder(buyer, sofa, 50))._id, { status: 'refunded' });
  await deliver([old._id]);

  const { days, bestSellers, awaitingDelivery } = (await get('/api/orders/sales')).json<Sales>();

  expect(days).toHaveLength(30);
  expect(days.map((entry) => entry.day)).toEqual([...days.map((entry) => entry.day)].sort());
  expect(days[0]).toEqual({ day: dayOf(29), orders: 1, revenue: 30_000 });
  const [today, todayBefore] = [days.at(-1), before.days.at(-1)];
  expect(today?.day).toBe(dayOf(0));
  expect([(today?.orders ?? 0) - (todayBefore?.orders ?? 0), (today?.revenue ?? 0) - (todayBefore?.revenue ?? 0)]).toEqual([2, 947_500]);
  expect(bestSellers.slice(0, 2)).toEqual([
    { _id: lamp._id, name: lamp.name, pieces: 95, revenue: 47_500 },
    { _id: sofa._id, name: sofa.name, pieces: 93, revenue: 930_000 },
  ]);
  // Two of today and the one of a month ago; what was delivered or refunded no longer waits.
  expect(awaitingDelivery - before.awaitingDelivery).toBe(3);
});

test('several orders are marked at once, each with its audit line, its event and its mail, and said twice changes nothing', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db);
  const orders = [await anOrder(buyer, sofa), await anOrder(buyer, sofa), await anOrder(buyer, sofa)];
  const ids = orders.map(({ _id }) => _id);

  expect((await deliver(ids)).json()).toEqual({ message: '3 orders marked as delivered.', check: null });
  expect((await deliver([...ids, ...ids])).json()).toEqual({ message: '0 orders marked as delivered.', check: null });

  await makeJobsDue(db);
  await runJobs(shop.services);
  const subjects = (await mailsOf(shop.dataDir, buyer.email)).map(({ subject }) => subject ?? '');
  expect(subjects.filter((subject) => subject.endsWith('was delivered'))).toHaveLength(3);
  for (const id of ids) {
    const order = (await get(`/api/orders/${id}`)).json<Order>();
    expect([order.isDelivered, order.events.map(({ kind }) => kind)]).toEqual([true, ['placed', 'delivered']]);
    const audited = await db.selectFrom('auditEntries').select(['actorId', 'actorName', 'change']).where('entityId', '=', id).execute();
    expect(audited).toEqual([{ actorId: admin._id, actorName: 'Ada Admin', change: 'Marked as delivered' }]);
  }
  expect((await deliver(ids.slice(0, 1), false)).json()).toEqual({ message: '1 order marked as not delivered.', check: null });
  expect((await get(`/api/orders/${ids[0]}`)).json<Order>().isDelivered).toBe(false);
});

test('one order that cannot be marked leaves all as they were', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db);
  const [one, two] = [await anOrder(buyer, sofa), await anOrder(buyer, sofa)];
  await change(two._id, { status: 'refunded' });
  expect((await deliver([one._id, two._id])).statusCode).toBe(409);
  expect((await deliver([one._id, '01890000-0000-7000-8000-000000000000'])).statusCode).toBe(404);
  expect((await deliver([one._id, 'nonsense'])).statusCode).toBe(404);
  expect((await deliver([])).json()).toMatchObject({ message: 'Choose at least one order.' });
  expect((await get(`/api/orders/${one._id}`)).json<Order>()).toMatchObject({ isDelivered: false, events: [{ kind: 'placed' }] });
});

test('administrators who mark the same orders at the same time, in other orders, both get an answer', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db);
  const ids = (await Promise.all(Array.from({ length: 6 }, () => anOrder(buyer, sofa)))).map(({ _id }) => _id);
  const replies = await Promise.all([deliver(ids), deliver(ids.toReversed()), deliver(ids.toSorted()), deliver(ids.slice(3))]);
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  const events = await db.selectFrom('orderEvents').select('id').where('kind', '=', 'delivered').where('orderId', 'in', ids).execute();
  expect(events).toHaveLength(6);
});

test('the list finds by id, user, email and name, and narrows by payment, delivery and day', async () => {
  const buyer = await aCustomer(db, { name: 'Quentin Quill', email: 'quentin@quill.example' });
  const sofa = await aProduct(db);
  const [one, two, three] = [await anOrder(buyer, sofa), await anOrder(buyer, sofa, 2), await anOrder(buyer, sofa, 3)];
  await change(one._id, { paidAt: day(0), createdAt: '2021-05-05T22:59:59.999Z' });
  await change(two._id, { deliveredAt: day(0), createdAt: '2021-05-05T23:00:00.000Z' });
  await change(three._id, { status: 'refunded', paidAt: day(0) });
  const found = async (query: string) => (await list(query)).orders.map(({ _id }) => _id);
  expect(await found(`search=${one._id}`)).toEqual([one._id]);
  for (const search of [buyer._id, 'QUENTIN%20qu', 'quentin@quill'])
    expect(await found(`search=${search}`)).toEqual([three._id, two._id, one._id]);
  const his = 'search=quentin@quill.example';
  expect(await found(`${his}&sortBy=oldest`)).toEqual([one._id, two._id, three._id]);
  expect(await found(`${his}&sortBy=total`)).toEqual([three._id, two._id, one._id]);
  expect(await found(`${his}&paid=true`)).toEqual([three._id, one._id]);
  expect(await found(`${his}&paid=false`)).toEqual([two._id]);
  expect(await found(`${his}&delivered=true`)).toEqual([two._id]);
  // What was refunded awaits neither payment nor delivery.
  expect(await found(`${his}&delivered=false`)).toEqual([one._id]);
  expect(await found(`${his}&from=2021-05-05&to=2021-05-05`)).toEqual([one._id]);
  expect(await found(`${his}&from=2021-05-06&to=2021-05-06`)).toEqual([two._id]);
  expect(await found(`${his}&from=2021-99-99&to=soon`)).toHaveLength(3);
});

test('what is sold out and what is low can be picked out, and the list can begin with what is scarcest', async () => {
  for (const stock of [40, LOW_STOCK, 0, LOW_STOCK + 1, 1]) await aProduct(db, { brand: 'Scarce', stock });
  const stocks = async (query: string) =>
    (await get(`/api/office/products?brandQuery=scarce&${query}`))
      .json<OfficeProductList>()
      .products.map(({ countInStock }) => countInStock);
  expect(await stocks('stockQuery=out')).toEqual([0]);
  expect(await stocks('stockQuery=low&sortBy=stock')).toEqual([1, LOW_STOCK]);
  expect(await stocks('sortBy=stock')).toEqual([0, 1, LOW_STOCK, 40, LOW_STOCK + 1]);
});

test('walking the pages shows every order once, in every sort, and past the end is empty with the true pages (§7.3)', async () => {
  const buyer = await aCustomer(db, { name: 'Walker' });
  const sofa = await aProduct(db, { stock: 500 });
  for (let n = 0; n < 34; n += 1) await anOrder(buyer, sofa, 1 + (n % 3));
  for (const sortBy of ['', 'oldest', 'total']) {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`search=${buyer._id}&sortBy=${sortBy}&pageNumber=${page}`)));
    const orders = pages.flatMap((page) => page.orders);
    expect([orders.length, new Set(orders.map(({ _id }) => _id)).size, pages[0]?.pages]).toEqual([34, 34, 4]);
    if (sortBy === 'total')
      expect(orders.map(({ totalPrice }) => -totalPrice)).toEqual(orders.map(({ totalPrice }) => -totalPrice).toSorted((a, b) => a - b));
  }
  expect(await list(`search=${buyer._id}&pageNumber=9`)).toEqual({ orders: [], page: 9, pages: 4, total: 34, isCut: false });
});

test('orders are exported as the list’s filters find them, all of them, with nothing that a spreadsheet would run', async () => {
  const buyer = await aCustomer(db, { name: '=HYPERLINK("http://evil.example")' });
  const sofa = await aProduct(db, { name: 'Sofa, "large"', stock: 2_000 });
  const first = await anOrder(buyer, sofa, 2);
  await db.updateTable('products').set({ sku: 'SOFA-L' }).where('id', '=', sofa._id).execute();
  await db
    .insertInto('orders')
    .columns([
      'id',
      'userId',
      'userName',
      'userEmail',
      'status',
      'subTotalPrice',
      'shippingPrice',
      'taxPrice',
      'totalPrice',
      'paymentMethod',
      'createdAt',
    ])
    .expression((eb) =>
      eb.selectFrom(eb.fn<{ n: number }>('generate_series', [eb.lit(1), eb.lit(1_200)]).as('n')).select((row) => [
        row.fn<string>('gen_random_uuid').as('id'),
        row.val(buyer._id).as('userId'),
        row.val('Many').as('userName'),
        row.val('many@example.com').as('userEmail'),
        row.val('placed').as('status'),
        ...[row.val(1).as('sub'), row.val(0).as('ship'), row.val(0).as('tax'), row.val(1).as('total')],
        row.val('Cash on Delivery').as('method'),
        // All in the same moment, finer than a millisecond.
        row.val('2024-02-02T02:02:02.123456Z').as('at'),
      ]),
    )
    .execute();
  const reply = await get(`/api/orders/export?search=${buyer._id}`);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="orders.csv"',
  });
  expect(reply.body).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
  const [head = [], ...rows] = await parseCsv(reply.body);
  expect([rows.length, new Set(rows.map(([id]) => id)).size]).toEqual([1_201, 1_201]);
  const row = Object.fromEntries(head.map((column, at) => [column, rows[0]?.[at]]));
  expect(row).toMatchObject({
    OrderID: first._id,
    UserID: buyer._id,
    Name: buyer.name,
    Items: '2 x Sofa, "large"',
    SKUs: '2 x SOFA-L',
    'Total (pence)': '99998',
    Paid: '',
    Status: 'Placed',
  });
  await change(first._id, { awaitsApproval: true });
  expect((await parseCsv((await get(`/api/orders/export?search=${first._id}`)).body))[1]).toContain('To be approved');
  expect(await parseCsv((await get(`/api/orders/export?search=${first._id}`)).body)).toHaveLength(2);
});

test('lists, the CSV and the panel cut days at midnight in London, in summer an hour before midnight in UTC (§9.4)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db);
  const [summer, winter] = [await anOrder(buyer, sofa), await anOrder(buyer, sofa)];
  await change(summer._id, { createdAt: '2026-07-01T23:30:00Z', paidAt: '2026-07-01T23:45:00Z' });
  await change(winter._id, { createdAt: '2026-01-01T23:30:00Z' });
  const idsOn = async (date: string) => (await list(`user=${buyer._id}&from=${date}&to=${date}`)).orders.map(({ _id }) => _id);
  expect([await idsOn('2026-07-01'), await idsOn('2026-07-02')]).toEqual([[], [summer._id]]);
  expect([await idsOn('2026-01-01'), await idsOn('2026-01-02')]).toEqual([[winter._id], []]);
  const [head = [], ...rows] = await parseCsv((await get(`/api/orders/export?user=${buyer._id}`)).body);
  const cells = rows.map((row) => [row[head.indexOf('Date')], row[head.indexOf('Paid')]]);
  expect(cells).toEqual([
    ['2026-07-02 00:30', '2026-07-02 00:45'],
    ['2026-01-01 23:30', ''],
  ]);
  const ordersToday = async () =>
    (await get('/api/orders/sales'))
      .json<Sales>()
      .days.slice(-2)
      .map(({ orders }) => orders);
  const [yesterday = 0, today = 0] = await ordersToday();
  const midnight = sql<string>`date_trunc('day', now() at time zone 'Europe/London') at time zone 'Europe/London'`;
  await db.updateTable('orders').set({ createdAt: midnight }).where('id', '=', summer._id).execute();
  await db
    .updateTable('orders')
    .set({ createdAt: sql<string>`${midnight} - interval '1 second'` })
    .where('id', '=', winter._id)
    .execute();
  expect(await ordersToday()).toEqual([yesterday + 1, today + 1]);
});
