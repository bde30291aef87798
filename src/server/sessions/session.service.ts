import { createHash, randomBytes } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '#server/platform/database/connect.ts';

/** A signed-in user, with the rights that the database knows right now. */
export interface SessionUser {
  _id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  token: string;
  /** A code of an app is asked for after the password. */
  hasSecondFactor: boolean;
  /** Password or code were entered again in this session, within the last ten minutes; the login does not count. */
  isProven: boolean;
}

const LIFETIME = '30 days';
/** Of whoever is an administrator at the moment, so that a session also ends that was begun before the promotion. */
const ADMIN_LIFETIME = '12 hours';
const PROOF = '10 minutes';

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
  const user = await liveSession(db, token).executeTakeFirst();
  return user && { ...user, token };
}

function liveSession(db: Db, token: string) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['users.id as _id', 'users.name', 'users.email', 'users.isAdmin'])
    .select([
      sql<boolean>`users.is_admin and exists (select from second_factors where user_id = users.id and secret is not null)`.as(
        'hasSecondFactor',
      ),
      sql<boolean>`coalesce(sessions.proven_at between now() - ${PROOF}::interval and now() + interval '1 minute', false)`.as('isProven'),
    ])
    .where('sessions.tokenHash', '=', hashOf(token))
    .where('sessions.expiresAt', '>', sql<string>`now()`)
    .where(sql<SqlBool>`(not users.is_admin or sessions.created_at > now() - ${ADMIN_LIFETIME}::interval)`);
}

/**
 * Reads a session again and keeps it, with the rights of its user, as it is until the transaction ends: a log-out, a demotion or a deletion that
 * comes meanwhile waits. The user's row is locked first, as everywhere, so that nobody waits in a circle. Returns the user, or undefined when
 * the session is over.
 */
export async function lockSession(tx: Tx, { _id, token }: Pick<SessionUser, '_id' | 'token'>): Promise<SessionUser | undefined> {
  await tx.selectFrom('users').select('id').where('id', '=', _id).forShare().execute();
  const user = await liveSession(tx, token).forShare('sessions').executeTakeFirst();
  return user && { ...user, token };
}

/** Notes that whoever has this session has entered the password, or a code, again. */
export async function proveSession(db: Db, token: string): Promise<void> {
  await db.updateTable('sessions').set({ provenAt: sql<string>`now()` }).where('tokenHash', '=', hashOf(token)).execute();
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

/** Clears away sessions that are over, also of administrators (a daily job). */
export async function removeOldSessions(db: Db): Promise<void> {
  await db.deleteFrom('sessions').where('expiresAt', '<', sql<string>`now()`).execute();
  const administrators = db.selectFrom('users').select('id').where('isAdmin', '=', true);
  await db
    .deleteFrom('sessions')
    .where('createdAt', '<', sql<string>`now() - ${ADMIN_LIFETIME}::interval`)
    .where('userId', 'in', administrators)
    .execute();
}
