import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** A signed-in user, with the rights that the database knows right now. */
export interface SessionUser {
  _id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  token: string;
}

const LIFETIME = '30 days';

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Starts a session and returns its token: 256 random bits, of which the database keeps only a hash. */
export async function createSession(db: Db, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('sessions')
    .values({ tokenHash: hashOf(token), userId, expiresAt: sql`now() + ${LIFETIME}::interval` })
    .execute();
  return token;
}

/** The user of a live session, in one statement. */
export async function findSession(db: Db, token: string): Promise<SessionUser | undefined> {
  const user = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['users.id', 'users.name', 'users.email', 'users.isAdmin'])
    .where('sessions.tokenHash', '=', hashOf(token))
    .where('sessions.expiresAt', '>', sql<string>`now()`)
    .executeTakeFirst();
  return user && { _id: user.id, name: user.name, email: user.email, isAdmin: user.isAdmin, token };
}

export async function endSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('tokenHash', '=', hashOf(token)).execute();
}

/** Ends every session of a user, short of the one that asks. */
export async function endSessions(db: Db, userId: string, except?: string): Promise<void> {
  let statement = db.deleteFrom('sessions').where('userId', '=', userId);
  if (except) statement = statement.where('tokenHash', '!=', hashOf(except));
  await statement.execute();
}

/** Clears away sessions and reset codes that are over (a daily job). */
export async function removeExpired(db: Db): Promise<void> {
  await db.deleteFrom('sessions').where('expiresAt', '<', sql<string>`now()`).execute();
  await db.deleteFrom('passwordResets').where('expiresAt', '<', sql<string>`now()`).execute();
}
