import { beforeEach, expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';

const shop = await testShop({ env: { ...MANY_ORDERS, STORE_MARKET: 'uk' } });
const { app, db } = shop;
const admin = await anAdmin(db);
const sofa = await aProduct(db, { name: 'Sofa', price: 60_000, stock: 1_000 });
const stool = await aProduct(db, { name: 'Stool', price: 9_000, stock: 1_000 });
const lamp = await aProduct(db, { name: 'Lamp', price: 5_000, stock: 1_000 });
let buyer: SignedIn;
let order: Order;

async function call<T = Order>(method: 'POST' | 'PUT', url: string, payload: object, who = admin): Promise<T> {
  const reply = await app.inject({ method, url, headers: who.headers, payload });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json<T>();
}
const place = async (...products: (typeof sofa)[]) => {
  const lines = products.map((product) => aLine(product));
  order = await call('POST', '/api/orders', aPayload(lines), buyer);
};
const office = <T = Order>(path: string, payload: object) => call<T>('POST', `/api/office/orders/${order._id}/${path}`, payload);
const record = (isPaid: boolean) => call('PUT', `/api/orders/${order._id}/cash`, { isPaid });
const piece = (line: number) => ({ line, qty: 1 });

/** The last mail with this in its subject. */
async function mailAbout(subject: string): Promise<string> {
  await runJobs(shop.services);
  const mail = (await mailsOf(shop.dataDir, buyer.email)).findLast((found) => found.subject?.includes(subject));
  return (mail?.text ?? '').replace(/\s+/g, ' ');
}

beforeEach(async () => {
  buyer = await aCustomer(db);
});

test('the mail of a return says what the order costs now, and does not ask again for what the driver has (§20.9)', async () => {
  await place(sofa, lamp);
  await office('parcels', {});
  await call('PUT', `/api/orders/${order._id}/deliver`, { isDelivered: true });
  const { returns } = await office('returns', { lines: [piece(1)], reason: 'It does not fit', answer: '' });
  await call('POST', `/api/office/returns/${returns[0]?._id}/received`, { lines: [{ line: 1, restocked: 1, spoiled: 0 }] });
  const text = await mailAbout('Your return has arrived');
  expect(text).toContain('We have received: 1 × Lamp. Your order now costs £600.00.');
  expect(text).not.toContain('to pay');
});

test('so does the mail of a cancellation, while a driver collects for a parcel', async () => {
  await place(stool, lamp);
  await office('parcels', { lines: [piece(1)] });
  await office('cancel', { reason: 'Not in stock', pieces: [piece(0)] });
  const text = await mailAbout('was cancelled');
  expect(text).toContain('Your order now costs £99.00.');
  expect(text).not.toContain('to pay');
});

test('so does the mail of a correction, for which staff have taken back the record of the cash', async () => {
  await place(sofa);
  await record(true);
  await record(false);
  const { revision } = (await app.inject({ url: `/api/orders/${order._id}`, headers: admin.headers })).json<Order>();
  const wish = { revision, lines: [], added: [{ product: lamp._id, qty: 1 }] };
  const { difference: expected } = await office<{ difference: number }>('correction', wish);
  await office('correction', { ...wish, expected });
  const text = await mailAbout('has changed');
  expect(text).toContain('Added: 1 × Lamp. Your order now costs £650.00.');
  expect(text).not.toContain('to pay');
});

test('a whole order that is cancelled before it was paid leaves nothing to pay', async () => {
  await place(sofa);
  await office('cancel', { reason: 'Not in stock' });
  expect(await mailAbout('was cancelled')).toContain('There is nothing to pay.');
});
