import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { startBalancer } from '#ops/drills/balancer.ts';
import { makeReleases, type Releases } from '#ops/drills/releases.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import { Payments } from '#server/gateways/payments.ts';
import { ROOT } from '#server/platform/root.ts';
import { eventually } from '#server/testing/eventually.ts';
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { type ObjectStorage, startObjectStorage } from '#server/testing/object-storage.ts';
import { DIRECT_URL, POOLED_URL, startConnections } from './cluster.ts';
import { FILES, FRONT, Host, run } from './hosts.ts';

const KEYS = { secretKey: 'sk_test_game_day', webhookSecret: 'whsec_game_day' };
const [SHOP_PORT, FRONT_PORT, SANDBOX_PORT] = [3001, 8080, 4242];
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** The payment provider, which can go away and come back with all it knows. */
class Provider {
  #server: Sandbox | undefined;

  async open(): Promise<void> {
    this.#server = await startSandbox({
      host: FRONT,
      port: SANDBOX_PORT,
      dir: `${FILES}/provider`,
      ...KEYS,
      webhookUrl: `http://${FRONT}:${FRONT_PORT}/stripe/webhook`,
    });
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  get url(): string {
    return `http://${FRONT}:${SANDBOX_PORT}`;
  }
}

/** A shop host: a process of the shop, with HAProxy and PgBouncer before the databases. */
export class ShopHost extends Host {
  readonly url: string;
  version: keyof Releases = 'old';
  readonly #env: Record<string, string>;
  readonly #releases: Releases;

  constructor(n: number, releases: Releases, env: Record<string, string>) {
    super(`shop${n}`, `10.77.0.2${n}`);
    this.url = `http://${this.address}:${SHOP_PORT}`;
    this.#releases = releases;
    this.#env = env;
    mkdirSync(`${FILES}/${this.name}/data`, { recursive: true });
    run('chown', '-R', 'postgres', `${FILES}/${this.name}`);
    this.setClock(0);
  }

  setClock(hours: number): void {
    appendFileSync(`${FILES}/${this.name}-clock`, '');
    run('sh', '-c', `echo '${hours < 0 ? '' : '+'}${hours * 3600}' > ${FILES}/${this.name}-clock`);
  }

  async startShop(version = this.version): Promise<void> {
    this.version = version;
    const main = join(this.#releases[version], 'dist/server/main.js');
    this.start('shop', 'root', ['env', `LD_PRELOAD=${FAKETIME}`, process.execPath, '--max-old-space-size=384', main], {
      MALLOC_ARENA_MAX: '2',
      LOG_LEVEL: 'warn',
      HOST: this.address,
      PORT: String(SHOP_PORT),
      SHOP_DATA_DIR: `${FILES}/${this.name}/data`,
      FAKETIME_TIMESTAMP_FILE: `${FILES}/${this.name}-clock`,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      ...this.#env,
    });
    await this.isReady(400);
  }

  async stopShop(): Promise<void> {
    await this.end('shop', 'SIGTERM');
  }

  async isReady(seconds: number): Promise<void> {
    await eventually(async () => {
      const reply = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(3_000) });
      if (!reply.ok)
        throw new Error(`${this.name} is not ready: ${reply.status} ${readFileSync(`${FILES}/${this.name}-shop.log`, 'utf8').slice(-500)}`);
    }, seconds);
  }

  output(): string {
    return readFileSync(`${FILES}/${this.name}-shop.log`, 'utf8');
  }
}

/** Two shop hosts behind nginx, and what they call. */
export interface Shops {
  url: string;
  hosts: ShopHost[];
  provider: Provider;
  payments: Payments;
  storage: ObjectStorage;
  mails: MailServer;
}

export async function startShops(): Promise<Shops> {
  const releases = makeReleases(FILES, undefined);
  const provider = new Provider();
  await provider.open();
  const storage = await startObjectStorage({ pageSize: 1_000, host: FRONT });
  const mails = await startMailServer({}, '', FRONT);
  const url = `http://${FRONT}:${FRONT_PORT}`;
  const env = {
    DATABASE_URL: POOLED_URL,
    DATABASE_DIRECT_URL: DIRECT_URL,
    SEED_DEMO: '1',
    PUBLIC_URL: url,
    TRUST_PROXY: FRONT,
    ...MANY_ORDERS,
    STRIPE_SECRET_KEY: KEYS.secretKey,
    STRIPE_WEBHOOK_SECRET: KEYS.webhookSecret,
    STRIPE_API_BASE: provider.url,
    SMTP_URL: mails.url,
    S3_BUCKET: storage.bucket,
    S3_ENDPOINT: storage.url,
    S3_ACCESS_KEY_ID: storage.accessKeyId,
    S3_SECRET_ACCESS_KEY: storage.secretAccessKey,
  };
  const hosts = [1, 2].map((n) => new ShopHost(n, releases, env));
  for (const host of hosts) await startConnections(host);
  // The first one fills the shop.
  for (const host of hosts) await host.startShop();
  const upstream = readFileSync(join(ROOT, 'deploy/cluster/nginx-upstream.conf'), 'utf8');
  await startBalancer(`${FILES}/nginx`, FRONT_PORT, [], (site) =>
    site
      .replace(/upstream shop \{[^}]*\}/, upstream)
      .replace(`listen 127.0.0.1:${FRONT_PORT};`, `listen ${FRONT}:${FRONT_PORT}; listen 127.0.0.1:${FRONT_PORT};`),
  );
  const payments = new Payments({ ...KEYS, apiBase: provider.url }, pino({ level: 'silent' }));
  return { url, hosts, provider, payments, storage, mails };
}
