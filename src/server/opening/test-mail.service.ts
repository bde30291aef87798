import { Problem } from '#contract/platform/problem.ts';
import type { Admin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { followCheckLink, mailCheck, recordCheckLink } from '#server/context/setup-checks.ts';
import { testMail } from '#server/mail/account-mails.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { newLinkToken } from '#server/platform/link-token.ts';
import { errorMessage } from '#server/platform/log.ts';

/** Sends a test email at once. Throws 409 with what the mail server said. */
export async function sendTestMail(
  { db, config, mailer, log }: Pick<Services, 'db' | 'config' | 'mailer' | 'log'>,
  _: Admin,
  email: string,
): Promise<{ message: string }> {
  const { token, hash } = newLinkToken();
  await recordCheckLink(db, mailCheck(config), hash);
  try {
    await mailer.send(testMail(email, config.publicUrl, token));
  } catch (error) {
    log.warn({ reason: String(error) }, 'a test email was not sent');
    throw new Problem(409, `The mail server did not take the email. It said: ${errorMessage(error)}`);
  }
  return {
    message: config.smtpUrl ? `Sent to ${email}. Open it and follow its link.` : `Saved as a file in ${config.dataDir}/mail.`,
  };
}

/** Notes that a test email arrived. Throws 404 for the link of an earlier one. */
export async function mailArrived(db: Db, token: string): Promise<void> {
  if (!(await followCheckLink(db, token)))
    throw new Problem(404, 'A later test email has replaced this one. Please follow the link in the latest.');
}
