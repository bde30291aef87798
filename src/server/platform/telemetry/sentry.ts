import { randomUUID } from 'node:crypto';
import {
  createEventEnvelope,
  createStackParser,
  type Event,
  getEnvelopeEndpointWithUrlEncodedAuth,
  makeDsn,
  serializeEnvelope,
} from '@sentry/core';
import { nodeStackLineParser } from '@sentry/core/server';
import { BUDGETS } from '#server/platform/budgets.ts';
import type { Log } from '#server/platform/log.ts';
import type { ErrorCollector, SentReport } from './error-reports.ts';

/** Reports a minute of a process, for its own and for browsers' errors separately: anyone can invent the latter. */
const MOST_A_MINUTE = 30;

const parseStack = createStackParser(nodeStackLineParser());

function eventOf({ source, release, requestId, place, err }: SentReport): Event {
  return {
    event_id: randomUUID().replaceAll('-', ''),
    timestamp: Date.now() / 1000,
    level: 'error',
    platform: source === 'server' ? 'node' : 'javascript',
    release,
    ...(place && { transaction: place }),
    tags: { source, ...(requestId && { request_id: requestId }), ...(err.code && { code: err.code }) },
    exception: { values: [{ type: err.type, value: err.message, stacktrace: { frames: parseStack(err.stack) } }] },
  };
}

/** Sends reports as Sentry envelopes, which GlitchTip and Bugsink accept too. Best effort: the log has every report. */
export function sentryCollector(dsnText: string, log: Log): ErrorCollector {
  const dsn = makeDsn(dsnText);
  if (!dsn) throw new Error('SENTRY_DSN is not the address of a project: https://KEY@HOST/PROJECT');
  const url = getEnvelopeEndpointWithUrlEncodedAuth(dsn);
  let minute = 0;
  let sent = { server: 0, browser: 0 };
  return {
    send(report) {
      const now = Math.floor(Date.now() / 60_000);
      if (now !== minute) sent = { server: 0, browser: 0 };
      minute = now;
      sent[report.source] += 1;
      if (sent[report.source] > MOST_A_MINUTE) return;
      const body = serializeEnvelope(createEventEnvelope(eventOf(report), dsn));
      fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-sentry-envelope' },
        signal: AbortSignal.timeout(BUDGETS.errorReport),
      })
        .then(({ ok, status }) => ok || log.warn({ status }, 'an error report was refused'))
        .catch((error: unknown) => log.warn({ reason: String(error) }, 'an error report could not be sent'));
    },
  };
}
