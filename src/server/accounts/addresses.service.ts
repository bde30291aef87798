import { type SqlBool, sql } from 'kysely';
import type { Done } from '#contract/platform/lists.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import { type Customer, requireProof } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { addressChangedMail, confirmAddressMail } from '#server/mail/account-mails.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import { hasEmail } from '#server/platform/database/arrays.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { endAddressLinks, findByLink, hasNewLink, newAddressLink } from '#server/sessions/address-links.service.ts';
import { HOURLY_MAILS } from '#server/sessions/mail-limit.service.ts';
import { CONFIRMED, endOtp, type Mailbox, ONLY_ADDRESS } from './reset.service.ts';

/** The address that somebody has proven to be theirs, by a link or a code: the account's own, or else the one before. */
export const confirmedEmailOf = ({
  email,
  isEmailConfirmed,
  confirmedEmail,
}: Pick<Mailbox, 'email' | 'isEmailConfirmed' | 'confirmedEmail'>): string | null => (isEmailConfirmed ? email : confirmedEmail);

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
  await endAddressLinks(tx, userId);
  // Staff who change their own address may mistype it, so codes go on to the address before. One that an owner corrects was the mistyped one.
  const confirmedEmail = confirmedEmailOf(before);
  const trusted = confirmedEmail ?? formerEmail ?? (isAdmin && isOwn ? before.email : null);
  const isChangedBack = trusted !== null && isSameEmail(trusted, email);
  const isConfirmed = isChangedBack && confirmedEmail !== null;
  const state = isConfirmed
    ? CONFIRMED
    : {
        isEmailConfirmed: false,
        confirmedEmail,
        formerEmail: confirmedEmail || isChangedBack ? null : trusted,
      };
  await tx
    .updateTable('users')
    // Earlier versions store a link here.
    .set({ email, ...state, confirmHash: null })
    .where('id', '=', userId)
    .execute();
  if (trusted !== null) await enqueue(tx, mailJobs.sendMail, addressChangedMail(config, trusted, email));
  const hourly = HOURLY_MAILS.unconfirmed;
  // A former address that was never confirmed is not told the new one.
  if (trusted !== before.email) await enqueue(tx, mailJobs.sendMail, { ...addressChangedMail(config, before.email), hourly });
  if (!isConfirmed) await mailLink(tx, config, { _id: userId, email });
}

async function mailLink(tx: Tx, config: Config, account: { _id: string; email: string }): Promise<void> {
  const token = await newAddressLink(tx, account);
  await enqueue(tx, mailJobs.sendMail, { ...confirmAddressMail(config, account.email, token), hourly: HOURLY_MAILS.unconfirmed });
}

/** Mails a link that confirms the address of one's own account, unless it is confirmed. Throws 409 just after a link was mailed. */
export function askToConfirm({ db, config }: Pick<Services, 'db' | 'config'>, { _id }: Customer): Promise<Done> {
  return db.transaction().execute(async (tx) => {
    const account = await tx
      .selectFrom('users')
      .select(['id as _id', 'email', 'isEmailConfirmed'])
      .where('id', '=', _id)
      .forUpdate()
      .executeTakeFirstOrThrow(() => new Problem(401, 'Please log in.'));
    if (account.isEmailConfirmed) return { message: 'Your email address is confirmed already.' };
    if (await hasNewLink(tx, account))
      throw new Problem(409, 'We emailed you a link a moment ago. Please wait a minute before you ask again.');
    await mailLink(tx, config, account);
    return { message: `We have emailed a link to ${account.email}. Please open it where you are logged in.` };
  });
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
    .set({ ...ONLY_ADDRESS, email: addressBefore, confirmHash: null, isEmailConfirmed: sql<boolean>`confirmed_email is not null` })
    .where(hasEmail(email))
    .where('isEmailConfirmed', '=', false)
    .where(addressBefore, 'is not', null)
    .where(sql<SqlBool>`not exists (select from users other where lower(other.email) = lower(${addressBefore}))`)
    .returning('id')
    .executeTakeFirst();
  if (!freed) return;
  await endOtp(tx, freed.id);
  await endAddressLinks(tx, freed.id);
}

/**
 * Confirms an account's address by a mailed link, for who is logged in to the account: somebody else may have made it with this address, or its owner may have
 * mistyped it. Throws 404 if the account has changed its address since, and 403 without its login, and for staff without their password again.
 */
export async function confirmAddress(db: Db, token: string, who: Customer | undefined): Promise<void> {
  const account = await findByLink(db, token);
  if (!account) throw new Problem(404, 'This link no longer works: the address is confirmed already, or was changed again.');
  if (who?._id !== account._id) throw new Problem(403, 'Please log in with this account first, then open this link again.');
  if (account.isAdmin) requireProof(who);
  await db.updateTable('users').set(CONFIRMED).where('id', '=', account._id).where('email', '=', account.email).execute();
}
