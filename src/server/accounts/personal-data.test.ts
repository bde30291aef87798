import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { JOBS, runJobs } from '#server/app/jobs.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { expireHold } from '#server/payments/payments.jobs.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { cardDesk } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { aDelivery, aReview, sendReview } from '#server/testing/reviews.ts';
import { eraseCustomer, exportCustomer } from './privacy.service.ts';

const shop = await testShop();
const { app, db, services } = shop;
const { checkout, orderOf } = cardDesk(shop);
const daily = async () => {
  await enqueue(db, JOBS.removeExpired, {});
  await runJobs(services);
};
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

test('a card checkout that was never paid forgets its buyer after the days of the settings, and not before (§18.8)', async () => {
  const buyer = await aCustomer(db, { name: 'Una Unpaid' });
  const { sessionId } = await checkout(buyer, [aLine(await aProduct(db))]);
  const { id } = await orderOf(sessionId);
  await expireHold(services, { orderId: id });
  await forceOrder(db, id, { createdAt: daysAgo(29).toISOString() });
  await daily();
  expect(await orderOf(sessionId)).toMatchObject({ userName: 'Una Unpaid', userId: buyer._id });
  await forceOrder(db, id, { createdAt: daysAgo(31).toISOString() });
  await daily();
  expect(await orderOf(sessionId)).toMatchObject({ status: 'expired', userName: 'Erased customer', userEmail: '', userId: null });
  expect((await exportCustomer(db, buyer.email)).orders).toEqual([]);
});

test('jobs that failed for good, and mails that were written as files, go after their days (§18.8)', async () => {
  const buyer = await aCustomer(db);
  await enqueue(db, orderJobs.askForReviews, { orderId: 'old and dead' }, { key: 'old and dead' });
  await enqueue(db, orderJobs.askForReviews, { orderId: 'new and dead' }, { key: 'new and dead' });
  await sql`update jobs set attempts = max_attempts where key like '% and dead'`.execute(db);
  await sql`update jobs set created_at = ${daysAgo(91).toISOString()} where key = 'old and dead'`.execute(db);
  const mail = { to: buyer.email, subject: 'A mail', text: 'Hello', html: '<p>Hello</p>' };
  await services.mailer.send(mail);
  const [old, other] = ['old.eml', 'notes.txt'].map((name) => join(shop.dataDir, 'mail', name)) as [string, string];
  for (const file of [old, other]) {
    await writeFile(file, `To: ${buyer.email}\nSubject: An old mail\n\nHello`);
    await utimes(file, daysAgo(31), daysAgo(31));
  }
  expect(await mailsOf(shop.dataDir, buyer.email)).toHaveLength(2);
  await daily();
  expect((await mailsOf(shop.dataDir, buyer.email)).map(({ subject }) => subject)).toEqual(['A mail']);
  const { rows } = await sql<{ key: string }>`select key from jobs where key like '% and dead'`.execute(db);
  expect(rows).toEqual([{ key: 'new and dead' }]);
});

/**
 * Personal data by table: the condition for an account's and an order's rows, the path in an export (null for secrets and technical data),
 * and whether erasure deletes the rows or anonymises them. Every new table belongs here or below.
 */
const PERSONAL: Record<string, { rows: string; exported: string | null; erasure: 'deleted' | 'emptied' }> = {
  users: { rows: 'id = $1', exported: 'account', erasure: 'deleted' },
  sessions: { rows: 'user_id = $1', exported: 'sessions', erasure: 'deleted' },
  known_devices: { rows: 'user_id = $1', exported: 'knownDevices', erasure: 'deleted' },
  address_links: { rows: 'user_id = $1', exported: null, erasure: 'deleted' },
  password_resets: { rows: 'user_id = $1', exported: null, erasure: 'deleted' },
  second_factors: { rows: 'user_id = $1', exported: 'secondFactor', erasure: 'deleted' },
  recovery_codes: { rows: 'user_id = $1', exported: 'secondFactor.recoveryCodes', erasure: 'deleted' },
  account_lists: { rows: 'user_id = $1', exported: 'lists.wishes', erasure: 'deleted' },
  wish_links: { rows: 'user_id = $1', exported: 'lists.links', erasure: 'deleted' },
  audit_entries: { rows: 'entity_id = $1', exported: 'changesByStaff', erasure: 'emptied' },
  orders: { rows: 'id = $2', exported: 'orders.0', erasure: 'emptied' },
  order_items: { rows: 'order_id = $2', exported: 'orders.0.items', erasure: 'emptied' },
  order_events: { rows: 'order_id = $2', exported: 'orders.0.events', erasure: 'emptied' },
  order_networks: { rows: 'order_id = $2', exported: null, erasure: 'deleted' },
  order_refunds: { rows: 'order_id = $2', exported: 'orders.0.refunds', erasure: 'emptied' },
  overpayments: { rows: 'order_id = $2', exported: 'orders.0.overpayments', erasure: 'emptied' },
  staff_notes: { rows: 'user_id = $1 or order_id = $2', exported: 'staffNotes', erasure: 'deleted' },
  staff_tags: { rows: 'user_id = $1 or order_id = $2', exported: 'staffTags', erasure: 'deleted' },
  order_mails: { rows: 'order_id = $2', exported: 'orders.0.mails', erasure: 'deleted' },
  redemptions: { rows: 'order_id = $2', exported: 'orders.0.discounts', erasure: 'emptied' },
  order_corrections: { rows: 'order_id = $2', exported: 'orders.0.corrections', erasure: 'emptied' },
  order_payments: { rows: 'order_id = $2', exported: 'orders.0.furtherPayments', erasure: 'emptied' },
  second_payments: { rows: 'order_id = $2', exported: 'orders.0.secondPayments', erasure: 'emptied' },
  second_payment_outcomes: {
    rows: 'payment_id in (select payment_id from second_payments where order_id = $2)',
    exported: 'orders.0.secondPayments.0.outcomes',
    erasure: 'emptied',
  },
  order_disputes: { rows: 'order_id = $2', exported: 'orders.0.disputes', erasure: 'emptied' },
  parcels: { rows: 'order_id = $2', exported: 'orders.0.parcels', erasure: 'emptied' },
  parcel_items: { rows: 'parcel_id in (select id from parcels where order_id = $2)', exported: 'orders.0.parcels', erasure: 'emptied' },
  order_returns: { rows: 'order_id = $2', exported: 'orders.0.returns', erasure: 'emptied' },
  order_return_items: {
    rows: 'return_id in (select id from order_returns where order_id = $2)',
    exported: 'orders.0.returns.0.items',
    erasure: 'emptied',
  },
  review_requests: { rows: 'order_id = $2', exported: 'orders.0.askedForReview', erasure: 'emptied' },
  reviews: { rows: 'user_id = $1', exported: 'reviews', erasure: 'deleted' },
  review_votes: { rows: 'user_id = $1', exported: 'reviewVotes', erasure: 'deleted' },
  review_hidings: { rows: 'user_id = $1', exported: 'reviewHidings', erasure: 'deleted' },
  review_mail_stops: { rows: 'user_id = $1', exported: 'reviewMailsStoppedAt', erasure: 'deleted' },
  jobs: { rows: "payload::text like '%vera@verysecret.example%'", exported: 'mailsWaiting', erasure: 'deleted' },
  stock_alerts: { rows: "email = 'vera@verysecret.example'", exported: 'stockAlerts', erasure: 'deleted' },
};

/** Kept by law with the buyer, and exported; privacy.test.ts tests for how long. */
const BY_LAW = ['invoices'];
/** No personal data: catalogue, sums and technical tables. Network addresses are hashed and last minutes. */
const IMPERSONAL = [
  ...['catalogue_changes', 'catalogue_words', 'imported_products', 'imported_stock', 'product_dimensions', 'product_sizes', 'products'],
  'bulk_edits',
  'bulk_edit_products',
  ...[
    'delivery_notices',
    'dispatch_batches',
    'document_numbers',
    'job_schedule',
    'order_steps',
    'payment_events',
    'payment_watch',
    'price_log',
    'promotions',
    'rate_limits',
    'review_summaries',
  ],
  'sales_changes',
  'sales_days',
  'sales_pieces',
  'sales_window',
  'sales_best_sellers',
  'sales_facts',
  'sales_fact_changes',
  'sales_fact_months',
  'sales_recounts',
  // What the provider's account moved, by payment ids, and what staff ticked.
  ...['provider_entries', 'book_check', 'book_faults', 'book_ticks', 'cash_receipts'],
  // It names an order, whose customer is erased there.
  'first_orders',
  'schema_compatibility',
  'kysely_migration',
  'shop_marks',
  'shop_settings',
  'staff_notices',
  'stock_counts',
  'stock_movements',
  'stored_pictures',
  // Of other programs. Messages name orders and products by their ids alone.
  ...['api_keys', 'webhooks', 'webhook_news', 'webhook_messages'],
];

test('every table of the shop is known to hold nothing of customers, or is named by export and erasure (§18.8)', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(
    db,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...Object.keys(PERSONAL), ...BY_LAW, ...IMPERSONAL].sort());
});

/** A customer with data in every table above. Returns the ids of account and order. */
async function somebodyWhole(): Promise<{ email: string; ids: [account: string, order: string] }> {
  const email = 'vera@verysecret.example';
  const [buyer, admin] = [await aCustomer(db, { name: 'Vera Verysecret', email }), await anAdmin(db)];
  const send = (who: typeof buyer, method: 'POST' | 'PUT', url: string, payload: object) =>
    app.inject({ method, url, headers: who.headers, payload });
  const lines = [aLine(await aProduct(db), { qty: 3 })];
  const deliveryNote = 'Gate code of Verysecret House';
  const { _id: id } = (
    await send(buyer, 'POST', '/api/orders', aPayload(lines, { fullName: 'Vera Verysecret', email, deliveryNote }))
  ).json<Order>();
  await send(admin, 'PUT', `/api/users/${buyer._id}`, { name: 'Vera B Verysecret', email, isAdmin: false });
  const details = {
    revision: 0,
    fullName: 'Vera Verysecret',
    phone: '07700 900123',
    shippingAddress: { ...ADDRESS, line1: '1 Verysecret Way' },
  };
  await send(admin, 'PUT', `/api/office/orders/${id}/delivery-details`, details);
  await send(admin, 'PUT', `/api/orders/${id}/cash`, { isPaid: true });
  await send(admin, 'POST', `/api/office/orders/${id}/parcels`, { trackingNumber: 'VERYSECRET1' });
  await send(admin, 'PUT', `/api/orders/${id}/deliver`, { isDelivered: true });
  await send(admin, 'POST', `/api/office/orders/${id}/refunds`, { amount: 1, reason: 'Goodwill' });
  const asked = { lines: [{ line: 0, qty: 1 }], reason: 'Wrong piece', note: 'To Verysecret Lane' };
  await send(buyer, 'POST', `/api/orders/${id}/returns`, asked);
  const reviewed = await aProduct(db);
  await aDelivery(shop, buyer, reviewed);
  await sendReview(shop, buyer, reviewed._id, { text: 'Verysecret likes it.' });
  const other = await aReview(shop, await aProduct(db));
  await send(buyer, 'PUT', `/api/reviews/${other._id}/vote`, { isHelpful: true });
  await send(buyer, 'POST', '/api/users/forgot-password', { email });
  await runJobs(services);
  const rows: [string, string][] = [
    ['address_links (token_hash, user_id, email)', `sha256('x'), '${buyer._id}', '${email}'`],
    ['known_devices (user_id, device_hash)', `'${buyer._id}', sha256('x')`],
    ['second_factors (user_id, secret, confirmed_at)', `'${buyer._id}', sha256('x'), now()`],
    ['recovery_codes (user_id, code_hash)', `'${buyer._id}', sha256('x')`],
    ['promotions (id, name, kind, value)', `'${id}', 'Ten off', 'percent', 10`],
    ['redemptions (order_id, promotion_id, name, discount)', `'${id}', '${id}', 'Ten off', 1`],
    ['order_payments (payment_id, order_id, session_id, amount)', `'pi_1', '${id}', 'cs_1', 1`],
    [
      'order_corrections (id, order_id, status, revision, plan, difference, actor, pay_until)',
      `'${id}', '${id}', 'ended', 0, '{}', 1, 'Ada', now()`,
    ],
    ['overpayments (id, order_id, amount, received_by, actor)', `gen_random_uuid(), '${id}', 1, 'cash', 'Ann'`],
    ['order_disputes (id, order_id, status, amount, reason)', `'dp_1', '${id}', 'open', 1, 'fraudulent'`],
    ['second_payments (payment_id, order_id, amount)', `'pi_2', '${id}', 1`],
    ['second_payment_outcomes (id, payment_id, kind, amount, status)', `'re_2', 'pi_2', 'refund', 1, 'done'`],
    ['order_networks (order_id, network)', `'${id}', 'a hash'`],
    ['review_requests (order_id, token_hash)', `'${id}', sha256('x')`],
    ['review_hidings (product_id, user_id, hidden_at, hidden_reason)', `'${reviewed._id}', '${buyer._id}', now(), 'Rude'`],
    ['review_mail_stops (user_id)', `'${buyer._id}'`],
    ['jobs (name, payload)', `'sendMail', '{"to":"${email}","subject":"A mail"}'`],
    ['account_lists (user_id, wishes)', `'${buyer._id}', '[{"_id":"${reviewed._id}","size":null,"color":null}]'`],
    ['wish_links (token, user_id)', `'a token', '${buyer._id}'`],
    ['staff_notes (user_id, text, actor)', `'${buyer._id}', 'Verysecret pays late', 'Ada'`],
    ['staff_tags (user_id, tag, actor)', `'${buyer._id}', 'Verysecret', 'Ada'`],
    ['staff_tags (order_id, tag, actor)', `'${id}', 'Verysecret', 'Ada'`],
    ['staff_notes (order_id, text, actor)', `'${id}', 'Verysecret rang', 'Ada'`],
    ['order_mails (order_id, mail)', `'${id}', '{"to":"${email}","subject":"A mail","text":"Hello Vera"}'`],
    ['stock_alerts (id, product_id, email, token_hash)', `gen_random_uuid(), '${reviewed._id}', '${email}', sha256('x')`],
  ];
  for (const [table, values] of rows) await sql.raw(`insert into ${table} values (${values}) on conflict do nothing`).execute(db);
  return { email, ids: [buyer._id, id] };
}

/** The value at a path of an export. */
const at = (held: unknown, place: string): unknown =>
  place.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], held);

test('an export has something of each table that holds data of the customer, and an erasure leaves nothing of them in any (§18.8)', async () => {
  const { email, ids } = await somebodyWhole();
  const find = async (table: string, rows: string) => {
    const where = rows.replaceAll('$1', `'${ids[0]}'`).replaceAll('$2', `'${ids[1]}'`);
    return (await shop.services.pool.query(`select t::text as row from ${table} t where ${where}`)).rows;
  };
  const held = await exportCustomer(db, email);
  for (const [table, { rows, exported }] of Object.entries(PERSONAL)) {
    expect(await find(table, rows), table).not.toEqual([]);
    if (exported) expect([at(held, exported) ?? []].flat(), table).not.toEqual([]);
  }
  await eraseCustomer(db, email, true);
  for (const [table, { rows, erasure }] of Object.entries(PERSONAL)) {
    const left = await find(table, rows);
    if (erasure === 'deleted') expect(left, table).toEqual([]);
    expect(JSON.stringify(left), table).not.toMatch(/verysecret/i);
  }
});
