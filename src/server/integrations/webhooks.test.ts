import { createHmac } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { MadeWebhook, SentMessages, WebhookMessage } from '#contract/integrations/integrations.schema.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { webhookJobs } from '#server/integrations/webhooks.jobs.ts';
import { catalogueChanged, productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import { newId } from '#server/platform/ids.ts';
import type { PayloadOf } from '#server/platform/jobs/queue.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { CERTIFICATE, serveHttps } from '#server/testing/https-server.ts';
import { packWebhook, removeOldMessages, sendWebhook } from './webhooks.jobs.ts';

const KEY = 'a key for secrets that is long enough';
const { app, db, services } = await testShop({ env: { RATE_LIMIT_FACTOR: '1000', SECOND_FACTOR_KEY: KEY } });
const [owner, buyer] = [await anAdmin(db), await aCustomer(db)];
const got: { url: string; body: string; headers: Record<string, unknown> }[] = [];
let answer = 204;
const port = await serveHttps(async (request, reply) => {
  got.push({ url: request.url ?? '', body: await text(request), headers: request.headers });
  reply.writeHead(answer, answer === 302 ? { location: 'https://169.254.169.254/' } : {}).end();
});
const rules = { ca: CERTIFICATE, port, mayReach: (ip: string) => ip === '127.0.0.1' || ip === '::1' };
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const ask = (method: Method, url: string, payload?: object) =>
  app.inject({ method, url, headers: owner.headers, ...(payload && { payload }) });
await ask('POST', '/api/users/proof', { password: PASSWORD });

async function aWebhook(topics: string[]): Promise<{ id: string; secret: string }> {
  const reply = await ask('POST', '/api/office/webhooks', { address: 'https://localhost/told', topics });
  expect([reply.statusCode, reply.body]).toEqual([201, expect.any(String)]);
  const { webhooks, secret } = reply.json<MadeWebhook>();
  const id = webhooks[0]?._id ?? '';
  // The form takes no ports; the test's receiver has one.
  await db
    .updateTable('webhooks')
    .set({ address: `https://localhost:${port}/told` })
    .where('id', '=', id)
    .execute();
  return { id, secret };
}

/** Works through the jobs of webhooks with the rules of the test, as the runner does; failed ones stay. */
async function work(): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const name of ['packWebhook', 'sendWebhook'] as const)
    for (const { id, payload } of await db.selectFrom('jobs').select(['id', 'payload']).where('name', '=', name).orderBy('id').execute())
      try {
        if (name === 'packWebhook') {
          // The runner has taken it, so that another one may wait.
          await db.deleteFrom('jobs').where('id', '=', id).execute();
          await packWebhook(services, payload as PayloadOf<typeof webhookJobs.packWebhook>);
        } else {
          await sendWebhook(services, payload as PayloadOf<typeof webhookJobs.sendWebhook>, rules);
          await db.deleteFrom('jobs').where('id', '=', id).execute();
        }
      } catch (error) {
        failures.push(error);
      }
  return failures;
}
const messagesTo = async (id: string) => (await ask('GET', `/api/office/webhooks/${id}/messages`)).json<SentMessages>().messages;
const messages = () => got.map(({ body }) => JSON.parse(body) as WebhookMessage);
const place = async () =>
  (
    await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(await aProduct(db))]) })
  ).json<Order>();

beforeEach(async () => {
  await db.deleteFrom('webhooks').execute();
  await db.deleteFrom('jobs').execute();
  got.length = 0;
  answer = 204;
});

test('a message about orders and stock is signed as Standard Webhooks say, and names no customer (§24.1)', async () => {
  const { id, secret } = await aWebhook(['order', 'stock']);
  const { _id, reference } = await place();
  expect(await work()).toEqual([]);
  expect(got).toHaveLength(2);
  const [first] = messages();
  const byTopic = Object.fromEntries(messages().map((message) => [message.topic, message.items]));
  expect(byTopic.order).toEqual([{ order: _id, reference, event: 'placed' }]);
  expect(byTopic.stock?.at(-1)).toEqual({
    product: expect.any(String),
    size: null,
    change: -1,
    left: expect.any(Number),
    reason: expect.any(String),
  });
  const { headers, body } = got[0] as (typeof got)[number];
  expect(headers['webhook-id']).toBe(first?.id);
  const time = Number(headers['webhook-timestamp']);
  expect(Math.abs(Date.now() / 1_000 - time)).toBeLessThan(60);
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  expect(key).toHaveLength(32);
  const signature = createHmac('sha256', key).update(`${first?.id}.${time}.${body}`).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signature}`);
  expect(got.map((message) => message.body).join()).not.toContain(buyer.email);
  expect(await messagesTo(id)).toMatchObject([{ status: 204, problem: '', attempts: 1, isWaiting: false, sentAt: expect.any(String) }, {}]);
  expect((await ask('GET', '/api/office/webhooks')).body).not.toContain(secret);
  const { rows } = await sql<{ secret: Buffer }>`select secret from webhooks`.execute(db);
  expect(rows[0]?.secret.includes(key)).toBe(false);
});

test('products are named once a change, returns apart from orders, and nothing is stored where nobody asks (§24.1)', async () => {
  const product = await aProduct(db);
  await ask('PUT', `/api/office/products/${product._id}`, { version: 1, price: 4_200 });
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from webhook_news`.execute(db);
  expect(rows[0]?.count).toBe(0);
  await aWebhook(['product']);
  await aWebhook(['return']);
  await ask('DELETE', `/api/products/${product._id}`);
  await place();
  expect(await work()).toEqual([]);
  expect(messages().map(({ topic, items }) => [topic, items])).toEqual([['product', [{ product: product._id }]]]);
});

test('each product of a large change is told, and a change of anything once, without a name', async () => {
  await aWebhook(['product']);
  await productsChanged(
    db,
    Array.from({ length: 1_200 }, () => newId()),
  );
  await catalogueChanged(db);
  for (let round = 0; round < 3; round += 1) await work();
  expect(messages().map(({ items }) => items.length)).toEqual([500, 500, 201]);
  expect(messages()[2]?.items.at(-1)).toEqual({ product: null });
});

test('what a transaction takes back is told to nobody, and many things at once are one message of at most 500', async () => {
  const { id } = await aWebhook(['stock']);
  const product = await aProduct(db, { stock: 2_000 });
  await sql`delete from webhook_news`.execute(db);
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`update products set count_in_stock = 1999 where id = ${product._id}`.execute(tx);
      throw new Error('taken back');
    })
    .catch(() => undefined);
  for (let left = 1_999; left > 1_497; left -= 1)
    await sql`update products set count_in_stock = ${left} where id = ${product._id}`.execute(db);
  await work();
  await work();
  expect(messages().map(({ items }) => items.length)).toEqual([500, 2]);
  expect(messages()[1]?.items.at(-1)).toMatchObject({ left: 1_498 });
  expect((await messagesTo(id)).map(({ count }) => count)).toEqual([2, 500]);
});

test('a failure is tried again with the same id and text, and can be sent again by hand (§24.1)', async () => {
  const { id } = await aWebhook(['order']);
  answer = 500;
  expect((await ask('POST', `/api/office/webhooks/${id}/test`)).json()).toEqual({
    message: `A test is on its way to https://localhost:${port}/told.`,
  });
  expect(await work()).toMatchObject([{ message: 'It answered 500.' }]);
  expect(await messagesTo(id)).toMatchObject([{ topic: 'test', status: 500, problem: 'It answered 500.', sentAt: null, isWaiting: true }]);
  answer = 302;
  expect(await work()).toMatchObject([{ message: 'It answered 302.' }]);
  answer = 200;
  expect(await work()).toEqual([]);
  const [message] = await messagesTo(id);
  expect(message).toMatchObject({ status: 200, problem: '', attempts: 3, isWaiting: false });
  await ask('POST', `/api/office/webhook-messages/${message?._id}/send`);
  await work();
  expect(new Set(got.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
  expect(got).toHaveLength(4);
});

test('addresses of this machine and its network are refused, in the form and when they are asked', async () => {
  for (const address of [
    'http://example.com',
    'https://user:pass@example.com',
    'https://example.com:8443',
    'https://[::1]/',
    'ftp://example.com',
  ])
    expect([address, (await ask('POST', '/api/office/webhooks', { address, topics: ['order'] })).statusCode]).toEqual([address, 400]);
  const { id } = await aWebhook(['order']);
  for (const address of [
    'https://localhost/',
    'https://127.0.0.1/',
    'https://169.254.169.254/',
    'https://2130706433/',
    'https://10.0.0.1/',
  ]) {
    await db.updateTable('webhooks').set({ address }).where('id', '=', id).execute();
    await ask('POST', `/api/office/webhooks/${id}/test`);
    const [{ payload } = { payload: {} }] = await db.selectFrom('jobs').select('payload').where('name', '=', 'sendWebhook').execute();
    await sendWebhook(services, payload as PayloadOf<typeof webhookJobs.sendWebhook>);
    await db.deleteFrom('jobs').execute();
    expect((await messagesTo(id))[0]?.problem).toContain('is not an address of the public internet.');
  }
  expect(got).toEqual([]);
});

test('a webhook that is switched off, changed or deleted is told nothing more; old messages are deleted', async () => {
  const { id } = await aWebhook(['order']);
  await place();
  const change = (body: object) =>
    ask('PUT', `/api/office/webhooks/${id}`, { address: 'https://example.com/a', topics: ['order'], ...body });
  expect((await change({ isOn: false })).statusCode).toBe(200);
  await work();
  expect(await messagesTo(id)).toMatchObject([{ problem: 'The webhook is switched off.', sentAt: null }]);
  await place();
  expect(await work()).toEqual([]);
  expect(await messagesTo(id)).toHaveLength(1);
  await db.updateTable('webhookMessages').set({ madeAt: sql<string>`now() - interval '31 days'` }).execute();
  await removeOldMessages(db);
  expect(await messagesTo(id)).toEqual([]);
  expect((await ask('DELETE', `/api/office/webhooks/${id}`)).statusCode).toBe(200);
  expect((await ask('GET', `/api/office/webhooks/${id}/messages`)).statusCode).toBe(404);
  expect(got).toEqual([]);
});
