import { randomInt } from 'node:crypto';
import type { Services } from '#server/context/services.ts';
import { otpMail } from '#server/mail/account-mails.ts';
import { storeOtp } from './reset.service.ts';

/**
 * Generates a reset code and mails it. Only a hash is stored, so a retry sends a new code. For an unknown address it does the same work
 * without sending, so that timing does not reveal known ones.
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
