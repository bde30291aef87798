import type { Log } from '#server/platform/log.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { ErrorCollector } from './error-reports.ts';

export interface Telemetry {
  errorCollector: ErrorCollector | undefined;
  stop(): Promise<void>;
}

/** Starts what the settings ask for. SDKs that they do not need are not loaded: together they take 60 MB of memory. */
export async function openTelemetry(
  { traces, sentryDsn, release }: Pick<Config, 'traces' | 'sentryDsn' | 'release'>,
  log: Log,
): Promise<Telemetry> {
  const tracing = traces && (await import('./open-telemetry.ts')).startTracing({ ...traces, release });
  const errorCollector = sentryDsn ? (await import('./sentry.ts')).sentryCollector(sentryDsn, log) : undefined;
  return { errorCollector, stop: async () => tracing?.stop() };
}
