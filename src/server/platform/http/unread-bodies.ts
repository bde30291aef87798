import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** How long the rest of a refused body may take to arrive; after that the connection is closed. */
const DRAIN_MS = 30_000;

/**
 * Reads the rest of a body that nobody wants any more, and throws it away. Closing at once is no way out: the client, still sending, would
 * hear of a broken connection instead of the answer. Calls back once all of it has arrived.
 */
function drain(request: IncomingMessage, onEnd: () => void): void {
  const giveUp = setTimeout(() => request.socket.destroy(), DRAIN_MS).unref();
  const stop = () => clearTimeout(giveUp);
  request.once('end', stop).once('close', stop).once('error', stop).once('end', onEnd);
  request.unpipe();
  request.resume();
}

/**
 * Leaves each connection fit for its next request, whether or not the last one's body has been read. A handler that refuses a form in its
 * middle, or before it, leaves bytes on the connection, and the next request waits behind them for ever. A connection that is to be closed
 * stays open until the rest has arrived (RFC 9112 section 9.6), since closing it earlier would take the answer away from who still sends.
 */
export function drainUnreadBodies(app: FastifyInstance): void {
  const closing = new WeakSet<IncomingMessage>();
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    // The framework would close the connection after a body that it could not read. Elsewhere Node says itself what becomes of it.
    if (reply.hasHeader('connection')) reply.removeHeader('connection');
    if (!raw.readableEnded && !reply.raw.shouldKeepAlive) {
      closing.add(raw);
      reply.raw.shouldKeepAlive = true;
    }
    done(null, payload);
  });
  app.addHook('onResponse', ({ raw }, _, done) => {
    if (!raw.readableEnded && !raw.destroyed) drain(raw, () => closing.has(raw) && raw.socket.destroySoon());
    else if (closing.has(raw)) raw.socket.destroySoon();
    done();
  });
}
