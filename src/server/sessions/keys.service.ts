import { randomBytes } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { type Right, withSeeRights } from '#contract/accounts/roles.ts';
import { KEY_PREFIX } from '#contract/integrations/integrations.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { tokenHash } from '#server/platform/link-token.ts';
import type { SessionUser } from './session.service.ts';

export const newKey = (): string => KEY_PREFIX + randomBytes(32).toString('base64url');

/** Whether a token is an API key and not that of a session. */
export const isKey = (token: string | undefined): token is string => token?.startsWith(KEY_PREFIX) ?? false;

const selectLiveKey = (db: Db, key: string) =>
  db
    .selectFrom('apiKeys')
    .select(['id as _id', 'name', 'rights'])
    .select(sql<boolean>`used_at is null or used_at < now() - interval '1 hour'`.as('isUseOld'))
    .where('keyHash', '=', tokenHash(key))
    .where('endsAt', '>', sql<string>`now()`);

/**
 * The user that an API key acts as: staff with the key's rights. It is never proven, so calls that require password or code again are refused
 * (`proven`).
 */
const userOf = ({ _id, name, rights }: { _id: string; name: string; rights: string[] }, token: string): SessionUser => ({
  _id,
  name: `API key “${name}”`,
  email: '',
  isAdmin: true,
  staffRole: 'read-only',
  rights: withSeeRights(rights as Right[]),
  token,
  hasSecondFactor: true,
  isProven: false,
});

/** The user that a live key acts as. Records the key's use at most once an hour. */
export async function findKey(db: Db, token: string): Promise<SessionUser | undefined> {
  const key = await selectLiveKey(db, token).executeTakeFirst();
  if (key?.isUseOld) await db.updateTable('apiKeys').set({ usedAt: sql<string>`now()` }).where('id', '=', key._id).execute();
  return key && userOf(key, token);
}

/** As `findKey`, within a change: the key cannot be deleted until the change has committed. */
export async function lockKey(tx: Tx, token: string): Promise<SessionUser | undefined> {
  const key = await selectLiveKey(tx, token).forShare().executeTakeFirst();
  return key && userOf(key, token);
}

/** Deletes keys that ended a year ago. */
export async function removeOldKeys(db: Db): Promise<void> {
  await db.deleteFrom('apiKeys').where(sql<SqlBool>`ends_at < now() - interval '1 year'`).execute();
}
