import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { diceOf, logIn, orderOne, reachProducts } from './buyers.ts';
import { quantile } from './readers.ts';
import { SearchFlood } from './search-flood.ts';
import { aWholeShop } from './whole-shop.ts';

/** `FLOOD_PRODUCTS=100000` runs it with as many generated products. */
const SECONDS = Number(process.env.FLOOD_SECONDS ?? 30);
const PER_SECOND = Number(process.env.FLOOD_RATE ?? 28);
const PRODUCTS = Number(process.env.FLOOD_PRODUCTS ?? 0);
const SEED = 1;
const MOST_MS = 1_000;
const MOST_MB = 400;

/** Does the same again and again until a moment; returns how long each took, and what failed. */
async function repeatUntil(end: number, act: () => Promise<unknown>) {
  const outcome = { times: [] as number[], failures: [] as string[] };
  while (performance.now() < end) {
    const start = performance.now();
    await act().catch((error: Error) => outcome.failures.push(error.message));
    outcome.times.push(performance.now() - start);
    await setTimeout(50);
  }
  return outcome;
}

test('while strangers search without end, people log in and order within a second, and the shop stays small', async () => {
  const folder = aFolder();
  const shop = await aWholeShop(folder);
  if (PRODUCTS > 0)
    execFileSync(process.execPath, [join(ROOT, 'dist/server/generate.js'), '--products', String(PRODUCTS)], {
      env: { ...process.env, SHOP_DATA_DIR: folder },
      stdio: 'inherit',
    });
  const [product = expect.fail()] = await reachProducts(shop.url(), 1);
  await shop.db.updateTable('products').set({ countInStock: 1_000_000 }).where('id', '=', product._id).execute();
  await shop.db.updateTable('productSizes').set({ quantity: 1_000_000 }).where('productId', '=', product._id).execute();
  const token = await logIn(shop.url(), 'customer@example.com', 'Customer123!');
  const memory = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${shop.pid()}/status`, 'utf8'))?.[1]) / 1024;

  const work = async (seconds: number) => {
    const end = performance.now() + seconds * 1000;
    return Promise.all([
      repeatUntil(end, () => orderOne(shop.url(), token, product)),
      // Another account than the buyer's: it ends its oldest session beyond fifty.
      repeatUntil(end, () => logIn(shop.url(), 'admin@example.com', 'Admin123!')),
    ]);
  };
  const quiet = await work(2);

  const flood = new SearchFlood(shop.url(), diceOf(SEED));
  flood.start(PER_SECOND);
  await setTimeout(500);
  const [orders, logIns] = await work(SECONDS);
  await flood.stop();
  const figures = [orders, logIns, ...quiet].map(({ times, failures }) => {
    const [p50, p99] = [0.5, 0.99].map((share) => `${Math.round(quantile(times, share))} ms`);
    return `${times.length}, ${failures.length} failed, p50 ${p50}, p99 ${p99}`;
  });
  process.stdout.write(
    `${SECONDS} s of ${PER_SECOND} searches a second (${JSON.stringify(flood.answers)}): orders ${figures[0]}; logins ${figures[1]}; without it ${figures[2]} and ${figures[3]}; ${Math.round(memory())} MB at most\n`,
  );
  expect([...orders.failures, ...logIns.failures]).toEqual([]);
  for (const { times } of [orders, logIns]) expect(quantile(times, 0.99)).toBeLessThan(MOST_MS);
  expect(Object.keys(flood.answers).filter((status) => !['200', '503'].includes(status))).toEqual([]);
  expect(flood.answers['200']).toBeGreaterThan(SECONDS);
  expect(flood.unexplained).toBe(0);
  expect(memory()).toBeLessThan(MOST_MB);
});
