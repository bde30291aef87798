import { createHash, randomBytes } from 'node:crypto';

/** The database stores only the hash of a random token. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A random token of 192 bits for a link, and its hash. */
export function newLinkToken(): { token: string; hash: Buffer } {
  const token = randomBytes(24).toString('base64url');
  return { token, hash: tokenHash(token) };
}
