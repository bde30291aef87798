import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { LIMITS } from '#server/sessions/rate-limit.service.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, PASSWORD, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { appCode, aSecondFactor } from '#server/testing/second-factor.ts';

const shop = await testShop();
const { app, db } = shop;
const PAID = { paidAt: new Date().toISOString() };

/** An administrator just after login, without re-authentication. */
async function logged(): Promise<SignedIn> {
  const admin = await anAdmin(db);
  await db.updateTable('sessions').set({ provenAt: null }).where('userId', '=', admin._id).execute();
  return admin;
}

async function anOrder(change: object): Promise<string> {
  const { headers } = await aCustomer(db);
  const reply = await app.inject({ method: 'POST', url: '/api/orders', headers, payload: aPayload([aLine(await aProduct(db))]) });
  const { _id } = reply.json<{ _id: string }>();
  if (Object.keys(change).length > 0) await forceOrder(db, _id, change);
  return _id;
}

/** An approved return of a paid order. */
async function aReturn({ headers }: SignedIn): Promise<string> {
  const id = await anOrder({ ...PAID, deliveredAt: new Date().toISOString() });
  const payload = { lines: [{ line: 0, qty: 1 }], reason: 'Wrong piece' };
  const reply = await app.inject({ method: 'POST', url: `/api/office/orders/${id}/returns`, headers, payload });
  return reply.json<Order>().returns[0]?._id ?? '';
}

const prove = (who: SignedIn, payload: object) => app.inject({ method: 'POST', url: '/api/users/proof', headers: who.headers, payload });

/** Calls every endpoint that needs re-authentication. Returns the statuses. */
async function guarded(who: SignedIn): Promise<number[]> {
  const { headers } = who;
  const ask = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    (await app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode;
  const refund = { amount: 100, reason: 'Goodwill' };
  return [
    await ask('POST', `/api/office/orders/${await anOrder(PAID)}/refunds`, refund),
    await ask('POST', `/api/office/orders/${await anOrder(PAID)}/cancel`, { reason: 'Another reason' }),
    await ask('POST', `/api/office/returns/${await aReturn(who)}/received`, { lines: [{ line: 0, restocked: 1, spoiled: 0 }] }),
    await ask('GET', '/api/orders/export'),
  ];
}

/** Makes every kind of change of rights: grant, demote, change an administrator's address, delete. Returns the statuses. */
async function changesOfRights(on: typeof shop, { headers }: SignedIn): Promise<number[]> {
  const [customer, other, gone] = [await aCustomer(on.db), await anAdmin(on.db), await aCustomer(on.db)];
  const put = async ({ _id, name, email }: SignedIn, change: object) =>
    (await on.app.inject({ method: 'PUT', url: `/api/users/${_id}`, headers, payload: { name, email, isAdmin: true, ...change } }))
      .statusCode;
  return [
    await put(customer, {}),
    await put(other, { email: `moved-${other.email}` }),
    await put({ ...other, email: `moved-${other.email}` }, { isAdmin: false }),
    (await on.app.inject({ method: 'DELETE', url: `/api/users/${gone._id}`, headers })).statusCode,
  ];
}

const unproven = (on: typeof shop, { _id }: SignedIn) =>
  on.db.updateTable('sessions').set({ provenAt: null }).where('userId', '=', _id).execute();

test('a session alone is enough to grant and take the role, for an administrator’s address and to delete users (§7.3)', async () => {
  expect(await changesOfRights(shop, await logged())).toEqual([200, 200, 200, 200]);
});

test('of an administrator with a second factor each change of rights asks for its code', async () => {
  const admin = await anAdmin(db);
  const { secret } = await aSecondFactor({ app, db }, admin);
  await unproven(shop, admin);
  expect(await changesOfRights(shop, admin)).toEqual([403, 403, 403, 403]);
  expect((await prove(admin, { code: appCode(secret) })).statusCode).toBe(200);
  expect(await changesOfRights(shop, admin)).toEqual([200, 200, 200, 200]);
});

test('where ADMIN_STEP_UP is 1 each change of rights asks for the password', async () => {
  const strict = await testShop({ env: { ADMIN_STEP_UP: '1' } });
  const admin = await anAdmin(strict.db);
  expect(await changesOfRights(strict, admin)).toEqual([200, 200, 200, 200]);
  await unproven(strict, admin);
  expect(await changesOfRights(strict, admin)).toEqual([403, 403, 403, 403]);
});

test('a refund, cancelling what was paid and the export of customers wait for the password, for ten minutes', async () => {
  const admin = await logged();
  expect(await guarded(admin)).toEqual([403, 403, 403, 403]);
  const refused = await app.inject({ url: '/api/orders/export', headers: admin.headers });
  expect(refused.json()).toEqual({
    message: 'Please enter your password again to continue.',
    errors: { password: 'Please enter your password again to continue.' },
  });
  expect((await prove(admin, { password: 'a guess' })).json().errors).toEqual({ password: 'This password is wrong. Please try again.' });
  expect(await guarded(admin)).toEqual([403, 403, 403, 403]);
  expect((await prove(admin, { password: PASSWORD })).statusCode).toBe(200);
  expect(await guarded(admin)).toEqual([200, 200, 200, 200]);
  await db.updateTable('sessions').set({ provenAt: sql`now() - interval '10 minutes'` }).where('userId', '=', admin._id).execute();
  expect(await guarded(admin)).toEqual([403, 403, 403, 403]);
});

test('cancelling what was not paid asks for nothing', async () => {
  const { headers } = await logged();
  const url = `/api/office/orders/${await anOrder({})}/cancel`;
  expect((await app.inject({ method: 'POST', url, headers, payload: { reason: 'Another reason' } })).statusCode).toBe(200);
});

test('with a second factor its code is asked for, and the password is not enough', async () => {
  const admin = await anAdmin(db);
  const { secret } = await aSecondFactor({ app, db }, admin);
  await db.updateTable('sessions').set({ provenAt: null }).where('userId', '=', admin._id).execute();
  expect((await app.inject({ url: '/api/orders/export', headers: admin.headers })).json().errors).toEqual({
    code: 'Please enter a code from your authenticator app to continue.',
  });
  expect((await prove(admin, { password: PASSWORD })).json().errors).toEqual({ code: 'This code is wrong. Please try again.' });
  expect((await prove(admin, { code: appCode(secret) })).statusCode).toBe(200);
  expect((await app.inject({ url: '/api/orders/export', headers: admin.headers })).statusCode).toBe(200);
});

test('a proof is of one session, and is guessed at only so often', async () => {
  const admin = await logged();
  const other = await app.inject({ method: 'POST', url: '/api/users/login', payload: { email: admin.email, password: PASSWORD } });
  await prove(admin, { password: PASSWORD });
  expect((await app.inject({ url: '/api/orders/export', headers: { bearer: other.json().token } })).statusCode).toBe(403);
  const guesses: number[] = [];
  for (let n = 0; n <= LIMITS.proof.pair; n += 1) guesses.push((await prove(admin, { password: 'a guess' })).statusCode);
  expect(guesses).toEqual([...new Array<number>(LIMITS.proof.pair).fill(400), 429]);
});

test('an administrator’s session ends after twelve hours, also one that was begun before the promotion; a customer’s does not', async () => {
  const [admin, customer] = [await anAdmin(db), await aCustomer(db)];
  const begun = (hours: string) =>
    db
      .updateTable('sessions')
      .set({ createdAt: sql`now() - ${hours}::interval` })
      .where('userId', 'in', [admin._id, customer._id])
      .execute();
  const statuses = async () =>
    [
      await app.inject({ url: '/api/users', headers: admin.headers }),
      await app.inject({ url: '/api/orders/myorders', headers: customer.headers }),
    ].map(({ statusCode }) => statusCode);
  await begun('11:59');
  expect(await statuses()).toEqual([200, 200]);
  await begun('12:00');
  expect(await statuses()).toEqual([401, 200]);
  await db.updateTable('users').set({ isAdmin: true }).where('id', '=', customer._id).execute();
  expect(await statuses()).toEqual([401, 401]);
});
