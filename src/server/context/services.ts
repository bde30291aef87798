import type pg from 'pg';
import type { ShopSettings } from '#contract/settings/sections.schema.ts';
import type { Mailer } from '#server/gateways/mail.ts';
import type { Payments } from '#server/gateways/payments.ts';
import type { Pictures } from '#server/gateways/pictures.ts';
import type { Making } from '#server/platform/cache/catalogue-caches.ts';
import type { FactsCache } from '#server/platform/cache/facts-cache.ts';
import type { CatalogueInvalidation } from '#server/platform/cache/invalidation.ts';
import type { PageCache } from '#server/platform/cache/page-cache.ts';
import type { Db } from '#server/platform/database/connect.ts';
import type { JobList } from '#server/platform/jobs/queue.ts';
import type { Log } from '#server/platform/log.ts';
import type { Semaphore } from '#server/platform/semaphore.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { ErrorCollector } from '#server/platform/telemetry/error-reports.ts';
import type { Metrics } from '#server/platform/telemetry/metrics.ts';
import type { Vocabulary } from '#server/search/vocabulary.ts';

/** Everything that a request or job may use, opened once at the start and passed as an argument. */
export interface Services {
  config: Config;
  /** What the owner has set on `/admin/settings`; `load` puts it into `config`. */
  settings: {
    readonly current: ShopSettings;
    readonly defaults: ShopSettings;
    load(): Promise<void>;
    configAt(at: string): Promise<Config>;
  };
  /** The vocabulary of the search. */
  vocabulary: Vocabulary;
  db: Db;
  /** The connections behind `db`. */
  pool: pg.Pool;
  /** Direct connections for the job queue, if there is a pooler. */
  directPool?: pg.Pool | undefined;
  /** For catalogue reads, on separate connections: to the replicas if there are any. */
  readDb: Db;
  payments: Payments;
  pictures: Pictures;
  mailer: Mailer;
  /** Cached answers. */
  cache: PageCache;
  /** Limits the answers that are being made. */
  making: Making;
  /**
   * Limits the orders that are being placed and customers' other changes, networks taking turns: logins and the office keep connections while many wait
   * for the same row.
   */
  orderTurns: Semaphore;
  /** Limits the calls of visitors that ask for all products of a cart or wish list, networks taking turns: orders and logins keep connections. */
  visitorTurns: Semaphore;
  /** Limits the forms with files that are in memory; those of staff apart. */
  forms: Record<'staff' | 'others', Semaphore>;
  /** Cached facts about the whole catalogue. */
  facts: FactsCache;
  /** Invalidates these caches. */
  invalidation: CatalogueInvalidation;
  /** The counters of `/metrics`. */
  metrics: Metrics;
  /** All jobs, for their names. */
  jobs: JobList;
  /** The parts that need a restart or a person; `/healthz` fails while there are any. A short outage, such as a database restart, does not count. */
  health: Set<string>;
  log: Log;
  /** Receives error reports in addition to the log, if a setting names it. */
  errorCollector?: ErrorCollector | undefined;
}
