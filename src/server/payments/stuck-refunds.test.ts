import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { Payments } from '#server/gateways/payments.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop, WEBHOOK_SECRET } from '#server/testing/harness.ts';

const shop = await testShop();
const { app, db, services } = shop;
const { checkout, orderOf, stripe } = cardDesk(shop);
const admin = await anAdmin(db);

test('a refund whose tries are used up says so, and is made when somebody tries again, once (§20.6)', async () => {
  const buyer = await aCustomer(db);
  const { url, sessionId } = await checkout(buyer, [aLine(await aProduct(db, { price: 30_000 }))]);
  await pay(url);
  const { id, providerPaymentId } = await orderOf(sessionId);
  const post = (path: string, payload: object = {}) => app.inject({ method: 'POST', url: path, headers: admin.headers, payload });
  const [refund] = (await post(`/api/office/orders/${id}/refunds`, { amount: 1_000, reason: 'Goodwill' })).json<Order>().refunds;
  const retry = () => post(`/api/office/refunds/${refund?._id}/retry`);
  const read = async (who = admin) => (await app.inject({ url: `/api/orders/${id}`, headers: who.headers })).json<Order>().refunds;
  expect(refund).toMatchObject({ status: 'pending', isStuck: false });
  expect((await retry()).statusCode).toBe(409);
  await db.updateTable('jobs').set({ maxAttempts: 1 }).where('key', '=', `refund ${refund?._id}`).execute();
  const away = new Payments({ secretKey: 'sk_test_shop', webhookSecret: WEBHOOK_SECRET, apiBase: 'http://127.0.0.1:9' }, services.log);
  await runJobs({ ...services, payments: away });
  expect(await read()).toMatchObject([{ status: 'pending', isStuck: true }]);
  expect(await read(buyer)).toMatchObject([{ status: 'pending', isStuck: false }]);
  const replies = await Promise.all([retry(), retry()]);
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  await runJobs(services);
  expect(await read()).toMatchObject([{ status: 'done', isStuck: false }]);
  expect((await stripe.refunds.list({ payment_intent: providerPaymentId ?? '' })).data).toHaveLength(1);
});
