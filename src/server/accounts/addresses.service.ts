import { type SqlBool, sql } from 'kysely';
import { Problem } from '#contract/platform/problem.ts';
import { type Customer, requireProof } from '#server/context/context.ts';
import { addressChangedMail, confirmAddressMail } from '#server/mail/account-mails.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import { hasEmail } from '#server/platform/database/arrays.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { newLinkToken, tokenHash } from '#server/platform/link-token.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { HOURLY_MAILS } from '#server/sessions/mail-limit.service.ts';
import { CONFIRMED, endOtp, type Mailbox, ONLY_ADDRESS } from './reset.service.ts';

export const isSameEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/**
 * Changes a locked account's address; `isOwn`: the account itself does. Login switches at once; order mails follow only after the new address is confirmed by a mailed link.
 * Former addresses are notified, and reset codes end.
 */
export async function changeAddress(tx: Tx, config: Config, userId: string, before: Mailbox, email: string, isOwn: boolean): Promise<void> {
  const { isAdmin, formerEmail } = before;
  if (isSameEmail(before.email, email)) {
    if (before.email !== email) await tx.updateTable('users').set({ email }).where('id', '=', userId).execute();
    return;
  }
  await endOtp(tx, userId);
  // Staff who change their own address may mistype it, so codes go on to the address before. One that an owner corrects was the mistyped one.
  const confirmedEmail = before.isEmailConfirmed ? before.email : before.confirmedEmail;
  const trusted = confirmedEmail ?? formerEmail ?? (isAdmin && isOwn ? before.email : null);
  const isChangedBack = trusted !== null && isSameEmail(trusted, email);
  const isConfirmed = isChangedBack && confirmedEmail !== null;
  const { token, hash } = newLinkToken();
  const state = isConfirmed
    ? CONFIRMED
    : {
        isEmailConfirmed: false,
        confirmedEmail,
        formerEmail: confirmedEmail || isChangedBack ? null : trusted,
        confirmHash: hash,
      };
  await tx
    .updateTable('users')
    .set({ email, ...state })
    .where('id', '=', userId)
    .execute();
  if (trusted !== null) await enqueue(tx, mailJobs.sendMail, addressChangedMail(config, trusted, email));
  const hourly = HOURLY_MAILS.unconfirmed;
  // A former address that was never confirmed is not told the new one.
  if (trusted !== before.email) await enqueue(tx, mailJobs.sendMail, { ...addressChangedMail(config, before.email), hourly });
  if (!isConfirmed) await enqueue(tx, mailJobs.sendMail, { ...confirmAddressMail(config, email, token), hourly });
}

/** The address of an account before it changed to one that is not confirmed. */
const addressBefore = sql<string>`coalesce(users.confirmed_email, users.former_email)`;

/**
 * Takes an address from an account that changed to it and never confirmed it. That account gets the one before back. Does nothing if another
 * account has that one by now.
 */
export async function freeAddress(tx: Tx, email: string): Promise<void> {
  const freed = await tx
    .updateTable('users')
    .set({ ...ONLY_ADDRESS, email: addressBefore, isEmailConfirmed: sql<boolean>`confirmed_email is not null` })
    .where(hasEmail(email))
    .where('isEmailConfirmed', '=', false)
    .where(addressBefore, 'is not', null)
    .where(sql<SqlBool>`not exists (select from users other where lower(other.email) = lower(${addressBefore}))`)
    .returning('id')
    .executeTakeFirst();
  if (freed) await endOtp(tx, freed.id);
}

/**
 * Confirms an account's address by its mailed link. Throws 404 if the account has changed its address since, and 403 for an account of staff without its
 * login and password: the address may be mistyped, and the link be a stranger's.
 */
export async function confirmAddress(db: Db, token: string, who: Customer | undefined): Promise<void> {
  const hash = tokenHash(token);
  const account = await db.selectFrom('users').select(['id', 'isAdmin']).where('confirmHash', '=', hash).executeTakeFirst();
  if (account?.isAdmin) {
    if (who?._id !== account.id) throw new Problem(403, 'Please log in with this account first, then open this link again.');
    requireProof(who);
  }
  const { numUpdatedRows } = await db.updateTable('users').set(CONFIRMED).where('confirmHash', '=', hash).executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Problem(404, 'This link no longer works: the address is confirmed already, or was changed again.');
}
