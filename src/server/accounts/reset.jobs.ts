import { randomInt } from 'node:crypto';
import type { Services } from '#server/context/services.ts';
import { otpMail } from '#server/mail/account-mails.ts';
import { storeOtp } from './reset.service.ts';

/**
 * Makes a code and mails it. The code itself is written nowhere: the table keeps a hash, and a mail that fails is
 * tried again with a new one. For an address that nobody has it does the same work and sends nothing, so that neither the answer nor the
 * requests after it are slower for a known one.
 */
export async function mailOtp(
  { db, mailer }: Pick<Services, 'db' | 'mailer'>,
  { email, asker }: { email: string; asker: string },
): Promise<void> {
  const otp = String(randomInt(1_000_000)).padStart(6, '0');
  const user = await storeOtp(db, email, asker, otp);
  if (user) await mailer.send(otpMail(user, otp));
  else await mailer.rehearse(otpMail({ email }, otp));
}
