import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { runJobs } from '#server/app/jobs.ts';
import { removeOldNetworks } from '#server/orders/rules/ceilings.service.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const env = { TRUST_PROXY: '127.0.0.1', UNPAID_VALUE: '500000', UNPAID_VALUE_PER_ADDRESS: '1000000', UNPAID_VALUE_PER_NETWORK: '1000000' };
const shop = await testShop({ pool: 20, env });
const { app, db } = shop;
const admin = await anAdmin(db);
/** £1,000.00 each. */
const table = await aProduct(db, { name: 'Table', price: 100_000, stock: 10_000 });
let count = 0;
const aNetwork = () => `10.9.${Math.floor(++count / 250)}.${(count % 250) + 1}`;
const aStreet = () => ({ ...ADDRESS, line1: `${++count} Long Lane` });

const send = (who: SignedIn, method: 'POST' | 'PUT', url: string, payload: object, ip = aNetwork()) =>
  app.inject({ method, url, headers: { ...who.headers, 'x-forwarded-for': ip }, payload });
const buy = (who: SignedIn, qty: number, { to = aStreet(), ip = aNetwork(), product = table } = {}) =>
  send(who, 'POST', '/api/orders', aPayload([aLine(product, { qty })], { shippingAddress: to }), ip);
const said = (reply: Awaited<ReturnType<typeof buy>>) => [reply.statusCode, reply.json().message];

test('a new account may have unpaid cash orders of £5,000, hears the limit, and may pay by card (§11.4)', async () => {
  const buyer = await aCustomer(db);
  expect((await buy(buyer, 4)).statusCode).toBe(201);
  const before = await stockOf(db, table._id);
  expect(said(await buy(buyer, 2))).toEqual([
    409,
    'Unpaid orders of a new account can total £5,000.00 until one of them is paid or delivered. With this order it would be £6,000.00. Please order less, or pay by card.',
  ]);
  expect(await stockOf(db, table._id)).toBe(before);
  expect((await send(buyer, 'POST', '/stripe/create-checkout-session', { orderItems: [aLine(table, { qty: 2 })] })).statusCode).toBe(200);
  expect((await buy(buyer, 1)).statusCode).toBe(201);
});

test.each([
  ['paid', 'cash', { isPaid: true }],
  ['delivered', 'deliver', { isDelivered: true }],
])('an account whose order was %s may order for more', async (_, call, payload) => {
  const buyer = await aCustomer(db);
  const { _id } = (await buy(buyer, 1)).json();
  expect((await buy(buyer, 6)).statusCode).toBe(409);
  expect((await send(admin, 'PUT', `/api/orders/${_id}/${call}`, payload)).statusCode).toBe(200);
  expect((await buy(buyer, 20)).statusCode).toBe(201);
});

test('an order that was paid and then cancelled makes no account known', async () => {
  const buyer = await aCustomer(db);
  const { _id } = (await buy(buyer, 1)).json();
  await send(admin, 'PUT', `/api/orders/${_id}/cash`, { isPaid: true });
  await send(buyer, 'POST', `/api/orders/${_id}/cancel`, { reason: 'Another reason' });
  expect((await buy(buyer, 6)).statusCode).toBe(409);
  // What was cancelled no longer counts.
  expect((await buy(buyer, 5)).statusCode).toBe(201);
});

test('an order of which everything was paid back makes no account known', async () => {
  const buyer = await aCustomer(db);
  const { _id } = (await buy(buyer, 1)).json();
  await send(admin, 'PUT', `/api/orders/${_id}/cash`, { isPaid: true });
  await db.updateTable('orders').set({ refundedPrice: 100_000 }).where('id', '=', _id).execute();
  expect((await buy(buyer, 6)).statusCode).toBe(409);
});

describe('a paid order and the unpaid ones that were taken because of it', () => {
  const cancel = (who: SignedIn, id: string) => send(who, 'POST', `/api/orders/${id}/cancel`, { reason: 'Another reason' });

  /** An account with a paid order of £1,000, and an unpaid one of `qty` pieces. */
  async function aPaidOne(qty: number, where: { to?: typeof ADDRESS; ip?: string } = {}) {
    const buyer = await aCustomer(db);
    const paid = (await buy(buyer, 1)).json();
    await send(admin, 'PUT', `/api/orders/${paid._id}/cash`, { isPaid: true });
    const unpaid = (await buy(buyer, qty, where)).json();
    return { buyer, paid: paid._id as string, unpaid: unpaid._id as string };
  }

  test('it is cancelled only after them where they are worth more than a new account may have', async () => {
    const { buyer, paid, unpaid } = await aPaidOne(6);
    expect(said(await cancel(buyer, paid))).toEqual([
      409,
      'We took your unpaid orders of £6,000.00 because this one is paid. Please cancel those first, or contact us.',
    ]);
    expect((await cancel(buyer, unpaid)).statusCode).toBe(200);
    expect((await cancel(buyer, paid)).statusCode).toBe(200);
  });

  test.each([
    ['to one address', () => ({ to: aStreet() })],
    ['from one network', () => ({ ip: aNetwork() })],
  ])('accounts that take turns pass no limit %s', async (_, place) => {
    const where = place();
    const accounts = [await aPaidOne(5, where), await aPaidOne(5, where), await aPaidOne(5, where)];
    const replies = [];
    for (const { buyer, paid } of accounts) replies.push((await cancel(buyer, paid)).statusCode);
    expect(replies).toEqual([200, 200, 409]);
  });

  test('accounts, or paid orders of one account, that are cancelled at once pass no limit either', async () => {
    const to = aStreet();
    const accounts = await Promise.all([5, 5, 5, 5].map((qty) => aPaidOne(qty, { to })));
    const replies = await Promise.all(accounts.map(({ buyer, paid }) => cancel(buyer, paid)));
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 409, 409]);

    const { buyer, paid } = await aPaidOne(6);
    const second = (await buy(buyer, 1)).json();
    await send(admin, 'PUT', `/api/orders/${second._id}/cash`, { isPaid: true });
    const both = await Promise.all([paid, second._id].map((id) => cancel(buyer, id)));
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  test('those that were taken before its account had paid anything do not keep it, whatever others have ordered since', async () => {
    const to = aStreet();
    const buyer = await aCustomer(db);
    expect((await buy(buyer, 4, { to })).statusCode).toBe(201);
    const { _id: paid } = (await buy(buyer, 1)).json();
    await send(admin, 'PUT', `/api/orders/${paid}/cash`, { isPaid: true });
    const others = [await buy(await aCustomer(db), 5, { to }), await buy(await aCustomer(db), 5, { to })];
    // The first order goes on counting for the address, although its account has paid for another by now.
    expect(others.map(({ statusCode }) => statusCode)).toEqual([201, 409]);
    expect((await cancel(buyer, paid)).statusCode).toBe(200);
  });

  test('accounts that order first, then pay, and then cancel what they paid pass no limit of the address', async () => {
    const to = aStreet();
    for (const status of [201, 201, 409]) {
      const buyer = await aCustomer(db);
      expect((await buy(buyer, 5, { to })).statusCode).toBe(status);
      const paid = (await buy(buyer, 1)).json();
      if (paid._id) await send(admin, 'PUT', `/api/orders/${paid._id}/cash`, { isPaid: true });
      if (paid._id) expect((await cancel(buyer, paid._id)).statusCode).toBe(200);
    }
  });

  test('a payment that is stored while an order waits for its turn makes nobody known for that order', async () => {
    const buyer = await aCustomer(db);
    const paid = (await buy(buyer, 1)).json();
    await send(admin, 'PUT', `/api/orders/${paid._id}/cash`, { isPaid: true });
    const later = new Date(Date.now() + 60_000).toISOString();
    await db.updateTable('orders').set({ paidAt: later }).where('id', '=', paid._id).execute();
    expect((await buy(buyer, 6)).statusCode).toBe(409);
  });

  test('what staff took by phone does not keep it', async () => {
    const { buyer, paid } = await aPaidOne(1);
    const body = {
      fullName: 'Billie Buyer',
      email: buyer.email,
      phone: '07700 900123',
      shippingAddress: aStreet(),
      lines: [{ product: table._id, qty: 9 }],
      payment: 'cash',
      expected: 900_000,
    };
    const byPhone = await send(admin, 'POST', '/api/office/orders', body);
    expect(byPhone.statusCode, byPhone.body).toBe(201);
    expect((await cancel(buyer, paid)).statusCode).toBe(200);
  });
});

test('new accounts together may have £10,000 unpaid to one address, however it is typed; another flat is another address (§11.4)', async () => {
  const flat = (line2: string) => ({ ...aStreet(), line1: '7 Mill Road', line2 });
  for (const line2 of ['Flat 1', 'flat 1']) expect((await buy(await aCustomer(db), 5, { to: flat(line2) })).statusCode).toBe(201);
  expect(said(await buy(await aCustomer(db), 1, { to: flat('Flat-1') }))).toEqual([
    409,
    'Unpaid orders of new accounts to one address can total £10,000.00 until one of them is paid or delivered. With this order it would be £11,000.00. Please order less, or pay by card.',
  ]);
  expect((await buy(await aCustomer(db), 1, { to: flat('Flat 2') })).statusCode).toBe(201);
});

test.each([
  ['an IPv4 address', ['192.0.2.1', '192.0.2.1', '192.0.2.1'], '192.0.2.2'],
  ['an IPv6 /48', ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1'], '2001:db8:2::1'],
])('new accounts together may have £10,000 unpaid from %s (§11.4)', async (_, [first, second, third], other) => {
  expect((await buy(await aCustomer(db), 5, { ip: first })).statusCode).toBe(201);
  expect((await buy(await aCustomer(db), 5, { ip: second })).statusCode).toBe(201);
  const late = await aCustomer(db);
  expect(said(await buy(late, 1, { ip: third }))).toEqual([
    409,
    'Unpaid orders of new accounts from one internet connection can total £10,000.00 until one of them is paid or delivered. With this order it would be £11,000.00. Please order less, or pay by card.',
  ]);
  expect((await buy(late, 1, { ip: other })).statusCode).toBe(201);
});

test('colleagues who are known buy as much as they like from a network whose new accounts have reached its limit', async () => {
  const [known, ip] = [await aCustomer(db), aNetwork()];
  await send(admin, 'PUT', `/api/orders/${(await buy(known, 1)).json()._id}/cash`, { isPaid: true });
  for (let n = 0; n < 2; n += 1) expect((await buy(await aCustomer(db), 5, { ip })).statusCode).toBe(201);
  expect((await buy(known, 20, { ip })).statusCode).toBe(201);
});

test('orders of new accounts that arrive at the same moment pass no limit: neither the account’s, nor the address’s, nor the network’s (§11.4)', async () => {
  const [to, ip, product] = [aStreet(), aNetwork(), await aProduct(db, { name: 'Lamp', price: 37_776, stock: 405 })];
  const three = await Promise.all([1, 2, 3].map(() => aCustomer(db)));
  const hoard = (where: (n: number) => { to?: ReturnType<typeof aStreet>; ip?: string }, buyers: SignedIn[]) =>
    Promise.all(Array.from({ length: 12 }, (_, n) => buy(buyers[n % buyers.length] as SignedIn, 7, { ...where(n), product })));
  const taken = (replies: Awaited<ReturnType<typeof hoard>>) => replies.filter(({ statusCode }) => statusCode === 201).length;
  // 7 × £377.76 is £2,644.32: one fits below £5,000, three below £10,000.
  expect(taken(await hoard(() => ({}), three.slice(0, 1)))).toBe(1);
  expect(taken(await hoard(() => ({ to }), await Promise.all(Array.from({ length: 12 }, () => aCustomer(db)))))).toBe(3);
  expect(taken(await hoard(() => ({ ip }), await Promise.all(Array.from({ length: 12 }, () => aCustomer(db)))))).toBe(3);
  expect(await stockOf(db, product._id)).toBe(405 - 7 * 7);
});

test('staff order for others without these limits, and the network is forgotten a week after an order is paid, as that may be a mistake', async () => {
  expect((await buy(admin, 50)).statusCode).toBe(201);
  const buyer = await aCustomer(db);
  const { _id } = (await buy(buyer, 1)).json();
  const kept = () => db.selectFrom('orderNetworks').select('network').where('orderId', '=', _id).execute();
  await removeOldNetworks(db);
  expect(await kept()).toEqual([{ network: expect.stringMatching(/^[\w-]{43}$/) }]);
  await send(admin, 'PUT', `/api/orders/${_id}/cash`, { isPaid: true });
  await removeOldNetworks(db);
  expect(await kept()).toHaveLength(1);
  await sql`update orders set paid_at = paid_at - interval '8 days' where id = ${_id}`.execute(db);
  await removeOldNetworks(db);
  expect(await kept()).toEqual([]);
  await runJobs(shop.services);
});
