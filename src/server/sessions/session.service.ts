import { randomBytes } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import type { Right, StaffRole } from '#contract/accounts/roles.ts';
import { compiledOnce } from '#server/platform/database/compiled-query.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { tokenHash } from '#server/platform/link-token.ts';

/** A signed-in user with current rights. */
export interface SessionUser {
  _id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  /** Of an administrator. */
  staffRole: StaffRole;
  /** Of an API key, in place of a role. */
  rights?: readonly Right[];
  token: string;
  /** Logging in requires an app code after the password. */
  hasSecondFactor: boolean;
  /** Password or code re-entered in this session within the last 10 minutes; the login does not count. */
  isProven: boolean;
}

const LIFETIME = '30 days';
/** By current role: also limits sessions started before a promotion. One from the future was started under a wrong clock, and has ended. */
const ADMIN_LIFETIME = '12 hours';
/** A proof from the future was made under a wrong clock, and does not count. */
const PROOF_LIFETIME = '10 minutes';

/** Sessions that an account keeps at a time; the oldest end. */
const MOST_SESSIONS = 50;

/** Starts a session. Returns its token, 256 random bits; the database stores only a hash. */
export async function createSession(db: Db, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('sessions')
    .values({ tokenHash: tokenHash(token), userId, expiresAt: sql`now() + ${LIFETIME}::interval` })
    .execute();
  const surplus = db
    .selectFrom('sessions')
    .select('tokenHash')
    .where('userId', '=', userId)
    // Those of a clock that was ahead count as the oldest.
    .orderBy(sql`created_at <= now()`, 'desc')
    .orderBy('createdAt', 'desc')
    .offset(MOST_SESSIONS);
  await db.deleteFrom('sessions').where('tokenHash', 'in', surplus).execute();
  return token;
}

/** The user of a live session, in one statement. */
export async function findSession(db: Db, token: string): Promise<SessionUser | undefined> {
  const [user] = await liveSession(db, tokenHash(token));
  return user && { ...user, token };
}

const liveSession = compiledOnce((db, hash: Buffer) => selectLiveSession(db, hash));

/** A live session with its user. A second factor has no secret until a first code has proven it. */
function selectLiveSession(db: Db, hash: Buffer) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['users.id as _id', 'users.name', 'users.email', 'users.isAdmin'])
    .select(sql<StaffRole>`users.staff_role`.as('staffRole'))
    .select([
      sql<boolean>`users.is_admin and exists (select from second_factors where user_id = users.id and secret is not null)`.as(
        'hasSecondFactor',
      ),
      sql<boolean>`coalesce(sessions.proven_at between now() - ${PROOF_LIFETIME}::interval and now() + interval '1 minute', false)`.as(
        'isProven',
      ),
    ])
    .where('sessions.tokenHash', '=', hash)
    .where('sessions.expiresAt', '>', sql<string>`now()`)
    .where(
      sql<SqlBool>`(not users.is_admin or sessions.created_at between now() - ${ADMIN_LIFETIME}::interval and now() + interval '1 minute')`,
    );
}

/**
 * Locks a session and its user until commit, so log-outs, demotions and deletions wait. Locks the user's row first, as everywhere, against
 * deadlocks. Returns the user, or undefined if the session has ended.
 */
export async function lockSession(tx: Tx, { _id, token }: Pick<SessionUser, '_id' | 'token'>): Promise<SessionUser | undefined> {
  await tx.selectFrom('users').select('id').where('id', '=', _id).forShare().execute();
  const user = await selectLiveSession(tx, tokenHash(token)).forShare('sessions').executeTakeFirst();
  return user && { ...user, token };
}

/** Records that the password or a code was re-entered in this session. */
export async function proveSession(db: Db, token: string): Promise<void> {
  await db.updateTable('sessions').set({ provenAt: sql<string>`now()` }).where('tokenHash', '=', tokenHash(token)).execute();
}

export async function endSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('tokenHash', '=', tokenHash(token)).execute();
}

/** Ends all sessions of a user except `except`. */
export async function endSessions(db: Db, userId: string, except?: string): Promise<void> {
  let statement = db.deleteFrom('sessions').where('userId', '=', userId);
  if (except) statement = statement.where('tokenHash', '!=', tokenHash(except));
  await statement.execute();
}

/** Deletes ended sessions, by role (a daily job). */
export async function removeOldSessions(db: Db): Promise<void> {
  await db.deleteFrom('sessions').where('expiresAt', '<', sql<string>`now()`).execute();
  const administrators = db.selectFrom('users').select('id').where('isAdmin', '=', true);
  await db
    .deleteFrom('sessions')
    .where('createdAt', '<', sql<string>`now() - ${ADMIN_LIFETIME}::interval`)
    .where('userId', 'in', administrators)
    .execute();
}
