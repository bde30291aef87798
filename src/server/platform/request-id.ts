import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const SAFE_ID = /^[\w.:-]{8,100}$/;

/** Tells the ids of one process from those of all others, before and beside it; a random id for each request costs ten times as much. */
const ours = randomBytes(9).toString('base64url');
let asked = 0;

/** A request's id: the one that a proxy in front gave it, so that both logs speak of the same, else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  if (typeof given === 'string' && SAFE_ID.test(given)) return given;
  asked += 1;
  return `${ours}-${asked.toString(36)}`;
}
