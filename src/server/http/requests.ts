import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '#server/metrics/metrics.ts';

const SAFE_ID = /^[\w.:-]{8,100}$/;

/** A request's id: the one that a proxy in front gave it, so that both logs speak of the same, else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID();
}

/** One structured line and one count a request; query strings, bodies and headers stay out, since they may hold personal data. */
export function watchRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const status = reply.statusCode;
    const line = { method, path: request.url.split('?')[0], status, ms: Math.round(reply.elapsedTime) };
    request.log[status >= 500 ? 'error' : 'info'](line, 'request');
    metrics.requestEnded(method, request.routeOptions.url ?? 'none', status, reply.elapsedTime / 1000);
    done();
  });
}
