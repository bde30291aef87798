import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { aCustomer, aLine, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

/** A provider that misbehaves on purpose, over real HTTP. */
async function aBrokenProvider(): Promise<{ url: string; server: Server; behaviour: { answer: 'nonsense' | 'error' | 'hang up' } }> {
  const behaviour: { answer: 'nonsense' | 'error' | 'hang up' } = { answer: 'error' };
  const server = createServer((request, response) => {
    if (behaviour.answer === 'hang up') {
      request.socket.destroy();
      return;
    }
    response.writeHead(behaviour.answer === 'error' ? 500 : 200, { 'content-type': 'application/json' });
    response.end(behaviour.answer === 'error' ? '{"error":{"message":"down"}}' : '{"hello":"world"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, behaviour };
}

const provider = await aBrokenProvider();
const { app, db } = await testShop({ env: { STRIPE_API_BASE: provider.url } });

test.each(['error', 'nonsense', 'hang up'] as const)(
  'with a provider that answers with “%s” the customer is told, the stock is back, and cash still works',
  async (answer) => {
    provider.behaviour.answer = answer;
    const buyer = await aCustomer(db);
    const sofa = await aProduct(db, { stock: 1 });
    const reply = await app.inject({
      method: 'POST',
      url: '/stripe/create-checkout-session',
      headers: buyer.headers,
      payload: { orderItems: [aLine(sofa)] },
    });
    expect([reply.statusCode, reply.json().message]).toEqual([503, expect.stringContaining('choose cash on delivery')]);
    const { countInStock } = await db.selectFrom('products').select('countInStock').where('id', '=', sofa._id).executeTakeFirstOrThrow();
    expect(countInStock).toBe(1);
    expect(
      (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(sofa)]) })).statusCode,
    ).toBe(201);
  },
);
