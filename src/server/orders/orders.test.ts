import { sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { newId } from '#server/platform/ids.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';

const shop = await testShop({ env: { RATE_LIMIT_FACTOR: '1000' } });
const { app, db } = shop;

const place = (headers: Record<string, string>, payload: object) => app.inject({ method: 'POST', url: '/api/orders', headers, payload });
const countOrders = async () =>
  (
    await db
      .selectFrom('orders')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n;

test('an order is priced by the server, whatever totals the client sends (§3.8, §7.6)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { price: 50_000, sizes: [{ size: 'Large', price: 60_000 }] });
  const payload = aPayload([aLine(sofa, { qty: 2, size: 'Large', price: 60_000 })], {
    totalPrice: 1,
    itemsPrice: 1,
    shippingPrice: 99,
    taxPrice: -5,
  });

  const reply = await place(buyer.headers, payload);

  expect(reply.statusCode).toBe(201);
  const order = reply.json<Order>();
  expect(order).toMatchObject({
    subTotalPrice: 120_000,
    shippingPrice: 0,
    taxPrice: 0,
    totalPrice: 120_000,
    isPaid: false,
    isDelivered: false,
  });
  expect(order.orderItems).toEqual([
    {
      _id: sofa._id,
      name: sofa.name,
      image: '',
      qty: 2,
      price: 60_000,
      discount: 0,
      size: 'Large',
      color: null,
      colourName: null,
      isColourOpen: false,
      sku: '',
      cancelledQty: 0,
      returnedQty: 0,
      spoiledQty: 0,
      refundedQty: 0,
      partialRefund: 0,
    },
  ]);
  expect(order.user).toEqual({ _id: buyer._id, name: buyer.name, email: buyer.email });
});

test('a line takes from the product and from its size (§11.1)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, {
    stock: 5,
    sizes: [
      { size: 'S', quantity: 2 },
      { size: 'L', quantity: 3 },
    ],
  });
  await place(buyer.headers, aPayload([aLine(sofa, { qty: 2, size: 'S' })]));
  expect(await stockOf(db, sofa._id)).toBe(3);
  const refused = await place(buyer.headers, aPayload([aLine(sofa, { qty: 1, size: 'S' })]));
  expect(refused.statusCode).toBe(409);
  expect(refused.json()).toEqual({ message: `${sofa.name} (S) is sold out.` });
});

test('a refused order names what is left and stores nothing (§11.1)', async () => {
  const buyer = await aCustomer(db);
  const [lamp, sofa] = [await aProduct(db, { stock: 9 }), await aProduct(db, { stock: 1 })];
  const before = await countOrders();
  const reply = await place(buyer.headers, aPayload([aLine(lamp, { qty: 1 }), aLine(sofa, { qty: 2 })]));
  expect(reply.statusCode).toBe(409);
  expect(reply.json()).toEqual({ message: `Only 1 of ${sofa.name} left.` });
  expect([await countOrders(), await stockOf(db, lamp._id), await stockOf(db, sofa._id)]).toEqual([before, 9, 1]);
});

test.each([
  { stock: 5, quantity: 2, left: 'Only 2 of Settee (S) left.' },
  { stock: 1, quantity: 4, left: 'Only 1 of Settee left.' },
])('a refusal names the number that can be had: $left (§11.3)', async ({ stock, quantity, left }) => {
  const buyer = await aCustomer(db);
  const settee = await aProduct(db, { name: 'Settee', stock, sizes: [{ size: 'S', quantity }, { size: 'L' }] });
  const reply = await place(buyer.headers, aPayload([aLine(settee, { qty: 9, size: 'S' })]));
  expect([reply.statusCode, reply.json().message]).toEqual([409, left]);
});

test('a price that the product does not have is refused with the new one', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { price: 45_000 });
  const reply = await place(buyer.headers, aPayload([aLine(sofa, { price: 40_000 })]));
  expect(reply.statusCode).toBe(409);
  expect(reply.json().message).toBe(`The price of ${sofa.name} has changed: it is now £450.00. Please check your cart.`);
});

test.each([
  ['a phone number that is too short', { phone: '123' }, 'phone', 'Phone number must be 11 digits'],
  [
    'a ZIP code of another length',
    { shippingAddress: { line1: 'a', city: 'b', postalCode: '1234', country: 'Pakistan' } },
    'shippingAddress.postalCode',
    'ZIP code must be 5 digits',
  ],
  [
    'an address without a street',
    { shippingAddress: { city: 'b', postalCode: '12345', country: 'Pakistan' } },
    'shippingAddress.line1',
    'Address line 1 is required',
  ],
  [
    'an online payment without its id',
    { paymentMethod: 'Online Payment', orderPaymentID: '' },
    'orderPaymentID',
    'Payment ID is required for online payments',
  ],
  ['a payment method that only the provider may name', { paymentMethod: 'Credit Card' }, 'paymentMethod', 'Unknown payment method'],
  [
    'more than 100 lines',
    { orderItems: Array.from({ length: 101 }, () => ({ _id: newId(), price: 1, qty: 1 })) },
    'orderItems',
    'A cart can hold at most 100 different products.',
  ],
  ['no lines', { orderItems: [] }, 'orderItems', 'Not Items Found'],
])('an order with %s is refused (§9.8)', async (_, change, field, message) => {
  const buyer = await aCustomer(db);
  const reply = await place(buyer.headers, aPayload([aLine(await aProduct(db))], change));
  expect(reply.statusCode).toBe(400);
  expect(reply.json().errors[field]).toBe(message);
});

test('a payment id that somebody types is kept as a note and never marks the order paid (§10.5)', async () => {
  const buyer = await aCustomer(db);
  const reply = await place(
    buyer.headers,
    aPayload([aLine(await aProduct(db))], {
      paymentMethod: 'Online Payment',
      orderPaymentID: 'paid, honestly',
      isPaid: true,
      paidAt: '2026-01-01',
    }),
  );
  expect([reply.statusCode, reply.json()]).toEqual([
    201,
    expect.objectContaining({ paymentMethod: 'Online Payment', orderPaymentID: 'paid, honestly', isPaid: false, paidAt: null }),
  ]);
});

test('an unknown product, size or colour is refused', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { colors: ['#112233'] });
  for (const line of [aLine({ ...sofa, _id: 'nothing' }), aLine(sofa, { size: 'XXL' }), aLine(sofa, { color: '#ffffff' })]) {
    expect((await place(buyer.headers, aPayload([line]))).statusCode).toBe(409);
  }
  expect((await place(buyer.headers, aPayload([aLine(sofa, { color: '#112233' })]))).statusCode).toBe(201);
});

test('the buyer gets one confirmation by mail, which shows markup as text (§15.1)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { name: 'Sofa <script>alert(1)</script>', price: 129_900 });
  const order = (await place(buyer.headers, aPayload([aLine(sofa)]))).json<Order>();
  await runJobs(shop.services);
  const mails = await mailsOf(shop.dataDir, buyer.email);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain('£1,299.00');
  expect(mails[0]?.text).toContain(`${shop.url}/order/${order._id}`);
  expect(mails[0]?.html).not.toContain('<script>');
});

test('an order that fails at its very end sends no mail and takes no stock (§15.1)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 3 });
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(db);
  await sql`create constraint trigger refuse after insert on orders deferrable initially deferred
    for each row when (new.full_name = 'Refused at commit') execute function refuse()`.execute(db);
  expect((await place(buyer.headers, aPayload([aLine(sofa)], { fullName: 'Refused at commit' }))).statusCode).toBe(500);
  await runJobs(shop.services);
  expect([await mailsOf(shop.dataDir, buyer.email), await stockOf(db, sofa._id)]).toEqual([[], 3]);
});

test('an order never writes to a stranger: its mails go to the address that the account has by then, the typed one is kept for the shop (§15.1)', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const payload = aPayload([aLine(await aProduct(db))], { email: 'stranger@example.net', fullName: 'Win a prize at evil.example' });
  const order = (await place(buyer.headers, payload)).json<Order>();
  const moved = `moved-${buyer.email}`;
  await db.updateTable('users').set({ email: moved }).where('id', '=', buyer._id).execute();
  const url = `/api/orders/${order._id}/deliver`;
  await app.inject({ method: 'PUT', url, headers: admin.headers, payload: { isDelivered: true } });
  await runJobs(shop.services);
  expect(await mailsOf(shop.dataDir, 'stranger@example.net')).toEqual([]);
  expect(await mailsOf(shop.dataDir, buyer.email)).toHaveLength(1);
  expect((await mailsOf(shop.dataDir, moved)).map(({ subject }) => subject)).toEqual([expect.stringContaining('was delivered')]);
  const shown = (await app.inject({ url: `/api/orders/${order._id}`, headers: admin.headers })).json<Order>();
  expect([shown.email, shown.user.email]).toEqual(['stranger@example.net', buyer.email]);
});

test('a customer sees their own orders only, six a page, newest first (§3.10, §9.2)', async () => {
  const [buyer, stranger] = [await aCustomer(db), await aCustomer(db)];
  const sofa = await aProduct(db, { stock: 50 });
  const ids: string[] = [];
  for (let n = 0; n < 7; n += 1) ids.push((await place(buyer.headers, aPayload([aLine(sofa)]))).json<Order>()._id);
  const list = async (query: string, headers = buyer.headers) =>
    (await app.inject({ url: `/api/orders/myorders${query}`, headers })).json();
  const [first, second, past, none] = [
    await list(''),
    await list('?pageNumber=2'),
    await list('?pageNumber=9'),
    await list('', stranger.headers),
  ];
  expect([first.page, first.pages, first.total]).toEqual([1, 2, 7]);
  expect([...first.orders, ...second.orders].map(({ _id }: Order) => _id)).toEqual(ids.toReversed());
  expect([past.orders, past.pages]).toEqual([[], 2]);
  expect([none.orders, none.pages]).toEqual([[], 1]);
  expect((await app.inject({ url: `/api/orders/${ids[0]}`, headers: stranger.headers })).statusCode).toBe(404);
  expect((await app.inject({ url: `/api/orders/${ids[0]}`, headers: buyer.headers })).json().events).toEqual([]);
});

test('an administrator delivers an order, takes it back, and the customer hears of it once (§7.3)', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const order = (await place(buyer.headers, aPayload([aLine(await aProduct(db))]))).json<Order>();
  const deliver = async (isDelivered: boolean, headers = admin.headers) =>
    app.inject({ method: 'PUT', url: `/api/orders/${order._id}/deliver`, headers, payload: { isDelivered } });
  expect((await deliver(true, buyer.headers)).statusCode).toBe(403);
  expect((await deliver(true)).json()).toMatchObject({ isDelivered: true, deliveredAt: expect.any(String) });
  await deliver(true);
  expect((await deliver(false)).json()).toMatchObject({ isDelivered: false, deliveredAt: null });
  const again = (await deliver(true)).json<Order>();
  expect(again.events.map(({ kind }) => kind)).toEqual(['placed', 'delivered', 'delivery taken back', 'delivered']);
  await runJobs(shop.services);
  expect((await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => subject?.includes('was delivered'))).toHaveLength(1);
});

test('an administrator records cash and takes it back', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const order = (await place(buyer.headers, aPayload([aLine(await aProduct(db))]))).json<Order>();
  const cash = async (isPaid: boolean) =>
    (await app.inject({ method: 'PUT', url: `/api/orders/${order._id}/cash`, headers: admin.headers, payload: { isPaid } })).json();
  expect(await cash(true)).toMatchObject({ isPaid: true, paidAt: expect.any(String) });
  expect(await cash(false)).toMatchObject({ isPaid: false, paidAt: null });
});

test('an administrator finds orders by id, email and name, and by what is still to do (§7.6)', async () => {
  const [buyer, admin] = [await aCustomer(db, { name: 'Zebedee Quill' }), await anAdmin(db)];
  const order = (await place(buyer.headers, aPayload([aLine(await aProduct(db))]))).json<Order>();
  const find = async (query: string) => (await app.inject({ url: `/api/orders?${query}`, headers: admin.headers })).json();
  for (const search of [order._id, buyer.email, buyer.email.slice(0, -4), 'zebedee', 'quil', 'Zebedee QU', buyer._id]) {
    expect((await find(`search=${encodeURIComponent(search)}`)).orders.map(({ _id }: Order) => _id)).toEqual([order._id]);
  }
  expect((await find('search=zebedee&paid=true')).total).toBe(0);
  expect((await find('search=zebedee&delivered=false')).orders[0].user).toBe(buyer._id);
  for (const search of ['%', "'", '\\', 'bedee', 'zebedee x', '@', "zebedee' & !'"])
    expect((await find(`search=${encodeURIComponent(search)}`)).total).toBe(0);
  for (const day of ['2026-02-31', '2026-13-01', '0000-01-01', 'today'])
    expect((await find(`search=zebedee&from=${day}&to=${day}`)).total).toBe(1);
});

test('the reply to an order is the order that is read afterwards (§3.7)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, {
    colors: ['#123456'],
    images: ['/images/a.webp'],
    sizes: [{ size: 'Large', price: 60_000 }, { size: 'S' }],
  });
  const lines = [aLine(sofa, { qty: 2, size: 'Large', price: 60_000, color: '#123456' }), aLine(sofa, { size: 'S' })];
  const placed = (await place(buyer.headers, aPayload(lines))).json<Order>();
  expect(placed).toMatchObject({
    _id: expect.any(String),
    user: { _id: buyer._id },
    createdAt: expect.any(String),
    phone: '07700 900123',
    orderItems: [
      { _id: sofa._id, name: sofa.name, image: '/images/a.webp', qty: 2, price: 60_000, size: 'Large' },
      { _id: sofa._id, qty: 1, price: sofa.price, size: 'S' },
    ],
    shippingAddress: ADDRESS,
    subTotalPrice: 169_999,
    shippingPrice: 0,
    taxPrice: 0,
    totalPrice: 169_999,
    paymentMethod: 'Cash on Delivery',
    orderPaymentID: 'COD',
    isPaid: false,
    paidAt: null,
    isDelivered: false,
    deliveredAt: null,
  });
  expect((await app.inject({ url: `/api/orders/${placed._id}`, headers: buyer.headers })).json()).toEqual(placed);
});

test.each(['/api/cart/check', '/api/cart/discount'])(
  'a list of tens of thousands is refused before its entries are looked at: %s',
  async (url) => {
    const payload = { orderItems: Array.from({ length: 80_000 }, () => ({})) };
    const reply = await app.inject({ method: 'POST', url, payload });
    expect([reply.statusCode, reply.json().message]).toEqual([400, 'The request has too many entries.']);
  },
);

test('an order asks the database at most fourteen times, its session and limits included', async () => {
  const buyer = await aCustomer(db);
  const lamp = await aProduct(db, { stock: 50 });
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  const reply = await place(buyer.headers, aPayload([aLine(lamp)]));
  const count = asked.mock.calls.length;
  asked.mockRestore();
  expect(reply.statusCode).toBe(201);
  expect(count).toBeLessThanOrEqual(14);
});

test('a sale of a product that stays in stock leaves its indexes and generated columns alone', async () => {
  const indexes = await sql`
    select pg_class.relname from pg_depend join pg_class on pg_class.oid = objid and relkind = 'i'
    join pg_attribute on attrelid = refobjid and attnum = refobjsubid
    where refobjid = 'products'::regclass and attname = 'count_in_stock'`.execute(db);
  // Any trigger before an update (1 for each row, 2 before, 16 update) makes PostgreSQL compute all generated columns.
  const triggers = await sql`
    select tgname from pg_trigger where tgrelid = 'products'::regclass and not tgisinternal and tgtype & 19 = 19`.execute(db);
  expect([indexes.rows, triggers.rows]).toEqual([[], []]);
});
