import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';

/** How long a browser stays known that does not log in, and how many of an account do: those that logged in last. */
const LIFETIME = '180 days';
const MOST = 20;

/** Bound to the account: two people on one browser leave hashes that nobody can connect. */
const hashOf = (userId: string, device: string): Buffer => createHash('sha256').update(`${userId}\n${device}`).digest();

/** Whether somebody has logged in to this account with this browser's token before. False for an address that nobody has. */
export async function isKnownDevice(db: Db, email: string, device: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.trim().toLowerCase()))
    .executeTakeFirst();
  const known = await db
    .selectFrom('knownDevices')
    .select('userId')
    // The same question for an address that nobody has, so that the time tells nothing.
    .where('userId', '=', user?.id ?? '00000000-0000-0000-0000-000000000000')
    .where('deviceHash', '=', hashOf(user?.id ?? '', device))
    .executeTakeFirst();
  return known !== undefined;
}

/** Remembers a browser whose owner has just proved to be the account's. A client that sends no token stays unknown. */
export async function rememberDevice(tx: Db, userId: string, device: string | undefined): Promise<void> {
  if (!device) return;
  await tx
    .insertInto('knownDevices')
    .values({ userId, deviceHash: hashOf(userId, device) })
    .onConflict((conflict) => conflict.columns(['userId', 'deviceHash']).doUpdateSet({ usedAt: sql<string>`now()` }))
    .execute();
  const last = tx.selectFrom('knownDevices').select('deviceHash').where('userId', '=', userId).orderBy('usedAt', 'desc').limit(MOST);
  await tx.deleteFrom('knownDevices').where('userId', '=', userId).where('deviceHash', 'not in', last).execute();
}

/** After a new password: devices that knew the old one are unknown again. */
export async function forgetDevices(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('knownDevices').where('userId', '=', userId).execute();
}

/** Clears away browsers that have not been used for long (a daily job). */
export async function removeOldDevices(db: Db): Promise<void> {
  await db.deleteFrom('knownDevices').where('usedAt', '<', sql<string>`now() - ${LIFETIME}::interval`).execute();
}
