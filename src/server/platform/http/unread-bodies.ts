import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** How long the rest of a refused body may take; then the connection is closed. */
const DRAIN_MS = 30_000;

/**
 * Reads and discards the rest of a body. Closing at once would show the client, which is still sending, a broken connection instead of the answer.
 * Calls back at the end of the body.
 */
function drain(request: IncomingMessage, onEnd: () => void): void {
  const giveUp = setTimeout(() => request.socket.destroy(), DRAIN_MS).unref();
  const stop = () => clearTimeout(giveUp);
  request.once('end', stop).once('close', stop).once('error', stop).once('end', onEnd);
  request.unpipe();
  request.resume();
}

/**
 * Drains unread bodies, so that the next request of the connection can be read: a handler that refuses a form early leaves the rest of it unread. A
 * connection that is to be closed stays open until the rest has arrived (RFC 9112, section 9.6), since an earlier close would lose the answer.
 */
export function drainUnreadBodies(app: FastifyInstance): void {
  const closing = new WeakSet<IncomingMessage>();
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    // Fastify closes the connection after an unreadable body; Node sets this header itself otherwise.
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
