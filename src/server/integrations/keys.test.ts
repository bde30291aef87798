import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { may, RIGHTS, type Right } from '#contract/accounts/roles.ts';
import type { ApiKeys, MadeKey } from '#contract/integrations/integrations.schema.ts';
import { KEY_RIGHTS } from '#contract/integrations/integrations.ts';
import type { AuditPage } from '#contract/office/audit.schema.ts';
import type { Order } from '#contract/orders/orders.ts';
import { apiRoutes } from '#server/app/app.ts';
import { newId } from '#server/platform/ids.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop({ env: { RATE_LIMIT_FACTOR: '1000' } });
const owner = await anAdmin(db, { name: 'Olive' });
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const send = (token: string, method: Method, url: string, payload?: object) =>
  app.inject({ method, url, headers: { authorization: `Bearer ${token}` }, ...(payload && { payload }) });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const ask = (method: Method, url: string, payload?: object) =>
  app.inject({ method, url, headers: owner.headers, ...(payload && { payload }) });
await ask('POST', '/api/users/proof', { password: PASSWORD });

async function aKey(rights: readonly Right[]): Promise<MadeKey & { id: string }> {
  const reply = await ask('POST', '/api/office/keys', { name: 'Courier', rights, endsOn: inDays(30) });
  expect([reply.statusCode, reply.body]).toEqual([201, expect.any(String)]);
  const made = reply.json<MadeKey>();
  return { ...made, id: made.keys[0]?._id ?? '' };
}

test('a key is shown once and stored as a hash, and each call by it needs its right (§13.7)', async () => {
  const { key, id } = await aKey(['see orders']);
  expect(key).toMatch(/^shopkey_[\w-]{43}$/);
  const { rows } = await sql<{ row: string }>`select api_keys::text as row from api_keys`.execute(db);
  expect(rows.map(({ row }) => row).join()).not.toContain(key.slice(8));
  expect((await ask('GET', '/api/office/keys')).body).not.toContain(key);
  const calls = apiRoutes.flatMap(({ endpoint }) => (endpoint.right ? [{ ...endpoint, right: endpoint.right }] : []));
  for (const { method, url, right, name } of calls) {
    const reply = await send(key, method, url.replace(':id', newId()).replace(':section', 'contact'));
    expect([name, reply.statusCode === 403]).toEqual([name, right !== 'see orders']);
  }
  const [stored] = (await ask('GET', '/api/office/keys')).json<ApiKeys>().keys;
  expect(stored).toMatchObject({ _id: id, name: 'Courier', rights: ['see orders'], madeBy: 'Olive', usedAt: expect.any(String) });
});

test('a key of all rights never acts as a person: no call of a customer changes anything, none of it fails, nothing is proven (§13.7)', async () => {
  const { key } = await aKey(KEY_RIGHTS);
  for (const { endpoint } of apiRoutes) {
    const { method, url, role, name } = endpoint;
    if (role === 'visitor') continue;
    const { statusCode } = await send(
      key,
      method,
      url.replace(':id', newId()).replace(':section', 'contact'),
      method === 'GET' ? undefined : {},
    );
    expect([name, statusCode < 500]).toEqual([name, true]);
    if (role === 'customer' && method !== 'GET') expect([name, statusCode]).toEqual([name, 403]);
  }
  const customer = await aCustomer(db);
  expect((await send(key, 'POST', `/api/office/users/${customer._id}/export`)).statusCode).toBe(403);
  expect((await send(key, 'PUT', `/api/users/${customer._id}`, { name: 'New', email: customer.email, isAdmin: true })).statusCode).toBe(
    403,
  );
  const left = RIGHTS.filter((right) => !(KEY_RIGHTS as readonly Right[]).includes(right));
  expect(left).toEqual(['office', 'move money', 'change settings', 'manage staff']);
  expect(may({ isAdmin: true, staffRole: 'owner', rights: KEY_RIGHTS }, 'manage staff')).toBe(false);
  expect((await ask('POST', '/api/office/keys', { name: 'Too much', rights: ['manage staff'], endsOn: inDays(1) })).statusCode).toBe(400);
});

test('a courier’s key reads orders and notes cash; the log names the key (§13.6, §13.7)', async () => {
  const buyer = await aCustomer(db);
  const payload = aPayload([aLine(await aProduct(db))]);
  const { _id } = (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json<Order>();
  const { key } = await aKey(['see orders', 'change orders']);
  expect((await send(key, 'GET', `/api/orders/${_id}`)).json<Order>()._id).toBe(_id);
  expect((await send(key, 'PUT', `/api/orders/${_id}/cash`, { isPaid: true })).statusCode).toBe(200);
  const { entries } = (await ask('GET', '/api/office/log?kind=order')).json<AuditPage>();
  expect(entries[0]).toMatchObject({ actor: { name: 'API key “Courier”' }, change: 'Recorded cash as received' });
});

test('a key that has ended or is deleted is refused at once, also in the middle of a change (§13.7)', async () => {
  const { key, id } = await aKey(['see orders']);
  await db.updateTable('apiKeys').set({ endsAt: sql<string>`now() - interval '1 second'` }).where('id', '=', id).execute();
  expect((await send(key, 'GET', '/api/orders')).statusCode).toBe(401);
  const other = await aKey(['change orders']);
  expect((await ask('DELETE', `/api/office/keys/${other.id}`)).statusCode).toBe(200);
  expect((await send(other.key, 'PUT', `/api/orders/${newId()}/cash`, { isPaid: true })).statusCode).toBe(401);
  expect((await ask('DELETE', `/api/office/keys/${other.id}`)).statusCode).toBe(404);
});

test('a key needs a name, a right, a day that is to come within two years, and the password again (§13.7)', async () => {
  const good = { name: 'Books', rights: ['see money'], endsOn: inDays(10) };
  const errorsOf = async (change: object) =>
    (await ask('POST', '/api/office/keys', { ...good, ...change })).json<{ errors: object }>().errors;
  expect(await errorsOf({ name: ' ' })).toEqual({ name: 'Enter a name' });
  expect(await errorsOf({ rights: [] })).toEqual({ rights: 'Choose what the key may do' });
  expect(await errorsOf({ endsOn: inDays(-2) })).toEqual({ endsOn: 'Choose today or a later day.' });
  expect(await errorsOf({ endsOn: inDays(800) })).toEqual({ endsOn: 'A key lasts at most two years. Choose an earlier day.' });
  const other = await anAdmin(db);
  await db.updateTable('sessions').set({ provenAt: null }).where('userId', '=', other._id).execute();
  const unproven = await app.inject({ method: 'POST', url: '/api/office/keys', headers: other.headers, payload: good });
  expect([unproven.statusCode, Object.keys(unproven.json<{ errors: object }>().errors)]).toEqual([403, ['password']]);
});

test('a key that changes customers cannot change an email address, which is the way into an account (§13.7)', async () => {
  const { key } = await aKey(['change customers']);
  const customer = await aCustomer(db);
  const edit = (change: object) =>
    send(key, 'PUT', `/api/users/${customer._id}`, { name: 'New', email: customer.email, isAdmin: false, ...change });
  const refused = await edit({ email: 'evil@example.com' });
  expect([refused.statusCode, refused.json().message]).toEqual([
    403,
    'An API key cannot change an email address. Please change it in the back office.',
  ]);
  expect((await edit({})).statusCode).toBe(200);
});

test('a key that changes orders sees them: no change is answered as if there were none (§13.7)', async () => {
  const { key, keys } = await aKey(['change orders']);
  expect(keys[0]?.rights).toEqual(['change orders', 'see orders']);
  const buyer = await aCustomer(db);
  const payload = aPayload([aLine(await aProduct(db))]);
  const { _id } = (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json<Order>();
  expect((await send(key, 'PUT', `/api/orders/${_id}/cash`, { isPaid: true })).statusCode).toBe(200);
});
