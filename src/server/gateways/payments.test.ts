import { pino } from 'pino';
import Stripe from 'stripe';
import { afterAll, expect, test } from 'vitest';
import { PAYER } from '#sandbox/payer.ts';
import { startSandbox } from '#sandbox/sandbox.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import type { NewSession } from './new-session.ts';
import { Payments } from './payments.ts';

const dir = aFolder('payments', afterAll);
const settings = { secretKey: 'sk_test_shop', webhookSecret: 'whsec_shop' };
const sandbox = await startSandbox({ ...settings, host: '127.0.0.1', port: 0, dir, webhookUrl: 'http://127.0.0.1:9/', deliver: false });
afterAll(() => sandbox.close());
const payments = new Payments({ ...settings, apiBase: sandbox.url }, pino({ level: 'silent' }));

function anOrder(orderId: string): NewSession {
  return {
    orderId,
    reference: 'AAAA-CCCC',
    brand: { name: 'Brook', logo: '' },
    lines: [{ name: 'Oslo sofa', description: '', amount: 64_900, quantity: 1 }],
    discount: { amount: 0, name: '' },
    customerEmail: 'buyer@example.com',
    payer: { name: '', phone: '' },
    ways: [],
    successUrl: 'https://shop.example/successPayment',
    cancelUrl: 'https://shop.example/cart',
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    countries: ['GB'],
    shippingOptions: [],
  };
}

test('a payment is given back in full, and asking again, under a new key too, is no failure', async () => {
  const { id, url } = await payments.createSession(anOrder('order-refunded'));
  await fetch(url, { method: 'POST', body: new URLSearchParams(PAYER), redirect: 'manual' });
  const session = await payments.findSession(id);
  expect(session).toMatchObject({ isPaid: true, total: 64_900, address: { country: 'United Kingdom' } });
  const paymentId = session?.paymentId;
  await payments.refund(paymentId ?? '', 'first');
  await payments.refund(paymentId ?? '', 'first');
  await payments.refund(paymentId ?? '', 'a day later');
  expect(await payments.refund('pi_unknown', 'second')).toEqual({ refusal: expect.stringContaining('pi_unknown') });
});

test('more sessions than one page of the provider holds are all read, newest first, each once', async () => {
  const since = new Date();
  const made: string[] = [];
  for (let count = 0; count < 101; count += 1) made.push((await payments.createSession(anOrder(`order-${count}`))).id);
  const read = (await payments.listSessions(since)).filter(({ orderId }) => orderId !== 'order-refunded');
  expect(read.map(({ id }) => id)).toEqual(made.toReversed());
});

test('a provider that can not be reached while sessions are read is said so in the shop’s words', async () => {
  const away = new Payments({ ...settings, apiBase: 'http://127.0.0.1:9' }, pino({ level: 'silent' }));
  await expect(away.listSessions(new Date())).rejects.toMatchObject({
    status: 503,
    message: 'We can’t take card payments right now. Please try again in a moment, or choose cash on delivery.',
  });
});

test('while the webhook’s secret is changed, both sign', async () => {
  const { webhooks } = new Stripe('sk_test_shop');
  const both = new Payments({ ...settings, webhookSecret: 'whsec_new, whsec_shop' }, pino({ level: 'silent' }));
  const payload = JSON.stringify({
    id: 'evt_1',
    type: 'checkout.session.completed',
    data: { object: { object: 'checkout.session', id: 'cs_1' } },
  });
  const signedBy = (secret: string) => webhooks.generateTestHeaderString({ payload, secret });
  for (const secret of ['whsec_new', 'whsec_shop'])
    expect(both.readEvent(Buffer.from(payload), signedBy(secret))).toMatchObject({ id: 'evt_1', sessionId: 'cs_1' });
  expect(() => both.readEvent(Buffer.from(payload), signedBy('whsec_other'))).toThrow('not signed by the payment provider');
  expect(() => both.readEvent(Buffer.from(payload), signedBy('whsec_new, whsec_shop'))).toThrow('not signed by the payment provider');
});
