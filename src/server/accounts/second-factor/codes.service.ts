import { createHash, randomBytes } from 'node:crypto';
import type { Account } from '#server/accounts/find-account.service.ts';
import type { Services } from '#server/context/services.ts';
import { recoveryCodeUsedMail } from '#server/mail/account-mails.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { unseal } from '#server/platform/database/sealed-secret.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { base32, latestStep, matchingStep } from './totp.ts';

const RECOVERY_CODES = 10;
const WRONG = 'This code is wrong. Please try again.';
const USED = 'This code has already been used. Please wait for the next one.';

/** Codes have 80 random bits, so a fast hash suffices. Bound to the account; ignores hyphens and case. */
const hashOf = (userId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${userId}\n${normalised(code)}`)
    .digest();
export const normalised = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

/** Replaces the recovery codes. Only hashes are stored, so this is the only time to show them. */
export async function makeRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(10)).replace(/.{4}(?=.)/g, '$&-'));
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  await tx
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })))
    .execute();
  return codes;
}

/** Whether a second factor is set up: until its first code was right, its secret is only pending. */
export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('secondFactors')
    .select('userId')
    .where('userId', '=', userId)
    .where('secret', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Accepts an app code or a recovery code; a mail notifies the user of a used recovery code. Returns an error sentence, or undefined if the code
 * is right. An app code works once and ends earlier ones.
 */
export async function takeCode(tx: Tx, { config }: Pick<Services, 'config'>, user: Account, typed: string): Promise<string | undefined> {
  const code = normalised(typed);
  if (!/^\d{6}$/.test(code)) return (await takeRecoveryCode(tx, config, user, code)) ? undefined : WRONG;
  const row = await tx
    .selectFrom('secondFactors')
    .select(['secret', 'lastStep'])
    .where('userId', '=', user._id)
    .forUpdate()
    .executeTakeFirst();
  const secret = row?.secret && unseal(row.secret, user._id, config.secondFactorKeys);
  const step = secret && matchingStep(secret, code, Date.now());
  if (!step) return WRONG;
  // Reject used steps. A stored step in the future came from a wrong clock and does not count.
  if (step <= row.lastStep && row.lastStep <= latestStep(Date.now())) return USED;
  await tx.updateTable('secondFactors').set({ lastStep: step }).where('userId', '=', user._id).execute();
  return undefined;
}

async function takeRecoveryCode(tx: Tx, config: Services['config'], user: Account, code: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recoveryCodes')
    .where('userId', '=', user._id)
    .where('codeHash', '=', hashOf(user._id, code))
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await enqueue(tx, mailJobs.sendMail, recoveryCodeUsedMail(config, user, await countRecoveryCodes(tx, user._id)));
  return true;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recoveryCodes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}
