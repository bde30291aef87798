import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/db/connect.ts';
import { enqueue } from '#server/jobs/queue.ts';
import { passwordChangedMail } from '#server/mail/account-mails.ts';
import { hashOtp, hashPassword } from './password.ts';
import { endSessions } from './session.service.ts';

const LIFETIME = '10 minutes';
const TRIES = 5;
const WRONG = 'Invalid or expired code';

/** How often the mail server is tried before a code is given up: about ten minutes, after which nobody waits for it any more. */
const MAIL_TRIES = 7;

interface Account {
  id: string;
  name: string;
  email: string;
}

/**
 * Asks for a code. The queue is given the address as it was typed, so that a known one costs the same time as an unknown one;
 * whether there is an account is looked up by the job (`mailOtp`).
 */
export async function requestOtp(db: Db, email: string): Promise<void> {
  await enqueue(db, 'mailOtp', { email }, { maxAttempts: MAIL_TRIES });
}

/** Makes `otp` the one live code of an account, in place of any before. Returns undefined when nobody has this address. */
export async function storeOtp(db: Db, email: string, otp: string): Promise<Account | undefined> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
  if (!user) return undefined;
  const code = {
    codeHash: await hashOtp(user.id, otp),
    triesLeft: TRIES,
    expiresAt: sql<string>`now() + ${LIFETIME}::interval`,
    createdAt: sql<string>`now()`,
  };
  await db
    .insertInto('passwordResets')
    .values({ userId: user.id, ...code })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(code))
    .execute();
  return user;
}

/** Checks a code without using it up. A wrong look costs a try, counted in one statement so that it holds over processes. Throws 400 when it is not the live code. */
export async function verifyOtp(db: Db, email: string, otp: string): Promise<Account & { codeHash: Buffer }> {
  const code = await db
    .updateTable('passwordResets')
    .from('users')
    .set((eb) => ({ triesLeft: eb('passwordResets.triesLeft', '-', 1) }))
    .whereRef('users.id', '=', 'passwordResets.userId')
    .where((eb) => eb(eb.fn('lower', ['users.email']), '=', email.toLowerCase()))
    .where('passwordResets.triesLeft', '>', 0)
    .where('passwordResets.expiresAt', '>', sql<string>`now()`)
    .returning(['users.id', 'users.name', 'users.email', 'passwordResets.codeHash'])
    .executeTakeFirst();
  // The same work where there is no code, so that the time tells nothing.
  const codeHash = await hashOtp(code?.id ?? 'nobody', otp);
  if (!code || !timingSafeEqual(code.codeHash, codeHash)) throw new Problem(400, WRONG);
  // Someone who has the code is not a guesser: this look costs nothing.
  await db
    .updateTable('passwordResets')
    .set((eb) => ({ triesLeft: eb('triesLeft', '+', 1) }))
    .where('userId', '=', code.id)
    .where('codeHash', '=', codeHash)
    .execute();
  return code;
}

/** Sets a new password, uses the code up and ends every session of the account. Throws 400 when it is not the live code. */
export async function resetPassword(db: Db, email: string, otp: string, newPassword: string): Promise<void> {
  const { id, codeHash, ...person } = await verifyOtp(db, email, otp);
  const passwordHash = await hashPassword(newPassword);
  await db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('passwordResets')
      .where('userId', '=', id)
      .where('codeHash', '=', codeHash)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Problem(400, WRONG);
    await tx.updateTable('users').set({ passwordHash, updatedAt: new Date().toISOString() }).where('id', '=', id).execute();
    await endSessions(tx, id);
    await enqueue(tx, 'sendMail', passwordChangedMail(person));
  });
}

/** A code that was mailed to an address, or for a password, that is no longer the account's must not open it. */
export async function endOtp(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('passwordResets').where('userId', '=', userId).execute();
}
