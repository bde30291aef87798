import { expect, test } from 'vitest';
import { storable } from '#contract/platform/storable.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const shop = await testShop();
const { app, db } = shop;
const HALF = 'X\ud83d';
const json = (payload: unknown) => ({ headers: { 'content-type': 'application/json' }, payload: JSON.stringify(payload) });

test.each([
  ['X\ud83d', 'X\ufffd'],
  ['\udc00X', '\ufffdX'],
  ['🛋️', '🛋️'],
  ['a\0b', 'ab'],
])('%j is stored as %j', (text, stored) => {
  expect(storable({ text, list: [text, { [text]: [[text]] }] })).toEqual({ text: stored, list: [stored, { [stored]: [[stored]] }] });
  expect(storable(text)).toBe(stored);
});

test('a field named as the prototype stays a field, and what is very deep is read all the same', () => {
  const value = storable(JSON.parse('{"__proto__":{"a":"\\ud83d"},"__pro\\u0000to__":1}'));
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  let deep: unknown = HALF;
  for (let n = 0; n < 100_000; n += 1) deep = [deep];
  expect(() => storable(deep)).not.toThrow();
});

test('half a character anywhere in a request is taken as an unreadable sign, and everything that was stored can be read', async () => {
  const [customer, admin] = [await aCustomer(db), await anAdmin(db)];
  const sofa = await aProduct(db);
  const made = await app.inject({
    method: 'POST',
    url: '/api/users',
    ...json({ name: HALF, email: 'half@example.com', password: HALF.repeat(8) }),
  });
  expect([made.statusCode, made.json().name]).toEqual([201, 'X\ufffd']);
  const login = await app.inject({
    method: 'POST',
    url: '/api/users/login',
    ...json({ email: 'half@example.com', password: HALF.repeat(8) }),
  });
  expect(login.statusCode).toBe(200);
  await app.inject({ method: 'POST', url: '/api/users/forgot-password', ...json({ email: 'half@example.com' }) });
  const order = await app.inject({
    method: 'POST',
    url: '/api/orders',
    payload: JSON.stringify(aPayload([aLine(sofa)], { fullName: HALF, phone: '07700900123', orderPaymentID: HALF })),
    headers: { 'content-type': 'application/json', ...customer.headers, 'idempotency-key': 'key-\u00ff\u00ed' },
  });
  expect(order.statusCode).toBe(201);
  const form = new FormData();
  const sizes = JSON.stringify([{ size: HALF, quantity: 1, price: 1, measurements: [{ name: HALF, value: HALF }] }]);
  const colors = JSON.stringify([{ colorName: HALF, hexCode: HALF }]);
  const fields = { name: 'Half', description: 'x', fit: 'x', category: 'x', brand: 'x', price: '1', countInStock: '1', sizes, colors };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const product = await fetch(`${shop.url}/api/products`, { method: 'POST', headers: admin.headers, body: form });
  expect([product.status, (await product.json()) as object]).toMatchObject([
    201,
    { colors: [{ colorName: 'X\ufffd' }], sizes: [{ size: 'X\ufffd' }] },
  ]);
});
