import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './connect.ts';

const CIPHER = 'aes-256-gcm';
/** The first byte of what is stored. */
const [PLAIN, ENCRYPTED] = [0, 1];
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** The text is part of the key, so it stays, although secrets of webhooks are sealed with it too. */
const keyFrom = (setting: string) => Buffer.from(hkdfSync('sha256', setting, '', 'second factors of administrators', 32));

/** Encrypts a secret by the first key of SECOND_FACTOR_KEY, if that is set. Bound to its owner (a user or webhook), so it is useless in another row. */
export function seal(secret: Buffer, ownerId: string, [key]: readonly string[]): Buffer {
  if (!key) return Buffer.concat([Buffer.from([PLAIN]), secret]);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyFrom(key), nonce).setAAD(Buffer.from(ownerId));
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([Buffer.from([ENCRYPTED]), nonce, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts a secret by the key that sealed it; undefined if that is gone. Secrets stored without a key are returned as they are. */
export function unseal(stored: Buffer, ownerId: string, keys: readonly string[]): Buffer | undefined {
  const [kind, rest] = [stored[0], stored.subarray(1)];
  if (kind === PLAIN) return rest;
  for (const key of keys) {
    const secret = open(rest, ownerId, key);
    if (secret) return secret;
  }
  return undefined;
}

function open(sealed: Buffer, ownerId: string, key: string): Buffer | undefined {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const ciphertext = sealed.subarray(NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, keyFrom(key), nonce).setAAD(Buffer.from(ownerId)).setAuthTag(tag);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** A column of sealed secrets, each bound to the id of its row. */
export interface SealedColumn {
  table: string;
  id: string;
  column: string;
}

/** Re-encrypts by the first key the secrets that another key, or none, has sealed. Returns how many; secrets that no key opens stay as they are. */
export async function reseal(db: Db, keys: readonly string[], columns: readonly SealedColumn[]): Promise<number> {
  const [newest] = keys;
  if (!newest) return 0;
  let count = 0;
  for (const sealed of columns) {
    const [table, id, column] = [sql.table(sealed.table), sql.ref(sealed.id), sql.ref(sealed.column)];
    const { rows } = await sql<{ owner: string; stored: Buffer }>`
      select ${id} as owner, ${column} as stored from ${table} where ${column} is not null`.execute(db);
    for (const { owner, stored } of rows) {
      const secret = unseal(stored, owner, keys);
      if (!secret || (stored[0] === ENCRYPTED && open(stored.subarray(1), owner, newest))) continue;
      const { numAffectedRows = 0n } = await sql`
        update ${table} set ${column} = ${seal(secret, owner, keys)} where ${id} = ${owner} and ${column} = ${stored}`.execute(db);
      count += Number(numAffectedRows);
    }
  }
  return count;
}
