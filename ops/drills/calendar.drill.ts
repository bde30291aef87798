import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { RecoveryCodes, SetUp } from '#contract/accounts/second-factor.ts';
import type { Books } from '#contract/books/books.ts';
import type { Product } from '#contract/catalogue/catalogue.ts';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import type { Order, Sales } from '#contract/orders/orders.ts';
import { PAYER } from '#sandbox/payer.ts';
import { stepAt } from '#server/accounts/second-factor/totp.ts';
import { listBrokenRules } from '#server/books/shop-rules.ts';
import { newId } from '#server/platform/ids.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { eventually } from '#server/testing/eventually.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { appCode } from '#server/testing/second-factor.ts';
import { cashOrderOf, lineOf, logIn, reachProducts } from './buyers.ts';
import { callShop } from './calls.ts';
import { aShopOfItsOwnTime, FIRST_WEBHOOK_SECRET } from './own-time.ts';

const ADMIN = { email: 'admin@example.com', password: 'Admin123!' };
const aKey = () => randomBytes(32).toString('base64');

test('a shop lives through the ends of a quarter and a year, 29 February, both changes of the clocks, years to come, and new secrets', async () => {
  const [oldKey, newKey] = [aKey(), aKey()];
  const settings = { ...MANY_ORDERS, STORE_MARKET: 'uk', VAT_NUMBER: 'GB123456789' };
  const shop = await aShopOfItsOwnTime('2027-12-31T12:00:00Z', { ...settings, SECOND_FACTOR_KEY: oldKey });
  const { clock, setTime } = shop;
  const [product] = (await reachProducts(shop.url, 1)) as [Product];
  const [customer, staff] = [{ token: '' }, { token: '' }];
  const asCustomer = async () => {
    customer.token = await logIn(shop.url, 'customer@example.com', 'Customer123!');
  };
  const call = <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    callShop<T>(shop.url, method, path, { as: staff.token, ...(body && { body }) });
  const read = (id: string) => call<Order>('GET', `/api/orders/${id}`);
  const order = async () =>
    (
      await callShop<Order>(shop.url, 'POST', '/api/orders', {
        as: customer.token,
        body: cashOrderOf(lineOf(product, product.sizes[0], 1)),
      })
    )._id;
  const receive = (id: string) => call('PUT', `/api/orders/${id}/cash`, { isPaid: true });
  /** Of the second factor; empty until it is set up. */
  let secret = '';
  /** Logs in with the password and, once there is a second factor, with its code of the shop's time. */
  const asStaff = async () => {
    const code = () => appCode(secret, stepAt(clock.now().getTime()) - stepAt(Date.now()));
    const body = { ...ADMIN, ...(secret && { code: code() }) };
    staff.token = (await callShop<{ token: string }>(shop.url, 'POST', '/api/users/login', { body })).token;
  };
  /** Sets the time forward; by then sessions may have ended. */
  const at = async (time: string) => {
    await setTime(time);
    await asCustomer();
    await asStaff();
  };
  const jobRuns = async (job: string, due: string) => {
    await setTime(new Date(Date.parse(due) - 2_000).toISOString());
    await eventually(async () => {
      const { rows } = await sql`select from job_schedule where name = ${job} and queued_at = ${due}::timestamptz`.execute(shop.db());
      expect(rows, `${job} at ${due}`).toHaveLength(1);
    }, 30);
  };

  // Count enough stock for all that follows, and set up a second factor, with the first key.
  await asStaff();
  const place = { productId: product._id, size: product.sizes[0]?.size ?? null };
  const expected = product.sizes[0]?.quantity ?? product.countInStock;
  await call('POST', '/api/stock/counts', { sheet: newId(), lines: [{ ...place, expected, counted: 100 }] });
  await call('POST', '/api/users/proof', { password: ADMIN.password });
  secret = (await call<SetUp>('POST', '/api/users/second-factor')).secret;
  await call<RecoveryCodes>('POST', '/api/users/second-factor/confirm', {
    code: appCode(secret, stepAt(clock.now().getTime()) - stepAt(Date.now())),
  });

  // The end of a quarter and a year: the tax point decides.
  await asCustomer();
  const [early, late] = [await order(), await order()];
  await at('2027-12-31T23:57:00Z');
  await receive(early);
  await setTime('2028-01-01T00:01:00Z');
  await receive(late);
  const numbersIn = async (quarter: string) => {
    const [, ...rows] = await parseCsv(await call<string>('GET', `/api/office/vat?quarter=${quarter}`));
    return rows.filter(([, kind]) => kind === 'Invoice').map(([number, , day]) => [number, day]);
  };
  expect(await numbersIn('2027-Q4')).toEqual([['INV-000001', '2027-12-31']]);
  expect(await numbersIn('2028-Q1')).toEqual([['INV-000002', '2028-01-01']]);
  const cashOf = async (from: string, to: string) => {
    const { days } = await call<Books>('GET', `/api/office/books?from=${from}&to=${to}`);
    return Object.fromEntries(days.map(({ day, cash }) => [day, cash.taken]));
  };
  const { totalPrice } = await read(early);
  expect(await cashOf('2027-12-31', '2028-01-01')).toEqual({ '2027-12-31': totalPrice, '2028-01-01': totalPrice });
  await jobRuns('removeExpired', '2028-01-01T03:17:00Z');

  // 29 February.
  await jobRuns('removeExpired', '2028-02-29T03:17:00Z');
  await at('2028-02-29T10:00:00Z');
  const leap = await order();
  await receive(leap);
  const { deliveryWindow } = await read(leap);
  // A Tuesday: ready today or tomorrow, then five to seven working days.
  expect(deliveryWindow).toEqual({ from: '2028-03-07', to: '2028-03-10' });
  const lastDays = async () => (await call<Sales>('GET', '/api/orders/sales')).days;
  expect((await lastDays()).at(-1)).toMatchObject({ day: '2028-02-29', orders: 1 });
  expect(await cashOf('2028-02-28', '2028-03-01')).toEqual({ '2028-02-28': 0, '2028-02-29': totalPrice, '2028-03-01': 0 });

  // The clocks go forward on 26 March at 01:00: a day of 23 hours.
  await at('2028-03-25T23:00:00Z');
  for (const time of ['2028-03-26T00:30:00Z', '2028-03-26T01:30:00Z', '2028-03-26T22:30:00Z', '2028-03-26T23:30:00Z']) {
    await at(time);
    await receive(await order());
  }
  expect(shopTime(clock.now().toISOString())).toMatch(/^2028-03-27 00:3/);
  expect((await lastDays()).slice(-2)).toMatchObject([
    { day: '2028-03-26', orders: 3 },
    { day: '2028-03-27', orders: 1 },
  ]);
  expect(await cashOf('2028-03-26', '2028-03-27')).toEqual({ '2028-03-26': 3 * totalPrice, '2028-03-27': totalPrice });

  // The provider's webhook has another secret: both are valid while it changes.
  const payByCard = async () => {
    const { url, orderId } = await callShop<{ url: string; orderId: string }>(shop.url, 'POST', '/stripe/create-checkout-session', {
      as: customer.token,
      body: { orderItems: [lineOf(product, product.sizes[0], 1)] },
    });
    await fetch(url, { method: 'POST', body: new URLSearchParams(PAYER), redirect: 'manual' });
    // By the webhook: asking the provider takes up to a minute.
    await eventually(async () => expect((await read(orderId)).isPaid).toBe(true), 5);
  };
  await at('2028-06-01T09:00:05Z');
  const newSecret = 'whsec_second';
  for (const [secrets, signed] of [
    [`${newSecret},${FIRST_WEBHOOK_SECRET}`, FIRST_WEBHOOK_SECRET],
    [`${newSecret},${FIRST_WEBHOOK_SECRET}`, newSecret],
    [newSecret, newSecret],
  ] as const) {
    await shop.signWith(signed);
    await shop.restart({ STRIPE_WEBHOOK_SECRET: secrets });
    await payByCard();
  }

  // The key that seals second factors is replaced.
  for (const keys of [`${oldKey},${newKey}`, `${newKey},${oldKey}`, newKey]) {
    await shop.restart({ STRIPE_WEBHOOK_SECRET: newSecret, SECOND_FACTOR_KEY: keys });
    // A code is good for one login.
    await setTime(new Date(clock.now().getTime() + 120_000).toISOString());
    await asStaff();
  }

  // The clocks go back on 29 October at 02:00: a day of 25 hours.
  for (const time of ['2028-10-28T23:10:00Z', '2028-10-29T00:30:00Z', '2028-10-29T01:30:00Z', '2028-10-29T23:30:00Z']) {
    await at(time);
    await receive(await order());
  }
  expect(await cashOf('2028-10-28', '2028-10-29')).toEqual({ '2028-10-28': 0, '2028-10-29': 4 * totalPrice });
  await jobRuns('tellOfBook', '2028-10-30T05:07:00Z');

  // A year whose bank holidays nobody had published.
  await at('2032-12-22T10:00:00Z');
  const { options } = await callShop<Delivery>(shop.url, 'GET', '/api/delivery');
  // Ready on Wednesday or Thursday; Christmas is on a weekend, so that Monday and Tuesday are free, and New Year's Day on a Saturday.
  expect(options[0]?.windows['england-and-wales']).toEqual({ from: '2032-12-31', to: '2033-01-06' });
  expect(await listBrokenRules(shop.db())).toEqual([]);
});
