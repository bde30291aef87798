import { createHash, randomBytes } from 'node:crypto';
import type { Services } from '#server/context/services.ts';
import { recoveryCodeUsedMail } from '#server/mail/account-mails.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { unseal } from './sealed-secret.ts';
import { base32, latestStep, matchingStep } from './totp.ts';

const RECOVERY_CODES = 10;
const WRONG = 'This code is wrong. Please try again.';
const USED = 'This code was used already. Please wait for the next one.';

interface Owner {
  _id: string;
  name: string;
  email: string;
}

/** 80 random bits each, so that a fast hash hides them; bound to the account, and the same with or without hyphens and in any case of letters. */
const hashOf = (userId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${userId}\n${plain(code)}`)
    .digest();
const plain = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

/** Makes new recovery codes in place of those before. The database keeps hashes: they can be shown now only. */
export async function makeRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(10)).replace(/.{4}(?=.)/g, '$&-'));
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  await tx
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })))
    .execute();
  return codes;
}

/** Whether an account has a second factor. */
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
 * Takes a code of the app, or a recovery code, whose use the owner is told by mail. Returns what is wrong with it, in words, or undefined when it is
 * right. A code works once, and with it those before it end.
 */
export async function takeCode(tx: Tx, { config }: Pick<Services, 'config'>, user: Owner, typed: string): Promise<string | undefined> {
  const code = plain(typed);
  if (!/^\d{6}$/.test(code)) return (await takeRecoveryCode(tx, user, code)) ? undefined : WRONG;
  const row = await tx
    .selectFrom('secondFactors')
    .select(['secret', 'lastStep'])
    .where('userId', '=', user._id)
    .forUpdate()
    .executeTakeFirst();
  const secret = row?.secret && unseal(row.secret, user._id, config.secondFactorKey);
  const step = secret && matchingStep(secret, code, Date.now());
  if (!step) return WRONG;
  // A step that no code of now can have was stored under a wrong clock.
  if (step <= Number(row.lastStep) && Number(row.lastStep) <= latestStep(Date.now())) return USED;
  await tx.updateTable('secondFactors').set({ lastStep: step }).where('userId', '=', user._id).execute();
  return undefined;
}

async function takeRecoveryCode(tx: Tx, user: Owner, code: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recoveryCodes')
    .where('userId', '=', user._id)
    .where('codeHash', '=', hashOf(user._id, code))
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await enqueue(tx, 'sendMail', recoveryCodeUsedMail(user, await countRecoveryCodes(tx, user._id)));
  return true;
}

/** How many recovery codes are left. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { left } = await db
    .selectFrom('recoveryCodes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(left);
}
