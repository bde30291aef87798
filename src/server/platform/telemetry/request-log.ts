import { trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { Log } from '#server/platform/log.ts';
import type { Metrics } from './metrics.ts';

export interface Recorder {
  log: Log;
  metrics: Metrics;
}

interface Answer {
  reqId: string;
  method: string;
  /** As `loggedPath` returns it. */
  path: string;
  /** The pattern of the URL; `none` for a URL that names nothing. */
  route: string;
  status: number;
  ms: number;
  isCached?: boolean;
}

/** The paths whose last part is a secret: links to pay, shared wish lists, keys of order attempts. */
const SECRETS = /(\/(?:pay|api\/+(?:payment-links|wishlists|order-attempts))\/+)[^/\s:)]+/gi;

/** A path, or a text with addresses, without the secrets of links. */
export const withoutSecrets = (text: string): string => text.replace(SECRETS, '$1…');

/** The path of a URL as it was sent, unless a secret is in it however it is spelled. */
export function loggedPath(url: string): string {
  const sent = url.replace(/\?.*/s, '');
  const plain = sent.replace(/%[2-7][\da-f]/gi, decodeURIComponent);
  const safe = withoutSecrets(plain);
  return safe === plain ? sent : safe;
}

/**
 * Records an answer of the framework or of the page cache in front of it: a log line, the metrics, and the name of its span. Query strings, bodies and
 * headers stay out, since they may hold personal data, and so do the secrets of links.
 */
export function recordAnswer({ log, metrics }: Recorder, { reqId, method, path, route, status, ms, isCached = false }: Answer): void {
  const line = { reqId, method, path, status, ms: Math.round(ms) };
  if (status >= 500) log.error(line, 'request');
  else log.info(line, 'request');
  metrics.requestEnded(method, route, status, ms / 1000);
  const span = trace.getActiveSpan();
  if (!span) return;
  span.updateName(`${method} ${route}`).setAttributes({ 'http.route': route, 'shop.request_id': reqId });
  if (isCached) span.setAttribute('shop.cache', 'hit');
  if (status >= 500) span.setAttribute('error.type', String(status));
}

/** Gives each answer of the framework its request's id, and records it. */
export function logRequests(app: FastifyInstance, recorder: Recorder): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', ({ id, method, url, routeOptions }, { statusCode, elapsedTime }, done) => {
    const route = routeOptions.url ?? 'none';
    recordAnswer(recorder, { reqId: id, method, path: loggedPath(url), route, status: statusCode, ms: elapsedTime });
    done();
  });
}
