import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Outlines } from './catalogue/outlines.ts';
import type { CatalogueNews } from './catalogue/watch.ts';
import type { Config } from './config.ts';
import type { Db } from './db/connect.ts';
import type { Mailer } from './gateways/mail.ts';
import type { Payments } from './gateways/payments.ts';
import type { Pictures } from './gateways/pictures.ts';
import type { Health } from './health.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { PageCache } from './pages/page-cache.ts';

export type Log = FastifyBaseLogger;

/** Everything a request or a job may use; made once at the start and passed on as a value. */
export interface Services {
  config: Config;
  db: Db;
  /** The connections behind `db`, for the job queue. */
  pool: pg.Pool;
  /** The replica for catalogue reads where there is one, else the same database. */
  readDb: Db;
  payments: Payments;
  pictures: Pictures;
  mailer: Mailer;
  /** Ready answers, until what they show changes. */
  cache: PageCache;
  /** How long lists are and where their pages stand, until that changes. */
  outlines: Outlines;
  /** Tells both what has changed. */
  news: CatalogueNews;
  /** What this process counts, for `/metrics`. */
  metrics: Metrics;
  /** What has failed and will not mend itself, for `/healthz`. */
  health: Health;
  log: Log;
}
