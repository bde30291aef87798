import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const [PLAIN, ENCRYPTED] = [0, 1];
const [NONCE, TAG] = [12, 16];

const keyFrom = (setting: string) => Buffer.from(hkdfSync('sha256', setting, '', 'second factors of administrators', 32));

/** Encrypts a secret for storage if SECOND_FACTOR_KEY is set. Bound to its user, so the row is useless in another account. */
export function seal(secret: Buffer, userId: string, key: string | undefined): Buffer {
  if (!key) return Buffer.concat([Buffer.from([PLAIN]), secret]);
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, keyFrom(key), nonce).setAAD(Buffer.from(userId));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([Buffer.from([ENCRYPTED]), nonce, cipher.getAuthTag(), text]);
}

/** Decrypts a secret. Undefined if the key has changed. Secrets stored before there was a key are read as they are. */
export function unseal(stored: Buffer, userId: string, key: string | undefined): Buffer | undefined {
  const [kind, rest] = [stored[0], stored.subarray(1)];
  if (kind === PLAIN) return rest;
  if (!key) return undefined;
  const [nonce, tag, text] = [rest.subarray(0, NONCE), rest.subarray(NONCE, NONCE + TAG), rest.subarray(NONCE + TAG)];
  try {
    const decipher = createDecipheriv(CIPHER, keyFrom(key), nonce).setAAD(Buffer.from(userId)).setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]);
  } catch {
    return undefined;
  }
}
