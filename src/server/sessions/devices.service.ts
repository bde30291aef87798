import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { NIL } from 'uuid';
import { hasEmail } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';

/** A browser stays known for 180 days after its last log-in; an account keeps its 20 latest. */
const LIFETIME = '180 days';
const MOST_DEVICES = 20;

/** Bound to the account, so that hashes of two people on one browser cannot be linked. */
const hashOf = (userId: string, device: string): Buffer => createHash('sha256').update(`${userId}\n${device}`).digest();

/** Whether this browser has logged in to the account before. False for an unknown address, and with `mustBeConfirmed` for an unconfirmed one. */
export async function isKnownDevice(
  db: Db,
  email: string,
  device: string,
  { mustBeConfirmed }: { mustBeConfirmed: boolean },
): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where(hasEmail(email))
    .$if(mustBeConfirmed, (query) => query.where('isEmailConfirmed', '=', true))
    .executeTakeFirst();
  const row = await db
    .selectFrom('knownDevices')
    .select('userId')
    // Runs the query for unknown addresses too, so timing reveals nothing.
    .where('userId', '=', user?.id ?? NIL)
    .where('deviceHash', '=', hashOf(user?.id ?? '', device))
    .executeTakeFirst();
  return row !== undefined;
}

/** Remembers a browser after a proven log-in. Does nothing without a token. */
export async function rememberDevice(tx: Db, userId: string, device: string | undefined): Promise<void> {
  if (!device) return;
  await tx
    .insertInto('knownDevices')
    .values({ userId, deviceHash: hashOf(userId, device) })
    .onConflict((conflict) => conflict.columns(['userId', 'deviceHash']).doUpdateSet({ usedAt: sql<string>`now()` }))
    .execute();
  const latest = tx
    .selectFrom('knownDevices')
    .select('deviceHash')
    .where('userId', '=', userId)
    // Those of a clock that was ahead count as the oldest.
    .orderBy(sql`used_at <= now()`, 'desc')
    .orderBy('usedAt', 'desc')
    .limit(MOST_DEVICES);
  await tx.deleteFrom('knownDevices').where('userId', '=', userId).where('deviceHash', 'not in', latest).execute();
}

/** Forgets all devices after a password change: they knew the old one. */
export async function forgetDevices(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('knownDevices').where('userId', '=', userId).execute();
}

/** Deletes devices unused for 180 days (a daily job). */
export async function removeOldDevices(db: Db): Promise<void> {
  await db.deleteFrom('knownDevices').where('usedAt', '<', sql<string>`now() - ${LIFETIME}::interval`).execute();
}
