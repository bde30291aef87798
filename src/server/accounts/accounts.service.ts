import type { ProfileBody, RegisterBody, Session } from '#contract/accounts/users.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Customer, signedIn } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { passwordChangedMail } from '#server/mail/account-mails.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { forgetDevices, rememberDevice } from '#server/sessions/devices.service.ts';
import { HOURLY_MAILS } from '#server/sessions/mail-limit.service.ts';
import { createSession, endSessions } from '#server/sessions/session.service.ts';
import { changeAddress, isSameEmail } from './addresses.service.ts';
import { hashPassword, isPassword } from './password.ts';
import { endOtp } from './reset.service.ts';

const TAKEN = 'User Already Exists';

/** Turns a unique violation of the address into a 409. The index decides between concurrent requests. */
export async function orAddressTaken<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'users_email_key') throw new Problem(409, TAKEN, { email: TAKEN });
    throw error;
  }
}

/** Creates an account and signs it in. Throws 409 if the address is taken (case-insensitive). */
export async function registerUser(db: Db, { name, email, password, device }: RegisterBody): Promise<Session> {
  const passwordHash = await hashPassword(password);
  const user = { id: newId(), name, email };
  return orAddressTaken(() =>
    db.transaction().execute(async (tx) => {
      await tx
        .insertInto('users')
        .values({ ...user, passwordHash, isEmailConfirmed: false })
        .execute();
      await rememberDevice(tx, user.id, device);
      return { _id: user.id, name, email, isAdmin: false, token: await createSession(tx, user.id) };
    }),
  );
}

const LOG_IN = 'Please log in.';
const CURRENT_REQUIRED = 'Current password is required';
const CURRENT_WRONG = 'Current password is wrong';

/** Whether a change sets another address or password, which requires the current password (clarifications, account changes). */
export const isSensitive = (who: { email: string }, { email, password }: ProfileBody): boolean =>
  Boolean(password) || Boolean(email && !isSameEmail(email, who.email));

const currentPasswordProblem = (message: string) => new Problem(400, message, { currentPassword: message });

/**
 * Verifies the current password and returns its hash. Clients that send only `password` mean the current one, which then stays. Throws 400
 * at the field `currentPassword` if missing or wrong.
 */
async function proveOwner(db: Db, who: Customer, { currentPassword, password }: ProfileBody): Promise<string> {
  const proof = currentPassword || password;
  if (!proof) throw currentPasswordProblem(CURRENT_REQUIRED);
  const user = await db.selectFrom('users').select('passwordHash').where('id', '=', who._id).executeTakeFirst();
  if (!user) throw new Problem(401, LOG_IN);
  if (!(await isPassword(user.passwordHash, proof))) throw currentPasswordProblem(currentPassword ? CURRENT_WRONG : CURRENT_REQUIRED);
  return user.passwordHash;
}

/**
 * Updates the session's own account; omitted fields stay. A new password ends all other sessions, codes and known devices. A new password
 * or address is notified by mail. Throws 400 without a required current password, 401 if a concurrent change ended the session, 409 if the
 * address is taken.
 */
export async function changeProfile({ db, config }: Pick<Services, 'db' | 'config'>, who: Customer, change: ProfileBody): Promise<Session> {
  const provenHash = isSensitive(who, change) ? await proveOwner(db, who, change) : undefined;
  const passwordHash = change.password && change.currentPassword ? await hashPassword(change.password) : undefined;
  return orAddressTaken(() =>
    db.transaction().execute(async (tx) => {
      const before = await lockOwnAccount(tx, who, provenHash);
      // The address may have changed since `isSensitive` compared it.
      if (!provenHash && isSensitive(before, change)) throw currentPasswordProblem(CURRENT_REQUIRED);
      const { name, email = '' } = change;
      const newEmail = email || before.email;
      await tx
        .updateTable('users')
        .set({ name, updatedAt: new Date().toISOString(), ...(passwordHash && { passwordHash }) })
        .where('id', '=', who._id)
        .execute();
      if (passwordHash) {
        await endSessions(tx, who._id, who.token);
        await endOtp(tx, who._id);
        await forgetDevices(tx, who._id);
        await rememberDevice(tx, who._id, change.device);
        // An unconfirmed address may be a stranger's: no name, and few mails.
        const mail = passwordChangedMail(config, { name: before.isEmailConfirmed ? name : '', email: before.email });
        await enqueue(tx, mailJobs.sendMail, before.isEmailConfirmed ? mail : { ...mail, hourly: HOURLY_MAILS.unconfirmed });
      }
      await changeAddress(tx, config, who._id, before, newEmail, true);
      const changed = [passwordHash && 'the password', newEmail !== before.email && 'the email address'].filter(Boolean).join(' and ');
      if (before.isAdmin && changed) await recordChange(tx, who, 'user', who._id, `Changed ${changed} of their own account`);
      return { _id: who._id, name, email: newEmail, isAdmin: before.isAdmin, token: who.token };
    }),
  );
}

/**
 * Locks the account's row to serialise changes. Throws 401 if a concurrent change ended the session, 400 if it changed the proven password.
 */
async function lockOwnAccount(tx: Tx, who: Customer, provenHash: string | undefined) {
  const row = await tx
    .selectFrom('users')
    .select(['email', 'isEmailConfirmed', 'confirmedEmail', 'formerEmail', 'isAdmin', 'passwordHash'])
    .where('id', '=', who._id)
    .forUpdate()
    .executeTakeFirst();
  await signedIn({ db: tx, token: who.token, ip: who.ip });
  if (!row) throw new Problem(401, LOG_IN);
  if (provenHash && row.passwordHash !== provenHash) throw currentPasswordProblem(CURRENT_WRONG);
  return row;
}
