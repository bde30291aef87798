import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { listChanges } from '#server/context/audit.ts';
import { forgetOldBuyers } from '#server/invoices/read.service.ts';
import { forgetOld } from '#server/orders/erase.service.ts';
import { readMigrations } from '#server/platform/database/migrate.ts';
import { newId } from '#server/platform/ids.ts';
import { newLinkToken } from '#server/platform/link-token.ts';
import { createSession } from '#server/sessions/session.service.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { aDelivery, aReview, sendReview } from '#server/testing/reviews.ts';
import { eraseCustomer, exportCustomer } from './privacy.service.ts';

const shop = await testShop();
const { app, db } = shop;

const rowsOf = async (text: string) => (await shop.services.pool.query(text)).rows as Record<string, unknown>[];

async function anOrder(buyer: SignedIn, payload: Record<string, unknown> = {}): Promise<string> {
  const product = await aProduct(db, { price: 12_300 });
  const order = aPayload([aLine(product)], { fullName: buyer.name, email: buyer.email, ...payload });
  return (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: order })).json()._id;
}

/** The product of an order, reviewed by its buyer. */
async function aReviewOf(buyer: SignedIn, order: string, text: string): Promise<string> {
  const { orderItems } = (await app.inject({ url: `/api/orders/${order}`, headers: buyer.headers })).json<Order>();
  const product = orderItems[0]?._id ?? '';
  expect((await sendReview(shop, buyer, product, { text })).statusCode).toBe(201);
  return product;
}

async function deliver(id: string): Promise<void> {
  const { headers } = await anAdmin(db);
  await app.inject({ method: 'PUT', url: `/api/orders/${id}/deliver`, headers, payload: { isDelivered: true } });
}

test('an export holds the account, sessions, orders and waiting mails of one customer, and no secret (§18.8)', async () => {
  const [customer, other] = [await aCustomer(db, { name: 'Exa Ported' }), await aCustomer(db, { name: 'Not Hers' })];
  const order = await anOrder(customer);
  const { headers } = await anAdmin(db);
  await app.inject({ method: 'PUT', url: `/api/orders/${order}/cash`, headers, payload: { isPaid: true } });
  await anOrder(other);
  const [bought, read] = [await aProduct(db), await aReview(shop, await aProduct(db))];
  await aDelivery(shop, customer, bought);
  await sendReview(shop, customer, bought._id, { rating: 4, text: 'A good lamp.' });
  await app.inject({ method: 'PUT', url: `/api/reviews/${read._id}/vote`, headers: customer.headers, payload: { isHelpful: true } });
  const held = await exportCustomer(db, customer.email.toUpperCase());
  expect(held).toMatchObject({
    account: { id: customer._id, name: 'Exa Ported', email: customer.email },
    sessions: [{ expiresAt: expect.any(String) }],
    orders: [
      {
        id: order,
        full_name: 'Exa Ported',
        total_price: 12_300,
        items: [{ qty: 1 }],
        invoices: [{ gross: 12_300 }],
        events: [{ kind: 'placed' }, { kind: 'cash received' }],
      },
      {},
    ],
    reviews: [{ productId: bought._id, rating: 4, text: 'A good lamp.' }],
    reviewVotes: [{ reviewId: read._id }],
    reviewMailsStoppedAt: null,
    mailsWaiting: [{ subject: expect.stringContaining('Thank you for your order') }, {}, {}],
  });
  for (const secret of ['argon2', 'Not Hers', customer.token, 'hash']) expect(JSON.stringify(held)).not.toContain(secret);
});

test('an erased customer is in no table any more but on invoices; the orders stay, with what was sold for how much (§18.7, §22.6)', async () => {
  const admin = await anAdmin(db);
  const customer = await aCustomer(db, { name: 'Vera Verysecret', email: 'vera-verysecret@example.com' });
  const payload = { name: 'Vera B Verysecret', email: customer.email, isAdmin: false };
  await app.inject({ method: 'PUT', url: `/api/users/${customer._id}`, headers: admin.headers, payload });
  const order = await anOrder(customer, { phone: '07700 900987', orderPaymentID: 'Verysecret’s note', paymentMethod: 'Online Payment' });
  await app.inject({ method: 'POST', url: '/api/users/forgot-password', payload: { email: customer.email } });
  await expect(eraseCustomer(db, customer.email, false)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('1 of the orders is not delivered yet.'),
  });
  await deliver(order);
  const reviewed = await aReviewOf(customer, order, 'Fits the Verysecret home.');
  const voted = await aReview(shop, await aProduct(db));
  await app.inject({ method: 'PUT', url: `/api/reviews/${voted._id}/vote`, headers: customer.headers, payload: { isHelpful: true } });
  expect(await eraseCustomer(db, customer.email, false)).toEqual({ hadAccount: true, orders: 1 });
  expect((await app.inject({ url: `/api/products/${reviewed}/reviews` })).json()).toMatchObject({ total: 0 });
  expect(await rowsOf(`select helpful from reviews where id = '${voted._id}'`)).toEqual([{ helpful: 0 }]);
  const tables = await rowsOf("select format('%I', tablename) as name from pg_tables where schemaname = 'public'");
  // Tax law requires an invoice's buyer, for at most seven years.
  expect(await rowsOf(`select content->'buyer'->>'name' as name from invoices where order_id = '${order}'`)).toEqual([
    { name: 'Vera Verysecret' },
  ]);
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await tx.updateTable('invoices').set({ issuedAt: sql`now() - interval '7 years 1 day'` }).where('orderId', '=', order).execute();
  });
  await forgetOldBuyers(db);
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

test('a migration takes names from the history of those who were erased before the erasure knew of them', async () => {
  const [erased, other] = [await aCustomer(db, { name: 'Erica Erasable' }), await aCustomer(db, { name: 'Norman Note' })];
  const [order, theirs] = [await anOrder(erased), await anOrder(other)];
  await eraseCustomer(db, erased.email, true);
  const admin = await anAdmin(db);
  for (const id of [order, theirs])
    await rowsOf(`
      insert into order_events (order_id, kind, actor, detail) values
        ('${id}', 'note for the driver', 'Erica Erasable', ''), ('${id}', 'return refused', 'Ada', 'Erica rang'), ('${id}', 'delivered', 'Ada', '');
      insert into audit_entries (actor_id, actor_name, entity, entity_id, change) values
        ('${admin._id}', 'Ada', 'order', '${id}', 'Added the tag “Erica Erasable”'), ('${admin._id}', 'Ada', 'order', '${id}', 'Took the tag “Erica” off')`);
  const migration = (await readMigrations()).find(({ name }) => name === '0913_erased_names');
  await rowsOf(migration?.text ?? '');
  const eventsOf = (id: string) =>
    rowsOf(`select kind, actor, detail from order_events where order_id = '${id}' and kind <> 'placed' order by id`);
  expect(await eventsOf(order)).toEqual([
    { kind: 'note for the driver', actor: 'Erased customer', detail: '' },
    { kind: 'return refused', actor: 'Ada', detail: '' },
    { kind: 'delivered', actor: 'Ada', detail: '' },
  ]);
  expect(await eventsOf(theirs)).toMatchObject([{ actor: 'Erica Erasable' }, { detail: 'Erica rang' }, {}]);
  const log = await rowsOf(`select change from audit_entries where entity_id = '${order}' order by id`);
  expect(log.map(({ change }) => change)).toEqual(['Added a tag', 'Removed a tag']);
});

test('an erasure leaves the names of staff in an order’s history', async () => {
  const customer = await aCustomer(db);
  const order = await anOrder(customer);
  const admin = await anAdmin(db, { name: 'Dora Dispatch' });
  const note = (who: SignedIn, deliveryNote: string) =>
    app.inject({ method: 'PUT', url: `/api/orders/${order}/delivery-note`, headers: who.headers, payload: { deliveryNote } });
  await note(admin, 'Ring twice');
  await note(customer, 'The gate code is 1234');
  await eraseCustomer(db, customer.email, true);
  expect(
    await rowsOf(`select actor, detail from order_events where order_id = '${order}' and kind = 'note for the driver' order by id`),
  ).toEqual([
    { actor: 'Dora Dispatch', detail: '' },
    { actor: 'Erased customer', detail: '' },
  ]);
});

test('after seven years an order forgets its buyer without being asked to', async () => {
  const customer = await aCustomer(db, { name: 'Olwen Old' });
  const [old, young] = [await anOrder(customer), await anOrder(customer)];
  await forceOrder(db, old, { createdAt: new Date(Date.now() - 2_558 * 86_400_000).toISOString() });
  await forceOrder(db, young, { createdAt: new Date(Date.now() - 2_500 * 86_400_000).toISOString() });
  await forgetOld(db);
  const { orders } = (await app.inject({ url: '/api/orders/myorders', headers: customer.headers })).json();
  expect(orders).toMatchObject([{ _id: young, fullName: 'Olwen Old' }]);
  expect(await rowsOf(`select user_name as name, line1, total_price as total from orders where id = '${old}'`)).toEqual([
    { name: 'Erased customer', line1: '', total: 12_300 },
  ]);
});

test('when forced an open order is erased too; an administrator never, nor anyone who is paying right now', async () => {
  const customer = await aCustomer(db);
  await anOrder(customer);
  expect(await eraseCustomer(db, customer.email, true)).toEqual({ hadAccount: true, orders: 1 });
  const admin = await anAdmin(db);
  await expect(eraseCustomer(db, admin.email, true)).rejects.toThrow('This account is an administrator.');
  const payer = await aCustomer(db);
  const payload = { orderItems: [aLine(await aProduct(db))], customerID: payer._id };
  await app.inject({ method: 'POST', url: '/stripe/create-checkout-session', headers: payer.headers, payload });
  await expect(eraseCustomer(db, payer.email, true)).rejects.toThrow('A card payment is under way.');
  expect((await app.inject({ url: '/api/orders/myorders', headers: payer.headers })).statusCode).toBe(200);
});

test('orders of a deleted account are erased by its address, but nobody else’s', async () => {
  const [gone, admin] = [await aCustomer(db, { email: 'moved-on@example.com' }), await anAdmin(db)];
  const order = await anOrder(gone);
  await deliver(order);
  await app.inject({ method: 'DELETE', url: `/api/users/${gone._id}`, headers: admin.headers });
  const kept = await aCustomer(db, { name: 'Keeps Her Name' });
  const theirs = await anOrder(kept);
  expect(await eraseCustomer(db, 'moved-on@example.com', false)).toEqual({ hadAccount: false, orders: 1 });
  await expect(eraseCustomer(db, 'moved-on@example.com', false)).rejects.toMatchObject({ status: 404 });
  const read = async (id: string) => (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json().user.name;
  expect([await read(order), await read(theirs)]).toEqual(['Erased customer', 'Keeps Her Name']);
});

const anAlert = (email: string, productId: string, confirmedAt: string | null = null) =>
  db.insertInto('stockAlerts').values({ id: newId(), email, productId, tokenHash: newLinkToken().hash, confirmedAt }).execute();

test('alerts at an address that the account has not confirmed are exported if their mailbox has confirmed them, and erased', async () => {
  const [customer, wanted, unproven] = [await aCustomer(db), await aProduct(db), await aProduct(db)];
  await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', customer._id).execute();
  await anAlert(customer.email, wanted._id, new Date().toISOString());
  await anAlert(customer.email, unproven._id);
  expect((await exportCustomer(db, customer.email)).stockAlerts).toMatchObject([{ productId: wanted._id }]);
  await eraseCustomer(db, customer.email, false);
  expect(await db.selectFrom('stockAlerts').select('id').where('email', '=', customer.email).execute()).toEqual([]);
});

test('an account whose address nobody confirmed takes no orders of that address with it; one that moved has what belongs to its confirmed one', async () => {
  const [gone, admin] = [await aCustomer(db, { name: 'Vera Victim', email: 'was-vera@example.com' }), await anAdmin(db)];
  const order = await anOrder(gone);
  await deliver(order);
  await app.inject({ method: 'DELETE', url: `/api/users/${gone._id}`, headers: admin.headers });
  const { _id: productId } = await aProduct(db);
  await anAlert(gone.email, productId);
  const stranger = await aCustomer(db, { email: gone.email });
  await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', stranger._id).execute();
  expect(await exportCustomer(db, gone.email)).toMatchObject({ orders: [], stockAlerts: [] });
  expect(await eraseCustomer(db, gone.email, false)).toEqual({ hadAccount: true, orders: 0 });
  const kept = (await app.inject({ url: `/api/orders/${order}`, headers: admin.headers })).json<Order>();
  expect([kept.fullName, kept.email]).toEqual(['Vera Victim', gone.email]);
  await anAlert(gone.email, productId);
  const moved = await aCustomer(db, { email: 'newly-vera@example.com' });
  await db.updateTable('users').set({ isEmailConfirmed: false, confirmedEmail: gone.email }).where('id', '=', moved._id).execute();
  expect(await exportCustomer(db, moved.email)).toMatchObject({ orders: [{ id: order }], stockAlerts: [{ productId }] });
  expect(await eraseCustomer(db, moved.email, false)).toEqual({ hadAccount: true, orders: 1 });
});

test.each([
  ['the one that it had confirmed', true],
  ['none if it never confirmed one', false],
])('the orders of a deleted account are found by %s, and not by the address that they were placed with (§18.9)', async (_, isConfirmed) => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const order = await anOrder(buyer);
  await deliver(order);
  const moved = `moved-${buyer.email}`;
  await db.updateTable('users').set({ email: moved, isEmailConfirmed: isConfirmed }).where('id', '=', buyer._id).execute();
  await app.inject({ method: 'DELETE', url: `/api/users/${buyer._id}`, headers: admin.headers });
  await runJobs(shop.services);
  await expect(exportCustomer(db, buyer.email)).rejects.toMatchObject({ status: 404 });
  await expect(eraseCustomer(db, buyer.email, false)).rejects.toMatchObject({ status: 404 });
  const shown = (await app.inject({ url: `/api/orders/${order}`, headers: admin.headers })).json<Order>();
  expect(shown.user.email).toBe(isConfirmed ? moved : buyer.email);
  if (isConfirmed) expect(await exportCustomer(db, moved)).toMatchObject({ orders: [{ id: order }] });
  const erased = await eraseCustomer(db, moved, false).catch(({ status }: { status: number }) => status);
  expect(erased).toEqual(isConfirmed ? { hadAccount: false, orders: 1 } : 404);
});

test('histories can still not be rewritten', async () => {
  await expect(rowsOf("update order_events set actor = 'someone'")).rejects.toThrow('append-only');
  await expect(rowsOf("update audit_entries set change = 'nothing'")).rejects.toThrow('append-only');
});

test('staff with the right export and erase a customer from the back office, after their password again; not an administrator (§18.9)', async () => {
  const [admin, buyer] = [await anAdmin(db), await aCustomer(db, { name: 'Vera Private' })];
  const product = await aProduct(db);
  const placed = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(product)]) });
  const { _id: order } = placed.json<{ _id: string }>();
  const ask = (what: 'export' | 'erase', { _id }: { _id: string } = buyer, { headers } = admin, payload?: object) =>
    app.inject({ method: 'POST', url: `/api/office/users/${_id}/${what}`, headers, ...(payload && { payload }) });
  const catalogue = await anAdmin(db, { staffRole: 'catalogue' });
  for (const what of ['export', 'erase'] as const) {
    const unproven = { headers: { bearer: await createSession(db, admin._id) } };
    for (const [who, field] of [
      [catalogue, 'right'],
      [unproven, 'password'],
    ] as const)
      expect([(await ask(what, buyer, who as typeof admin, {})).json().errors]).toEqual([{ [field]: expect.any(String) }]);
    expect((await ask(what, { _id: newId() }, admin, {})).statusCode).toBe(404);
  }
  const held = (await ask('export')).json();
  expect(held).toMatchObject({ account: { email: buyer.email }, orders: [{ id: order }] });
  expect(await listChanges(db, 'user', buyer._id)).toMatchObject([{ change: 'Exported all data of the account', actor: 'Ada Admin' }]);
  const refused = await ask('erase', buyer, admin, {});
  expect([refused.statusCode, refused.json().message]).toEqual([409, expect.stringContaining('1 of the orders is not delivered yet.')]);
  expect((await ask('erase', catalogue, admin, {})).statusCode).toBe(409);
  const erased = await ask('erase', buyer, admin, { isForced: true });
  expect([erased.statusCode, erased.json().message]).toEqual([200, 'The account is erased. 1 order is kept without personal data.']);
  expect((await ask('export')).statusCode).toBe(404);
});
