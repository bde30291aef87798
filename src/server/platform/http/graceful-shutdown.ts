import type { FastifyInstance } from 'fastify';

/** The longest that stopping waits for requests under way. */
const STOP_MS = 5_000;

/**
 * While the server stops, each answer is its connection's last: a browser that holds one open would keep the process for a minute. A client
 * that never finishes its request keeps it no longer than five seconds.
 */
export function shutDownGracefully(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    setTimeout(() => app.server.closeAllConnections(), STOP_MS).unref();
    done();
  });
  app.addHook('onSend', (_, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done(null, payload);
  });
}
