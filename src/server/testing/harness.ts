import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, inject } from 'vitest';
import type { Render } from '#contract/page.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import { buildApp } from '#server/app/app.ts';
import { type OpenServices, openServices, type ReadyConfig } from '#server/app/open-services.ts';
import { connect, type Database } from '#server/platform/database/connect.ts';
import type { Log } from '#server/platform/log.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import { aFolder } from './a-folder.ts';
import { type ProviderWire, providerWire } from './provider-wire.ts';

/** A database of its own, copied from the migrated template and dropped after the file. */
export const testDatabase = (max = 10): Promise<Database & { url: string }> => newDatabase('shop_template', max);

/** An empty database, without tables. */
export const emptyDatabase = (): Promise<Database & { url: string }> => newDatabase('template1', 4);

async function newDatabase(template: string, max: number): Promise<Database & { url: string }> {
  const server = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = connect(server, { max: 1, waitMs: 60_000 });
  // As files: three times as fast as through the write-ahead log.
  await admin.pool.query(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  // Concurrent requests share few connections, and the machine may be busy.
  const database = connect(url.href, { max, waitMs: 60_000 });
  afterAll(async () => {
    await database.close();
    // Not waited for: PostgreSQL sleeps 100 ms while a connection is still closing. What is not dropped by the end of the run goes with its folder.
    void admin.pool
      .query(`drop database ${name} with (force)`)
      .finally(() => admin.close())
      .catch(() => undefined);
  });
  return { ...database, url: url.href };
}

export interface TestShop {
  app: FastifyInstance;
  db: Database['db'];
  services: OpenServices;
  sandbox: Sandbox;
  /** The client of the sandbox, or of the provider that `env` names. */
  wire: ProviderWire;
  /** The address of the shop, once it listens. */
  url: string;
  databaseUrl: string;
  dataDir: string;
}

const SECRET_KEY = 'sk_test_shop';
export const WEBHOOK_SECRET = 'whsec_shop';

/** Renders nothing, for tests that do not look at pages. */
export const noPages: Render = async () => ({ status: 200, head: '', body: '', state: {}, modules: [] });

interface TestOptions {
  env?: Record<string, string>;
  render?: Render;
  pool?: number;
  /** Silent by default. */
  log?: Log;
  /** The timeout of a call of the provider. */
  providerTimeoutMs?: number;
  /** Replaces the direct connection to the database. */
  database?: Database & { url: string };
}

/**
 * A whole shop on a database of its own: real PostgreSQL, files for mail and pictures, the payment sandbox over HTTP.
 * It listens on a free port of the loopback address, so that the sandbox's webhooks reach it; `app.inject` works as well.
 * Jobs (mail, expiry) do not run by themselves: a test runs them with `runJobs` of `#server/app/jobs.ts`.
 */
export async function testShop(options: TestOptions = {}): Promise<TestShop> {
  const database = options.database ?? (await testDatabase());
  const dataDir = aFolder('data', afterAll);
  let url = '';
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    dir: join(dataDir, 'sandbox'),
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrl: () => `${url}/stripe/webhook`,
  });
  const wire = await providerWire(options.env?.STRIPE_API_BASE ?? sandbox.url);
  const settings = readConfig({
    SHOP_DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    // In tests all customers share one address and order for the first time; 0 is no limit.
    UNPAID_ORDERS_PER_ADDRESS: '1000000',
    UNPAID_VALUE: '0',
    UNPAID_VALUE_PER_ADDRESS: '0',
    UNPAID_VALUE_PER_NETWORK: '0',
    APPROVAL_ABOVE: '0',
    // Some tests request hundreds of lists at once.
    SEARCHES_WAITING: '100000',
    PAGES_WAITING: '100000',
    ...options.env,
    STRIPE_API_BASE: wire.url,
  });
  const stripe = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiBase: wire.url };
  const config: ReadyConfig = { ...settings, databaseUrl: database.url, databasePool: options.pool ?? 10, stripe };
  const log = options.log ?? pino({ level: 'silent' });
  const services = await openServices(config, { log, waitMs: 60_000, providerTimeoutMs: options.providerTimeoutMs });
  const app = await buildApp(services, options.render ?? noPages);
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  config.publicUrl = url;
  afterAll(async () => {
    await app.close();
    await services.close();
    await wire.close();
    await sandbox.close();
  });
  return { app, db: services.db, services, sandbox, wire, url, databaseUrl: database.url, dataDir };
}
