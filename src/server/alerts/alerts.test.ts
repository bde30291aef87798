import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { eraseCustomer, exportCustomer } from '#server/accounts/privacy.service.ts';
import { alertJobs } from '#server/alerts/alerts.service.ts';
import { JOBS, runJobs } from '#server/app/jobs.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';

const shop = await testShop({ env: { TRUST_PROXY: '127.0.0.1' } });
const { app, db, services } = shop;

let people = 0;
const aStranger = () => {
  people += 1;
  return `stranger-${people}@example.com`;
};
const ask = (id: string, email: string, ip = `10.1.0.${people % 250}`) =>
  app.inject({
    method: 'POST',
    url: `/api/products/${id}/alerts`,
    headers: { 'x-forwarded-for': ip },
    payload: { email, consent: true },
  });
const follow = (what: 'confirm' | 'stop', token: string) => app.inject({ method: 'POST', url: `/api/alerts/${what}`, payload: { token } });
const mails = (email: string, subject: RegExp) =>
  mailsOf(shop.dataDir, email).then((all) => all.filter((mail) => subject.test(mail.subject ?? '')));
const tokenOf = (text: string | undefined, what: 'confirm' | 'stop') => new RegExp(`#${what}-alert=([\\w-]+)`).exec(text ?? '')?.[1] ?? '';
const CONFIRM = /Do you want to know/;
const BACK = /It is back in stock/;

/** Someone with a confirmed alert for a product. */
async function aWaiting(productId: string): Promise<string> {
  const email = aStranger();
  await ask(productId, email);
  await runJobs(services);
  await follow('confirm', tokenOf((await mails(email, CONFIRM))[0]?.text, 'confirm'));
  return email;
}
async function aMinuteLater(): Promise<void> {
  await enqueue(db, alertJobs.tellOfReturns, {}, { key: 'returns' });
  await runJobs(services);
}
const restock = (id: string, countInStock: number) => db.updateTable('products').set({ countInStock }).where('id', '=', id).execute();

test('who has confirmed hears once when a product is back, and their address is forgotten (§19.2)', async () => {
  const product = await aProduct(db, { stock: 0, name: 'Gone Sofa' });
  const email = aStranger();
  expect((await ask(product._id, email)).json()).toEqual({
    message: 'Almost done: click the link in the email we’ve just sent.',
  });
  await runJobs(services);
  const [mail] = await mails(email, CONFIRM);
  expect(mail?.text).toContain('Gone Sofa');
  const token = tokenOf(mail?.text, 'confirm');
  expect(token).toHaveLength(32);
  expect(mail?.html).toContain(`${shop.url}/product/${product._id}#confirm-alert=${token}`);
  for (let times = 0; times < 2; times += 1) expect((await follow('confirm', token)).statusCode).toBe(200);
  await aMinuteLater();
  expect(await mails(email, BACK)).toEqual([]);
  await restock(product._id, 3);
  await Promise.all([aMinuteLater(), aMinuteLater()]);
  const [back, ...others] = await mails(email, BACK);
  expect([back?.text, others]).toEqual([expect.stringContaining(`${shop.url}/product/${product._id}`), []]);
  await restock(product._id, 0);
  await restock(product._id, 3);
  await aMinuteLater();
  expect(await mails(email, BACK)).toHaveLength(1);
  expect((await follow('confirm', token)).statusCode).toBe(404);
  await expect(exportCustomer(db, email)).rejects.toMatchObject({ status: 404 });
});

test('nobody hears of a sofa that staff cancel because it is not there (§20.3)', async () => {
  const [product, admin] = [await aProduct(db, { stock: 1 }), await anAdmin(db)];
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, headers: admin.headers, payload });
  const orderAndCancel = async (reason: string) => {
    const { _id } = (await post('/api/orders', aPayload([aLine(product)]))).json<Order>();
    const email = await aWaiting(product._id);
    await post(`/api/office/orders/${_id}/cancel`, { reason });
    await aMinuteLater();
    return (await mails(email, BACK)).length;
  };
  expect(await orderAndCancel('The customer asked for it')).toBe(1);
  expect(await orderAndCancel('Not in stock')).toBe(0);
});

test('who has not confirmed, or stopped it, hears nothing (§19.2)', async () => {
  const product = await aProduct(db, { stock: 0 });
  const silent = aStranger();
  await ask(product._id, silent);
  const stopped = await aWaiting(product._id);
  const token = tokenOf((await mails(stopped, CONFIRM))[0]?.text, 'stop');
  expect((await follow('stop', token)).json()).toEqual({
    message: 'We have deleted your address and will not email you about this piece.',
  });
  expect((await follow('stop', token)).statusCode).toBe(404);
  await runJobs(services);
  await restock(product._id, 1);
  await aMinuteLater();
  expect([await mails(silent, BACK), await mails(stopped, BACK)]).toEqual([[], []]);
});

test('the answer does not tell whether an address waits already, and who does is not asked again (§19.2)', async () => {
  const product = await aProduct(db, { stock: 0 });
  const known = await aWaiting(product._id);
  const [again, fresh] = [await ask(product._id, known.toUpperCase()), await ask(product._id, aStranger())];
  expect([again.statusCode, again.body]).toEqual([fresh.statusCode, fresh.body]);
  await runJobs(services);
  expect(await mails(known.toUpperCase(), CONFIRM)).toEqual([]);
  expect(await mails(known, CONFIRM)).toHaveLength(1);
});

test('strangers cannot be mailed at will: by address from all networks together, and by network (§19.2)', async () => {
  const product = await aProduct(db, { stock: 0 });
  const victim = aStranger();
  const statuses = [];
  for (let n = 0; n < 8; n += 1) statuses.push((await ask(product._id, victim, `10.2.0.${n + 1}`)).statusCode);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  const many = [];
  for (let n = 0; n < 25; n += 1) many.push((await ask(product._id, aStranger(), '10.3.0.1')).statusCode);
  expect(many.filter((status) => status === 200)).toHaveLength(20);
});

test.each([
  ['without consent', { email: 'a@example.com', consent: false }, 'consent'],
  ['without an address', { email: '', consent: true }, 'email'],
  ['with something else', { email: 'a@example.com\r\nBcc: b@example.com', consent: true }, 'email'],
])('an alert %s is refused at its field', async (_, payload, field) => {
  const { _id } = await aProduct(db, { stock: 0 });
  const reply = await app.inject({ method: 'POST', url: `/api/products/${_id}/alerts`, payload });
  expect([reply.statusCode, Object.keys(reply.json().errors)]).toEqual([400, [field]]);
});

test('what is in stock, or unknown, needs no alert', async () => {
  expect((await ask((await aProduct(db))._id, aStranger())).json()).toEqual({ message: 'This piece is in stock: you can order it now.' });
  expect((await ask('01890000-0000-7000-8000-000000000000', aStranger())).statusCode).toBe(404);
});

test('alerts are exported and erased with an address, also without an account (§19.2)', async () => {
  const product = await aProduct(db, { stock: 0 });
  const email = await aWaiting(product._id);
  expect(await exportCustomer(db, email)).toMatchObject({
    account: null,
    stockAlerts: [{ productId: product._id, confirmedAt: expect.any(String) }],
  });
  await eraseCustomer(db, email.toUpperCase(), false);
  await restock(product._id, 1);
  await aMinuteLater();
  expect(await mails(email, BACK)).toEqual([]);
});

test('addresses are forgotten by age: a week without a confirmation, half a year with one, and with their product (§19.2)', async () => {
  const product = await aProduct(db, { stock: 0 });
  const deleted = await aProduct(db, { stock: 0 });
  const [old, waiting, kept, gone] = [aStranger(), await aWaiting(product._id), await aWaiting(product._id), await aWaiting(deleted._id)];
  await ask(product._id, old);
  await runJobs(services);
  const age = (email: string, days: number) =>
    sql`update stock_alerts set created_at = now() - make_interval(days => ${days}) where email = ${email}`.execute(db);
  await age(old, 8);
  await age(waiting, 181);
  await age(kept, 179);
  await db.updateTable('products').set({ deletedAt: new Date().toISOString() }).where('id', '=', deleted._id).execute();
  await enqueue(db, JOBS.removeExpired, {});
  await runJobs(services);
  const left = await db.selectFrom('stockAlerts').select('email').where('email', 'in', [old, waiting, kept, gone]).execute();
  expect(left).toEqual([{ email: kept }]);
});
