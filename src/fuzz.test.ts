import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { apiRoutes, buildApp } from '#server/app/app.ts';
import { type Actors, newActors } from '#server/testing/fuzz/actors.ts';
import { type Exchange, exchanges, pathsOf, requestsTo } from '#server/testing/fuzz/exchanges.ts';
import { Wire } from '#server/testing/fuzz/wire.ts';
import { testShop } from '#server/testing/harness.ts';
import { readableLog } from '#server/testing/logs.ts';
import { render } from '#web/entry-server.tsx';

/** Exchanges of one run; a long one: `FUZZ_REQUESTS=1000000 npx vitest run src/fuzz.test.ts`. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_000);
/** Another run tries the same again: its number is in the name of a failure. */
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** Exchanges with one cast of people and things, which are then used up. */
const BATCH = 2_000;
const AT_ONCE = 8;
/** Requests to a call that random ones have left out. Some never reach it: their id is empty. */
const TRIES = 5;
/** What an exchange may take on a machine that is busy with other things as well. */
const SLOWEST_MS = 100;
/** What a run may leave behind in memory, however long it is: caches that fill up to their settings. */
const REST_MB = 60;

const shop = await testShop({ env: { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_FACTOR: '1000000', PAGE_CACHE_MB: '4' } });
const { services } = shop;
const { log, lines } = readableLog();
const app = await buildApp({ ...services, log }, render);
const wire = new Wire(await app.listen({ port: 0, host: '127.0.0.1' }), AT_ONCE);
afterAll(async () => {
  wire.close();
  await app.close();
});
setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes held once what is not needed is gone. */
function held(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Every path that the server has a route for, whatever was added since. */
const paths = pathsOf(app.printRoutes({ commonPrefix: false }));
const bugs: unknown[] = [];
/** People and things whose ids no call that changes something is given. */
const kept: string[] = [];
let done = 0;
let actors: Actors;
let batch: Promise<Exchange[]> | undefined;

/** The exchange of a number: the same in each run of a seed, but for the ids that a new database gives. */
async function exchangeOf(number: number): Promise<Exchange> {
  if (number % BATCH === 0 || !batch)
    batch = newActors({ ...shop, app }).then((cast) => {
      actors = cast;
      kept.push(...actors.kept);
      return fc.sample(exchanges(actors, paths), { numRuns: BATCH, seed: SEED + number });
    });
  return (await batch)[number % BATCH] as Exchange;
}

async function send(exchange: Exchange): Promise<void> {
  await wire.send(exchange);
  bugs.push(...lines.splice(0).filter(({ level, err }) => Number(level) >= 50 && err));
}

/** Goes on, a few exchanges at a time, until `count` have been made in all. */
async function runUntil(count: number): Promise<void> {
  const go = async () => {
    while (done < count) {
      const number = done;
      done += 1;
      await send(await exchangeOf(number));
      if (number % 50_000 === 49_999) process.stdout.write(`${number + 1} exchanges, ${Math.round(held() / 1024 / 1024)} MB held\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, go));
}

/** The calls of the API that nothing has been sent to. */
async function callsLeftOut(): Promise<string[]> {
  const counted = await services.metrics.registry.getSingleMetric('shop_http_requests_total')?.get();
  const asked = new Set(counted?.values.map(({ labels }) => `${labels.method} ${labels.route}`));
  return apiRoutes.map(({ endpoint }) => endpoint.name).filter((name) => !asked.has(name));
}

test(
  'whatever is sent over the wire, nothing is a 500, nothing hangs and nothing stays in memory',
  async () => {
    const start = performance.now();
    await runUntil(REQUESTS / 3);
    const before = held();
    await runUntil(REQUESTS);
    // Chance leaves out some of the calls: each has its turn now.
    const leftOut = await callsLeftOut();
    for (const name of leftOut)
      for (const exchange of fc.sample(requestsTo(actors, name), { numRuns: TRIES, seed: SEED })) await send(exchange);
    const seconds = Math.round((performance.now() - start) / 1000);
    const statuses = Object.fromEntries([...wire.statuses].sort(([a], [b]) => a - b));
    process.stdout.write(
      `seed ${SEED}: ${done} exchanges and ${leftOut.length * TRIES} more in ${seconds} s, answers by status ${JSON.stringify(statuses)}\n`,
    );
    expect(await callsLeftOut()).toEqual([]);
    // Of what takes longer than it may, and says so.
    expect(wire.statuses.get(503) ?? 0).toBeLessThan(1 + done / 1_000);
    expect(bugs.slice(0, 3)).toEqual([]);
    const risen = await shop.db.selectFrom('users').select('id').where('id', 'in', kept).where('isAdmin', '=', true).execute();
    expect(risen).toEqual([]);
    expect((held() - before) / 1024 / 1024).toBeLessThan(REST_MB);
  },
  60_000 + REQUESTS * SLOWEST_MS,
);
