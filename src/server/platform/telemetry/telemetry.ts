import type pg from 'pg';
import type { Log } from '#server/platform/log.ts';
import type { ErrorCollector } from './error-reports.ts';
import type { TraceSettings } from './open-telemetry.ts';
import { traceStatements } from './traced-statements.ts';
import { type Tracing, tracedCalls } from './tracing.ts';

/** What settings ask for. */
export interface TelemetrySettings {
  traces: Omit<TraceSettings, 'release'> | undefined;
  sentryDsn: string | undefined;
  release: string;
}

/** What tells of the shop from inside, where a setting asks for it. */
export interface Telemetry {
  tracing: Tracing | undefined;
  errorCollector: ErrorCollector | undefined;
  /** The same object, whose methods are traced. */
  traced<T extends object>(name: string, target: T): T;
  /** The same database, whose statements are traced from its first connection on. */
  tracedDatabase<T extends { pool: pg.Pool }>(database: T): T;
  stop(): Promise<void>;
}

/** Opens what is asked for. What is not is not loaded either: both SDKs together take 20 MB of memory. */
export async function openTelemetry({ traces, sentryDsn, release }: TelemetrySettings, log: Log): Promise<Telemetry> {
  const tracing = traces && (await import('./open-telemetry.ts')).openTracing({ ...traces, release });
  const errorCollector = sentryDsn ? (await import('./sentry.ts')).sentryCollector(sentryDsn, log) : undefined;
  return {
    tracing,
    errorCollector,
    traced: (name, target) => tracedCalls(tracing, name, target),
    tracedDatabase(database) {
      if (tracing) traceStatements(database.pool, tracing);
      return database;
    },
    stop: async () => tracing?.stop(),
  };
}
