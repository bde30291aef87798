import { errorFields, type Log } from '#server/platform/log.ts';

/** What went wrong, where, and for whom to ask. Nobody's data: `error` is cleaned of addresses before it goes anywhere. */
export interface ErrorReport {
  source: 'server' | 'browser';
  error: unknown;
  /** The id of the request in which it happened, or by which a browser reported it. */
  requestId?: string | undefined;
  /** The pattern of the address, or the path of the page. */
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

/** Where reports are collected, beside the log. */
export interface ErrorCollector {
  send(report: SentReport): void;
}

/** Who reports. */
export interface Reporting {
  log: Log;
  config: { release: string };
  errorCollector?: ErrorCollector | undefined;
}

/** Reports an error that nobody foresaw: one line of the log, always of the same shape, and the collector's where a setting names one. */
export function reportError({ log, config, errorCollector }: Reporting, { source, error, requestId, place }: ErrorReport): void {
  const { release } = config;
  const err = error instanceof Error ? error : new Error(String(error));
  log.error({ reqId: requestId, source, release, place, err }, 'error report');
  errorCollector?.send({ source, release, requestId, place, err: errorFields(err) });
}
