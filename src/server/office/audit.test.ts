import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { AuditEntry, AuditPage } from '#contract/office/audit.schema.ts';
import { runJobs } from '#server/app/jobs.ts';
import { deleteOldEntries, listChanges } from '#server/context/audit.ts';
import { erasing } from '#server/platform/database/erasing.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const shop = await testShop({ env: { RATE_LIMIT_FACTOR: '1000' } });
const { app, db } = shop;
const owner = await anAdmin(db, { name: 'Olive' });
const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, headers: owner.headers, ...(payload && { payload }) });
const readAudit = async (query = '') => (await send('GET', `/api/office/log?${query}`)).json<AuditPage>();
const logIn = (email: string, password: string) =>
  app.inject({ method: 'POST', url: '/api/users/login', payload: { email, password }, remoteAddress: '192.0.2.7' });
const changesOf = async (kind: AuditEntry['kind']) => (await readAudit(`kind=${kind}`)).entries.map(({ change }) => change);

test('logins as staff are noted with their address, failed ones too; those of customers are not (§13.6)', async () => {
  const [staff, customer] = [await anAdmin(db, { name: 'Ruth' }), await aCustomer(db)];
  await logIn(customer.email, PASSWORD);
  await logIn(customer.email, 'wrong');
  await logIn('nobody@example.com', 'wrong');
  await logIn(staff.email, 'wrong');
  await expect.poll(() => changesOf('login')).toEqual(['Login failed: wrong password']);
  await logIn(staff.email, PASSWORD);
  const { entries } = await readAudit('kind=login');
  const subject = { _id: staff._id, name: staff.email };
  expect(entries).toMatchObject([
    { actor: { _id: staff._id, name: 'Ruth' }, subject, change: 'Logged in', from: '192.0.2.7' },
    { actor: { _id: null, name: 'Somebody' }, subject, change: 'Login failed: wrong password', from: '192.0.2.7' },
  ]);
  await send('POST', '/api/users/proof', { password: 'wrong' });
  expect((await changesOf('login'))[0]).toBe('Wrong password when it was asked for again');
});

test('of many failed logins to one account within an hour twenty are noted, and the last says so', async () => {
  const [staff, other] = [await anAdmin(db), await anAdmin(db)];
  const failed = async ({ _id }: typeof staff) => (await listChanges(db, 'login', _id, 50)).map(({ change }) => change);
  for (let n = 1; n <= 22; n += 1) {
    await logIn(staff.email, 'wrong');
    // The entry is not waited for by the answer.
    if (n <= 20) await expect.poll(async () => (await failed(staff)).length).toBe(n);
  }
  await logIn(other.email, 'wrong');
  await expect.poll(() => failed(other)).toEqual(['Login failed: wrong password']);
  const noted = await failed(staff);
  expect([noted.length, noted[0], noted[1]]).toEqual([
    20,
    'Login failed: wrong password. More within this hour are not noted',
    'Login failed: wrong password',
  ]);
  // Those that a clock ahead has dated do not count.
  const ahead = sql<string>`now() + interval '40 days'`;
  await db.transaction().execute((tx) => erasing(tx, () => tx.updateTable('auditEntries').set({ at: ahead }).execute()));
  await logIn(staff.email, 'wrong');
  await expect.poll(async () => (await failed(staff)).length).toBe(21);
});

test('settings are noted from → to, rights, downloads without what was searched for, and passwords of staff (§13.6)', async () => {
  const { version, values } = (await send('GET', '/api/settings/contact')).json<{ version: number; values: { phone: string } }>();
  await send('PUT', '/api/settings/contact', { version, values: { ...values, phone: '0117 496 0001' } });
  expect(await changesOf('settings')).toEqual([`Saved “Contact and showroom”. Phone: ${values.phone} → 0117 496 0001`]);
  const colleague = await aCustomer(db, { name: 'Colleague' });
  const { name, email } = colleague;
  await send('PUT', `/api/users/${colleague._id}`, { name, email, isAdmin: true, staffRole: 'orders' });
  expect((await readAudit('kind=user')).entries[0]).toMatchObject({
    actor: { name: 'Olive' },
    subject: { _id: colleague._id },
    change: 'Changed: made an administrator (Orders)',
    from: '127.0.0.1',
  });
  await send('GET', '/api/orders/export?search=Mrs%20Jones&from=2026-01-01');
  await send('GET', '/api/orders/export?to=null&tag=');
  expect(await changesOf('export')).toEqual(['Downloaded orders.csv', 'Downloaded orders.csv (from 2026-01-01)']);
  // A session that has not entered the password again is refused, which is no download.
  const { token } = (await logIn(owner.email, PASSWORD)).json<{ token: string }>();
  expect((await app.inject({ url: '/api/orders/export', headers: { bearer: token } })).statusCode).toBe(403);
  expect(await changesOf('export')).toHaveLength(2);
  const own = { name: 'Olive', currentPassword: PASSWORD, password: 'another-good-one' };
  await send('PUT', '/api/users/profile', own);
  expect((await changesOf('user'))[0]).toBe('Changed the password of their own account');
});

test('what staff do to orders, products, stock and tags is noted, with a link to it', async () => {
  const product = await aProduct(db, { stock: 5 });
  const buyer = await aCustomer(db);
  const placed = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(product)]) });
  const { _id, reference } = placed.json<{ _id: string; reference: string }>();
  await send('POST', `/api/office/orders/${_id}/tags`, { tag: 'fragile' });
  await send('POST', `/api/office/orders/${_id}/notes`, { text: 'Ring first' });
  await send('PUT', `/api/orders/${_id}/cash`, { isPaid: true });
  const orders = (await readAudit('kind=order')).entries;
  expect(orders.map(({ change }) => change)).toEqual(['Recorded cash as received', 'Wrote a note', 'Added a tag']);
  expect(orders[0]?.subject).toEqual({ _id, name: reference });
  const lines = [{ productId: product._id, size: null, expected: 4, counted: 3, reason: 'counted' }];
  await send('POST', '/api/stock/counts', { sheet: crypto.randomUUID(), lines });
  expect(await changesOf('stock')).toEqual(['Counted 1 line of stock, 1 different']);
  await send('DELETE', `/api/products/${product._id}`);
  expect((await readAudit('kind=product')).entries[0]).toMatchObject({ change: 'Deleted the product' });
});

test('the log is read page by page and filtered by person and day; its CSV has the same entries (§13.6)', async () => {
  await sql`insert into audit_entries (at, actor_id, actor_name, entity, change)
    select now() - interval '40 days' + n * interval '1 minute', ${owner._id}, '=Olive', 'export', 'Entry ' || n from generate_series(1, 120) n`.execute(
    db,
  );
  const day = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10);
  const next = new Date(Date.now() - 39 * 86_400_000).toISOString().slice(0, 10);
  const query = `kind=export&actor=${owner._id}&from=${day}&to=${next}`;
  const seen: string[] = [];
  for (let before = ''; ; ) {
    const { entries, isMore } = await readAudit(`${query}${before && `&before=${before}`}`);
    seen.push(...entries.map(({ change }) => change));
    if (!isMore) break;
    before = String(entries.at(-1)?._id);
  }
  expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => `Entry ${120 - index}`));
  const { body } = await send('GET', `/api/office/log/export?${query}`);
  const rows = body.trim().split('\r\n');
  expect(rows).toHaveLength(121);
  expect(rows[0]).toBe('Time,Who,Account,About,What,ID,Change,Address');
  expect(rows[1]).toContain(`,'=Olive,${owner._id},Downloads,,,Entry 120,`);
  expect((await readAudit(`actor=${crypto.randomUUID()}`)).entries).toEqual([]);
  for (const wrong of ['kind=secrets', 'actor=me', 'from=yesterday', 'before=-1'])
    expect((await send('GET', `/api/office/log?${wrong}`)).statusCode, wrong).toBe(400);
});

test('nobody changes the log; entries are deleted once they are as old as the settings say, and not before (§13.6)', async () => {
  const entry = (days: number, text: string) =>
    sql`insert into audit_entries (at, actor_name, entity, change) values (now() - make_interval(days => ${days}), 'The shop', 'export', ${text})`.execute(
      db,
    );
  await entry(2_193, 'too old');
  await entry(2_190, 'just kept');
  await expect(sql`delete from audit_entries where change = 'too old'`.execute(db)).rejects.toThrow('append-only');
  await sql`insert into jobs (name, key, payload) values ('removeExpired', 'try', '{}')`.execute(db);
  await runJobs(shop.services);
  const kept = async () =>
    (await sql<{ change: string }>`select change from audit_entries where change in ('too old', 'just kept')`.execute(db)).rows;
  expect(await kept()).toEqual([{ change: 'just kept' }]);
  await deleteOldEntries(db, 2_189);
  expect(await kept()).toEqual([]);
});
