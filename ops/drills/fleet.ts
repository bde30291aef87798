import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startSandbox } from '#sandbox/sandbox.ts';
import { type Payments, stripePayments } from '#server/gateways/payments.ts';
import { connect, type Database } from '#server/platform/database/connect.ts';
import { startEmbedded } from '#server/platform/database/embedded.ts';
import { freePort } from '#server/platform/ports.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { startStandby } from '#server/testing/standby.ts';
import { startBalancer } from './balancer.ts';
import { startPooler } from './pooler.ts';
import { makeReleases, type Releases } from './releases.ts';
import { type ShopProcess, startShop } from './shop-process.ts';

const SERVERS = 3;
/** What the limits are multiplied by: enough for a few buyers who order all the time, and few enough to be reached by a guesser. */
export const LIMIT_FACTOR = 30;

/** Three processes of the shop behind nginx, on a PostgreSQL and its streaming replicas, with a payment provider. */
export interface Fleet {
  balancer: string;
  database: Database;
  replicas: Database[];
  payments: Payments;
  /** The folder where mails are written. */
  mail: string;
  shops: ShopProcess[];
  /** Addresses of the processes that run right now. */
  running(): string[];
  releases: Releases;
  /** Starts one that was ended, as the old version or the new. */
  start(index: number, version?: keyof Releases): Promise<void>;
  stop(): Promise<void>;
}

type Step = () => Promise<unknown>;

/** How a fleet differs from the usual one. */
interface Options {
  /** Its version is the old one. */
  from?: string | undefined;
  /** The processes reach PostgreSQL through PgBouncer in transaction mode. */
  pooler?: boolean | undefined;
}

async function startDatabases(dir: string, stops: Step[], { from }: Options) {
  const postgres = await startEmbedded(join(dir, 'primary'));
  stops.push(() => postgres.stop());
  const database = connect(postgres.url, { max: 4 });
  stops.push(() => database.close());
  const replicas: Database[] = [];
  const replicaUrls: string[] = [];
  // Versions before this one know of one replica.
  for (const name of from ? ['standby'] : ['standby', 'second-standby']) {
    const standby = await startStandby(postgres.url, join(dir, name), await freePort());
    stops.push(() => standby.kill());
    const replica = connect(standby.url, { max: 2, onError: () => undefined });
    stops.push(() => replica.close());
    replicas.push(replica);
    replicaUrls.push(standby.url);
  }
  return { url: postgres.url, replicaUrls, database, replicas };
}

async function raise(dir: string, stops: Step[], options: Options): Promise<Omit<Fleet, 'stop'>> {
  const releases = makeReleases(dir, options.from);
  const { url, replicaUrls, database, replicas } = await startDatabases(dir, stops, options);
  const pooler = options.pooler ? await startPooler(join(dir, 'primary'), url) : undefined;
  if (pooler) stops.push(() => pooler.stop());
  const port = await freePort();
  const balancer = `http://127.0.0.1:${port}`;
  const keys = { secretKey: 'sk_test_fleet', webhookSecret: 'whsec_fleet' };
  const webhookUrl = `${balancer}/stripe/webhook`;
  const sandbox = await startSandbox({ host: '127.0.0.1', port: 0, dir: join(dir, 'sandbox'), ...keys, webhookUrl });
  stops.push(() => sandbox.close());
  const settings = {
    ...{ DATABASE_URL: pooler?.url ?? url, DATABASE_DIRECT_URL: pooler ? url : '', DATABASE_REPLICA_URL: replicaUrls.join(',') },
    ...{ SHOP_DATA_DIR: dir, SEED_DEMO: '1' },
    ...{ PUBLIC_URL: balancer, TRUST_PROXY: '127.0.0.1', ...MANY_ORDERS, RATE_LIMIT_FACTOR: String(LIMIT_FACTOR) },
    ...{ STRIPE_SECRET_KEY: keys.secretKey, STRIPE_WEBHOOK_SECRET: keys.webhookSecret, STRIPE_API_BASE: sandbox.url },
  };
  const ports = await Promise.all(Array.from({ length: SERVERS }, freePort));
  const alive = new Set<number>();
  const shops: ShopProcess[] = [];
  stops.push(() => Promise.all([...alive].map((index) => shops[index]?.stop())));
  const start = async (index: number, version: keyof Releases = 'old'): Promise<void> => {
    const shop = await startShop(ports[index] ?? 0, settings, releases[version]);
    const gone = (end: Step) => async () => {
      alive.delete(index);
      return (await end()) as never;
    };
    shops[index] = { ...shop, kill: gone(shop.kill), stop: gone(shop.stop) };
    alive.add(index);
  };
  // The first fills the shop; the others would find nothing to do.
  for (let index = 0; index < SERVERS; index += 1) await start(index);
  const nginx = await startBalancer(join(dir, 'nginx'), port, ports);
  stops.push(() => nginx.stop());
  const payments = stripePayments({ ...keys, apiBase: sandbox.url }, pino({ level: 'silent' }));
  const running = () => [...alive].map((index) => shops[index]?.url ?? '');
  return { balancer, database, replicas, payments, mail: join(dir, 'mail'), shops, running, releases, start };
}

/** Raises everything on the loopback address, in a folder of its own that goes with it. */
export async function startFleet(options: Options = {}): Promise<Fleet> {
  const dir = await mkdtemp(join(tmpdir(), 'shop-fleet-'));
  // Open to PostgreSQL's own account, so that the databases lie inside and go with the folder.
  await chmod(dir, 0o711);
  const stops: Step[] = [() => rm(dir, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of stops.reverse()) await step().catch((error: unknown) => void process.stderr.write(`Stopping: ${String(error)}\n`));
  };
  try {
    return { ...(await raise(dir, stops, options)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
