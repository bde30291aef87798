import type { FastifyInstance } from 'fastify';
import type { Metrics } from '#server/platform/telemetry/metrics.ts';

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
