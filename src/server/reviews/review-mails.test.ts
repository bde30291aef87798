import { afterEach, beforeEach, expect, test } from 'vitest';
import { eraseCustomer } from '#server/accounts/privacy.service.ts';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, anAdmin, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { makeJobsDue, queuedJobs } from '#server/testing/jobs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { aDelivery } from '#server/testing/reviews.ts';

const shop = await testShop();
const { app, db, services } = shop;
const admin = await anAdmin(db);
const DAYS_S = 24 * 60 * 60;

const asked = async ({ email }: SignedIn) =>
  (await mailsOf(shop.dataDir, email)).filter(({ subject }) => subject === 'How do you like it?');
const markDelivered = (order: string, isDelivered: boolean) =>
  app.inject({ method: 'PUT', url: `/api/orders/${order}/deliver`, headers: admin.headers, payload: { isDelivered } });
async function weeksLater(): Promise<void> {
  await runJobs(services);
  await makeJobsDue(db);
  await runJobs(services);
}
const stop = (token: string) => app.inject({ method: 'POST', url: '/api/reviews/stop-mails', payload: { token } });

const { reviewMailDays } = services.config;
beforeEach(() => runJobs(services));
afterEach(() => {
  services.config.reviewMailDays = reviewMailDays;
});

test('fourteen days after delivery the customer is asked for reviews, with a link for each piece, and once however often it is marked (§18.5)', async () => {
  const [buyer, product] = [await aCustomer(db), await aProduct(db, { name: 'Oslo <Sofa>' })];
  const order = await aDelivery(shop, buyer, product);
  const [job] = await queuedJobs(db, 'askForReviews');
  expect(job?.dueIn).toBeGreaterThan(14 * DAYS_S - 60);
  expect(job?.dueIn).toBeLessThan(14 * DAYS_S + 60);
  await runJobs(services);
  expect(await asked(buyer)).toEqual([]);
  await weeksLater();
  const [mail] = await asked(buyer);
  expect(mail?.html).toContain('Oslo &#60;Sofa&#62;');
  for (const part of [mail?.html, mail?.text]) {
    expect(part).toContain(`${shop.url}/product/${product._id}#write-review`);
    expect(part).toContain(`${shop.url}/order/${order}`);
    expect(part).toMatch(/Stop asking me for reviews/);
  }
  await markDelivered(order, false);
  await markDelivered(order, true);
  await weeksLater();
  expect(await asked(buyer)).toHaveLength(1);
});

test('nobody is asked about an order that turned out not to be delivered, nor after their account was erased (§18.5)', async () => {
  const [waiting, gone] = [await aCustomer(db), await aCustomer(db)];
  const order = await aDelivery(shop, waiting, await aProduct(db));
  await markDelivered(order, false);
  await aDelivery(shop, gone, await aProduct(db));
  await eraseCustomer(db, gone.email, false);
  await weeksLater();
  expect([await asked(waiting), await asked(gone)]).toEqual([[], []]);
});

test('the link in the mail ends such mails for the account, without a log-in and also when it is followed twice (§18.5)', async () => {
  const buyer = await aCustomer(db);
  await aDelivery(shop, buyer, await aProduct(db));
  await weeksLater();
  const token = /#stop-review-mails=([\w-]+)/.exec((await asked(buyer))[0]?.text ?? '')?.[1] ?? '';
  expect(token).toHaveLength(32);
  expect((await stop('A'.repeat(32))).statusCode).toBe(404);
  for (let times = 0; times < 2; times += 1)
    expect((await stop(token)).json()).toEqual({ message: 'We will not ask you for reviews again.' });
  await aDelivery(shop, buyer, await aProduct(db));
  await weeksLater();
  expect(await asked(buyer)).toHaveLength(1);
});

test('a shop that asks for no reviews sends none, not even those that wait (§18.5)', async () => {
  const [before, after] = [await aCustomer(db), await aCustomer(db)];
  await aDelivery(shop, before, await aProduct(db));
  services.config.reviewMailDays = 0;
  await aDelivery(shop, after, await aProduct(db));
  await weeksLater();
  expect([await asked(before), await asked(after)]).toEqual([[], []]);
});
