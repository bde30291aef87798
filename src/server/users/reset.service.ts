import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/db/connect.ts';
import { enqueue } from '#server/jobs/queue.ts';
import { otpMail, passwordChangedMail } from '#server/mail/account-mails.ts';
import { hashPassword } from './password.ts';
import { endSessions } from './session.service.ts';

const LIFETIME = '10 minutes';
const TRIES = 5;
const WRONG = 'Invalid or expired code';

/** A code is bound to its account, so that equal codes of two accounts look different. Six digits cannot withstand a search of the table; the tries and the ten minutes protect them. */
function hashOf(userId: string, otp: string): Buffer {
  return createHmac('sha256', userId).update(otp).digest();
}

/** Sends a code to a known address, and does nothing for an unknown one; the caller's answer is the same. A new code replaces the one before. */
export async function sendOtp(db: Db, email: string): Promise<void> {
  const otp = String(randomInt(1_000_000)).padStart(6, '0');
  await db.transaction().execute(async (tx) => {
    const user = await findUser(tx, email);
    if (!user) return;
    const code = {
      codeHash: hashOf(user.id, otp),
      triesLeft: TRIES,
      expiresAt: sql<string>`now() + ${LIFETIME}::interval`,
      createdAt: sql<string>`now()`,
    };
    await tx
      .insertInto('passwordResets')
      .values({ userId: user.id, ...code })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(code))
      .execute();
    await enqueue(tx, 'sendMail', otpMail(user, otp), { maxAttempts: 5 });
  });
}

/** Checks a code without using it up. Each look costs a try, also over several processes. Throws 400 when it is not the live code. */
export async function verifyOtp(db: Db, email: string, otp: string): Promise<{ id: string; name: string; email: string }> {
  const user = await findUser(db, email);
  const code =
    user &&
    (await db
      .updateTable('passwordResets')
      .set((eb) => ({ triesLeft: eb('triesLeft', '-', 1) }))
      .where('userId', '=', user.id)
      .where('triesLeft', '>', 0)
      .where('expiresAt', '>', sql<string>`now()`)
      .returning('codeHash')
      .executeTakeFirst());
  if (!user || !code || !timingSafeEqual(code.codeHash, hashOf(user.id, otp))) throw new Problem(400, WRONG);
  // Someone who has the code is not a guesser: the look costs nothing.
  await db.updateTable('passwordResets').set({ triesLeft: TRIES }).where('userId', '=', user.id).execute();
  return user;
}

/** Sets a new password, uses the code up and ends every session of the account. */
export async function resetPassword(db: Db, email: string, otp: string, newPassword: string): Promise<void> {
  const user = await verifyOtp(db, email, otp);
  const passwordHash = await hashPassword(newPassword);
  await db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('passwordResets')
      .where('userId', '=', user.id)
      .where('codeHash', '=', hashOf(user.id, otp))
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Problem(400, WRONG);
    await tx.updateTable('users').set({ passwordHash, updatedAt: new Date().toISOString() }).where('id', '=', user.id).execute();
    await endSessions(tx, user.id);
    await enqueue(tx, 'sendMail', passwordChangedMail(user));
  });
}

function findUser(db: Db, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
}
