import type { FastifyInstance } from 'fastify';
import { type Recorder, recordAnswer } from '#server/platform/telemetry/answers.ts';

/** Gives each answer its request's id, and records it. */
export function watchRequests(app: FastifyInstance, recorder: Recorder): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', ({ id, method, url, routeOptions }, { statusCode, elapsedTime }, done) => {
    recordAnswer(recorder, { reqId: id, method, url, route: routeOptions.url ?? 'none', status: statusCode, ms: elapsedTime });
    done();
  });
}
