import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Payments } from '#server/gateways/payments.ts';
import { connect, type Database } from '#server/platform/database/connect.ts';
import { startEmbedded } from '#server/platform/database/embedded.ts';
import { freePort } from '#server/platform/ports.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { newFolder } from '#server/testing/new-folder.ts';
import { type ShopProcess, startShop } from '#server/testing/shop-process.ts';
import { startStandby } from '#server/testing/standby.ts';
import { startBalancer } from './balancer.ts';
import { startPooler } from './pooler.ts';
import { makeReleases, type Releases } from './releases.ts';
import { openSandbox } from './sandbox.ts';

const SERVERS = 3;
/** The factor of rate limits: high enough for a few constant buyers, low enough to be reached by password guessing. */
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
  /** Addresses of the running processes. */
  running(): string[];
  releases: Releases;
  /** Starts an ended process in the old or new version. */
  start(index: number, version?: keyof Releases): Promise<void>;
  stop(): Promise<void>;
}

type Step = () => Promise<unknown>;

interface Options {
  /** The commit of the old version. */
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
  // Earlier versions support one replica only.
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

async function startAll(dir: string, stops: Step[], options: Options): Promise<Omit<Fleet, 'stop'>> {
  const releases = makeReleases(dir, options.from);
  const { url, replicaUrls, database, replicas } = await startDatabases(dir, stops, options);
  const pooler = options.pooler ? await startPooler(join(dir, 'primary'), url) : undefined;
  if (pooler) stops.push(() => pooler.stop());
  const port = await freePort();
  const balancer = `http://127.0.0.1:${port}`;
  const sandbox = await openSandbox(balancer, join(dir, 'sandbox'));
  stops.push(() => sandbox.close());
  const settings = {
    DATABASE_URL: pooler?.url ?? url,
    DATABASE_DIRECT_URL: pooler ? url : '',
    DATABASE_REPLICA_URL: replicaUrls.join(','),
    SHOP_DATA_DIR: dir,
    SEED_DEMO: '1',
    PUBLIC_URL: balancer,
    TRUST_PROXY: '127.0.0.1',
    ...MANY_ORDERS,
    RATE_LIMIT_FACTOR: String(LIMIT_FACTOR),
    ...sandbox.env,
  };
  const ports = await Promise.all(Array.from({ length: SERVERS }, freePort));
  const alive = new Set<number>();
  const shops: ShopProcess[] = [];
  stops.push(() => Promise.all([...alive].map((index) => shops[index]?.stop())));
  const start = async (index: number, version: keyof Releases = 'old'): Promise<void> => {
    const shop = await startShop(ports[index] ?? 0, settings, releases[version]);
    const ending = (end: Step) => async () => {
      alive.delete(index);
      return (await end()) as never;
    };
    shops[index] = { ...shop, kill: ending(shop.kill), stop: ending(shop.stop) };
    alive.add(index);
  };
  // One after the other, as the first one fills the shop.
  for (let index = 0; index < SERVERS; index += 1) await start(index);
  const nginx = await startBalancer(join(dir, 'nginx'), port, ports);
  stops.push(() => nginx.stop());
  const running = () => [...alive].map((index) => shops[index]?.url ?? '');
  return { balancer, database, replicas, payments: sandbox.payments, mail: join(dir, 'mail'), shops, running, releases, start };
}

/** Starts everything on the loopback address, in a temporary folder. */
export async function startFleet(options: Options = {}): Promise<Fleet> {
  const dir = newFolder('fleet');
  const stops: Step[] = [() => rm(dir, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of stops.reverse()) await step().catch((error: unknown) => void process.stderr.write(`Stopping: ${String(error)}\n`));
  };
  try {
    return { ...(await startAll(dir, stops, options)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
