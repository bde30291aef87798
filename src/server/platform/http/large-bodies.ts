import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { clientSite } from '#server/platform/client-address.ts';
import { Semaphore } from '#server/platform/semaphore.ts';
import { senderOf } from './sender.ts';

/** Bodies up to this length are read at once: as many as there are connections. */
const SMALL_BYTES = 16 * 1024;
/** Larger ones: how many are read at once, how many may wait, and for how many milliseconds. */
const PLACES = [100, 200, 10_000] as const;
/** How long one may take while others wait for its place. */
const PATIENCE_MS = 5_000;

/** Waits for the end of a body, and closes the connection of one that arrives slowly while others wait. */
function untilRead(body: IncomingMessage, isAwaited: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const start = performance.now();
    const timer = setInterval(() => performance.now() - start >= PATIENCE_MS && isAwaited() && body.destroy(), 1_000);
    const stop = () => {
      clearInterval(timer);
      resolve();
    };
    body.once('end', stop).once('close', stop);
  });
}

/**
 * Bounds the memory of bodies that are being read: only a few large ones at once, networks taking turns (decision 176). Forms with files have places of
 * their own, and what its call refuses by its length is not kept.
 */
export function limitLargeBodies(app: FastifyInstance): void {
  const places = new Semaphore(...PLACES);
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { raw, headers, routeOptions } = request;
    const length = headers['transfer-encoding'] ? undefined : Number(headers['content-length'] ?? 0);
    const isLarge = length === undefined || (length > SMALL_BYTES && length <= routeOptions.bodyLimit);
    if (!isLarge || headers['content-type']?.startsWith('multipart/')) return done();
    const read = () => {
      done();
      return untilRead(raw, () => places.isAwaited);
    };
    places.run(clientSite(request), read, senderOf(request)).catch(done);
  });
}
