import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';

const shop = await testShop({ pool: 20, env: { TRUST_PROXY: '127.0.0.1' } });
const { app, db } = shop;
const sofa = await aProduct(db, { stock: 100_000 });
let network = 0;

/** An order from a network of its own, unless one is named. */
async function order({ headers }: SignedIn, { qty = 1, key = '', ip = '' } = {}) {
  network += 1;
  const from = { 'x-forwarded-for': ip || `10.0.${Math.floor(network / 250)}.${(network % 250) + 1}` };
  const payload = aPayload([aLine(sofa, { qty })], { email: `stranger-${network}@example.net` });
  return app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: { ...headers, ...from, ...(key && { 'idempotency-key': key }) },
    payload,
  });
}
const settle = (buyer: SignedIn, change: 'paid_at' | 'delivered_at') =>
  sql`update orders set ${sql.ref(change)} = now() where user_id = ${buyer._id} and ${sql.ref(change)} is null`.execute(db);

test('of a flood of orders by one account forty are taken, also when all arrive at once, and no stranger gets a mail (§11.4)', {
  tags: ['thorough'],
}, async () => {
  const buyer = await aCustomer(db);
  const replies = await Promise.all(Array.from({ length: 60 }, () => order(buyer)));
  expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(40);
  const refused = replies.filter(({ statusCode }) => statusCode !== 201);
  expect(new Set(refused.map((reply) => `${reply.statusCode} ${reply.json().message}`))).toEqual(
    new Set([
      '409 You have 40 orders that are neither paid nor delivered, which is the limit. Please wait for one of them to arrive, or pay by card.',
    ]),
  );
  await runJobs(shop.services);
  expect(await mailsOf(shop.dataDir, buyer.email)).toHaveLength(40);
  for (let n = 1; n <= network; n += 1) expect(await mailsOf(shop.dataDir, `stranger-${n}@example.net`)).toEqual([]);
});

test.each(['paid_at', 'delivered_at'] as const)('an order no longer counts as open once it has its %s', async (change) => {
  const buyer = await aCustomer(db);
  for (let n = 0; n < 40; n += 1) await order(buyer);
  expect((await order(buyer)).statusCode).toBe(409);
  await settle(buyer, change);
  expect((await order(buyer)).statusCode).toBe(201);
});

test('an account places at most sixty orders within an hour, and hears how long to wait (§11.4)', async () => {
  const buyer = await aCustomer(db);
  for (let n = 0; n < 60; n += 1) {
    expect((await order(buyer, { key: `key-${n}` })).statusCode).toBe(201);
    await settle(buyer, 'paid_at');
  }
  const refused = await order(buyer);
  expect([refused.statusCode, refused.json().message]).toEqual([
    429,
    'You have placed 60 orders within an hour, which is the limit. Please wait 60 minutes, or pay by card.',
  ]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
  for (const moved of ['-61 minutes', '40 days']) {
    await sql`update orders set created_at = now() + ${moved}::interval where user_id = ${buyer._id}`.execute(db);
    expect((await order(buyer)).statusCode).toBe(201);
  }
});

test('an order that is sent again with its key is answered although the ceiling is reached', async () => {
  const buyer = await aCustomer(db);
  const payload = aPayload([aLine(sofa)]);
  const headers = { ...buyer.headers, 'idempotency-key': 'first', 'x-forwarded-for': '10.9.9.9' };
  const send = () => app.inject({ method: 'POST', url: '/api/orders', headers, payload });
  const first = (await send()).json();
  for (let n = 0; n < 39; n += 1) await order(buyer);
  expect((await order(buyer)).statusCode).toBe(409);
  expect((await send()).json()).toEqual(first);
});

test('a network with many accounts is limited too (§11.1)', async () => {
  const [first, other] = [await aCustomer(db), await aCustomer(db)];
  expect((await order(first, { ip: '10.77.0.1' })).statusCode).toBe(201);
  // As if more than a thousand had come from there.
  await db.updateTable('rateLimits').set({ tries: 1_199 }).where('key', 'like', 'order:network:%').execute();
  expect((await order(first, { ip: '10.77.0.1' })).statusCode).toBe(201);
  expect((await order(other, { ip: '10.77.0.1' })).statusCode).toBe(429);
});

test('staff take as many orders as come in', async () => {
  const admin = await anAdmin(db);
  const replies = await Promise.all(Array.from({ length: 45 }, () => order(admin, { qty: 9 })));
  expect(replies.every(({ statusCode }) => statusCode === 201)).toBe(true);
});
