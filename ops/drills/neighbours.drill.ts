import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '#server/platform/database/connect.ts';
import { startEmbedded } from '#server/platform/database/embedded.ts';
import { freePort } from '#server/platform/ports.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { eventually } from '#server/testing/eventually.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { startObjectStorage } from '#server/testing/object-storage.ts';
import { startShop } from '#server/testing/shop-process.ts';
import { audit, fillStock, finishJobs } from './books.ts';
import { Buyers, cashOrderOf, diceOf, lineOf, logIn, reachShop } from './buyers.ts';
import { quantile } from './readers.ts';
import { openSandbox } from './sandbox.ts';
import { aSlowWire, NEVER } from './slow-wire.ts';

const SECONDS = Number(process.env.NEIGHBOUR_SECONDS ?? 60);
/** Nobody waits longer for an answer: the statements of a card checkout alone take 8 s. */
const MOST_ANSWER_MS = 25_000;

/** A shop whose database, provider and mail server are behind slow wires, and whose pictures are in a bucket. */
async function aShopWithNeighbours() {
  const dir = aFolder();
  const postgres = await startEmbedded(join(dir, 'postgres'));
  onTestFinished(() => postgres.stop());
  const own = new URL(postgres.url);
  // A wire leads to a port, not to the socket that the query names.
  own.search = '';
  const slowDatabase = await aSlowWire({ host: own.hostname, port: Number(own.port) });
  const port = await freePort();
  const sandbox = await openSandbox(`http://127.0.0.1:${port}`, join(dir, 'provider'));
  onTestFinished(() => sandbox.close());
  const slowProvider = await aSlowWire({ host: '127.0.0.1', port: Number(new URL(sandbox.url).port) });
  const mails = await startMailServer();
  onTestFinished(() => mails.close());
  const slowMail = await aSlowWire({ host: '127.0.0.1', port: Number(new URL(mails.url).port) });
  const storage = await startObjectStorage();
  onTestFinished(() => storage.close());
  const through = new URL(own);
  through.port = String(slowDatabase.port);
  const shop = await startShop(port, {
    DATABASE_URL: through.href,
    SEED_DEMO: '1',
    SHOP_DATA_DIR: join(dir, 'data'),
    SMTP_URL: `smtp://127.0.0.1:${slowMail.port}`,
    ...sandbox.env,
    STRIPE_API_BASE: `http://127.0.0.1:${slowProvider.port}`,
    S3_BUCKET: storage.bucket,
    S3_ENDPOINT: storage.url,
    S3_ACCESS_KEY_ID: storage.accessKeyId,
    S3_SECRET_ACCESS_KEY: storage.secretAccessKey,
    ...MANY_ORDERS,
  });
  onTestFinished(async () => void (await shop.stop()));
  const database = connect(own.href, { max: 2 });
  onTestFinished(() => database.close());
  const setSlow = (isSlow: boolean) => {
    slowDatabase.delayMs = isSlow ? 200 : 0;
    slowProvider.delayMs = isSlow ? 20_000 : 0;
    slowMail.delayMs = isSlow ? NEVER : 0;
    storage.failsOneIn = isSlow ? 3 : undefined;
  };
  return { url: shop.url, db: database.db, payments: sandbox.payments, mails, setSlow, output: shop.output };
}

test('a database that is 200 ms late, a provider that takes 20 s, a mail server that hangs and a bucket that fails, all at once: pages stay quick, orders get words, and all drains afterwards', async () => {
  const shop = await aShopWithNeighbours();
  const { url } = shop;
  const stock = await fillStock(shop.db);
  const target = await reachShop(() => url);
  const token = await logIn(url, 'customer@example.com', 'Customer123!');
  const [product = expect.fail()] = target.products;
  const pages = ['/', '/shop', '/contact', `/product/${product._id}`].map((path) => url + path);
  for (const page of [...pages, ...pages]) expect((await fetch(page)).status).toBe(200);
  const answers: { what: string; status: number; ms: number; text: string }[] = [];
  const ask = async (what: string, path: string, body?: object) => {
    const began = performance.now();
    const reply = await fetch(url + path, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { bearer: token, ...(body && { 'content-type': 'application/json' }) },
    });
    const text = await reply.text();
    answers.push({ what, status: reply.status, ms: performance.now() - began, text });
  };
  const picture = (n: number) => (target.products[n % target.products.length]?.images[0] ?? '').replace('-1200.webp', '-320.webp');

  shop.setSlow(true);
  const until = Date.now() + SECONDS * 1_000;
  const repeat = async (work: (n: number) => Promise<void>, pauseMs: number) => {
    for (let n = 0; Date.now() < until; n += 1) {
      await work(n);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const buyers = new Buyers(target, diceOf(1));
  const order = cashOrderOf(lineOf(product, product.sizes[0], 1));
  await Promise.all([
    repeat(async (n) => ask('cached page', pages[n % pages.length]?.slice(url.length) ?? ''), 50),
    repeat((n) => ask('new page', `/shop?minPrice=${n}`), 500),
    repeat((n) => ask('picture', picture(n)), 300),
    repeat(() => ask('cash order', '/api/orders', order), 500),
    repeat(() => ask('card checkout', '/stripe/create-checkout-session', { orderItems: order.orderItems }), 500),
    repeat(() => ask('probe', '/healthz'), 1_000),
  ]);
  shop.setSlow(false);

  const answersTo = (what: string) => answers.filter((answer) => answer.what === what);
  const statuses = (what: string) => [...new Set(answersTo(what).map(({ status }) => status))].sort();
  for (const what of new Set(answers.map((answer) => answer.what))) {
    const times = answersTo(what).map(({ ms }) => ms);
    process.stdout.write(
      `${what}: ${times.length}, ${statuses(what)}, p50 ${Math.round(quantile(times, 0.5))} ms, p99 ${Math.round(quantile(times, 0.99))} ms\n`,
    );
  }
  expect(answers.filter(({ ms }) => ms > MOST_ANSWER_MS)).toEqual([]);
  const cached = answersTo('cached page').map(({ ms }) => ms);
  // After an order, some of these pages are rendered again.
  expect([quantile(cached, 0.5) < 50, quantile(cached, 0.99) < 2_000]).toEqual([true, true]);
  expect([statuses('cached page'), statuses('probe')]).toEqual([[200], [200]]);
  for (const { what, status, text } of answers.filter(({ status }) => status >= 400)) {
    expect([what, [502, 503].includes(status)]).toEqual([what, true]);
    expect(text, what).toMatch(/try again/);
  }
  expect(statuses('cash order')).toContain(201);

  // Healed: cards can be used again, and everything that waited goes out.
  await eventually(async () => {
    const reply = await fetch(`${url}/stripe/create-checkout-session`, {
      method: 'POST',
      headers: { bearer: token, 'content-type': 'application/json' },
      body: JSON.stringify({ orderItems: order.orderItems }),
    });
    expect(reply.status).toBe(200);
  }, 120);
  await buyers.start(3);
  await eventually(() => expect([buyers.acknowledged.size > 5, buyers.paid.size > 1]).toEqual([true, true]), 60);
  await buyers.stop();
  await finishJobs(shop.db);
  expect(await audit({ ...shop, buyers, stock, mail: shop.mails.received.map(({ mail }) => mail) })).toEqual([]);
});
