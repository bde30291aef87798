import { errorFields, type Log } from '#server/platform/log.ts';

/** An unexpected error. Email addresses are removed before it is logged or sent. */
export interface ErrorReport {
  source: 'server' | 'browser';
  error: unknown;
  /** The id of the request in which it happened, or which reported it. */
  requestId?: string | undefined;
  /** The route's pattern, or the path of the page. */
  place?: string | undefined;
}

/** A report as it leaves the process. */
export interface SentReport {
  source: ErrorReport['source'];
  release: string;
  requestId: string | undefined;
  place: string | undefined;
  err: ReturnType<typeof errorFields>;
}

/** Receives reports in addition to the log. */
export interface ErrorCollector {
  send(report: SentReport): void;
}

export interface Reporting {
  log: Log;
  config: { release: string };
  errorCollector?: ErrorCollector | undefined;
}

/** Reports an unexpected error to the log, and to the collector if a setting names one. */
export function reportError({ log, config, errorCollector }: Reporting, { source, error, requestId, place }: ErrorReport): void {
  const { release } = config;
  const err = error instanceof Error ? error : new Error(String(error));
  log.error({ reqId: requestId, source, release, place, err }, 'error report');
  errorCollector?.send({ source, release, requestId, place, err: errorFields(err) });
}
