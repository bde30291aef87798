import type { Log } from '#server/platform/log.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { ErrorCollector } from './error-reports.ts';

/** What reports on the shop from inside, where a setting asks for it. */
export interface Telemetry {
  errorCollector: ErrorCollector | undefined;
  stop(): Promise<void>;
}

/** Opens what is asked for. What is not is not loaded either: the SDKs together take 60 MB of memory. */
export async function openTelemetry(
  { traces, sentryDsn, release }: Pick<Config, 'traces' | 'sentryDsn' | 'release'>,
  log: Log,
): Promise<Telemetry> {
  const tracing = traces && (await import('./open-telemetry.ts')).startTracing({ ...traces, release });
  const errorCollector = sentryDsn ? (await import('./sentry.ts')).sentryCollector(sentryDsn, log) : undefined;
  return { errorCollector, stop: async () => tracing?.stop() };
}
