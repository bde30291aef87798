import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { aFolder } from '#server/testing/a-folder.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { logIn, orderOne, reachProducts } from './buyers.ts';
import { quantile } from './readers.ts';
import { aWholeShop } from './whole-shop.ts';

const FORMS = 20;
const FILES = 12;
/** A picture of just less than the most. */
const FILE = Buffer.alloc(Math.floor(9.9 * 1024 * 1024), 65);
const LISTS_A_SECOND = 30;
const LIST = JSON.stringify({ orderItems: Array.from({ length: 80_000 }, () => ({})) });
const SECONDS = 10;
const MOST_MS = 1_000;
const MOST_MB = 600;

/** Sends a review form with far more pictures than a review may have. Returns the status; 0 if the server has hung up. */
function sendForm(url: string, token: string, product: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = { bearer: token, 'content-type': 'multipart/form-data; boundary=XX' };
    const outgoing = request(`${url}/api/products/${product}/reviews`, { method: 'POST', headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    outgoing.on('error', () => resolve(0));
    const write = (part: string | Buffer) => new Promise((sent) => void outgoing.write(part, sent));
    const send = async () => {
      for (let file = 0; file < FILES; file += 1) {
        await write(`--XX\r\ncontent-disposition: form-data; name="images"; filename="${file}.png"\r\ncontent-type: image/png\r\n\r\n`);
        await write(FILE);
        await write('\r\n');
      }
      outgoing.end('--XX--\r\n');
    };
    void send();
  });
}

test('large forms and endless lists neither fill the memory nor keep others from ordering', async () => {
  const shop = await aWholeShop(aFolder());
  const [product = expect.fail()] = await reachProducts(shop.url(), 1);
  await shop.db.updateTable('products').set({ countInStock: 1_000_000 }).where('id', '=', product._id).execute();
  await shop.db.updateTable('productSizes').set({ quantity: 1_000_000 }).where('productId', '=', product._id).execute();
  const token = await logIn(shop.url(), 'customer@example.com', 'Customer123!');
  // Only a customer who has received a product may review it.
  await orderOne(shop.url(), token, product);
  const { orderId } = await shop.db
    .selectFrom('orderItems')
    .select('orderId')
    .where('productId', '=', product._id)
    .orderBy('orderId', 'desc')
    .executeTakeFirstOrThrow();
  await forceOrder(shop.db, orderId, { orderState: 'delivered', deliveredAt: new Date().toISOString() });
  const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${shop.pid()}/status`, 'utf8'))?.[1]) / 1024;
  const ordersFor = async (isOver: () => boolean) => {
    const times: number[] = [];
    while (!isOver()) {
      const start = performance.now();
      await orderOne(shop.url(), token, product);
      times.push(performance.now() - start);
      await setTimeout(50);
    }
    return times;
  };

  let isSent = false;
  const forms = Promise.all(Array.from({ length: FORMS }, () => sendForm(shop.url(), token, product._id))).finally(() => {
    isSent = true;
  });
  const besideForms = await ordersFor(() => isSent);
  const statuses = await forms;
  const memory = peak();

  const end = performance.now() + SECONDS * 1_000;
  const answers: Promise<number>[] = [];
  const flood = (async () => {
    while (performance.now() < end) {
      const payload = { method: 'POST', headers: { 'content-type': 'application/json' }, body: LIST };
      answers.push(fetch(`${shop.url()}/api/cart/check`, payload).then(({ status }) => status));
      await setTimeout(1_000 / LISTS_A_SECOND);
    }
  })();
  const besideLists = await ordersFor(() => performance.now() > end);
  await flood;

  const figures = [besideForms, besideLists].map((times) => `${times.length}, p99 ${Math.round(quantile(times, 0.99))} ms`);
  process.stdout.write(
    `${FORMS} forms of ${Math.round((FILES * FILE.length) / 1e6)} MB at once: orders ${figures[0]}, ${Math.round(memory)} MB at most; ${LISTS_A_SECOND} lists of 80,000 a second: orders ${figures[1]}\n`,
  );
  expect(statuses.filter((status) => ![0, 413, 429, 503].includes(status))).toEqual([]);
  expect(memory).toBeLessThan(MOST_MB);
  expect(new Set(await Promise.all(answers))).toEqual(new Set([400]));
  for (const times of [besideForms, besideLists]) expect(quantile(times, 0.99)).toBeLessThan(MOST_MS);
});
