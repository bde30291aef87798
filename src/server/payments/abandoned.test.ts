import { expect, test } from 'vitest';
import { buildApp } from '#server/app/app.ts';
import { runJobs } from '#server/app/jobs.ts';
import { Payments } from '#server/gateways/payments.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop, WEBHOOK_SECRET } from '#server/testing/harness.ts';
import { makeJobsDue, queuedJobs } from '#server/testing/jobs.ts';
import { forceOrder } from '#server/testing/orders.ts';

const shop = await testShop();
const { app, db, services } = shop;
const { checkout, notify, orderOf, stockOf, eventsOf } = cardDesk(shop);
const order = (buyer: SignedIn, line: ReturnType<typeof aLine>, from = app) =>
  from.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([line]) });

test('a hold that nobody pays ends by the clock, after the provider’s page has closed (§11.2)', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const { url, sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  const { id, holdExpiresAt } = await orderOf(sessionId);
  const [job] = await queuedJobs(db, 'expireHold');
  expect(Math.round((job?.dueIn ?? 0) / 60)).toBe(33);
  expect(Date.parse(holdExpiresAt ?? '')).toBeGreaterThan(Date.now() + 31 * 60_000);
  await runJobs(services);
  expect(await stockOf(sofa._id)).toBe(0);
  await makeJobsDue(db);
  await runJobs(services);
  expect([await stockOf(sofa._id), (await orderOf(sessionId)).status]).toEqual([1, 'expired']);
  expect(await eventsOf(id)).toEqual(['payment started', 'hold given back']);
  const late = await pay(url);
  expect([late.status, await late.text()]).toEqual([410, expect.stringContaining('Nothing was charged')]);
});

test('who leaves the card page and comes back for the last piece is not refused by their own hold', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 1 });
  const first = await checkout(buyer, [aLine(sofa)]);
  const second = await checkout(buyer, [aLine(sofa)]);
  expect([second.reply.statusCode, await stockOf(sofa._id)]).toEqual([200, 0]);
  expect([(await pay(first.url)).status, (await pay(second.url)).status]).toEqual([410, 303]);
  expect([(await orderOf(first.sessionId)).status, (await orderOf(second.sessionId)).status]).toEqual(['expired', 'placed']);
});

test('who leaves the card page and pays on delivery instead gets the piece once, and cannot pay for it twice', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 1 });
  const { url } = await checkout(buyer, [aLine(sofa)]);
  expect((await order(buyer, aLine(sofa))).statusCode).toBe(201);
  expect([(await pay(url)).status, await stockOf(sofa._id)]).toEqual([410, 0]);
});

test('somebody else’s hold stays, and names what is left', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const { url } = await checkout(await aCustomer(db), [aLine(sofa)]);
  const refused = await checkout(await aCustomer(db), [aLine(sofa)]);
  expect([refused.reply.statusCode, refused.reply.json().message]).toEqual([409, `${sofa.name} is sold out.`]);
  expect((await pay(url)).status).toBe(303);
});

test('a payment that was made in the last moment becomes its order, whatever the customer does next', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 2 });
  const { url, sessionId } = await checkout(buyer, [aLine(sofa)]);
  await pay(url);
  const { id } = await orderOf(sessionId);
  // As if its notice were still on the way.
  await forceOrder(db, id, { status: 'awaiting_payment', paidAt: null });
  expect((await order(buyer, aLine(sofa))).statusCode).toBe(201);
  await runJobs(services);
  expect([(await orderOf(sessionId)).status, await stockOf(sofa._id)]).toEqual(['placed', 0]);
});

test('while the provider is away its open page keeps nobody from paying on delivery', async () => {
  const buyer = await aCustomer(db);
  const [sofa, lamp] = [await aProduct(db, { stock: 1 }), await aProduct(db, { stock: 1 })];
  const { url } = await checkout(buyer, [aLine(sofa)]);
  const away = { secretKey: 'sk_test_shop', webhookSecret: WEBHOOK_SECRET, apiBase: 'http://127.0.0.1:9' };
  const cut = await buildApp({ ...services, payments: new Payments(away, services.log) }, async () => ({
    status: 200,
    head: '',
    body: '',
    state: {},
    modules: [],
  }));
  expect((await order(buyer, aLine(lamp), cut)).statusCode).toBe(201);
  expect((await order(buyer, aLine(sofa), cut)).statusCode).toBe(409);
  expect((await pay(url)).status).toBe(303);
  await cut.close();
});

test('a page that the provider no longer knows frees its stock too', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const { sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  const { id } = await orderOf(sessionId);
  await db.updateTable('orders').set({ providerSessionId: 'cs_test_forgotten' }).where('id', '=', id).execute();
  await makeJobsDue(db);
  await runJobs(services);
  expect([await stockOf(sofa._id), (await eventsOf(id)).at(-1)]).toEqual([1, 'hold given back']);
  expect(await queuedJobs(db, 'expireHold')).toEqual([]);
});

test('a session that was made just before the shop died is found by its order, and closed', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const { url, sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  const { id } = await orderOf(sessionId);
  await db.updateTable('orders').set({ providerSessionId: null }).where('id', '=', id).execute();
  await makeJobsDue(db);
  await runJobs(services);
  expect([await stockOf(sofa._id), (await pay(url)).status]).toEqual([1, 410]);
});

test('a payment that failed after all gives the stock back at once', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const { sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  await notify('checkout.session.completed', sessionId, { status: 'complete', payment_status: 'unpaid' });
  expect([await stockOf(sofa._id), (await orderOf(sessionId)).status]).toEqual([0, 'awaiting_payment']);
  await notify('checkout.session.async_payment_failed', sessionId, { status: 'complete', payment_status: 'unpaid' });
  expect([await stockOf(sofa._id), (await orderOf(sessionId)).status]).toEqual([1, 'expired']);
});
