import type { FastifyInstance } from 'fastify';

/** The longest that stopping waits for requests under way. */
const STOP_MS = 5_000;

/** A client that never finishes its request does not keep the shop from stopping. */
export function stopInTime(app: FastifyInstance): void {
  app.addHook('preClose', (done) => {
    setTimeout(() => app.server.closeAllConnections(), STOP_MS).unref();
    done();
  });
}
