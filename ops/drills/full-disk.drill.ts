import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { aFolder } from '#server/testing/a-folder.ts';
import { eventually } from '#server/testing/eventually.ts';
import { audit, fillStock, finishJobs } from './books.ts';
import { Buyers, diceOf, reachShop } from './buyers.ts';
import { aWholeShop } from './whole-shop.ts';

/** How long the disk stays full. */
const FULL_SECONDS = Number(process.env.FULL_SECONDS ?? 10);
const DISK_MB = 240;
const SEED = 1;

/** A disk that is small enough to be filled, or why none can be mounted. */
async function aSmallDisk(): Promise<{ dir?: string; reason?: string }> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return { reason: 'mounting a small disk needs root on Linux' };
  const dir = aFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', dir], { stdio: 'pipe' });
  } catch (error) {
    return { reason: `a small disk cannot be mounted here: ${error}` };
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', dir]));
  await chmod(dir, 0o711);
  return { dir };
}

/** Writes until nothing more can be written. Returns what makes room again. */
function fill(dir: string): () => void {
  const path = join(dir, 'filling');
  const file = openSync(path, 'a');
  for (let size = 1024 * 1024; size >= 1024; ) {
    try {
      if (writeSync(file, Buffer.alloc(size)) < size) size /= 2;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      size /= 2;
    }
  }
  closeSync(file);
  return () => rmSync(path);
}

test('on a disk that is really full the shop says 503, goes on reading, and sells again by itself once there is room; nothing is half written', async (context) => {
  const { dir, reason } = await aSmallDisk();
  if (!dir) return context.skip(reason);
  const shop = await aWholeShop(dir);
  const stock = await fillStock(shop.db);
  const statusOf = async (path: string) => (await fetch(shop.url() + path, { signal: AbortSignal.timeout(15_000) })).status;
  const buyers = new Buyers(await reachShop(shop.url), diceOf(SEED));
  await buyers.start(6);
  await eventually(() => expect(Math.min(buyers.acknowledged.size, buyers.paid.size)).toBeGreaterThan(3), 60);

  const makeRoom = fill(dir);
  const full = { message: 'The database has no room: its disk is full.' };
  await eventually(async () => expect(await (await fetch(`${shop.url()}/readyz`)).json()).toEqual(full), 60);
  const [sold, refused] = [buyers.acknowledged.size, buyers.interrupted];
  for (const end = Date.now() + FULL_SECONDS * 1000; Date.now() < end; await setTimeout(100)) {
    // A new list, which is not in the page cache.
    const pages = ['/healthz', `/api/products?search=sofa&minPriceQuery=${Date.now() % 100_000}`, '/cart'];
    expect(await Promise.all(pages.map(statusOf))).toEqual([200, 200, 200]);
  }
  expect(await statusOf('/readyz')).toBe(503);
  const turnedAway = buyers.interrupted - refused;
  expect(turnedAway).toBeGreaterThan(0);
  makeRoom();
  const freed = Date.now();
  await eventually(async () => expect(await statusOf('/readyz')).toBe(200), 60);
  const readyAfter = Date.now() - freed;
  await eventually(() => expect(buyers.acknowledged.size).toBeGreaterThan(sold + 5), 60);
  await buyers.stop();

  await finishJobs(shop.db);
  expect(await audit({ ...shop, buyers, stock })).toEqual([]);
  process.stdout.write(
    `disk full for ${FULL_SECONDS} s: ${turnedAway} attempts to buy turned away, none by a 500; ready ${readyAfter} ms after there was room; ` +
      `${buyers.acknowledged.size} cash orders and ${buyers.paid.size} payments on record in full\n`,
  );
});
