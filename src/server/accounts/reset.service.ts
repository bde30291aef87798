import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely';
import { isLink } from '#contract/accounts/users.schema.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import type { Services } from '#server/context/services.ts';
import { otpMail, passwordChangedMail, type ResetSecrets } from '#server/mail/account-mails.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import { networkOf } from '#server/platform/client-address.ts';
import { hasEmail } from '#server/platform/database/arrays.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { declareJobs, enqueue, job } from '#server/platform/jobs/queue.ts';
import { tokenHash } from '#server/platform/link-token.ts';
import { forgetDevices, rememberDevice } from '#server/sessions/devices.service.ts';
import { HOURLY_MAILS, mailboxOf, takeMail } from '#server/sessions/mail-limit.service.ts';
import { endSessions } from '#server/sessions/session.service.ts';
import { endLinks } from '#server/wishlist/wishlist.service.ts';
import { hashOtp, hashPassword } from './password.ts';

export const accountJobs = declareJobs({
  /** `asker`: the hash of who asked, in base64url. */
  mailOtp: job<{ email: string; asker: string }>({ label: 'Email a code for a new password', mayHang: true }),
});

const LIFETIME = '10 minutes';
const TRIES = 5;
const WRONG = 'Invalid or expired code';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** The secret of a mail's link, which nobody can guess (`isLink`). */
const newLink = () => Array.from({ length: 42 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** About 10 minutes of retries; a code is no use after that. */
const MAIL_TRIES = 7;

/**
 * The columns that decide where an account's mails go. `confirmedEmail`: a former address, trusted until `email` is confirmed; `formerEmail`: the one before,
 * if no address was ever confirmed.
 */
const MAILBOX = ['email', 'isAdmin', 'isEmailConfirmed', 'confirmedEmail', 'formerEmail'] as const;
export type Mailbox = Pick<Selectable<DB['users']>, (typeof MAILBOX)[number]>;
type Account = Pick<Selectable<DB['users']>, 'id' | 'name' | 'email'>;

/** Staff get codes at their last confirmed address, or else at the one before, until a new one is confirmed: a mistyped address may be a stranger's. */
const codesGoTo = ({ email, isAdmin, isEmailConfirmed, confirmedEmail, formerEmail }: Mailbox): string =>
  isAdmin && !isEmailConfirmed ? (confirmedEmail ?? formerEmail ?? email) : email;

/** The client asking for or entering a code: its device token, else its network. */
export interface Asker {
  ip: string;
  device?: string | undefined;
}

/** Hashed, so the table holds no addresses. */
const hashAsker = ({ ip, device }: Asker): Buffer =>
  createHash('sha256')
    .update(device ? `device\n${device}` : `network\n${networkOf(ip)}`)
    .digest();

/** Queues a reset code. The `mailOtp` job looks up the account, so known and unknown addresses take the same time. */
export async function requestOtp(db: Db, email: string, asker: Asker): Promise<void> {
  await enqueue(db, accountJobs.mailOtp, { email, asker: hashAsker(asker).toString('base64url') }, { maxAttempts: MAIL_TRIES });
}

/**
 * Generates a reset code and mails it, with a link that does the same. Only hashes are stored, so a retry sends a new code. For an unknown address it does
 * the same work without sending, so that timing does not reveal known ones.
 */
export async function mailOtp(
  { db, config, mailer }: Pick<Services, 'db' | 'config' | 'mailer'>,
  { email, asker: askerHash }: { email: string; asker: string },
): Promise<void> {
  if (await hasHadItsCodes(db, config, email)) return;
  const secrets = { otp: String(randomInt(1_000_000)).padStart(6, '0'), link: newLink() };
  const user = await storeOtp(db, email, askerHash, secrets);
  if (!user) return mailer.rehearse(otpMail(config, { to: email, email }, secrets));
  await mailer.send(otpMail(config, { to: codesGoTo(user), email: user.email }, secrets));
}

/**
 * Whether an address that nobody confirmed has had its codes of this hour. Anybody can register variants of a mailbox's address (`victim+1@`): they count
 * together, and the address itself does not count with them.
 */
async function hasHadItsCodes(db: Db, config: Services['config'], email: string): Promise<boolean> {
  const user = await db.selectFrom('users').select(MAILBOX).where(hasEmail(email)).where('isEmailConfirmed', '=', false).executeTakeFirst();
  if (!user) return false;
  const address = codesGoTo(user);
  const kind = mailboxOf(address) === address.toLowerCase() ? 'code' : 'code of a variant';
  return (await takeMail(db, address, HOURLY_MAILS.unconfirmed * config.rateLimitFactor, kind)) !== undefined;
}

/**
 * Makes these the account's only live code and link (clarifications on accounts). `askerHash` is in base64url. For an unknown address it does the
 * same work and returns undefined.
 */
export async function storeOtp(
  db: Db,
  email: string,
  askerHash: string,
  { otp, link }: ResetSecrets,
): Promise<(Account & Mailbox) | undefined> {
  const found = await db.selectFrom('users').select('id').where(hasEmail(email)).executeTakeFirst();
  const codeHash = await hashOtp(found?.id ?? 'nobody', otp);
  if (!found) return undefined;
  const code = {
    codeHash,
    linkHash: tokenHash(link),
    triesLeft: TRIES,
    othersTriesLeft: TRIES,
    expiresAt: sql<string>`now() + ${LIFETIME}::interval`,
    createdAt: sql<string>`now()`,
  };
  return db.transaction().execute(async (tx) => {
    // Concurrent requests serialise on the account's row: the last code wins. Its address may have changed while the code was hashed.
    const user = await tx
      .selectFrom('users')
      .select(['id', 'name', ...MAILBOX])
      .where('id', '=', found.id)
      .where(hasEmail(email))
      .forUpdate()
      .executeTakeFirst();
    if (!user) return undefined;
    await endOtp(tx, user.id);
    await tx
      .insertInto('passwordResets')
      .values({ userId: user.id, askerHash: Buffer.from(askerHash, 'base64url'), ...code })
      .execute();
    return user;
  });
}

type Code = Account & { codeHash: Buffer; askerHash: Buffer };
type TriesColumn = 'triesLeft' | 'othersTriesLeft';

/** Refuses a code that expires later than any code should: a wrong clock stored it. */
const isLive = sql<SqlBool>`password_resets.expires_at between now() and now() + ${LIFETIME}::interval + interval '1 minute'`;

/** Takes one try at an account's code, atomically across processes. Undefined if there is no live code or no try left. */
function takeTry(db: Db, email: string, column: TriesColumn, condition: Expression<SqlBool>): Promise<Code | undefined> {
  return db
    .updateTable('passwordResets')
    .from('users')
    .set((eb) => ({ [column]: eb(`passwordResets.${column}`, '-', 1) }))
    .whereRef('users.id', '=', 'passwordResets.userId')
    .where(hasEmail(email))
    .where(`passwordResets.${column}`, '>', 0)
    .where(isLive)
    .where(condition)
    .returning(['users.id', 'users.name', 'users.email', 'passwordResets.codeHash', 'passwordResets.askerHash'])
    .executeTakeFirst();
}

/** Checks the secret of a mail's link. Nobody can guess it, so neither tries nor limits apply. Throws 400 if it is not the live one. */
async function verifyLink(db: Db, email: string, link: string): Promise<Code> {
  const code = await db
    .selectFrom('passwordResets')
    .innerJoin('users', 'users.id', 'passwordResets.userId')
    .select(['users.id', 'users.name', 'users.email', 'passwordResets.codeHash', 'passwordResets.askerHash'])
    .where(hasEmail(email))
    .where('linkHash', '=', tokenHash(link))
    .where(isLive)
    .executeTakeFirst();
  if (!code) throw new Problem(400, WRONG);
  return code;
}

/**
 * Checks a code without using it up. Throws 400 if it is not the live one. The device that asked for the code has five tries. All others share
 * five more, so that a code can be typed on another device and strangers cannot use up the first five.
 */
export async function verifyOtp(db: Db, email: string, otp: string, asker: Asker): Promise<Code> {
  if (isLink(otp)) return verifyLink(db, email, otp);
  const hash = hashAsker(asker);
  const ownCode = await takeTry(db, email, 'triesLeft', sql`password_resets.asker_hash = ${hash}`);
  const code = ownCode ?? (await takeTry(db, email, 'othersTriesLeft', sql`password_resets.asker_hash <> ${hash}`));
  // Hash even without a code, so timing reveals nothing.
  const codeHash = await hashOtp(code?.id ?? 'nobody', otp);
  if (!code || !timingSafeEqual(code.codeHash, codeHash)) throw new Problem(400, WRONG);
  // A correct code does not use up a try. By both hashes, since a newer code may have replaced it by now.
  const column: TriesColumn = ownCode ? 'triesLeft' : 'othersTriesLeft';
  await db
    .updateTable('passwordResets')
    .set((eb) => ({ [column]: eb(column, '+', 1) }))
    .where('userId', '=', code.id)
    .where('askerHash', '=', code.askerHash)
    .where('codeHash', '=', codeHash)
    .execute();
  return code;
}

/**
 * Sets a new password, uses the code up, and ends the account's sessions, codes and other known devices. Throws 400 if the code is not live.
 */
export async function resetPassword(
  { db, config }: Pick<Services, 'db' | 'config'>,
  email: string,
  otp: string,
  newPassword: string,
  asker: Asker,
): Promise<void> {
  const { id, codeHash, askerHash, ...person } = await verifyOtp(db, email, otp, asker);
  const passwordHash = await hashPassword(newPassword);
  await db.transaction().execute(async (tx) => {
    // Locks the account before its codes, like every change to an account, to avoid deadlocks.
    const account = await tx.selectFrom('users').select(MAILBOX).where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
    const { numDeletedRows } = await tx
      .deleteFrom('passwordResets')
      .where('userId', '=', id)
      .where('askerHash', '=', askerHash)
      .where('codeHash', '=', codeHash)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Problem(400, WRONG);
    const provesAddress = codesGoTo(account) === account.email;
    await tx
      .updateTable('users')
      .set({ passwordHash, ...(provesAddress && CONFIRMED), updatedAt: new Date().toISOString() })
      .where('id', '=', id)
      .execute();
    if (account.isAdmin)
      await recordChange(tx, { _id: id, name: person.name, ip: asker.ip }, 'user', id, 'Chose a new password with an emailed code');
    // The address was not confirmed, so somebody else may have made the account: their links to its wish list end, too.
    if (!account.isEmailConfirmed) await endLinks(tx, id);
    await endAccess(tx, id);
    await rememberDevice(tx, id, asker.device);
    await enqueue(tx, mailJobs.sendMail, passwordChangedMail(config, { ...person, email: codesGoTo(account) }));
  });
}

/** Ends an account's sessions, codes and known devices, after its password was replaced. */
export async function endAccess(tx: Tx, id: string): Promise<void> {
  await endSessions(tx, id);
  await endOtp(tx, id);
  await forgetDevices(tx, id);
}

/** Column values of an address whose former ones have no effect any more. */
export const ONLY_ADDRESS = { confirmedEmail: null, formerEmail: null } as const;

/** Column values of a confirmed address, proven by a code or a link: order mails now go there. */
export const CONFIRMED = { isEmailConfirmed: true, ...ONLY_ADDRESS } as const;

/** Ends reset codes after a change of address or password. */
export async function endOtp(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('passwordResets').where('userId', '=', userId).execute();
}

/** Deletes expired codes (a daily job). */
export async function removeOldOtps(db: Db): Promise<void> {
  await db.deleteFrom('passwordResets').where('expiresAt', '<', sql<string>`now()`).execute();
}
