import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';
import { newLinkToken, tokenHash } from '#server/platform/link-token.ts';

/** As long as mails about orders are usually kept. */
const LIFETIME = '90 days';

interface Account {
  _id: string;
  email: string;
}

/** The token of a new link that confirms an account's address. Earlier links to the same address work on. */
export async function newAddressLink(tx: Db, { _id: userId, email }: Account): Promise<string> {
  const { token, hash } = newLinkToken();
  await tx.insertInto('addressLinks').values({ tokenHash: hash, userId, email }).execute();
  return token;
}

/** Whether a link was mailed to the account's address within the last minute. */
export async function hasNewLink(tx: Db, { _id, email }: Account): Promise<boolean> {
  const link = await tx
    .selectFrom('addressLinks')
    .select('tokenHash')
    .where('userId', '=', _id)
    .where('email', '=', email)
    // One of a clock that was ahead does not count.
    .where(sql<boolean>`created_at between now() - interval '1 minute' and now()`)
    .limit(1)
    .executeTakeFirst();
  return link !== undefined;
}

/** The account of a link, if it still has the address and nobody has confirmed it. */
export const findByLink = (db: Db, token: string): Promise<(Account & { isAdmin: boolean }) | undefined> =>
  db
    .selectFrom('addressLinks')
    .innerJoin('users', 'users.id', 'addressLinks.userId')
    .select(['users.id as _id', 'users.email', 'users.isAdmin'])
    .where('addressLinks.tokenHash', '=', tokenHash(token))
    .where('users.isEmailConfirmed', '=', false)
    .where(sql<boolean>`lower(users.email) = lower(address_links.email)`)
    .executeTakeFirst();

/** Ends the links of an account that leaves its address: who comes back to it needs its mailbox again. */
export async function endAddressLinks(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('addressLinks').where('userId', '=', userId).execute();
}

/** Deletes links after their days (a daily job). */
export async function removeOldAddressLinks(db: Db): Promise<void> {
  await db.deleteFrom('addressLinks').where('createdAt', '<', sql<string>`now() - ${LIFETIME}::interval`).execute();
}
