import type { FastifyInstance } from 'fastify';

/** The longest wait for open requests. */
const STOP_MS = 5_000;

/**
 * While the server stops, each answer closes its connection: a browser's keep-alive would hold the process for a minute. Unfinished requests are cut
 * off after five seconds.
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
