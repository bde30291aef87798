import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { pounds } from '#contract/market/money.ts';
import { nextShopHour } from '#contract/market/shop-time.ts';
import type { Order } from '#contract/orders/orders.ts';
import { EVERYTHING, listenersOf, STAFF_EVENTS, type StaffEvent, type StaffSettings } from '#contract/settings/staff-events.ts';
import { runJobs } from '#server/app/jobs.ts';
import { tellOfBook } from '#server/books/books.service.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import { reconcileOutcomes } from '#server/payments/refunds.jobs.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { queuedJobs } from '#server/testing/jobs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { aDelivery, sendReview } from '#server/testing/reviews.ts';
import { sendStaffNotices, tellStaff } from './notices.service.ts';

const shop = await testShop({ env: { APPROVAL_ABOVE: '5000' } });
const { app, db, services, dataDir } = shop;
const admin = await anAdmin(db);
const desk = cardDesk(shop);

afterEach(async () => {
  await db.deleteFrom('staffNotices').execute();
  await db.deleteFrom('jobs').execute();
});

let addresses = 0;
/** Sets who is told of what, on the screen of the settings, and returns an address that nobody has used. */
async function listen(settings: (address: string) => Partial<StaffSettings>): Promise<string> {
  addresses += 1;
  const address = `staff-${addresses}@example.com`;
  const { version, values } = (await app.inject({ url: '/api/settings/staff', headers: admin.headers })).json();
  const payload = { version, values: { ...values, ...settings(address) } };
  expect((await app.inject({ method: 'PUT', url: '/api/settings/staff', headers: admin.headers, payload })).statusCode).toBe(200);
  return address;
}
const toldOf = (event: StaffEvent | typeof EVERYTHING, when: 'at once' | 'once a day' = 'at once') =>
  listen((address) => ({ notices: [{ event: event === EVERYTHING ? event : STAFF_EVENTS[event], address, when }] }));

/** The mails to an address after a minute's job. */
async function received(address: string) {
  await sendStaffNotices(services);
  await runJobs(services);
  return mailsOf(dataDir, address);
}
const tell = (text: string, event: StaffEvent = 'order') =>
  db.transaction().execute((tx) => tellStaff(tx, services, { event, text, path: '/x' }));
const order = async (product: Parameters<typeof aLine>[0], qty = 1) => {
  const { headers } = await aCustomer(db);
  return (await app.inject({ method: 'POST', url: '/api/orders', headers, payload: aPayload([aLine(product, { qty })]) })).json<Order>();
};
async function aPaidOrder() {
  const { url, sessionId } = await desk.checkout(await aCustomer(db), [aLine(await aProduct(db, { price: 30_000 }))]);
  await pay(url);
  await desk.reconcile();
  return { sessionId, ...(await desk.orderOf(sessionId)) };
}
const atDashboard = (session: string, form: Record<string, string>) =>
  fetch(`${shop.sandbox.url}/payments/${session}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

const HAPPENINGS: Record<StaffEvent, () => Promise<string | RegExp>> = {
  order: async () => {
    const { reference } = await order(await aProduct(db, { price: 49_999 }));
    return `New order ${reference}: £499.99, Cash on Delivery`;
  },
  approval: async () => {
    const { reference } = await order(await aProduct(db, { price: 600_000 }));
    return `Order ${reference} of £6,000.00 waits for your approval`;
  },
  stock: async () => {
    const lamp = await aProduct(db, { name: 'Alder lamp', stock: 7 });
    await order(lamp, 2);
    await order(lamp, 1);
    return 'Only 5 of Alder lamp left';
  },
  review: async () => {
    const [buyer, chair] = [await aCustomer(db), await aProduct(db, { name: 'Oak chair' })];
    await aDelivery(shop, buyer, chair);
    await sendReview(shop, buyer, chair._id, { rating: 2, text: 'Wobbly, see https://evil.example' });
    return 'A review of Oak chair with 2 stars';
  },
  return: async () => {
    const [{ headers, email }, bench] = [await aCustomer(db), await aProduct(db)];
    const id = await aDelivery(shop, { headers, email } as Awaited<ReturnType<typeof aCustomer>>, bench);
    const payload = { lines: [{ line: 0, qty: 1 }], reason: 'It does not fit' };
    const asked = (await app.inject({ method: 'POST', url: `/api/orders/${id}/returns`, headers, payload })).json<Order>();
    return `A return of order ${asked.reference} was requested`;
  },
  dispute: async () => {
    const { sessionId, reference } = await aPaidOrder();
    await atDashboard(sessionId, { action: 'dispute' });
    await desk.reconcile();
    return `A payment of £300.00 for order ${reference} is disputed`;
  },
  refund: async () => {
    const { sessionId, reference, providerPaymentId } = await aPaidOrder();
    await atDashboard(sessionId, { action: 'refund', amount: '30.00' });
    await desk.reconcile();
    const [refund] = (await desk.stripe.refunds.list({ payment_intent: providerPaymentId ?? '' })).data;
    await atDashboard(sessionId, { action: 'fail', refund: refund?.id ?? '' });
    await reconcileOutcomes(services);
    return `The refund of £30.00 for order ${reference} has failed`;
  },
  payment: async () => {
    const { url, sessionId } = await desk.checkout(await aCustomer(db), [aLine(await aProduct(db, { price: 30_000 }))]);
    await shop.wire.pretend(sessionId, { amount_total: 1_00 }, async () => {
      await pay(url);
      await desk.reconcile();
    });
    const { reference } = await desk.orderOf(sessionId);
    return `Order ${reference}: Paid 100 gbp, which is not what the order costs`;
  },
  book: async () => {
    const { _id, totalPrice } = await order(await aProduct(db));
    await app.inject({ method: 'PUT', url: `/api/orders/${_id}/cash`, headers: admin.headers, payload: { isPaid: true } });
    await sql`update cash_receipts set received_at = received_at - interval '1 day' where order_id = ${_id}::uuid`.execute(db);
    await tellOfBook(services);
    return new RegExp(`^Book of .*: £.* by card, ${pounds(totalPrice)} in cash, .* paid out\\. Everything agrees$`);
  },
  job: async () => {
    await enqueue(db, mailJobs.sendMail, { to: '', subject: '', text: '', html: '' }, { maxAttempts: 1 });
    await runJobs({ ...services, mailer: { ...services.mailer, send: () => Promise.reject(new Error('no such host')) } });
    return 'The job “Send an email” failed for good: Error: no such host';
  },
};

test.each(Object.keys(STAFF_EVENTS) as StaffEvent[])('who wants to hear of %s gets one email about it, and no other', async (event) => {
  const address = await toldOf(event);
  const text = await HAPPENINGS[event]();
  const [mail, ...more] = await received(address);
  expect([mail?.subject, more]).toEqual([typeof text === 'string' ? text : expect.stringMatching(text), []]);
  expect(mail?.text).toContain(mail?.subject);
  expect(mail?.text).not.toContain('evil.example');
  expect(mail?.html).toContain(`${services.config.publicUrl}/admin/`);
  expect(await received(address)).toHaveLength(1);
});

test('where nobody is to be told, nothing is stored; a notice whose change does not happen is not sent', async () => {
  await listen(() => ({ notices: [] }));
  await tell('One');
  expect(await db.selectFrom('staffNotices').selectAll().execute()).toEqual([]);
  const address = await toldOf('order');
  const changed = db.transaction().execute(async (tx) => {
    await tellStaff(tx, services, { event: 'order', text: 'Never', path: '/x' });
    throw new Error('changed my mind');
  });
  await expect(changed).rejects.toThrow('changed my mind');
  expect(await received(address)).toEqual([]);
});

test('a row of a single event goes before “Everything”, and an address is told once', () => {
  const rows: [string, string, StaffSettings['notices'][number]['when']][] = [
    [EVERYTHING, 'ruth@example.com', 'once a day'],
    ['Payment disputed', 'Ruth@example.com', 'at once'],
    ['New order', 'anna@example.com', 'at once'],
  ];
  const settings = { notices: rows.map(([event, address, when]) => ({ event, address, when })), dailyHour: 8, lowStock: 5, logDays: 365 };
  expect(listenersOf(settings, 'dispute')).toEqual([{ address: 'Ruth@example.com', isDaily: false }]);
  expect(listenersOf(settings, 'order').sort((a, b) => a.address.localeCompare(b.address))).toEqual([
    { address: 'anna@example.com', isDaily: false },
    { address: 'ruth@example.com', isDaily: true },
  ]);
});

test('the daily email waits for its hour on the shop’s clock, and holds all of the day', async () => {
  expect(nextShopHour(8, new Date('2026-07-01T06:59:00Z'))).toBe('2026-07-01T07:00:00.000Z');
  expect(nextShopHour(8, new Date('2026-07-01T07:00:00Z'))).toBe('2026-07-02T07:00:00.000Z');
  expect(nextShopHour(8, new Date('2026-12-01T06:59:00Z'))).toBe('2026-12-01T08:00:00.000Z');
  // The hour that the clocks leave out in spring comes on the day after.
  expect(nextShopHour(1, new Date('2027-03-28T00:30:00Z'))).toBe('2027-03-29T00:00:00.000Z');
  const address = await toldOf(EVERYTHING, 'once a day');
  for (const text of ['Order one', 'Order two', 'Order two']) await tell(text);
  await tell('A review', 'review');
  expect(await received(address)).toEqual([]);
  await db.updateTable('staffNotices').set({ dueAt: new Date().toISOString() }).execute();
  const [mail, ...more] = await received(address);
  expect([mail?.subject, more]).toEqual(['3 × New order, 1 × New review', []]);
  for (const text of ['Order one', 'Order two (2 times)', 'A review']) expect(mail?.text).toContain(text);
});

test('a flood becomes twelve emails an hour and one with all the rest', async () => {
  const address = await toldOf('order');
  for (let n = 1; n <= 12; n += 1) {
    await tell(`Order ${n}`);
    expect(await received(address)).toHaveLength(n);
  }
  for (let n = 13; n <= 80; n += 1) await tell(`Order ${n}`);
  expect(await received(address)).toHaveLength(12);
  const waiting = await db.selectFrom('staffNotices').select('dueAt').distinct().execute();
  expect(waiting).toHaveLength(1);
  expect(Date.parse(waiting[0]?.dueAt ?? '')).toBeGreaterThan(Date.now() + 3_000_000);
  // The hour is over.
  await db.deleteFrom('rateLimits').execute();
  await db.updateTable('staffNotices').set({ dueAt: new Date().toISOString() }).execute();
  const all = await received(address);
  expect([all.length, all.at(-1)?.subject]).toEqual([13, '68 × New order']);
  expect(all.at(-1)?.text).toContain('And 18 more');
});

test('a notice of a clock that was ahead waits no longer than others', async () => {
  const address = await toldOf('order');
  await tell('An order');
  const [ahead, hour] = [sql<string>`now() + interval '20 hours'`, 3_600_000];
  await db.updateTable('staffNotices').set({ createdAt: ahead, dueAt: ahead }).execute();
  expect(await received(address)).toHaveLength(1);
  await tell('Postponed by such a clock');
  await db.updateTable('staffNotices').set({ dueAt: sql<string>`now() + interval '40 days'` }).execute();
  expect(await received(address)).toHaveLength(2);
  // The hour's emails are used up: it waits for the next hour, once.
  for (let n = 3; n <= 12; n += 1) {
    await tell(`Order ${n}`);
    await received(address);
  }
  await tell('The last');
  await db.updateTable('staffNotices').set({ createdAt: ahead, dueAt: ahead }).execute();
  expect(await received(address)).toHaveLength(12);
  const [waiting] = await db.selectFrom('staffNotices').select(['createdAt', 'dueAt']).execute();
  expect(Date.parse(waiting?.createdAt ?? '')).toBeLessThanOrEqual(Date.now() + 60_000);
  expect(Date.parse(waiting?.dueAt ?? '')).toBeLessThanOrEqual(Date.now() + hour);
});

test('two processes that send at the same time, or one that is killed after it, send each notice once', async () => {
  const address = await toldOf('order');
  for (let n = 0; n < 5; n += 1) await tell('The same order');
  await Promise.all([sendStaffNotices(services), sendStaffNotices(services), sendStaffNotices(services)]);
  expect(await queuedJobs(db, 'sendMail')).toHaveLength(1);
  expect(await received(address)).toHaveLength(1);
});

test('an address that is taken off the list hears no more, and the failure of an email to staff is told by none', async () => {
  const address = await toldOf(EVERYTHING, 'once a day');
  await tell('An order');
  const other = await toldOf(EVERYTHING);
  await db.updateTable('staffNotices').set({ dueAt: new Date().toISOString() }).execute();
  expect(await received(address)).toEqual([]);
  await enqueue(db, mailJobs.sendMail, { to: other, subject: '', text: '', html: '' }, { maxAttempts: 1 });
  await runJobs({ ...services, mailer: { ...services.mailer, send: () => Promise.reject(new Error('no such host')) } });
  expect(await received(other)).toEqual([]);
});
