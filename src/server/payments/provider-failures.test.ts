import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { buildApp } from '#server/app/app.ts';
import { runJobs } from '#server/app/jobs.ts';
import { Payments } from '#server/gateways/payments.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { aCustomer, aLine, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop, WEBHOOK_SECRET } from '#server/testing/harness.ts';
import { makeJobsDue, queuedJobs } from '#server/testing/jobs.ts';
import { readableLog } from '#server/testing/logs.ts';
import { expireHold, reconcilePayments } from './payments.jobs.ts';

const answers = {
  error: { status: 500, body: '{"error":{"message":"down"}}' },
  busy: { status: 429, body: '{"error":{"message":"too many requests"}}' },
  refusal: { status: 401, body: '{"error":{"message":"Invalid API Key provided: sk_test_shop"}}' },
  nonsense: { status: 200, body: '{"hello":"world"}' },
  'a page': { status: 200, body: '<html>Maintenance</html>' },
  refunded: { status: 200, body: '{"id":"re_1","object":"refund","status":"succeeded"}' },
  'no address': { status: 200, body: '{"id":"cs_x","object":"checkout.session","url":"not an address"}' },
  'hang up': undefined,
  silence: undefined,
};
type Behaviour = keyof typeof answers;

/** A provider that misbehaves on purpose, over real HTTP. */
async function aBrokenProvider(): Promise<{ url: string; server: Server; behaviour: { answer: Behaviour } }> {
  const behaviour: { answer: Behaviour } = { answer: 'error' };
  const server = createServer((request, response) => {
    const answer = answers[behaviour.answer];
    if (behaviour.answer === 'hang up') request.socket.destroy();
    if (!answer) return;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, behaviour };
}

const provider = await aBrokenProvider();
const { app: intact, db, services } = await testShop();
const { log, lines, text } = readableLog();
const payments = new Payments({ secretKey: 'sk_test_shop', webhookSecret: WEBHOOK_SECRET, apiBase: provider.url, timeoutMs: 300 }, log);
const app = await buildApp({ ...services, payments }, async () => ({ status: 200, head: '', body: '', state: {}, modules: [] }));
afterAll(() => app.close());

test.each([
  ['error', 503],
  ['busy', 503],
  ['refusal', 502],
  ['nonsense', 503],
  ['a page', 503],
  ['no address', 503],
  ['hang up', 503],
  ['silence', 503],
] as const)(
  'with a provider that answers with “%s” the customer is told, the stock is back, and cash still works',
  async (answer, status) => {
    provider.behaviour.answer = answer;
    const buyer = await aCustomer(db);
    const sofa = await aProduct(db, { stock: 1 });
    const reply = await app.inject({
      method: 'POST',
      url: '/stripe/create-checkout-session',
      headers: buyer.headers,
      payload: { orderItems: [aLine(sofa)] },
    });
    expect([reply.statusCode, reply.json()]).toEqual([
      status,
      { message: 'We can’t take card payments right now. Please try again in a moment, or choose cash on delivery.' },
    ]);
    expect(reply.headers['retry-after']).toBe('15');
    const { countInStock } = await db.selectFrom('products').select('countInStock').where('id', '=', sofa._id).executeTakeFirstOrThrow();
    expect(countInStock).toBe(1);
    const cash = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(sofa)]) });
    expect(cash.statusCode).toBe(201);
    expect(lines.at(-1)).toMatchObject({ level: 50, msg: 'payment provider failed', what: 'create session', ms: expect.any(Number) });
    expect(text()).not.toContain(buyer.email);
  },
);

test.each(['error', 'refusal', 'nonsense', 'hang up'] as const)(
  'reconciliation against a provider that answers with “%s” fails as a job that is tried again, and changes nothing',
  async (answer) => {
    provider.behaviour.answer = answer;
    await expect(reconcilePayments({ ...services, payments })).rejects.toThrow();
  },
);

test.each(['error', 'refusal', 'nonsense', 'hang up'] as const)(
  'a hold is kept while a provider that answers with “%s” cannot say how its session ended',
  async (answer) => {
    const reply = await intact.inject({
      method: 'POST',
      url: '/stripe/create-checkout-session',
      headers: (await aCustomer(db)).headers,
      payload: { orderItems: [aLine(await aProduct(db, { stock: 1 }))] },
    });
    const { id } = await db
      .selectFrom('orders')
      .select('id')
      .where('providerSessionId', '=', reply.json().url.split('/').at(-1))
      .executeTakeFirstOrThrow();
    provider.behaviour.answer = answer;
    await expect(expireHold({ ...services, payments }, { orderId: id })).rejects.toThrow();
    const { status } = await db.selectFrom('orders').select('status').where('id', '=', id).executeTakeFirstOrThrow();
    expect(status).toBe('awaiting_payment');
  },
);

test('a refund that the provider does not take is tried again until it does; the customer hears of it only then', async () => {
  const buyer = await aCustomer(db);
  const order = await app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: buyer.headers,
    payload: aPayload([aLine(await aProduct(db))]),
  });
  await runJobs(services);
  // The holds of the tests before would ask this provider too.
  await db.deleteFrom('jobs').execute();
  await enqueue(db, orderJobs.refundPayment, { orderId: order.json()._id, paymentId: 'pi_x', reason: 'sold' });
  let tries = 0;
  for (const answer of ['error', 'nonsense'] as const) {
    provider.behaviour.answer = answer;
    await makeJobsDue(db);
    await runJobs({ ...services, payments });
    const [job] = await queuedJobs(db, 'refundPayment');
    expect(job?.maxAttempts).toBe(25);
    expect(job?.attempts).toBeGreaterThan(tries);
    tries = job?.attempts ?? 0;
    expect(await queuedJobs(db, 'sendMail')).toEqual([]);
  }
  provider.behaviour.answer = 'refunded';
  await makeJobsDue(db);
  await runJobs({ ...services, payments, mailer: { ...services.mailer, send: async () => undefined, close: () => undefined } });
  expect(await queuedJobs(db, 'refundPayment')).toEqual([]);
});
