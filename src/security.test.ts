import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect as dial, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, aLine, aPayload, aProduct, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { rawRequests } from '#server/testing/raw-requests.ts';
import { render } from '#web/entry-server.tsx';

const FRIEND = 'https://friend.example';
const shop = await testShop({ render });
const { app, db, services } = shop;
const open = await testShop({ env: { CORS_ORIGINS: FRIEND } });
const raw = rawRequests(shop.url);

const HOSTILE = `"'><img src=x onerror=alert(1)></script></title><script>alert(2)</script><!--{{7*7}}\u2028`;

/** Sends bytes as they are, and returns the lines of the answer. */
async function onWire(bytes: string): Promise<string[]> {
  const socket = dial(Number(new URL(shop.url).port), '127.0.0.1');
  socket.on('error', () => undefined).write(bytes);
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return String(answer).split('\r\n');
}

/** The opening tags of a page's scripts and what stands inside them; whatever else could run would show in the rest. */
function scriptsOf(html: string): { tag: string; inside: string }[] {
  return [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)].map(([, tag = '', inside = '']) => ({ tag, inside }));
}

test('a script in any field of a product stays text on every page that shows it, in the state and in the structured data', async () => {
  const [long, short] = [HOSTILE, HOSTILE.slice(0, 60)];
  const fields = { name: long, description: long, fit: long, category: short, subCategory: short, brand: short };
  const sizes = [{ size: HOSTILE.slice(0, 60), quantity: 5, price: 100, measurements: [{ name: HOSTILE, value: HOSTILE }] }];
  const product = await aProduct(db, {
    ...fields,
    sizes,
    colors: [HOSTILE],
    images: [`/images/${HOSTILE}`],
    isRecommend: true,
    isNewArrival: true,
  });
  services.cache.invalidate();
  const search = encodeURIComponent(HOSTILE);
  const paths = [
    '/',
    '/shop',
    '/newarrivals',
    `/product/${product._id}`,
    `/shop?search=${search}`,
    `/shop?query=${search}&brand=${search}&minPrice=${search}`,
    `/${search}`,
    `/login?redirect=${search}`,
  ];
  for (const path of paths) {
    const page = await raw(path);
    expect([path, page.headers['content-type']]).toEqual([path, 'text/html; charset=utf-8']);
    expect(page.body).not.toMatch(/<img src=x|<script>alert/);
    for (const { tag, inside } of scriptsOf(page.body)) {
      // The start script, known by its hash; all others hold data.
      if (/data-then="/.test(tag)) {
        const hash = createHash('sha256').update(inside).digest('base64');
        expect(page.headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`);
      } else {
        expect(tag).toMatch(/type="application\/(ld\+)?json"/);
        expect(() => JSON.parse(inside)).not.toThrow();
      }
    }
  }
  const page = await raw(`/product/${product._id}`);
  const data = scriptsOf(page.body)
    .filter(({ tag }) => tag.includes('json"'))
    .map(({ inside }) => JSON.stringify(JSON.parse(inside)));
  expect(data.filter((json) => json.includes(JSON.stringify(HOSTILE).slice(1, -1)))).toHaveLength(data.length);
});

test('what a visitor claims to be the shop’s address reaches no page and no mail', async () => {
  const customer = await aCustomer(db);
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
  const page = await raw('/shop?search=claim', headers);
  expect([page.status, page.body.includes('evil.example')]).toEqual([200, false]);
  await app.inject({ method: 'POST', url: '/api/users/forgot-password', headers, payload: { email: customer.email } });
  await runJobs(services);
  const [mail] = await mailsOf(shop.dataDir, customer.email);
  expect(mail?.text).toMatch(/\d{6}/);
  expect(`${mail?.html}${mail?.text}`).not.toContain('evil.example');
});

test('another site’s scripts read nothing, unless the setting names that site', async () => {
  const ask = (target: typeof shop, origin: string, method: 'GET' | 'OPTIONS') =>
    target.app.inject({
      method,
      url: '/api/products',
      headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'bearer' },
    });
  for (const origin of ['https://evil.example', 'null', `${FRIEND}.evil.example`, 'http://friend.example']) {
    for (const target of [shop, open]) {
      for (const method of ['GET', 'OPTIONS'] as const) {
        const allowed = (await ask(target, origin, method)).headers['access-control-allow-origin'];
        expect([origin, [undefined, FRIEND].includes(allowed as string), allowed === origin]).toEqual([origin, true, false]);
      }
    }
  }
  const friend = await ask(open, FRIEND, 'OPTIONS');
  expect(friend.headers['access-control-allow-origin']).toBe(FRIEND);
  expect(friend.headers['access-control-allow-credentials']).toBeUndefined();
  expect((await ask(shop, FRIEND, 'GET')).headers['access-control-allow-origin']).toBeUndefined();
});

test('headers, addresses and bodies that are too large are refused before they are read to the end', async () => {
  const [start] = await onWire(`GET / HTTP/1.1\r\nHost: x\r\nX-Padding: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(start).toBe('HTTP/1.1 431 Request Header Fields Too Large');
  expect((await raw(`/product/${'x'.repeat(400)}`)).status).toBeLessThan(500);
  const login = (payload: string) =>
    app.inject({ method: 'POST', url: '/api/users/login', headers: { 'content-type': 'application/json' }, payload });
  expect((await login(`{"email":"${'x'.repeat(300_000)}"}`)).statusCode).toBe(413);
  expect((await login(`${'['.repeat(8_000)}${']'.repeat(8_000)}`)).statusCode).toBe(400);
  const webhook = await app.inject({ method: 'POST', url: '/stripe/webhook', payload: 'x'.repeat(2_000_000) });
  expect(webhook.statusCode).toBe(413);
});

test('hundreds of clients that never finish their request keep nobody else waiting, and are cut off in the end', async () => {
  const { hostname, port } = new URL(shop.url);
  const slow: Socket[] = [];
  onTestFinished(() => {
    for (const socket of slow) socket.destroy();
  });
  for (let n = 0; n < 300; n += 1) {
    const socket = dial(Number(port), hostname);
    await once(socket, 'connect');
    socket
      .on('error', () => undefined)
      .write(
        n % 2 === 0
          ? 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '
          : 'POST /api/users/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"e',
      );
    slow.push(socket);
  }
  expect((await raw('/healthz')).status).toBe(200);
  expect((await raw('/shop?search=quick')).status).toBe(200);
  // None of them had to end first.
  expect(slow.filter(({ destroyed }) => destroyed)).toEqual([]);
  expect(app.server.headersTimeout).toBeGreaterThan(0);
  expect(app.server.headersTimeout).toBeLessThanOrEqual(60_000);
  expect(app.server.requestTimeout).toBe(300_000);
});

test('a client that never finishes its request does not keep the shop from stopping', { tags: ['thorough'] }, async () => {
  const { hostname, port } = new URL(open.url);
  const socket = dial(Number(port), hostname);
  await once(socket, 'connect');
  const end = once(socket, 'close');
  socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n');
  await raw('/healthz');
  // Long before its requests' own limit of 60 s.
  await open.app.close();
  await end;
});

test('a login makes a session of its own, whatever session the request came with', async () => {
  const customer = await aCustomer(db);
  const planted = 'A'.repeat(43);
  const login = async (headers: Record<string, string>) =>
    (await app.inject({ method: 'POST', url: '/api/users/login', headers, payload: { email: customer.email, password: PASSWORD } })).json()
      .token as string;
  const tokens = [await login({ bearer: planted }), await login({ bearer: customer.token, cookie: `token=${planted}` }), customer.token];
  expect(new Set([...tokens, planted]).size).toBe(4);
  const open = async (bearer: string) => (await app.inject({ url: '/api/orders/myorders', headers: { bearer } })).statusCode;
  expect([await open(planted), ...(await Promise.all(tokens.map(open)))]).toEqual([401, 200, 200, 200]);
  expect((await app.inject({ url: '/api/orders/myorders', cookies: { token: customer.token } })).statusCode).toBe(401);
});

test('what is personal is kept by no cache; only the catalogue may be asked for again', async () => {
  const customer = await aCustomer(db);
  const sofa = await aProduct(db);
  const order = await app.inject({ method: 'POST', url: '/api/orders', headers: customer.headers, payload: aPayload([aLine(sofa)]) });
  for (const reply of [
    order,
    await app.inject({ url: '/api/orders/myorders', headers: customer.headers }),
    await app.inject({ url: `/api/orders/${order.json()._id}` }),
    await app.inject({ method: 'POST', url: '/api/users/login', payload: { email: customer.email, password: PASSWORD } }),
  ])
    expect(reply.headers['cache-control']).toBe('no-store');
  expect((await app.inject({ url: '/api/products' })).headers['cache-control']).toBe('no-cache');
});

test('a notice whose words were changed after signing changes nothing', async () => {
  const customer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 2 });
  await app.inject({
    method: 'POST',
    url: '/stripe/create-checkout-session',
    headers: customer.headers,
    payload: { orderItems: [aLine(sofa)] },
  });
  const { sign } = await import('#sandbox/notifier.ts');
  const { id, providerSessionId } = await db
    .selectFrom('orders')
    .select(['id', 'providerSessionId'])
    .where('userId', '=', customer._id)
    .executeTakeFirstOrThrow();
  const notice = (payment_status: string) =>
    JSON.stringify({
      id: 'evt_changed',
      object: 'event',
      type: 'checkout.session.completed',
      data: {
        object: {
          id: providerSessionId,
          object: 'checkout.session',
          status: 'complete',
          payment_status,
          amount_total: sofa.price,
          currency: 'gbp',
          client_reference_id: id,
          metadata: { orderId: id },
        },
      },
    });
  const headers = { 'content-type': 'application/json', 'stripe-signature': sign(notice('unpaid'), 'whsec_shop') };
  const reply = await app.inject({ method: 'POST', url: '/stripe/webhook', headers, payload: notice('paid') });
  expect(reply.statusCode).toBe(400);
  expect(await db.selectFrom('orders').select(['status', 'paidAt']).where('id', '=', id).executeTakeFirst()).toEqual({
    status: 'awaiting_payment',
    paidAt: null,
  });
  expect(await db.selectFrom('paymentEvents').select('id').execute()).toEqual([]);
});

test('every kind of answer carries the headers that protect it', async () => {
  for (const path of ['/', '/cart', '/api/products', '/api/nothing', '/no/such/page', '/healthz', '/favicon.svg']) {
    const { headers } = await raw(path);
    expect([path, headers['x-content-type-options'], headers['x-powered-by'], headers.server]).toEqual([
      path,
      'nosniff',
      undefined,
      undefined,
    ]);
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'.*script-src 'self' 'sha256-[^ ']+';/);
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  }
});

test.each(['TRACE', 'CONNECT', 'PATCH', 'PROPFIND'])('the method %s is answered by nothing', async (method) => {
  if (method === 'CONNECT') return expect(app.server.listenerCount('connect')).toBe(0);
  expect((await raw('/api/products', {}, method)).status).toBeGreaterThanOrEqual(400);
});
