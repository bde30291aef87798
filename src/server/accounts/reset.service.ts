import { createHash, timingSafeEqual } from 'node:crypto';
import { type Expression, type SqlBool, sql } from 'kysely';
import { Problem } from '#contract/platform/problem.ts';
import { passwordChangedMail } from '#server/mail/account-mails.ts';
import { networkOf } from '#server/platform/client-address.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { forgetDevices, rememberDevice } from '#server/sessions/devices.service.ts';
import { endSessions } from '#server/sessions/session.service.ts';
import { hashOtp, hashPassword } from './password.ts';

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

/** Who asks for a code or guesses at one: the browser if it sent its token, else the network. */
export interface Asker {
  ip: string;
  device?: string | undefined;
}

/** The table holds no address of anyone, only what it takes to recognise one. */
const askerHash = ({ ip, device }: Asker): Buffer =>
  createHash('sha256')
    .update(device ? `device\n${device}` : `network\n${networkOf(ip)}`)
    .digest();

/**
 * Asks for a code. The queue is given the address as it was typed, so that a known one costs the same time as an unknown one;
 * whether there is an account is looked up by the job (`mailOtp`).
 */
export async function requestOtp(db: Db, email: string, asker: Asker): Promise<void> {
  await enqueue(db, 'mailOtp', { email, asker: askerHash(asker).toString('base64url') }, { maxAttempts: MAIL_TRIES });
}

/**
 * Makes `otp` the one live code of an account (clarifications on accounts), in place of any before, whoever asked for that one.
 * Returns undefined, after the same work, when nobody has this address.
 */
export async function storeOtp(db: Db, email: string, asker: string, otp: string): Promise<Account | undefined> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
  const codeHash = await hashOtp(user?.id ?? 'nobody', otp);
  if (!user) return undefined;
  const code = {
    codeHash,
    triesLeft: TRIES,
    othersTriesLeft: TRIES,
    expiresAt: sql<string>`now() + ${LIFETIME}::interval`,
    createdAt: sql<string>`now()`,
  };
  await db.transaction().execute(async (tx) => {
    // The account's row first: of two codes that are made at once, the later one lives.
    await tx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute();
    await endOtp(tx, user.id);
    await tx
      .insertInto('passwordResets')
      .values({ userId: user.id, askerHash: Buffer.from(asker, 'base64url'), ...code })
      .execute();
  });
  return user;
}

type Code = Account & { codeHash: Buffer; askerHash: Buffer };
type Tries = 'triesLeft' | 'othersTriesLeft';

/** Takes a try at one code of an account, in one statement so that it holds over processes. Undefined when there is none to be had. */
function takeTry(db: Db, email: string, tries: Tries, which: Expression<SqlBool>): Promise<Code | undefined> {
  return (
    db
      .updateTable('passwordResets')
      .from('users')
      .set((eb) => ({ [tries]: eb(`passwordResets.${tries}`, '-', 1) }))
      .whereRef('users.id', '=', 'passwordResets.userId')
      .where((eb) => eb(eb.fn('lower', ['users.email']), '=', email.toLowerCase()))
      .where(`passwordResets.${tries}`, '>', 0)
      // One that would live longer than a code can was stored under a wrong clock.
      .where(sql<SqlBool>`password_resets.expires_at between now() and now() + ${LIFETIME}::interval + interval '1 minute'`)
      .where(which)
      .returning(['users.id', 'users.name', 'users.email', 'passwordResets.codeHash', 'passwordResets.askerHash'])
      .executeTakeFirst()
  );
}

/**
 * Checks a code without using it up; throws 400 when it is not the live one. Who asked for a code has five wrong tries at it,
 * and so have all others together (somebody may ask on the phone and type on the computer): nobody else can use up the tries of
 * the one who asked.
 */
export async function verifyOtp(db: Db, email: string, otp: string, who: Asker): Promise<Code> {
  const asker = askerHash(who);
  const own = await takeTry(db, email, 'triesLeft', sql`password_resets.asker_hash = ${asker}`);
  const code = own ?? (await takeTry(db, email, 'othersTriesLeft', sql`password_resets.asker_hash <> ${asker}`));
  // The same work where there is no code, so that the time tells nothing.
  const codeHash = await hashOtp(code?.id ?? 'nobody', otp);
  if (!code || !timingSafeEqual(code.codeHash, codeHash)) throw new Problem(400, WRONG);
  // Someone who has the code is not a guesser: this look costs nothing.
  const tries: Tries = own ? 'triesLeft' : 'othersTriesLeft';
  await db
    .updateTable('passwordResets')
    .set((eb) => ({ [tries]: eb(tries, '+', 1) }))
    .where('userId', '=', code.id)
    .where('askerHash', '=', code.askerHash)
    .where('codeHash', '=', codeHash)
    .execute();
  return code;
}

/** Sets a new password, uses the code up and ends every session, code and known device of the account but this one. Throws 400 when it is not the live code, or the password is too common. */
export async function resetPassword(db: Db, email: string, otp: string, newPassword: string, who: Asker): Promise<void> {
  const { id, codeHash, askerHash: asker, ...person } = await verifyOtp(db, email, otp, who);
  const passwordHash = await hashPassword(newPassword, 'newPassword');
  await db.transaction().execute(async (tx) => {
    // The account before its codes, as every change of an account does, so that two never wait for each other in a circle.
    await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute();
    const { numDeletedRows } = await tx
      .deleteFrom('passwordResets')
      .where('userId', '=', id)
      .where('askerHash', '=', asker)
      .where('codeHash', '=', codeHash)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Problem(400, WRONG);
    await tx
      .updateTable('users')
      .set({ passwordHash, ...CONFIRMED, updatedAt: new Date().toISOString() })
      .where('id', '=', id)
      .execute();
    await endSessions(tx, id);
    await endOtp(tx, id);
    await forgetDevices(tx, id);
    await rememberDevice(tx, id, who.device);
    await enqueue(tx, 'sendMail', passwordChangedMail(person));
  });
}

/** What an account's address is once its owner has shown that they read it, by a code or a link: mails about orders go there from now on. */
export const CONFIRMED = { isEmailConfirmed: true, confirmedEmail: null, confirmHash: null } as const;

/** A code that was mailed to an address, or for a password, that is no longer the account's must not open it. */
export async function endOtp(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('passwordResets').where('userId', '=', userId).execute();
}

/** Clears away codes that are over (a daily job). */
export async function removeOldOtps(db: Db): Promise<void> {
  await db.deleteFrom('passwordResets').where('expiresAt', '<', sql<string>`now()`).execute();
}
