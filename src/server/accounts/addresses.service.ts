import { Problem } from '#contract/platform/problem.ts';
import { addressChangedMail, confirmAddressMail } from '#server/mail/account-mails.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { newLinkToken, tokenHash } from '#server/platform/link-token.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { HOURLY_MAILS } from '#server/sessions/mail-limit.service.ts';
import { CONFIRMED, endOtp } from './reset.service.ts';

export const isSameEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

interface Addresses {
  email: string;
  isEmailConfirmed: boolean;
  /** Where mails about orders go while the new address is not confirmed. */
  confirmedEmail: string | null;
}

/**
 * Gives a locked account another address. The login takes it at once; mails about orders still go to the one confirmed last until its owner
 * follows the link that is mailed to the new one. The earlier addresses are told, and a reset code that went to the old one ends.
 */
export async function changeAddress(
  tx: Tx,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  userId: string,
  before: Addresses,
  email: string,
): Promise<void> {
  const { isEmailConfirmed, confirmedEmail } = before;
  if (isSameEmail(before.email, email)) {
    if (before.email !== email) await tx.updateTable('users').set({ email }).where('id', '=', userId).execute();
    return;
  }
  await endOtp(tx, userId);
  const trusted = isEmailConfirmed ? before.email : confirmedEmail;
  const isBack = trusted !== null && isSameEmail(trusted, email);
  const { token, hash } = newLinkToken();
  const state = isBack ? CONFIRMED : { isEmailConfirmed: false, confirmedEmail: trusted, confirmHash: hash };
  await tx
    .updateTable('users')
    .set({ email, ...state })
    .where('id', '=', userId)
    .execute();
  if (trusted !== null) await enqueue(tx, 'sendMail', addressChangedMail(trusted, email));
  const hourly = HOURLY_MAILS.unconfirmed;
  if (trusted !== before.email) await enqueue(tx, 'sendMail', { ...addressChangedMail(before.email), hourly });
  if (!isBack) await enqueue(tx, 'sendMail', { ...confirmAddressMail(email, publicUrl, token), hourly });
}

/** Notes that somebody has followed the link that was mailed to an account's address. Throws 404 where the account has another one by now. */
export async function confirmAddress(db: Db, token: string): Promise<void> {
  const { numUpdatedRows } = await db.updateTable('users').set(CONFIRMED).where('confirmHash', '=', tokenHash(token)).executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Problem(404, 'This link no longer works: the address is confirmed already, or was changed again.');
}
