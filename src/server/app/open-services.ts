import { noteStored } from '#server/catalogue/pictures.jobs.ts';
import type { Services } from '#server/context/services.ts';
import { mailer } from '#server/gateways/mail.ts';
import { Payments } from '#server/gateways/payments.ts';
import { pictureStore } from '#server/gateways/pictures.ts';
import { BUDGETS } from '#server/platform/budgets.ts';
import { openCatalogueCaches } from '#server/platform/cache/catalogue-caches.ts';
import { dependenciesOf, isStale } from '#server/platform/cache/catalogue-changes.ts';
import { connect } from '#server/platform/database/connect.ts';
import { readsOn } from '#server/platform/database/replica.ts';
import { openLog } from '#server/platform/log.ts';
import { Semaphore } from '#server/platform/semaphore.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { Metrics } from '#server/platform/telemetry/metrics.ts';
import { loadVocabulary } from '#server/search/vocabulary.ts';
import { SettingsLoader } from '#server/settings/settings-loader.ts';
import { JOBS } from './jobs.ts';

/** The settings of a shop whose database and provider run. */
export type ReadyConfig = Config & { databaseUrl: string; stripe: NonNullable<Config['stripe']> };

export interface OpenServices extends Services {
  config: ReadyConfig;
  close(): Promise<void>;
}

interface Options extends Partial<Pick<Services, 'log' | 'health'>> {
  /** How long a statement waits for a connection, and an order for its turn, instead of `BUDGETS`. */
  waitMs?: number;
  /** The timeout of a call of the provider. */
  providerTimeoutMs?: number | undefined;
}

/** Connections for catalogue reads: a page reads its list and its facets at the same time. */
export const catalogueConnections = ({ searches }: Config['making']): number => 2 * searches.atOnce;

/** The share of the connections that orders may use at once, so that logins do not wait behind a rush of orders. */
const FOR_ORDERS = 0.6;
const MOST_ORDERS_WAITING = 5_000;
/** The same for calls of visitors. */
const FOR_VISITORS = 0.3;
const MOST_VISITORS_WAITING = 500;

/** Forms with files: how many are in memory at once, how many may wait, and for how many milliseconds. */
const FORMS = [3, 20, 20_000] as const;

const ON_SETTINGS = dependenciesOf(['settings']);

/** Opens everything that requests and jobs use; `close` closes it in reverse. It does not require a migrated database. */
export async function openServices(config: ReadyConfig, { waitMs, providerTimeoutMs, ...given }: Options = {}): Promise<OpenServices> {
  const { log = openLog(config.logLevel), health = new Set() } = given;
  const vocabulary = loadVocabulary(config.searchWords);
  const onError = (error: Error) => log.warn({ reason: error.message }, 'a database connection was lost');
  const open = (url: string, { max = config.databasePool, isPooled = false } = {}) =>
    connect(url, { max, isPooled, onError, ...(waitMs && { waitMs }) });
  const isPooled = config.databaseDirectUrl !== undefined;
  const database = open(config.databaseUrl, { isPooled });
  // A separate pool, so that searches never take connections from orders and logins.
  const catalogue = open(config.databaseUrl, { max: catalogueConnections(config.making), isPooled });
  const direct = config.databaseDirectUrl ? open(config.databaseDirectUrl) : undefined;
  const replicas = config.databaseReplicaUrls.map((url) => open(url));
  const reads = readsOn(catalogue, replicas, log);
  const settings = new SettingsLoader(database.db, config);
  const turns = (share: number, mostWaiting: number) =>
    new Semaphore(Math.max(1, Math.floor(share * config.databasePool)), mostWaiting, waitMs ?? BUDGETS.orderTurn);
  return {
    config,
    vocabulary,
    db: database.db,
    pool: database.pool,
    directPool: direct?.pool,
    readDb: reads.db,
    payments: new Payments({ ...config.stripe, ...(providerTimeoutMs && { timeoutMs: providerTimeoutMs }) }, log),
    pictures: pictureStore(config, (id) => noteStored(database.db, [id])),
    mailer: mailer(config, log),
    settings,
    forms: { staff: new Semaphore(...FORMS), others: new Semaphore(...FORMS) },
    orderTurns: turns(FOR_ORDERS, MOST_ORDERS_WAITING),
    visitorTurns: turns(FOR_VISITORS, MOST_VISITORS_WAITING),
    // Notices need a connection of their own, which a pooler does not give.
    ...openCatalogueCaches((direct ?? database).pool, log, config, async (change, isBlind) => {
      reads.changed();
      if (!isBlind && isStale(ON_SETTINGS, change)) await settings.load();
    }),
    metrics: new Metrics(),
    jobs: JOBS,
    health,
    log,
    // 24 MB of memory, loaded only where a setting asks for it.
    errorCollector: config.sentryDsn
      ? (await import('#server/platform/telemetry/sentry.ts')).sentryCollector(config.sentryDsn, log)
      : undefined,
    async close() {
      await reads.close();
      await direct?.close();
      await catalogue.close();
      await database.close();
    },
  };
}
