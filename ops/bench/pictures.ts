/** `npm run bench:pictures`: asks for every width of every picture of the demo, uploads the largest pictures there may be, and logs in meanwhile; prints memory and waits, and fails past the limits. Loopback only. */

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { newFolder } from '#server/testing/new-folder.ts';
import { allPictures } from './all-pictures.ts';
import { memoryOf, openShop, type Running } from './shop.ts';

const SERVER_MB = 250;
const PICTURE_PROCESS_MB = 400;
const LOGIN_MS = 1_000;
const AT_ONCE = 12;
/** For how long log-ins are timed before any picture is asked for, to compare. */
const QUIET_MS = 15_000;
const GIVE_UP_MS = 30 * 60_000;
const ADMIN = { email: 'admin@example.com', password: 'Admin123!' };

/** Memory of the picture process, while there is one. */
function pictureProcessMb({ pid }: Running): number {
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes('worker.js')) continue;
      if (Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${entry}/status`, 'utf8'))?.[1]) === pid)
        return memoryOf({ pid: Number(entry) } as Running);
    } catch {
      // A process that ended while it was looked at.
    }
  }
  return 0;
}

/** The highest memory since the start, looked at ten times a second. */
function watchMemory(shop: Running) {
  const peak = { server: 0, pictures: 0 };
  const clock = setInterval(() => {
    peak.server = Math.max(peak.server, memoryOf(shop));
    peak.pictures = Math.max(peak.pictures, pictureProcessMb(shop));
  }, 100);
  return { peak, stop: () => clearInterval(clock) };
}

async function logIn(url: string): Promise<{ token: string; ms: number }> {
  const began = performance.now();
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}/api/users/login`, { method: 'POST', headers, body: JSON.stringify(ADMIN) });
  if (!reply.ok) throw new Error(`A log-in was answered ${reply.status}.`);
  const { token } = (await reply.json()) as { token: string };
  return { token, ms: performance.now() - began };
}

/** Asks for all and returns those whose width is still to be made. */
async function ask(url: string, pictures: string[]): Promise<string[]> {
  const waiting = [...pictures];
  const missing: string[] = [];
  const asker = async () => {
    for (let picture = waiting.pop(); picture; picture = waiting.pop()) {
      const reply = await fetch(url + picture);
      await reply.arrayBuffer();
      if (!reply.ok) throw new Error(`${picture} was answered ${reply.status}.`);
      if (!reply.headers.get('cache-control')?.includes('immutable')) missing.push(picture);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, asker));
  return missing;
}

async function logInUntil(url: string, isOver: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  while (!isOver()) {
    waits.push((await logIn(url)).ms);
    await setTimeout(500);
  }
  return waits;
}

/** The 99th percentile, in whole milliseconds. */
const p99 = (waits: number[]) => Math.round(waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0);

async function upload(url: string, token: string): Promise<void> {
  const picture = await sharp({
    create: { width: 10_000, height: 5_000, channels: 3, background: '#a08060', noise: { type: 'gaussian', mean: 128, sigma: 4 } },
  })
    .webp({ quality: 40 })
    .toBuffer();
  const form = new FormData();
  const fields = { name: 'Largest', description: 'x', fit: 'x', category: 'Testing', brand: 'x', price: '100', countInStock: '1' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (let n = 0; n < 3; n += 1) form.append('images', new Blob([new Uint8Array(picture)]), `${n}.webp`);
  const reply = await fetch(`${url}/api/products`, { method: 'POST', headers: { bearer: token }, body: form });
  if (reply.status !== 201) throw new Error(`An upload was answered ${reply.status}: ${await reply.text()}`);
}

async function run(dataDir: string): Promise<boolean> {
  const shop = await openShop(dataDir);
  const memory = watchMemory(shop);
  try {
    console.log(`first start with the demo: ${(shop.ms / 1_000).toFixed(1)} s, ${memoryOf(shop).toFixed(0)} MB`);
    const pictures = await allPictures(shop.url);
    const quiet = Date.now() + QUIET_MS;
    const quietP99 = p99(await logInUntil(shop.url, () => Date.now() > quiet));
    const began = performance.now();
    let isOver = false;
    const logins = logInUntil(shop.url, () => isOver);
    let missing = await ask(shop.url, pictures);
    console.log(
      `${pictures.length} widths asked for in ${((performance.now() - began) / 1_000).toFixed(0)} s, ${missing.length} of them still to be made`,
    );
    const { token } = await logIn(shop.url);
    await Promise.all([upload(shop.url, token), upload(shop.url, token)]);
    console.log('six pictures of 50 megapixels uploaded in two forms at once');
    while (missing.length > 0 && performance.now() - began < GIVE_UP_MS) {
      await setTimeout(2_000);
      missing = await ask(shop.url, missing);
    }
    console.log(`all widths made after ${((performance.now() - began) / 1_000).toFixed(0)} s; ${missing.length} missing`);
    await ask(shop.url, pictures);
    isOver = true;
    const loginP99 = p99(await logins);
    console.log(
      `peak of the server ${memory.peak.server.toFixed(0)} MB (limit ${SERVER_MB}), of the picture process ${memory.peak.pictures.toFixed(0)} MB (limit ${PICTURE_PROCESS_MB})`,
    );
    console.log(`99 of 100 log-ins took at most ${loginP99} ms while pictures were made (limit ${LOGIN_MS}), ${quietP99} ms before`);
    return missing.length === 0 && memory.peak.server <= SERVER_MB && memory.peak.pictures <= PICTURE_PROCESS_MB && loginP99 <= LOGIN_MS;
  } finally {
    memory.stop();
    await shop.stop();
  }
}

const dataDir = newFolder('bench');
try {
  if (!(await run(dataDir))) process.exitCode = 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
