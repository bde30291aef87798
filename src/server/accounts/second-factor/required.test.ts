import { expect, test } from 'vitest';
import { aCustomer, anAdmin, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { aSecondFactor } from '#server/testing/second-factor.ts';

const { app, db } = await testShop({ env: { ADMIN_SECOND_FACTOR: 'required' } });

test('where the settings ask for a second factor, an administrator without one can set it up and log out, and nothing else', async () => {
  const [admin, customer] = [await anAdmin(db), await aCustomer(db)];
  const session = (
    await app.inject({ method: 'POST', url: '/api/users/login', payload: { email: admin.email, password: PASSWORD } })
  ).json();
  const headers = { bearer: session.token };
  const ask = (url: string, method: 'GET' | 'PUT' = 'GET') =>
    app.inject({ url, method, headers, ...(method === 'PUT' && { payload: { name: 'A' } }) });
  for (const reply of [
    await ask('/api/users'),
    await ask('/api/orders/myorders'),
    await ask('/api/orders/export'),
    await ask('/api/users/profile', 'PUT'),
  ])
    expect([reply.statusCode, reply.json().message]).toEqual([
      403,
      'This shop requires two-step login for administrators. Please set it up in your profile first.',
    ]);
  expect((await ask('/api/users/second-factor')).json()).toMatchObject({ isOn: false, isRequired: true });
  expect((await app.inject({ url: '/api/orders/myorders', headers: customer.headers })).statusCode).toBe(200);
  await app.inject({ method: 'POST', url: '/api/users/proof', headers, payload: { password: PASSWORD } });
  await aSecondFactor({ app, db }, { headers });
  expect((await ask('/api/users')).statusCode).toBe(200);
  const removed = await app.inject({ method: 'DELETE', url: '/api/users/second-factor', headers });
  expect([removed.statusCode, removed.json().message]).toEqual([
    409,
    'This shop requires two-step login for every administrator. You can set it up again.',
  ]);
  expect((await app.inject({ method: 'POST', url: '/api/users/logout', headers })).statusCode).toBe(200);
});
