import { expect, test } from 'vitest';
import { runJobs } from '#server/app/jobs.ts';
import { mostHeld } from '#server/orders/lines/holds.service.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { queuedJobs } from '#server/testing/jobs.ts';
import { forceOrder } from '#server/testing/orders.ts';

/** The fake provider hangs for longer than a test takes, so no reply comes from its giving up. */
const shop = await testShop({ pool: 20, env: { TRUST_PROXY: '127.0.0.1' }, providerTimeoutMs: 60_000 });
/** Seven times the longest wait for the provider, and far less than it hangs. */
const SOON_MS = 15_000;
const { app, db, services, wire } = shop;
const { checkout, orderOf, stockOf, eventsOf, stripe } = cardDesk(shop);

type Line = ReturnType<typeof aLine>;
let visitors = 0;
/** Starts a checkout over HTTP, by default from its own IP address. */
async function open(buyer: SignedIn, lines: Line[], { key, from = '' }: { key?: string; from?: string } = {}) {
  visitors += 1;
  const address = from || `10.0.${Math.floor(visitors / 200)}.${(visitors % 200) + 1}`;
  return app.inject({
    method: 'POST',
    url: '/stripe/create-checkout-session',
    headers: { ...buyer.headers, 'x-forwarded-for': address, ...(key && { 'idempotency-key': key }) },
    payload: { orderItems: lines },
  });
}
const order = (buyer: SignedIn, lines: Line[], change: Record<string, unknown> = {}, key = '') =>
  app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: { ...buyer.headers, ...(key && { 'idempotency-key': key }) },
    payload: aPayload(lines, change),
  });
const check = async (lines: Line[], buyer?: SignedIn): Promise<number[]> => {
  const reply = await app.inject({
    method: 'POST',
    url: '/api/cart/check',
    headers: { ...buyer?.headers },
    payload: { orderItems: lines },
  });
  return reply.json<{ lines: { available: number }[] }>().lines.map(({ available }) => available);
};
const goBack = async (mark: string) => app.inject({ method: 'POST', url: '/api/cart/return', payload: { mark } });
const markOf = async (sessionId: string) => {
  const cancel = new URL((await stripe.checkout.sessions.retrieve(sessionId)).cancel_url ?? '');
  expect(cancel.origin + cancel.pathname).toBe(`${shop.url}/cart`);
  return cancel.searchParams.get('left') ?? '';
};
const openSessions = async (ids: string[]) => {
  const sessions = await Promise.all(ids.map((id) => stripe.checkout.sessions.retrieve(id)));
  return sessions.filter(({ status }) => status === 'open').length;
};
const sessionIn = (reply: { json(): { url: string } }) => reply.json().url.split('/').at(-1) ?? '';
async function silently<T>(during: () => Promise<T>): Promise<[T, number]> {
  wire.isSilent = true;
  const start = performance.now();
  try {
    return [await during(), performance.now() - start];
  } finally {
    wire.isSilent = false;
  }
}

test('returning by the cancel address releases the hold at once and only once, and closes the page (§11.2)', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const { url, sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  const mark = await markOf(sessionId);
  expect(Buffer.from(mark, 'base64url').length).toBeGreaterThanOrEqual(16);
  expect((await goBack(mark)).json()).toEqual({ message: 'Payment cancelled. Nothing was charged.' });
  expect([await stockOf(sofa._id), (await orderOf(sessionId)).status, (await pay(url)).status]).toEqual([1, 'expired', 410]);
  for (const other of [mark, 'x', '', sessionId]) expect((await goBack(other)).json()).toEqual({ message: '' });
  expect(await stockOf(sofa._id)).toBe(1);
});

test('a customer who paid and then returns by the cancel address is told so and keeps the order', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const { url, sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  const mark = await markOf(sessionId);
  await pay(url);
  // As if its webhook were still on its way.
  const unpaid = { status: 'awaiting_payment', paidAt: null, orderPaymentId: null } as const;
  await forceOrder(db, (await orderOf(sessionId)).id, unpaid);
  expect((await goBack(mark)).json().message).toContain('Your payment has gone through.');
  expect([(await orderOf(sessionId)).status, await stockOf(sofa._id)]).toEqual(['placed', 0]);
});

test('while the provider hangs, a hold that could still be paid is kept; a job releases it once the provider answers', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const { sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  const mark = await markOf(sessionId);
  const jobs = (await queuedJobs(db, 'expireHold')).length;
  const [reply, ms] = await silently(() => goBack(mark));
  expect([reply.statusCode, reply.json(), await stockOf(sofa._id)]).toEqual([200, { message: '' }, 0]);
  expect(ms).toBeLessThan(SOON_MS);
  // The job scheduled for the hold's expiry ends it now.
  expect(await queuedJobs(db, 'expireHold')).toHaveLength(jobs);
  await runJobs(services);
  expect(await stockOf(sofa._id)).toBe(1);
});

test('a customer’s hold, of a product or a size, never counts against their own cart, only against others (§11.2)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, {
    stock: 3,
    sizes: [
      { size: 'S', quantity: 1 },
      { size: 'L', quantity: 2 },
    ],
  });
  const [small, large] = [aLine(sofa, { size: 'S' }), aLine(sofa, { size: 'L' })];
  await checkout(buyer, [small]);
  expect(await check([small, large], buyer)).toEqual([1, 2]);
  expect(await check([small, large])).toEqual([0, 2]);
  expect(await check([small, large], await aCustomer(db))).toEqual([0, 2]);
  expect(await check([small], { ...buyer, headers: { bearer: 'no session' } })).toEqual([0]);
});

test('an order that is refused or repeated does not close the customer’s open card page (§11.2)', async () => {
  const buyer = await aCustomer(db);
  const [sofa, lamp] = [await aProduct(db, { stock: 1 }), await aProduct(db)];
  const earlier = await order(buyer, [aLine(lamp)], {}, 'an earlier order');
  const { url, sessionId } = await checkout(buyer, [aLine(sofa)]);
  expect((await order(buyer, [aLine(sofa)], { phone: '1' })).statusCode).toBe(400);
  expect((await order(buyer, [aLine(sofa, { price: 1 })])).statusCode).toBe(409);
  expect((await order(buyer, [aLine(lamp, { qty: 99 })])).statusCode).toBe(409);
  const again = await order(buyer, [aLine(lamp)], {}, 'an earlier order');
  expect([again.statusCode, again.json()._id]).toEqual([201, earlier.json()._id]);
  await runJobs(services);
  expect((await orderOf(sessionId)).status).toBe('awaiting_payment');
  expect((await pay(url)).status).toBe(303);
});

test('while the provider hangs, a cash order does not wait for it, and one for pieces in the customer’s own hold waits two seconds at most (§11.2)', async () => {
  const buyer = await aCustomer(db);
  const [sofa, lamp] = [await aProduct(db, { stock: 1 }), await aProduct(db)];
  const { url, sessionId } = await checkout(buyer, [aLine(sofa)]);
  const [own, ownMs] = await silently(() => order(buyer, [aLine(sofa)]));
  expect([own.statusCode, own.json().message]).toEqual([409, expect.stringContaining('still reserved for your unfinished card payment')]);
  expect(ownMs).toBeLessThan(SOON_MS);
  const asked = wire.asked.length;
  const [other] = await silently(() => order(buyer, [aLine(lamp)]));
  expect([other.statusCode, (await orderOf(sessionId)).status]).toEqual([201, 'awaiting_payment']);
  // The provider was not called, so there was nothing to wait for.
  expect(wire.asked.length).toBe(asked);
  await runJobs(services);
  expect([(await orderOf(sessionId)).status, (await pay(url)).status]).toEqual(['expired', 410]);
});

test('thirty simultaneous checkouts of one customer open one payable page (§11.2)', async () => {
  const buyer = await aCustomer(db);
  const lines = await Promise.all(Array.from({ length: 30 }, async () => aLine(await aProduct(db, { stock: 2 }))));
  const replies = await Promise.all(lines.map((line) => open(buyer, [line])));
  const opened = replies.filter(({ statusCode }) => statusCode === 200);
  expect(opened.length).toBeGreaterThan(0);
  expect(replies.filter(({ statusCode }) => statusCode !== 200 && statusCode !== 409)).toEqual([]);
  expect(await openSessions(opened.map(sessionIn))).toBe(1);
  const waiting = await db
    .selectFrom('orders')
    .select('id')
    .where('userId', '=', buyer._id)
    .where('status', '=', 'awaiting_payment')
    .execute();
  expect(waiting).toHaveLength(1);
  const stock = await Promise.all(lines.map(({ _id }) => stockOf(_id)));
  expect(stock.reduce((sum, left) => sum + left, 0)).toBe(59);
});

test('the same key always opens the same page, also concurrently; with other contents it is refused (§11.2)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 5 });
  const replies = await Promise.all(Array.from({ length: 5 }, () => open(buyer, [aLine(sofa)], { key: 'one' })));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  const { url } = replies[0]?.json() ?? {};
  expect(new Set(replies.map((reply) => reply.json().url))).toEqual(new Set([url]));
  expect((await open(buyer, [aLine(sofa)], { key: 'one' })).json().url).toBe(url);
  expect(await stockOf(sofa._id)).toBe(4);
  expect((await open(buyer, [aLine(sofa, { qty: 2 })], { key: 'one' })).statusCode).toBe(409);
  expect((await open(buyer, [aLine(sofa)], { key: 'x'.repeat(201) })).statusCode).toBe(400);
  await pay(url);
  const paid = await open(buyer, [aLine(sofa)], { key: 'one' });
  expect([paid.statusCode, paid.json().message]).toEqual([409, 'This order has already been paid.']);
});

test('a key whose page was given up, or never opened, opens a new one', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 1 });
  const first = await open(buyer, [aLine(sofa)], { key: 'two' });
  await goBack(await markOf(sessionIn(first)));
  const second = await open(buyer, [aLine(sofa)], { key: 'two' });
  expect([second.statusCode, second.json().url === first.json().url]).toEqual([200, false]);
});

test('a new page closes the previous one; while the provider hangs, a message says so within seconds', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 2 });
  const { sessionId } = await checkout(buyer, [aLine(sofa)]);
  const [reply, ms] = await silently(() => open(buyer, [aLine(sofa)]));
  expect([reply.statusCode, Number(reply.headers['retry-after'])]).toEqual([503, 5]);
  expect(ms).toBeLessThan(SOON_MS);
  expect(await openSessions([sessionId])).toBe(1);
});

test('a hold that a cash order ended while its page was being made opens no page', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 1 });
  const { sessionId } = await checkout(buyer, [aLine(sofa)]);
  const { id } = await orderOf(sessionId);
  // The process died between taking the hold and storing its page.
  const longAgo = new Date(Date.now() - 60_000).toISOString();
  await db.updateTable('orders').set({ providerSessionId: null, paymentUrl: null, createdAt: longAgo }).where('id', '=', id).execute();
  expect((await open(buyer, [aLine(sofa)])).statusCode).toBe(200);
  expect([await openSessions([sessionId]), (await eventsOf(id)).at(-1)]).toEqual([0, 'hold given back']);
});

test('checkouts are limited by account and by network, with the time to wait (§13.4)', async () => {
  const buyer = await aCustomer(db);
  const line = aLine(await aProduct(db, { stock: 1 }), { price: 1 });
  const byAccount = [];
  for (let n = 0; n < 61; n += 1) byAccount.push(await open(buyer, [line]));
  expect(byAccount.map(({ statusCode }) => statusCode)).toEqual([...new Array(60).fill(409), 429]);
  expect(Number(byAccount.at(-1)?.headers['retry-after'])).toBeGreaterThan(60);
  const [first, other] = [await aCustomer(db), await aCustomer(db)];
  await db.deleteFrom('rateLimits').execute();
  expect((await open(first, [line], { from: '192.0.2.1' })).statusCode).toBe(409);
  // As if that network had sent more than a thousand.
  await db.updateTable('rateLimits').set({ tries: 1_199 }).where('key', 'like', 'checkout:network:%').execute();
  expect((await open(first, [line], { from: '192.0.2.1' })).statusCode).toBe(409);
  expect((await open(other, [line], { from: '192.0.2.1' })).statusCode).toBe(429);
  await db.deleteFrom('rateLimits').execute();
});

test('all pieces in stock can be bought by card as in cash, and one more is refused with the number that is left (§11.3)', async () => {
  for (const buy of [open, order]) {
    const sofa = await aProduct(db, { stock: 5, sizes: [{ size: 'S', quantity: 5 }] });
    const more = await buy(await aCustomer(db), [aLine(sofa, { qty: 6 })]);
    expect([more.statusCode, more.json().message]).toEqual([409, `Only 5 of ${sofa.name} left.`]);
    expect((await buy(await aCustomer(db), [aLine(sofa, { qty: 5 })])).statusCode).toBeLessThan(300);
    expect(await stockOf(sofa._id)).toBe(0);
    const late = await buy(await aCustomer(db), [aLine(sofa)]);
    expect([late.statusCode, late.json().message]).toEqual([409, `${sofa.name} is sold out.`]);
  }
});

test('the number left counts several lines of one product once, and includes the customer’s own hold (§11.3)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 5, colors: ['#111111', '#222222'] });
  const both = await order(buyer, [aLine(sofa, { qty: 5, color: '#111111' }), aLine(sofa, { color: '#222222' })]);
  expect(both.json().message).toBe(`Only 5 of ${sofa.name} left.`);
  const { sessionId } = await checkout(buyer, [aLine(sofa, { qty: 3 })]);
  expect((await order(buyer, [aLine(sofa, { qty: 6 })])).json().message).toBe(`Only 5 of ${sofa.name} left.`);
  expect((await orderOf(sessionId)).status).toBe('awaiting_payment');
});

/** Limits the share of stock that unpaid card payments may hold, for one test. */
async function withShare(share: number, during: () => Promise<void>): Promise<void> {
  const before = services.config.holdShare;
  services.config.holdShare = share;
  await during().finally(() => {
    services.config.holdShare = before;
  });
}

test('all unpaid checkouts together hold no more of a product than the share that is set; cash orders may take the rest (§11.2)', () =>
  withShare(80, async () => {
    const sofa = await aProduct(db, { stock: 10 });
    const greedy = await open(await aCustomer(db), [aLine(sofa, { qty: 10 })]);
    expect([greedy.statusCode, greedy.json().message]).toEqual([
      409,
      `Only 8 of ${sofa.name} can be paid by card at the moment. Please choose fewer.`,
    ]);
    for (let n = 0; n < 8; n += 1) expect((await open(await aCustomer(db), [aLine(sofa)])).statusCode).toBe(200);
    const ninth = await open(await aCustomer(db), [aLine(sofa)]);
    expect([ninth.statusCode, ninth.json().message]).toEqual([409, expect.stringContaining('Other customers are paying for')]);
    expect(await stockOf(sofa._id)).toBe(2);
    expect((await order(await aCustomer(db), [aLine(sofa, { qty: 2 })])).statusCode).toBe(201);
  }));

test('the share applies to each size, and across the lines of one cart', () =>
  withShare(80, async () => {
    const sofa = await aProduct(db, {
      stock: 100,
      sizes: [
        { size: 'S', quantity: 10 },
        { size: 'L', quantity: 90 },
      ],
    });
    const buyer = await aCustomer(db);
    const split = [aLine(sofa, { size: 'S', qty: 5, color: '' }), aLine(sofa, { size: 'S', qty: 4 })];
    expect((await open(buyer, split)).json().message).toContain(`Only 8 of ${sofa.name} (S)`);
    expect((await open(buyer, [aLine(sofa, { size: 'S', qty: 8 })])).statusCode).toBe(200);
  }));

test('a last piece can always be paid by card, whatever the share', async () => {
  for (let total = 1; total <= 200; total += 1)
    for (const share of [1, 50, 80, 100]) {
      expect(mostHeld(total, share)).toBeGreaterThanOrEqual(1);
      expect(mostHeld(total, share)).toBeLessThanOrEqual(total);
    }
  const sofa = await aProduct(db, { stock: 1 });
  expect((await open(await aCustomer(db), [aLine(sofa)])).statusCode).toBe(200);
});

test('a checkout that waits for the provider’s page blocks nobody: a cash order is placed at once (§17.3)', async () => {
  const sofa = await aProduct(db, { stock: 100 });
  const buyers = await Promise.all(Array.from({ length: 14 }, () => aCustomer(db)));
  const asked = wire.asked.length;
  const [status, took] = await silently(async () => {
    const checkouts = buyers.map((buyer) => open(buyer, [aLine(sofa)]));
    await eventually(() => expect(wire.asked.length).toBeGreaterThanOrEqual(asked + buyers.length));
    const placed = await order(await aCustomer(db), [aLine(sofa)]);
    wire.isSilent = false;
    wire.hangUp();
    await Promise.all(checkouts);
    return placed.statusCode;
  });
  expect(status).toBe(201);
  expect(took).toBeLessThan(SOON_MS);
});

test('a checkout whose page was never opened, while the clock was ahead, keeps its buyer from no other', async () => {
  const buyer = await aCustomer(db);
  const lines = [aLine(await aProduct(db, { stock: 5 }))];
  expect((await open(buyer, lines)).statusCode).toBe(200);
  const [dated, never] = [new Date(Date.now() + 40 * 86_400_000).toISOString(), { paymentUrl: null, providerSessionId: null }];
  await db
    .updateTable('orders')
    .set({ ...never, createdAt: dated })
    .where('userId', '=', buyer._id)
    .execute();
  const { data } = await stripe.checkout.sessions.list({ limit: 1 });
  expect((await open(buyer, lines)).statusCode).toBe(200);
  expect((await stripe.checkout.sessions.retrieve(data[0]?.id ?? '')).status).toBe('expired');
});
