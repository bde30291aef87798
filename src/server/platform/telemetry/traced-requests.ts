import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenSpan, Tracing } from './tracing.ts';

/** Makes a span of each request that the framework sees. What it awaits is inside, also after its body has been read. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, _, done) => {
    const span = tracing.begin({
      name: request.method,
      kind: 'server',
      attributes: { 'http.request.method': request.method, 'shop.request_id': request.id },
      traceparent: request.headers.traceparent,
    });
    spans.set(request, span);
    span.run(done);
  });
  // A body is read by events of the connection, which know nothing of the request that they are for.
  app.addHook('preValidation', (request, _, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    spans.get(request)?.end({
      name: `${request.method} ${route}`,
      attributes: { 'http.route': route, 'http.response.status_code': status },
      failure: status >= 500 ? String(status) : undefined,
    });
    done();
  });
}
