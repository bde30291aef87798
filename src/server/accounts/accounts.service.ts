import type { Session } from '#contract/accounts/users.ts';
import { Problem } from '#contract/platform/problem.ts';
import { type Customer, signedIn } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { passwordChangedMail } from '#server/mail/account-mails.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { forgetDevices, rememberDevice } from '#server/sessions/devices.service.ts';
import { createSession, endSession, endSessions } from '#server/sessions/session.service.ts';
import { changeAddress, isSameEmail } from './addresses.service.ts';
import { hashPassword, isPassword } from './password.ts';
import { endOtp } from './reset.service.ts';

const TAKEN = 'User Already Exists';

/** Two people may ask for one address at the same time: the database's unique index decides, and its refusal is put into words. */
export async function orTaken<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'users_email_key') throw new Problem(409, TAKEN, { email: TAKEN });
    throw error;
  }
}

interface Registration {
  name: string;
  email: string;
  password: string;
  device?: string | undefined;
}

/** Makes an account and signs it in. Throws 409 when the address is taken, in any case of letters. */
export async function registerUser(db: Db, { name, email, password, device }: Registration): Promise<Session> {
  const passwordHash = await hashPassword(password);
  const user = { id: newId(), name, email };
  return orTaken(() =>
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

export async function logOutUser(db: Db, who: Customer): Promise<void> {
  await endSession(db, who.token);
}

interface ProfileChange {
  name: string;
  email?: string | undefined;
  password?: string | undefined;
  currentPassword?: string | undefined;
  device?: string | undefined;
}

const LOG_IN = 'Please log in.';
const CURRENT_REQUIRED = 'Current password is required';
const CURRENT_WRONG = 'Current password is wrong';

/** Whether a change of profile sets another address or password, which asks for the current password (clarifications, account changes). */
export const isSensitive = (who: { email: string }, { email, password }: ProfileChange): boolean =>
  Boolean(password) || Boolean(email && !isSameEmail(email, who.email));

const refuseCurrent = (message: string) => new Problem(400, message, { currentPassword: message });

/**
 * Checks the current password and returns its hash. A client that knows only `password` sends the current one there: then it proves, and stays.
 * Throws 400 at the field `currentPassword` when it is missing or wrong.
 */
async function proveOwner(db: Db, who: Customer, { currentPassword, password }: ProfileChange): Promise<string> {
  const proof = currentPassword || password;
  if (!proof) throw refuseCurrent(CURRENT_REQUIRED);
  const user = await db.selectFrom('users').select('passwordHash').where('id', '=', who._id).executeTakeFirst();
  if (!user) throw new Problem(401, LOG_IN);
  if (!(await isPassword(user.passwordHash, proof))) throw refuseCurrent(currentPassword ? CURRENT_WRONG : CURRENT_REQUIRED);
  return user.passwordHash;
}

/**
 * Changes the session's own account; what is left out stays. A new password ends every other session, code and known device.
 * A new password or address is confirmed to the owner by mail. Throws 400 without the current password where the change asks for it, 401 when
 * another change has ended the session meanwhile, 409 when the address is taken.
 */
export async function changeProfile(
  { db, config }: Pick<Services, 'db' | 'config'>,
  who: Customer,
  change: ProfileChange,
): Promise<Session> {
  const provenHash = isSensitive(who, change) ? await proveOwner(db, who, change) : undefined;
  const passwordHash = change.password && change.currentPassword ? await hashPassword(change.password) : undefined;
  return orTaken(() =>
    db.transaction().execute(async (tx) => {
      const before = await lockOwn(tx, who, provenHash);
      // Somebody else may just have changed the address that this change was compared with.
      if (!provenHash && isSensitive(before, change)) throw refuseCurrent(CURRENT_REQUIRED);
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
        await enqueue(tx, 'sendMail', passwordChangedMail({ name: before.isEmailConfirmed ? name : '', email: before.email }));
      }
      await changeAddress(tx, config, who._id, before, newEmail);
      return { _id: who._id, name, email: newEmail, isAdmin: before.isAdmin, token: who.token };
    }),
  );
}

/**
 * Locks the own row. Two changes at once come one after the other here, and the second finds what the first has ended:
 * throws 401 when that was its session, 400 when it was the password that it proved.
 */
async function lockOwn(tx: Tx, who: Customer, provenHash: string | undefined) {
  const row = await tx
    .selectFrom('users')
    .select(['email', 'isEmailConfirmed', 'confirmedEmail', 'isAdmin', 'passwordHash'])
    .where('id', '=', who._id)
    .forUpdate()
    .executeTakeFirst();
  await signedIn({ db: tx, token: who.token });
  if (!row) throw new Problem(401, LOG_IN);
  if (provenHash && row.passwordHash !== provenHash) throw refuseCurrent(CURRENT_WRONG);
  return row;
}
