import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { runJobs } from '#server/jobs/runner.ts';
import { ROOT } from '#server/root.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, PASSWORD, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const shop = await testShop();
const { app, db } = shop;

interface Ending {
  code: number;
  output: string;
  complaint: string;
}

/** Runs the command as an operator would, on the test's database. */
function command(args: string[], env: Record<string, string> = {}): Promise<Ending> {
  const { PATH = '', HOME = '' } = process.env;
  const options = { cwd: ROOT, env: { PATH, HOME, DATABASE_URL: shop.databaseUrl, ...env }, timeout: 30_000 };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['--import', 'tsx', 'src/admin.ts', ...args], options, (error, output, complaint) =>
      resolve({ code: error ? Number(error.code) : 0, output: output.trim(), complaint: complaint.trim() }),
    );
    child.stdin?.end();
  });
}

const logIn = (email: string, password: string) => app.inject({ method: 'POST', url: '/api/users/login', payload: { email, password } });
const rowsOf = async (text: string) => (await shop.services.pool.query(text)).rows as Record<string, unknown>[];

async function anOrder(buyer: SignedIn, payload: Record<string, unknown> = {}): Promise<string> {
  const product = await aProduct(db, { price: 12_300 });
  const order = aPayload([aLine(product)], { fullName: 'Vera Verysecret', email: buyer.email, ...payload });
  return (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: order })).json()._id;
}

async function deliver(id: string): Promise<void> {
  const { headers } = await anAdmin(db);
  await app.inject({ method: 'PUT', url: `/api/orders/${id}/deliver`, headers, payload: { isDelivered: true } });
}

test('the command makes an administrator, who can log in and whose making is written down', async () => {
  const made = await command(['First@Example.com', '--name', 'First One'], { SHOP_ADMIN_PASSWORD: 'a long password' });
  expect(made).toEqual({ code: 0, output: 'An account was made for First@Example.com, as an administrator.', complaint: '' });
  const session = (await logIn('first@example.com', 'a long password')).json();
  expect(session).toMatchObject({ name: 'First One', isAdmin: true });
  const detail = await app.inject({ url: `/api/users/${session._id}`, headers: { bearer: session.token } });
  expect(detail.json().changes).toMatchObject([{ actor: 'Command line', change: 'Created as an administrator' }]);
  expect((await command(['first@example.com'])).output).toBe('first@example.com already is an administrator.');
});

test('the command promotes a customer, whose password and session stay', async () => {
  const customer = await aCustomer(db);
  expect(await command([customer.email.toUpperCase()])).toMatchObject({ code: 0, output: expect.stringContaining('is an administrator now.') });
  expect((await app.inject({ url: '/api/users', headers: customer.headers })).statusCode).toBe(200);
  expect((await logIn(customer.email, PASSWORD)).json().isAdmin).toBe(true);
});

test.each([
  [[], 'Usage:'],
  [['nonsense'], 'Email is invalid.'],
  [['new@example.com', '--name', ''], 'Name is required.'],
  [['new@example.com', '--colour', 'red'], "Unknown option '--colour'"],
  [['export'], 'Usage:'],
  [['erase', 'a@example.com', 'b@example.com'], 'Usage:'],
  [['new@example.com'], 'set SHOP_ADMIN_PASSWORD.'],
  [['export', 'nobody@example.com'], 'Nothing is held on this address.'],
  [['erase', 'nobody@example.com'], 'Nothing is held on this address.'],
])('the command refuses %j with a sentence', async (args, sentence) => {
  const { code, output, complaint } = await command(args);
  expect([code, output]).toEqual([1, '']);
  expect(complaint).toContain(sentence);
  expect(complaint).not.toContain('    at ');
});

test('a password that is too short, and a place without a shop, are refused with a sentence', async () => {
  expect((await command(['short@example.com'], { SHOP_ADMIN_PASSWORD: 'short' })).complaint).toBe('Password must be at least 8 characters.');
  const elsewhere = await command(['new@example.com'], { DATABASE_URL: '', SHOP_DATA_DIR: '/nowhere/at/all' });
  expect([elsewhere.code, elsewhere.complaint]).toEqual([1, 'There is no shop here yet. Start it once (npm start), or set DATABASE_URL.']);
  const gone = await command(['new@example.com'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  expect([gone.code, gone.complaint]).toEqual([1, expect.stringMatching(/^That did not work: .*ECONNREFUSED/)]);
});

test('an export holds the account, sessions, orders and waiting mails of one customer, and no secret', async () => {
  const [customer, other] = [await aCustomer(db, { name: 'Exa Ported' }), await aCustomer(db, { name: 'Not Hers' })];
  const order = await anOrder(customer);
  await anOrder(other);
  const { code, output } = await command(['export', customer.email]);
  expect(code).toBe(0);
  const held = JSON.parse(output);
  expect(held).toMatchObject({
    account: { id: customer._id, name: 'Exa Ported', email: customer.email },
    sessions: [{ expiresAt: expect.any(String) }],
    orders: [{ id: order, full_name: 'Vera Verysecret', total_price: 12_300, items: [{ qty: 1 }], events: [{ kind: 'placed' }] }],
    mailsWaiting: [{ subject: expect.stringContaining('Thank you for your order') }],
  });
  for (const secret of ['argon2', 'Not Hers', customer.token, 'hash']) expect(output).not.toContain(secret);
});

test('an erased customer is in no table any more; the orders stay, with what was sold for how much', async () => {
  const admin = await anAdmin(db);
  const customer = await aCustomer(db, { name: 'Vera Verysecret', email: 'vera-verysecret@example.com' });
  const payload = { name: 'Vera B Verysecret', email: customer.email, isAdmin: false };
  await app.inject({ method: 'PUT', url: `/api/users/${customer._id}`, headers: admin.headers, payload });
  const order = await anOrder(customer, { phone: '07700 900987', orderPaymentID: 'Verysecret’s note', paymentMethod: 'Online Payment' });
  await app.inject({ method: 'POST', url: '/api/users/forgot-password', payload: { email: customer.email } });
  const refused = await command(['erase', customer.email]);
  expect([refused.code, refused.complaint]).toEqual([1, expect.stringContaining('1 of the orders is not delivered yet.')]);
  await deliver(order);
  expect(await command(['erase', customer.email])).toEqual({
    code: 0,
    output: 'The account is erased; 1 order without the person stays.',
    complaint: '',
  });
  const tables = await rowsOf("select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')");
  for (const { name } of tables) {
    const found = await rowsOf(`select t::text as row from ${name} t where t::text ~* 'verysecret|07700 ?900987'`);
    expect(found, String(name)).toEqual([]);
  }
  const kept = await app.inject({ url: `/api/orders/${order}`, headers: admin.headers });
  expect(kept.json()).toMatchObject({
    user: { _id: null, name: 'Erased customer', email: '' },
    totalPrice: 12_300,
    isDelivered: true,
    shippingAddress: { line1: '', city: '', postalCode: '', country: 'United Kingdom' },
    events: [{ kind: 'placed', actor: 'Erased customer' }, { kind: 'delivered' }],
  });
  expect((await app.inject({ url: '/api/orders/myorders', headers: customer.headers })).statusCode).toBe(401);
  await runJobs(shop.services);
});

test('with --force an open order is erased too; an administrator never, nor anyone who is paying right now', async () => {
  const customer = await aCustomer(db);
  await anOrder(customer);
  expect((await command(['erase', customer.email, '--force'])).code).toBe(0);
  const admin = await anAdmin(db);
  expect((await command(['erase', admin.email, '--force'])).complaint).toContain('This is an administrator.');
  const payer = await aCustomer(db);
  const payload = { orderItems: [aLine(await aProduct(db))], customerID: payer._id };
  await app.inject({ method: 'POST', url: '/stripe/create-checkout-session', headers: payer.headers, payload });
  expect((await command(['erase', payer.email, '--force'])).complaint).toContain('A card payment is under way.');
});

test('orders of a deleted account are erased by its address, but nobody else’s', async () => {
  const [gone, admin] = [await aCustomer(db, { email: 'moved-on@example.com' }), await anAdmin(db)];
  const order = await anOrder(gone);
  await deliver(order);
  await app.inject({ method: 'DELETE', url: `/api/users/${gone._id}`, headers: admin.headers });
  const kept = await aCustomer(db, { name: 'Keeps Her Name' });
  const theirs = await anOrder(kept);
  expect((await command(['erase', 'moved-on@example.com'])).output).toBe('There was no account; 1 order without the person stays.');
  const read = async (id: string) => (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json().user.name;
  expect([await read(order), await read(theirs)]).toEqual(['Erased customer', 'Keeps Her Name']);
});

test('histories can still not be rewritten', async () => {
  await expect(rowsOf("update order_events set actor = 'someone'")).rejects.toThrow('append-only');
  await expect(rowsOf("update audit_entries set change = 'nothing'")).rejects.toThrow('append-only');
});
