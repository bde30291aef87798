import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const SAFE_ID = /^[\w.:-]{8,100}$/;

/** Makes the ids of this process unique. A random id for each request would cost ten times as much. */
const prefix = randomBytes(9).toString('base64url');
let count = 0;

/** A request's id: the proxy's `X-Request-Id`, so that both logs agree, else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  if (typeof given === 'string' && SAFE_ID.test(given)) return given;
  count += 1;
  return `${prefix}-${count.toString(36)}`;
}
