import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { PAYER } from './payer.ts';
import { type SandboxOptions, startSandbox } from './sandbox.ts';

const SECRET_KEY = 'sk_test_sandbox';
const WEBHOOK_SECRET = 'whsec_sandbox';

function newDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A shop's webhook endpoint: refuses the first `refusals` events and keeps the rest. */
async function aShop({ refusals = 0 } = {}) {
  const attempts: string[] = [];
  const taken: Stripe.Event[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    const event = reader.webhooks.constructEvent(body, incoming.headers['stripe-signature'] ?? '', WEBHOOK_SECRET);
    attempts.push(event.id);
    const isRefused = attempts.length <= refusals;
    if (!isRefused) taken.push(event);
    response.writeHead(isRefused ? 500 : 200).end();
    for (const { count, resolve } of waiting) if (taken.length >= count) resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stripe/webhook`;
  const takes = (count: number) =>
    new Promise<void>((resolve) => (taken.length >= count ? resolve() : void waiting.push({ count, resolve })));
  return { url, attempts, taken, takes };
}

const reader = new Stripe(SECRET_KEY);
const sdk = (url: string, key = SECRET_KEY) =>
  new Stripe(key, { host: '127.0.0.1', port: new URL(url).port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });

async function aSandbox(options: Partial<SandboxOptions> = {}) {
  const settings = { host: '127.0.0.1', port: 0, secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, webhookUrl: 'http://127.0.0.1:9/' };
  const sandbox = await startSandbox({ ...settings, dir: newDir(), deliver: options.webhookUrl !== undefined, ...options });
  onTestFinished(() => sandbox.close());
  return { ...sandbox, stripe: sdk(sandbox.url) };
}

function anOrder(change: Partial<Stripe.Checkout.SessionCreateParams> = {}): Stripe.Checkout.SessionCreateParams {
  const price_data = { currency: 'gbp', unit_amount: 64_900, product_data: { name: 'Oslo sofa', description: 'Large, green' } };
  return {
    mode: 'payment',
    client_reference_id: 'order-1',
    metadata: { orderId: 'order-1' },
    customer_email: 'buyer@example.com',
    success_url: 'https://shop.example/successPayment?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://shop.example/cart',
    shipping_address_collection: { allowed_countries: ['GB', 'IE'] },
    line_items: [{ quantity: 2, price_data }],
    ...change,
  };
}

const pay = (url: string | null, change: Partial<typeof PAYER> & { shipping?: string } = {}) =>
  fetch(url ?? '', { method: 'POST', body: new URLSearchParams({ ...PAYER, ...change }), redirect: 'manual' });

test('a paid session holds what was bought, who paid and where it goes, and the payer is sent back to the shop', async () => {
  const shop = await aShop();
  const { stripe } = await aSandbox({ webhookUrl: shop.url });
  const session = await stripe.checkout.sessions.create(anOrder());
  expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 129_800, currency: 'gbp' });

  const reply = await pay(session.url);

  expect([reply.status, reply.headers.get('location')]).toEqual([303, `https://shop.example/successPayment?session=${session.id}`]);
  const paid = await stripe.checkout.sessions.retrieve(session.id);
  const address = { line1: '2 Low Road', city: 'York', postal_code: 'YO1 7HH', country: 'GB' };
  expect(paid).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    payment_intent: expect.stringMatching(/^pi_/),
    client_reference_id: 'order-1',
    metadata: { orderId: 'order-1' },
    customer_details: { name: 'Pat Payer', email: 'payer@example.com', phone: '07700 900123' },
    collected_information: { shipping_details: { name: 'Pat Payer', address } },
  });
  expect(shop.taken).toMatchObject([{ type: 'checkout.session.completed', data: { object: { id: session.id, payment_status: 'paid' } } }]);
});

test('a double click on Pay charges once and notifies the shop once', async () => {
  const shop = await aShop();
  const { stripe } = await aSandbox({ webhookUrl: shop.url });
  const { id, url } = await stripe.checkout.sessions.create(anOrder());
  const replies = await Promise.all([pay(url), pay(url), pay(url)]);
  expect(replies.map(({ status }) => status)).toEqual([303, 303, 303]);
  const { payment_intent } = await stripe.checkout.sessions.retrieve(id);
  await pay(url);
  expect((await stripe.checkout.sessions.retrieve(id)).payment_intent).toBe(payment_intent);
  expect(shop.attempts).toHaveLength(1);
});

test('a declined card and wrong fields are explained, charge nothing and keep what was typed, but never the card', async () => {
  const { stripe } = await aSandbox();
  const { id, url } = await stripe.checkout.sessions.create(anOrder());
  const declined = await pay(url, { card: '4000 0000 0000 0002', name: 'Zoë <b>"Payer"' });
  const page = await declined.text();
  expect([declined.status, page]).toEqual([402, expect.stringContaining('Your card was declined.')]);
  expect(page).toContain('Zoë &#60;b&#62;&#34;Payer&#34;');
  expect(page).not.toMatch(/<b>|value="4000/);

  const wrong = await pay(url, { expiry: '01 / 20', postal_code: '', cvc: 'x' });
  const explained = await wrong.text();
  expect(wrong.status).toBe(422);
  for (const reason of ['This card has expired.', 'Enter your postcode.', 'Enter the security code.']) expect(explained).toContain(reason);
  expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('unpaid');
});

test('a product name full of markup stays text on the page', async () => {
  const { stripe } = await aSandbox();
  const product_data = { name: '<script>alert(1)</script>' };
  const line_items = [{ quantity: 1, price_data: { currency: 'gbp', unit_amount: 500, product_data } }];
  const { url } = await stripe.checkout.sessions.create(anOrder({ line_items }));
  const page = await (await fetch(url ?? '')).text();
  expect(page).toContain('&#60;script&#62;alert(1)');
  expect(page).not.toContain('<script');
});

test('the delivery chosen on the page is charged, and its price is said before paying', async () => {
  const { stripe } = await aSandbox();
  const option = (display_name: string, amount: number) => ({
    shipping_rate_data: {
      type: 'fixed_amount' as const,
      display_name,
      fixed_amount: { amount, currency: 'gbp' },
      metadata: { method: display_name },
    },
  });
  const { id, url } = await stripe.checkout.sessions.create(
    anOrder({ shipping_options: [option('Standard', 0), option('Express', 2_500)] }),
  );
  expect(await (await fetch(url ?? '')).text()).toContain('Express: £25.00 (£1,323.00 in all)');
  await pay(url, { shipping: '1' });
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
    amount_total: 132_300,
    total_details: { amount_shipping: 2_500 },
    shipping_cost: { amount_total: 2_500, shipping_rate: expect.stringMatching(/^shr_/) },
  });
  const expand = ['shipping_cost.shipping_rate'];
  expect(await stripe.checkout.sessions.retrieve(id, { expand })).toMatchObject({
    shipping_cost: { shipping_rate: { metadata: { method: 'Express' } } },
  });
});

test('an expired session can not be paid, and a paid one can not be expired', async () => {
  const shop = await aShop();
  const { stripe } = await aSandbox({ webhookUrl: shop.url });
  const [left, bought] = [await stripe.checkout.sessions.create(anOrder()), await stripe.checkout.sessions.create(anOrder())];
  expect(await stripe.checkout.sessions.expire(left.id)).toMatchObject({ status: 'expired', url: null });
  const late = await pay(left.url);
  expect([late.status, await late.text()]).toEqual([410, expect.stringContaining('Nothing was charged.')]);
  await pay(bought.url);
  await expect(stripe.checkout.sessions.expire(bought.id)).rejects.toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
  await shop.takes(2);
  expect(shop.taken.map(({ type }) => type).sort()).toEqual(['checkout.session.completed', 'checkout.session.expired']);
});

test('the same key gives the same session and the same refund; with another request it is refused', async () => {
  const { stripe } = await aSandbox();
  const [first, again] = await Promise.all([
    stripe.checkout.sessions.create(anOrder(), { idempotencyKey: 'order-1' }),
    stripe.checkout.sessions.create(anOrder(), { idempotencyKey: 'order-1' }),
  ]);
  expect(again.id).toBe(first.id);
  const other = stripe.checkout.sessions.create(anOrder({ client_reference_id: 'order-2' }), { idempotencyKey: 'order-1' });
  await expect(other).rejects.toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' });

  await pay(first.url);
  const payment_intent = String((await stripe.checkout.sessions.retrieve(first.id)).payment_intent);
  const refund = await stripe.refunds.create({ payment_intent }, { idempotencyKey: 'refund-1' });
  expect(refund).toMatchObject({ amount: 129_800, status: 'succeeded', payment_intent });
  expect((await stripe.refunds.create({ payment_intent }, { idempotencyKey: 'refund-1' })).id).toBe(refund.id);
  await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({ code: 'charge_already_refunded' });
  expect((await stripe.refunds.list({ payment_intent })).data).toHaveLength(1);
  expect((await stripe.refunds.list({ payment_intent: 'pi_another' })).data).toEqual([]);
});

test('sessions are listed page by page, newest first, from the time asked for', async () => {
  const { stripe } = await aSandbox();
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) made.push((await stripe.checkout.sessions.create(anOrder())).id);
  const listed = await stripe.checkout.sessions.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
  expect(listed.map(({ id }) => id)).toEqual(made.toReversed());
  const later = { gte: Math.floor(Date.now() / 1000) + 60 };
  expect((await stripe.checkout.sessions.list({ created: later })).data).toEqual([]);
});

test('wrong requests are refused in the provider’s shape', async () => {
  const { stripe, url } = await aSandbox();
  await expect(sdk(url, 'sk_test_other').checkout.sessions.list()).rejects.toMatchObject({ type: 'StripeAuthenticationError' });
  await expect(stripe.checkout.sessions.retrieve('cs_test_none')).rejects.toMatchObject({ statusCode: 404 });
  await expect(stripe.checkout.sessions.create(anOrder({ line_items: [] }))).rejects.toThrow('Invalid line_items');
  await expect(stripe.checkout.sessions.create(anOrder({ expires_at: 1 }))).rejects.toThrow('at least 30 minutes');
  const line = { quantity: 1, price_data: { currency: 'gbp', unit_amount: 50_000_000, product_data: { name: 'Sofa' } } };
  await expect(stripe.checkout.sessions.create(anOrder({ line_items: [line, line] }))).rejects.toThrow('at most £999,999.99');
  const lines = Array.from({ length: 101 }, () => ({ ...line, price_data: { ...line.price_data, unit_amount: 100 } }));
  await expect(stripe.checkout.sessions.create(anOrder({ line_items: lines }))).rejects.toThrow('at most 100');
  const option = (value: number) => ({
    shipping_rate_data: {
      type: 'fixed_amount' as const,
      display_name: 'Standard',
      fixed_amount: { amount: 0, currency: 'gbp' },
      delivery_estimate: { minimum: { unit: 'day' as const, value } },
    },
  });
  const six = Array.from({ length: 6 }, () => option(1));
  await expect(stripe.checkout.sessions.create(anOrder({ shipping_options: six }))).rejects.toThrow('at most 5');
  await expect(stripe.checkout.sessions.create(anOrder({ shipping_options: [option(0)] }))).rejects.toThrow('greater than 0');
  await expect(stripe.refunds.create({ payment_intent: 'pi_none' })).rejects.toMatchObject({ statusCode: 404 });
  expect((await fetch(`${url}/pay/cs_test_none`)).status).toBe(404);
});

test('a malformed address is refused and harms nobody else', async () => {
  const { stripe, url } = await aSandbox();
  const [reply] = await once(request({ host: '127.0.0.1', port: new URL(url).port, path: '//' }).end(), 'response');
  expect(reply.statusCode).toBe(401);
  expect((await stripe.checkout.sessions.list()).data).toEqual([]);
});

test('a notice is sent again until the shop takes it', async () => {
  const shop = await aShop({ refusals: 1 });
  const { stripe } = await aSandbox({ webhookUrl: shop.url });
  await pay((await stripe.checkout.sessions.create(anOrder())).url);
  expect(shop.taken).toEqual([]);
  await shop.takes(1);
  expect(new Set(shop.attempts).size).toBe(1);
});

/** The sandbox as its own process; resolves once it answers. */
async function aProcess(dir: string, webhookUrl: string): Promise<{ url: string; child: ChildProcess }> {
  const env = { SANDBOX_DIR: dir, SANDBOX_WEBHOOK_URL: webhookUrl, STRIPE_SECRET_KEY: SECRET_KEY, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdout.setEncoding('utf8');
  for await (const line of child.stdout.iterator({ destroyOnReturn: false })) {
    const url = /answers at (\S+)/.exec(line)?.[1];
    if (url) return { url, child };
  }
  throw new Error('The sandbox did not start.');
}

test('a sandbox killed after a payment still knows it, and still notifies the shop', { timeout: 60_000, tags: ['thorough'] }, async () => {
  const dir = newDir();
  const shop = await aShop({ refusals: 1 });
  const first = await aProcess(dir, shop.url);
  const { id, url } = await sdk(first.url).checkout.sessions.create(anOrder(), { idempotencyKey: 'order-1' });
  expect((await pay(url)).status).toBe(303);
  const gone = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  await gone;

  const second = await aProcess(dir, shop.url);
  expect(await sdk(second.url).checkout.sessions.retrieve(id)).toMatchObject({ status: 'complete', payment_status: 'paid' });
  expect((await sdk(second.url).checkout.sessions.create(anOrder(), { idempotencyKey: 'order-1' })).id).toBe(id);
  await shop.takes(1);
  expect(shop.taken).toMatchObject([{ type: 'checkout.session.completed', data: { object: { id } } }]);
});

test('the balance lists what came and went with its fees; what fails or is won comes back, and all of it can be paid out once', async () => {
  const { stripe, url } = await aSandbox();
  const session = await stripe.checkout.sessions.create(anOrder());
  await pay(session.url);
  const payment_intent = String((await stripe.checkout.sessions.retrieve(session.id)).payment_intent);
  const act = (form: Record<string, string>) =>
    fetch(`${url}/payments/${session.id}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  const refund = await stripe.refunds.create({ payment_intent, amount: 1_000 });
  await act({ action: 'fail', refund: refund.id });
  await act({ action: 'dispute' });
  await act({ action: 'won' });
  expect((await act({ action: 'payout' })).status).toBe(303);
  expect((await act({ action: 'payout' })).status).toBe(400);
  const { data } = await stripe.balanceTransactions.list({ limit: 100, expand: ['data.source'] });
  expect(Object.fromEntries(data.map(({ reporting_category, amount, fee }) => [reporting_category, [amount, fee]]))).toEqual({
    charge: [129_800, 1_967],
    refund: [-1_000, 0],
    refund_failure: [1_000, 0],
    dispute: [-129_800, 2_000],
    dispute_reversal: [129_800, 0],
    payout: [-125_833, 0],
  });
  expect(data.reduce((sum, { net }) => sum + net, 0)).toBe(0);
  expect(data.find(({ reporting_category }) => reporting_category === 'charge')?.source).toMatchObject({
    object: 'charge',
    payment_intent,
  });
});
