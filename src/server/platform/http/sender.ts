import type { FastifyRequest } from 'fastify';
import { Problem } from '#contract/platform/problem.ts';

/** A signal that is aborted once the sender of a body has left before all of it was read. */
export function senderOf({ raw }: Pick<FastifyRequest, 'raw'>): AbortSignal {
  const sender = new AbortController();
  const onClose = () => {
    if (!raw.readableEnded) sender.abort(new Problem(400, 'The request broke off.'));
  };
  if (raw.destroyed) onClose();
  else raw.once('close', onClose);
  return sender.signal;
}
