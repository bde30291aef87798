import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Answers HEAD without reading the file or rows of the answer: Fastify would read them to their end and discard them. */
export function answerHeadUnread(app: FastifyInstance): void {
  app.addHook('onSend', ({ method }, _, payload, done) => {
    if (method !== 'HEAD' || !(payload instanceof Readable)) return done(null, payload);
    payload.destroy();
    done(null, Readable.from([]));
  });
}
