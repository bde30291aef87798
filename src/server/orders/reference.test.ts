import { expect, test } from 'vitest';
import type { Order, OrderList } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { cardDesk } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';

const shop = await testShop({ env: { RATE_LIMIT_FACTOR: '1000' } });
const { app, db } = shop;
const lamp = await aProduct(db, { stock: 500 });
const staff = await anAdmin(db);

async function place(headers: Record<string, string>): Promise<Order> {
  return (await app.inject({ method: 'POST', url: '/api/orders', headers, payload: aPayload([aLine(lamp)]) })).json();
}

test('every order has a reference of its own, without symbols that are mistaken for each other (§3.7)', async () => {
  const orders: Order[] = [];
  for (let count = 0; count < 40; count += 1) orders.push(await place((await aCustomer(db)).headers));
  const references = orders.map(({ reference }) => reference);
  expect(new Set(references).size).toBe(40);
  for (const reference of references) expect(reference).toMatch(/^[ACDEFGHJKMNPQRTWXY34679]{4}-[ACDEFGHJKMNPQRTWXY34679]{4}$/);
  // Nobody can tell the next from the one before: neighbours share no more than chance has them share.
  const shared = references
    .slice(1)
    .map((reference, n) => [...reference].filter((symbol, at) => symbol === references[n]?.[at]).length - 1);
  expect(shared.reduce((sum, count) => sum + count, 0) / shared.length).toBeLessThan(1.5);
});

test('wherever a person meets an order they meet its reference (§3.7)', async () => {
  const buyer = await aCustomer(db);
  const { _id, reference } = await place(buyer.headers);
  const get = (url: string, who = staff) => app.inject({ url, headers: who.headers });
  expect((await get(`/api/orders/${_id}`, buyer)).json<Order>().reference).toBe(reference);
  expect((await get('/api/orders/myorders', buyer)).json<OrderList>().orders.map((order) => order.reference)).toEqual([reference]);
  const [head = '', row = ''] = (await get(`/api/orders/export?user=${buyer._id}`)).body.split('\r\n');
  expect(row.split(',')[head.split(',').indexOf('Reference')]).toBe(reference);
  await runJobs(shop.services);
  expect((await mailsOf(shop.dataDir, buyer.email)).map(({ subject }) => subject)).toEqual([`Thank you for your order ${reference}`]);
});

test.each([
  ['as it is written', (reference: string) => reference],
  ['in small letters', (reference: string) => reference.toLowerCase()],
  ['without its hyphen', (reference: string) => reference.replace('-', '')],
  ['as it is read aloud', (reference: string) => ` ${reference.replace('-', ' - ')} `],
])('staff find an order by its reference %s (§3.7)', async (_, typed) => {
  const { _id, reference } = await place((await aCustomer(db)).headers);
  const reply = await app.inject({ url: '/api/orders', query: { search: typed(reference) }, headers: staff.headers });
  expect(reply.json<OrderList>().orders.map((order) => order._id)).toEqual([_id]);
});

test('the payment provider shows the reference beside the payment (§3.7)', async () => {
  const desk = cardDesk(shop);
  const { sessionId } = await desk.checkout(await aCustomer(db), [aLine(lamp)]);
  const { reference } = await desk.orderOf(sessionId);
  expect((await desk.stripe.checkout.sessions.retrieve(sessionId)).metadata).toMatchObject({ reference });
});
