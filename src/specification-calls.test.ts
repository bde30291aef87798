import sharp from 'sharp';
import { expect, test } from 'vitest';
import { runJobs } from '#server/app/jobs.ts';
import { settingOf } from '#server/platform/settings/settings.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { aCustomer, aLine, anAdmin, aProduct, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';

/** A client that knows only the table of calls of the specification (section 7): its payloads, JSON by default, the token in a header named Bearer. */

const shop = await testShop({
  env: { UNPAID_ORDERS_PER_ADDRESS: settingOf('UNPAID_ORDERS_PER_ADDRESS').fallback, APPROVAL_ABOVE: settingOf('APPROVAL_ABOVE').fallback },
});
const { db } = shop;

type Answer = Record<string, unknown>;
interface Sent {
  token?: string;
  body?: object;
  form?: Record<string, string | Blob>;
}

/** Makes a call; what is not a success fails the test with what the shop said. */
async function call<T = Answer>(method: string, path: string, { token, body, form }: Sent = {}): Promise<T> {
  const parts = new FormData();
  for (const [name, value] of Object.entries(form ?? {})) parts.append(name, value);
  const headers = { ...(!form && { 'content-type': 'application/json' }), ...(token && { Bearer: token }) };
  const reply = await fetch(shop.url + path, { method, headers, body: form ? parts : body ? JSON.stringify(body) : null });
  const answer = await reply.json();
  expect([method, path, reply.ok, answer]).toEqual([method, path, true, answer]);
  return answer as T;
}

const logIn = ({ email }: { email: string }, password = PASSWORD) =>
  call<{ _id: string; token: string }>('POST', '/api/users/login', { body: { email, password } });

const picture = async () =>
  new Blob(
    [
      new Uint8Array(
        await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a86' } })
          .png()
          .toBuffer(),
      ),
    ],
    {
      type: 'image/png',
    },
  );

const PAGED = { page: expect.any(Number), pages: expect.any(Number) };
const SESSION = { _id: expect.any(String), name: expect.any(String), email: expect.any(String), isAdmin: false, token: expect.any(String) };

test('a customer’s calls: register, log in, profile, and what follows a forgotten password (§7.3)', async () => {
  const email = 'plain@example.com';
  const registered = await call<{ _id: string; token: string }>('POST', '/api/users', {
    body: { name: 'Pat Plain', email, password: 'long enough' },
  });
  expect(registered).toMatchObject(SESSION);
  const { _id, token } = await logIn({ email }, 'long enough');
  const profile = { _id, token, name: 'Pat Renamed', email, password: '' };
  expect(await call('PUT', '/api/users/profile', { token, body: profile })).toMatchObject({ ...SESSION, name: 'Pat Renamed', email });
  await call('POST', '/api/users/forgot-password', { body: { email } });
  await runJobs(shop.services);
  const otp = /^\d{6}$/m.exec((await mailsOf(shop.dataDir, email)).at(-1)?.text ?? '')?.[0] ?? '';
  await call('POST', '/api/users/verify-otp', { body: { email, otp } });
  await call('POST', '/api/users/reset-password', { body: { email, otp, newPassword: 'another one' } });
  await logIn({ email }, 'another one');
});

test('a profile sent with the current password, by a client that knows no other field for it, changes the address and keeps the password', async () => {
  const user = await aCustomer(db);
  const { _id, token } = await logIn(user);
  const email = `moved-${user.email}`;
  const answer = await call('PUT', '/api/users/profile', { token, body: { _id, token, name: 'Pat', email, password: PASSWORD } });
  expect(answer).toMatchObject({ ...SESSION, name: 'Pat', email });
  await logIn({ email });
});

test('an administrator’s calls about users: list, read, rename, give and take the role, change addresses, including their own, and delete (§7.3)', async () => {
  const [admin, customer] = [await anAdmin(db), await aCustomer(db)];
  const { token } = await logIn(admin);
  expect(await call('GET', '/api/users?pageNumber=1', { token })).toMatchObject({ users: expect.any(Array), ...PAGED });
  const url = `/api/users/${customer._id}`;
  expect(await call('GET', url, { token })).toMatchObject({ name: customer.name, email: customer.email, isAdmin: false });
  for (const change of [{ isAdmin: true }, { email: `moved-${customer.email}` }, { isAdmin: false }]) {
    const { name, email, isAdmin } = await call('GET', url, { token });
    await call('PUT', url, { token, body: { name, email, isAdmin, ...change } });
    expect(await call('GET', url, { token })).toMatchObject(change);
  }
  const own = { name: 'Ada Moved', email: `moved-${admin.email}`, isAdmin: true };
  await call('PUT', `/api/users/${admin._id}`, { token, body: own });
  expect(await call('GET', `/api/users/${admin._id}`, { token })).toMatchObject(own);
  await call('DELETE', url, { token });
});

test('an administrator’s calls about products: create, edit, list and delete (§7.3)', async () => {
  const { token } = await logIn(await anAdmin(db));
  const fields = {
    name: 'Plain Sofa',
    description: 'A sofa.',
    category: 'Sofa',
    subCategory: '',
    brand: 'Alder',
    price: '49999',
    countInStock: '7',
    newArrivals: 'true',
    isRecommend: 'false',
    sizes: JSON.stringify([{ size: 'Small', quantity: '3', price: '45999', measurements: [{ name: 'Width', value: '120' }] }]),
  };
  const form = {
    ...fields,
    images: await picture(),
    fit: 'Living room',
    colors: JSON.stringify([{ colorName: '#000000', hexCode: '#000000' }]),
  };
  const { _id } = await call<{ _id: string }>('POST', '/api/products', { token, form });
  const [named, shown] = [
    { name: 'Plain Sofa', description: 'A sofa.', category: 'Sofa', brand: 'Alder', price: 49_999 },
    { countInStock: 7 },
  ];
  expect(await call('GET', `/api/products/${_id}`)).toMatchObject({ ...named, ...shown, images: [expect.any(String)], isNewArrival: true });
  const measurements = JSON.stringify([{ name: 'Width', value: '120' }]);
  await call('PUT', `/api/products/${_id}`, { token, form: { ...fields, subCategory: 'Two-seat', measurements, images: await picture() } });
  expect(await call('GET', `/api/products/${_id}`)).toMatchObject({
    ...named,
    ...shown,
    subCategory: 'Two-seat',
    images: [expect.any(String)],
    sizes: [{ size: 'Small', quantity: 3, price: 45_999, measurements: [{ name: 'Width', value: expect.anything() }] }],
    colors: [{ colorName: '#000000', hexCode: '#000000' }],
    rating: expect.any(Number),
    isRecommend: false,
  });
  const query =
    'search=plain&pageNumber=1&sortBy=ascprice&inStockQuery=true&categoryQuery=Sofa&brandQuery=null&minPriceQuery=1&maxPriceQuery=';
  const listed = { products: [expect.objectContaining({ _id })], ...PAGED };
  expect(await call('GET', `/api/products?${query}&subCategoryQuery=`)).toMatchObject(listed);
  expect(await call('GET', '/api/products?pageNumber=1')).toMatchObject({ products: expect.any(Array), ...PAGED });
  expect(await call('GET', '/api/products/newarrivals')).toEqual(expect.arrayContaining([expect.objectContaining({ _id })]));
  await call('DELETE', `/api/products/${_id}`, { token });
});

test('the calls about orders: place, pay by card, list, read, deliver and take the delivery back (§7.3)', async () => {
  const [customer, admin] = [await logIn(await aCustomer(db)), await logIn(await anAdmin(db))];
  const product = await aProduct(db);
  const [lines, sum] = [[aLine(product)], product.price];
  const body = {
    orderItems: lines,
    shippingAddress: ADDRESS,
    phone: '07700900123',
    paymentMethod: 'Cash on Delivery',
    itemsPrice: sum,
    taxPrice: sum,
    shippingPrice: sum,
    totalPrice: sum,
    orderPaymentID: 'COD',
  };
  const { _id } = await call<{ _id: string }>('POST', '/api/orders', { token: customer.token, body });
  expect(await call('GET', `/api/orders/${_id}`, { token: customer.token })).toMatchObject({ _id, totalPrice: sum, isPaid: false });
  const listed = { orders: [expect.objectContaining({ _id, totalPrice: sum })], ...PAGED };
  expect(await call('GET', '/api/orders/myorders?pageNumber=1', { token: customer.token })).toMatchObject(listed);
  expect(await call('GET', '/api/orders?pageNumber=1', { token: admin.token })).toMatchObject(listed);
  for (const isDelivered of [true, false]) {
    await call('PUT', `/api/orders/${_id}/deliver`, { token: admin.token, body: { isDelivered } });
    expect(await call('GET', `/api/orders/${_id}`, { token: admin.token })).toMatchObject({ isDelivered });
  }
  const session = { token: customer.token, body: { orderItems: lines, customerID: customer._id } };
  expect(await call('POST', '/stripe/create-checkout-session', session)).toMatchObject({ url: expect.stringMatching(/^http/) });
});
