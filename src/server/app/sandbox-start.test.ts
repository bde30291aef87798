import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ROOT_ID } from '#contract/page.ts';
import { startSandbox } from '#sandbox/sandbox.ts';
import { Payments } from '#server/gateways/payments.ts';
import { openLog } from '#server/platform/log.ts';
import { checkSandbox, readConfig, sandboxPlace } from '#server/platform/settings/config.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { testShop } from '#server/testing/harness.ts';
import { startShop } from '#server/testing/shop-process.ts';

const check = (env: Record<string, string>) => () => checkSandbox(readConfig(env), env);
const REAL = { STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };

test.each<Record<string, string>>([
  {},
  { HOST: 'localhost' },
  { HOST: '127.0.0.5' },
  { HOST: '::1' },
  { PUBLIC_URL: 'http://localhost:3000' },
  { PUBLIC_URL: 'http://[::1]:3000/' },
  { HOST: '0.0.0.0', PAYMENT_SANDBOX: '1' },
  { PUBLIC_URL: 'https://shop.example', PAYMENT_SANDBOX: '1' },
  { HOST: '0.0.0.0', PUBLIC_URL: 'https://shop.example', ...REAL },
])('the shop starts with %j', (env) => {
  expect(check(env)).not.toThrow();
});

test.each<Record<string, string>>([
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '192.168.0.7' },
  { PUBLIC_URL: 'https://shop.example' },
  { PUBLIC_URL: 'http://127.0.0.1.shop.example' },
  { PUBLIC_URL: 'https://shop.example', PAYMENT_SANDBOX: '0' },
  { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' },
])('the sandbox is not started by oversight with %j (§14.3, §17.1)', (env) => {
  expect(check(env)).toThrow(/STRIPE_SECRET_KEY is not set.*PAYMENT_SANDBOX=1/);
});

test('a key with which cards are charged does not go with PAYMENT_SANDBOX=1', () => {
  expect(() => readConfig({ ...REAL, PAYMENT_SANDBOX: '1' })).toThrow('PAYMENT_SANDBOX must not be 1');
  expect(readConfig({ ...REAL, PAYMENT_SANDBOX: '1', STRIPE_API_BASE: 'http://127.0.0.1:1' }).isSandbox).toBe(true);
  expect([readConfig(REAL).isSandbox, readConfig({}).isSandbox]).toEqual([false, true]);
});

test('the built shop refuses to start, says why, and has touched nothing', async () => {
  const dir = aFolder('refused');
  const starting = startShop(0, { SHOP_DATA_DIR: dir, PUBLIC_URL: 'https://shop.example' });
  await expect(starting).rejects.toThrow(
    'The shop ended with 1:\nThe shop could not start: STRIPE_SECRET_KEY is not set, and shop.example is not this machine',
  );
  expect(await readdir(dir)).toEqual([]);
});

test('a shop on every address sends payers to the name that they know, on a port that can be opened (§14.3)', async () => {
  const place = (env: Record<string, string>) => sandboxPlace(readConfig({ PAYMENT_SANDBOX: '1', ...env }));
  const open = { HOST: '0.0.0.0', PORT: '3000' };
  expect(place({ ...open, PUBLIC_URL: 'http://shop.test:3000' })).toEqual({
    host: '0.0.0.0',
    publicHost: 'shop.test',
    port: 3001,
    ownHost: '127.0.0.1',
  });
  expect([place(open).publicHost, place({ ...open, HOST: '::' }).ownHost]).toEqual(['localhost', '[::1]']);
  expect(place({ HOST: '::1' })).toEqual({ host: '::1', port: 0, ownHost: '[::1]' });
  const dir = aFolder('sandbox');
  const keys = { secretKey: 'sk_test_x', webhookSecret: 'whsec_x', webhookUrl: 'http://127.0.0.1:9/' };
  const sandbox = await startSandbox({ host: '127.0.0.1', publicHost: 'shop.test', port: 0, dir, ...keys });
  const payments = new Payments({ ...keys, apiBase: sandbox.url }, openLog('silent'));
  const session = await payments.createSession({
    orderId: 'o1',
    reference: 'AAAA-CCCC',
    brand: { name: 'Brook', logo: '' },
    lines: [{ name: 'Lamp', description: '', amount: 100, quantity: 1 }],
    discount: { amount: 0, name: '' },
    customerEmail: 'a@example.com',
    payer: { name: '', phone: '' },
    ways: [],
    successUrl: 'http://shop.test:3000/successPayment',
    cancelUrl: 'http://shop.test:3000/cart',
    countries: ['GB'],
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    shippingOptions: [],
  });
  expect(session.url).toContain(`http://shop.test:${new URL(sandbox.url).port}/pay/`);
  await sandbox.close();
});

const LINE = 'Payment sandbox: nothing is charged';

test('every page of a shop whose payments are only tried out says so; no page of another does (§14.3)', async () => {
  const [tried, real] = [await testShop({ env: { PAYMENT_SANDBOX: '1' } }), await testShop()];
  for (const path of ['/', '/shop', '/cart', '/login', '/admin/orderlist', '/nowhere']) {
    const page = (await tried.app.inject(path)).body;
    expect([path, page.split(LINE).length - 1, page.indexOf(LINE) < page.indexOf(`id="${ROOT_ID}"`)]).toEqual([path, 1, true]);
    expect((await real.app.inject(path)).body).not.toContain(LINE);
  }
});
