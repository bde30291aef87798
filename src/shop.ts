import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startSandbox } from '#sandbox/sandbox.ts';
import { hasAdministrator, NO_ADMINISTRATOR } from '#server/accounts/administrators.service.ts';
import { SEALED_FACTORS } from '#server/accounts/second-factor/second-factor.service.ts';
import { buildApp } from '#server/app/app.ts';
import { startJobs } from '#server/app/jobs.ts';
import { catalogueConnections, openServices, type ReadyConfig } from '#server/app/open-services.ts';
import { startArchiving } from '#server/backup/wal/archiving.ts';
import { WAL_SETTINGS } from '#server/backup/wal/ship.ts';
import { noteStored } from '#server/catalogue/pictures.jobs.ts';
import { watchPrices } from '#server/catalogue/price-clock.ts';
import type { Services } from '#server/context/services.ts';
import { type Demo, loadDemo, prepareDemo } from '#server/demo/demo.ts';
import { demoLogins } from '#server/demo/remove-demo.service.ts';
import { pictureStore } from '#server/gateways/pictures.ts';
import { SEALED_WEBHOOKS } from '#server/integrations/webhooks.jobs.ts';
import { say } from '#server/platform/command.ts';
import type { Trouble } from '#server/platform/database/embedded/server.ts';
import { startEmbedded } from '#server/platform/database/embedded.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { reseal } from '#server/platform/database/sealed-secret.ts';
import { openLog } from '#server/platform/log.ts';
import { type Config, checkSandbox, sandboxPlace, wantsDemo } from '#server/platform/settings/config.ts';
import { type Reporting, reportError } from '#server/platform/telemetry/error-reports.ts';
import { outlivesTerminal } from '#server/platform/terminal.ts';
import { render } from '#web/entry-server.tsx';

type Step = () => Promise<unknown>;

/** The longest wait of a stop for a start in progress, so that everything started is stopped too. */
const START_MS = 5_000;

const stops: Step[] = [];
let starting: Promise<void> = Promise.resolve();
/** The creation of a new database, which a stop lets finish. */
let databaseMade: Promise<void> = Promise.resolve();
let isStopping = false;
const health: Services['health'] = new Set();
let log = openLog('info');
/** For error reports: the services, once they are open. */
let reporting: Reporting = { log, config: { release: 'unknown' } };

/** Starts the payment sandbox, which the shop calls over HTTP like any provider. */
async function startProvider(config: Config): Promise<ReadyConfig['stripe']> {
  const secretKey = `sk_test_${randomBytes(12).toString('hex')}`;
  const webhookSecret = `whsec_${randomBytes(24).toString('hex')}`;
  const { ownHost, ...place } = sandboxPlace(config);
  const sandbox = await startSandbox({
    ...place,
    dir: join(config.dataDir, 'sandbox'),
    secretKey,
    webhookSecret,
    webhookUrl: `http://${ownHost}:${config.port}/stripe/webhook`,
  });
  stops.push(() => sandbox.close());
  return { secretKey, webhookSecret, apiBase: sandbox.url };
}

async function serve(services: Services): Promise<void> {
  const app = await buildApp(services, render);
  stops.push(() => app.close());
  await app.listen({ port: services.config.port, host: services.config.host });
  services.invalidation.watch();
  stops.push(() => services.invalidation.stop());
  const prices = watchPrices(services);
  stops.push(() => prices.stop());
}

/** Reports failed restarts of the embedded PostgreSQL. They are retried without end, but only a person can restore lost files. */
function reportTrouble(trouble: Trouble | undefined): void {
  if (trouble) log.error(trouble, 'the embedded PostgreSQL does not start; it is tried again');
  else log.warn('the embedded PostgreSQL runs again');
  health[trouble?.mendsItself === false ? 'add' : 'delete']('the database');
}

/** Starts the embedded PostgreSQL and returns its URL. `onNew` is called if its database is created. */
async function startDatabase({ dataDir, databasePool, making }: Config, onNew: () => void): Promise<string> {
  const connections = Math.max(100, databasePool + catalogueConnections(making) + 20);
  const embedded = await startEmbedded(join(dataDir, 'postgres'), {
    onNew: (made) => {
      databaseMade = made;
      say('Making a database: PostgreSQL, under the data folder');
      onNew();
    },
    onTrouble: reportTrouble,
    settings: { max_connections: String(connections + 2), ...WAL_SETTINGS },
  });
  stops.push(() => embedded.stop());
  return embedded.url;
}

/** Starts everything in order: database, provider, jobs, app. It is stopped in reverse. */
async function start(settings: Config): Promise<void> {
  checkSandbox(settings, process.env);
  /** Pictures of the demo, which are stored before there is a database. */
  const early = new Set<string>();
  const pictures = pictureStore(settings, async (id) => void early.add(id));
  let demo: Promise<Demo> | undefined;
  const prepare = () => {
    demo ??= prepareDemo(pictures, (done, total) => done % 10 === 0 && say(`Loading the demo catalogue: ${done} of ${total}`));
    return demo;
  };
  const isDemo = wantsDemo(settings, process.argv);
  // Prepare the demo while a new database is being created.
  const databaseUrl = settings.databaseUrl ?? (await startDatabase(settings, () => isDemo && prepare()));
  const stripe = settings.stripe ?? (await startProvider(settings));
  const services = await openServices({ ...settings, databaseUrl, stripe }, { log, health });
  stops.push(() => services.close());
  await migrate({ db: services.db, pool: services.directPool ?? services.pool });
  const sealed = await reseal(services.db, settings.secondFactorKeys, [...SEALED_FACTORS, ...SEALED_WEBHOOKS]);
  if (sealed > 0) log.info({ secrets: sealed }, 'secrets are sealed by the first SECOND_FACTOR_KEY');
  reporting = services;
  if (isDemo) await loadDemo(services.db, prepare);
  await noteStored(services.db, [...early]);
  // After the demo, which sets some of them.
  await services.settings.load();
  if (!settings.databaseUrl) {
    const archiving = await startArchiving(services, databaseUrl);
    stops.push(() => archiving.stop());
  }
  const jobs = await startJobs(services);
  stops.push(() => jobs.stop());
  // Read before it opens: an open shop must not end because the database is away.
  const remarks = [
    ...(isDemo ? await demoLogins(services.db, settings) : []),
    ...((await hasAdministrator(services.db)) ? [] : [NO_ADMINISTRATOR]),
  ];
  await serve(services);
  for (const line of [`The shop is open at ${services.config.publicUrl}`, ...remarks]) say(line);
}

async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await databaseMade.catch(() => undefined);
  await Promise.race([starting.catch(() => undefined), setTimeout(START_MS, undefined, { ref: false })]);
  for (const step of stops.reverse()) await step().catch((error: unknown) => say(`Stopping: ${String(error)}`));
  process.exit(code);
}

// An unhandled rejection is a bug to report, not a reason to close the shop.
process.on('unhandledRejection', (error) => reportError(reporting, { source: 'server', error, place: 'a promise that nobody awaited' }));
// An uncaught exception ends the process, and a service manager restarts it.
process.on('uncaughtExceptionMonitor', (error) => reportError(reporting, { source: 'server', error, place: 'outside of any request' }));

// Not `once`: npm forwards a signal that the process group already has, and the second must not kill a shutdown in progress.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
process.on('SIGHUP', () => outlivesTerminal() || void stop(0));

/** Opens the shop, until a signal stops it. `tracing` is stopped after everything else. */
export async function runShop(settings: Config, tracing: { stop: Step } | undefined): Promise<void> {
  log = openLog(settings.logLevel);
  reporting = { log, config: settings };
  if (tracing) stops.push(() => tracing.stop());
  try {
    starting = start(settings);
    await starting;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    say(
      code === 'EADDRINUSE'
        ? `Port ${process.env.PORT ?? 3000} is taken. Stop what uses it, or choose another: PORT=3001 npm start`
        : `The shop could not start: ${message}`,
    );
    await stop(1);
  }
}
