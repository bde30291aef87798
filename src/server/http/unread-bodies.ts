import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** How long the rest of a refused body may take to arrive; after that the connection is closed. */
const DRAIN_MS = 30_000;

/**
 * Reads the rest of a body that nobody wants any more, and throws it away. Closing at once is no way out: the client, still sending, would
 * hear of a broken connection instead of the answer.
 */
function drain(request: IncomingMessage): void {
  const giveUp = setTimeout(() => request.socket.destroy(), DRAIN_MS).unref();
  const stop = () => clearTimeout(giveUp);
  request.once('end', stop).once('close', stop).once('error', stop);
  request.unpipe();
  request.resume();
}

/**
 * Leaves each connection fit for its next request, whether or not the last one's body has been read. A handler that refuses a form in its
 * middle, or before it, leaves bytes on the connection, and the next request waits behind them for ever.
 */
export function drainUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', (_, reply, payload, done) => {
    // The framework would close the connection after a body that it could not read. Elsewhere Node says itself what becomes of it.
    if (reply.hasHeader('connection')) reply.removeHeader('connection');
    done(null, payload);
  });
  app.addHook('onResponse', ({ raw }, _, done) => {
    if (!raw.readableEnded && !raw.destroyed) drain(raw);
    done();
  });
}
