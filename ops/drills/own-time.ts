import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { expect, onTestFailed, onTestFinished } from 'vitest';
import { connect } from '#server/platform/database/connect.ts';
import { reachEmbedded } from '#server/platform/database/embedded.ts';
import { freePort } from '#server/platform/ports.ts';
import { ROOT } from '#server/platform/root.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { eventually } from '#server/testing/eventually.ts';
import { endProcess, startShop } from '#server/testing/shop-process.ts';

/** The time of a shop, its database and its provider, which moves on by itself and can be set forward. */
class OwnClock {
  readonly env: Record<string, string>;
  readonly #file: string;
  #ahead = 0;

  constructor(dir: string) {
    const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
    if (!library) throw new Error('Not installed: apt-get install faketime');
    this.#file = join(dir, 'clock');
    // The file is read at each look at the clock, not every ten seconds, and timers run as ever.
    this.env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  now(): Date {
    return new Date(Date.now() + this.#ahead);
  }

  /** Sets the time forward. Throws an Error for a time that has passed. */
  set(time: string): void {
    const ahead = Date.parse(time) - Date.now();
    if (!(ahead >= this.#ahead)) throw new Error(`It is later than ${time} already: ${this.now().toISOString()}.`);
    this.#ahead = ahead;
    writeFileSync(this.#file, `+${Math.round(ahead / 1000)}\n`);
    // PostgreSQL runs as a user of its own.
    chmodSync(this.#file, 0o644);
  }

  /** Whether a time, such as a server's, is that of this clock. */
  agrees(time: string): boolean {
    return Math.abs(Date.parse(time) - this.now().getTime()) < 3_000;
  }
}

const SECRET_KEY = 'sk_test_drill';
export const FIRST_WEBHOOK_SECRET = 'whsec_first';

/** Starts the payment sandbox as a process; resolves once it answers. */
async function startProvider(port: number, env: Record<string, string>): Promise<ChildProcess> {
  const provider = spawn(process.execPath, [join(ROOT, 'src/sandbox/main.ts')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, SANDBOX_PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    provider.stdout.on('data', (bytes: Buffer) => String(bytes).includes('answers at') && resolve());
    provider.once('exit', (code) => reject(new Error(`The provider ended with ${code}.`)));
  });
  return provider;
}

/** A built shop with the demo catalogue, an embedded PostgreSQL and a provider, which all have the same time of their own. Needs the package faketime. */
export async function aShopOfItsOwnTime(start: string, settings: Record<string, string>) {
  const dir = aFolder();
  chmodSync(dir, 0o755);
  const clock = new OwnClock(dir);
  clock.set(start);
  const [port, providerPort] = [await freePort(), await freePort()];
  const [url, providerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${providerPort}`];
  const data = join(dir, 'data');
  const openProvider = (webhookSecret: string) =>
    startProvider(providerPort, {
      ...clock.env,
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      SANDBOX_DIR: join(dir, 'provider'),
      SANDBOX_WEBHOOK_URL: `${url}/stripe/webhook`,
    });
  const openShop = (changes: Record<string, string>) =>
    startShop(port, {
      ...clock.env,
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: FIRST_WEBHOOK_SECRET,
      STRIPE_API_BASE: providerUrl,
      PAYMENT_SANDBOX: '1',
      SHOP_DATA_DIR: data,
      ...settings,
      ...changes,
    });
  let provider = await openProvider(FIRST_WEBHOOK_SECRET);
  onTestFinished(() => endProcess(provider));
  let shop = await openShop({});
  onTestFailed(() => void process.stderr.write(`${clock.now().toISOString()}\n${shop.output().slice(-5_000)}\n`));
  let database = connect((await reachEmbedded(join(data, 'postgres'))).url, { max: 2 });
  onTestFinished(async () => {
    await database.close();
    await shop.stop();
  });
  return {
    url,
    clock,
    db: () => database.db,
    /** Sets the time forward, and waits until the shop, its database and the provider have it. */
    async setTime(time: string): Promise<void> {
      clock.set(time);
      await eventually(async () => {
        const dates = await Promise.all([url, providerUrl].map(async (server) => (await fetch(server)).headers.get('date') ?? ''));
        const { rows } = await database.pool.query<{ now: string }>('select now()::text as now');
        expect([...dates, rows[0]?.now ?? ''].filter((date) => !clock.agrees(date))).toEqual([]);
      });
    },
    /** Starts the shop again with other settings. */
    async restart(changes: Record<string, string>): Promise<void> {
      await database.close();
      await shop.stop();
      shop = await openShop(changes);
      database = connect((await reachEmbedded(join(data, 'postgres'))).url, { max: 2 });
    },
    /** The provider signs with another secret from now on. */
    async signWith(webhookSecret: string): Promise<void> {
      await endProcess(provider);
      provider = await openProvider(webhookSecret);
    },
    /** The URL of a payment's page at the provider. */
    paymentPage: (session: string) => `${providerUrl}/payments/${session}`,
    stripe: new Stripe(SECRET_KEY, { host: '127.0.0.1', port: providerPort, protocol: 'http' }),
  };
}
