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
import type { Health } from '#server/platform/health.ts';
import type { Log } from '#server/platform/log.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { ErrorCollector } from '#server/platform/telemetry/error-reports.ts';
import type { Metrics } from '#server/platform/telemetry/metrics.ts';
import type { Vocabulary } from '#server/search/vocabulary.ts';

/** Everything a request or a job may use; made once at the start and passed on as a value. */
export interface Services {
  config: Config;
  /** What the owner has set on `/admin/settings`; `load` puts it into `config`. */
  settings: { readonly current: ShopSettings; readonly defaults: ShopSettings; load(): Promise<void> };
  /** What shoppers call things, for the search. */
  vocabulary: Vocabulary;
  db: Db;
  /** The connections behind `db`. */
  pool: pg.Pool;
  /** Those that go past a pooler, where there is one, for the job queue. */
  directPool?: pg.Pool | undefined;
  /** For catalogue reads, on connections of their own: to the replicas where there are some, else to the same database. */
  readDb: Db;
  payments: Payments;
  pictures: Pictures;
  mailer: Mailer;
  /** Ready answers, until what they show changes. */
  cache: PageCache;
  /** How many of them are made at once. */
  making: Making;
  /** What the catalogue has as a whole, until it is edited. */
  facts: FactsCache;
  /** Tells them what has changed. */
  invalidation: CatalogueInvalidation;
  /** What this process counts, for `/metrics`. */
  metrics: Metrics;
  /** What has failed and will not mend itself, for `/healthz`. */
  health: Health;
  log: Log;
  /** Where errors are reported beside the log; undefined unless a setting names it. */
  errorCollector?: ErrorCollector | undefined;
}
