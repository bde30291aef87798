import { createHash, randomBytes } from 'node:crypto';

/** The hash under which the token of a link is kept. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A token for a link, of 192 random bits, which nobody can guess, and its hash. */
export function newLinkToken(): { token: string; hash: Buffer } {
  const token = randomBytes(24).toString('base64url');
  return { token, hash: tokenHash(token) };
}
