import { Problem } from '#contract/problem.ts';
import type { Session } from '#contract/users.ts';
import type { Customer } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { newId } from '#server/ids.ts';
import { enqueue } from '#server/jobs/queue.ts';
import { addressChangedMail, passwordChangedMail } from '#server/mail/account-mails.ts';
import { hashPassword, isPassword } from './password.ts';
import { endOtp } from './reset.service.ts';
import { createSession, endSession, endSessions } from './session.service.ts';

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
}

/** Makes an account and signs it in. Throws 409 when the address is taken, in any case of letters. */
export async function registerUser(db: Db, { name, email, password }: Registration): Promise<Session> {
  const passwordHash = await hashPassword(password);
  const user = { id: newId(), name, email };
  return orTaken(() =>
    db.transaction().execute(async (tx) => {
      await tx
        .insertInto('users')
        .values({ ...user, passwordHash })
        .execute();
      return { _id: user.id, name, email, isAdmin: false, token: await createSession(tx, user.id) };
    }),
  );
}

/** Signs in. Throws 401 with the same words, after the same time, for an unknown address and a wrong password. */
export async function logInUser(db: Db, email: string, password: string): Promise<Session> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'isAdmin', 'passwordHash'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
  const matches = await isPassword(user?.passwordHash, password);
  const token = user && matches ? await openSession(db, user) : undefined;
  if (!user || !token) throw new Problem(401, 'Invalid email or password');
  return { _id: user.id, name: user.name, email: user.email, isAdmin: user.isAdmin, token };
}

/** Starts a session unless the password was changed since it was checked: that change has already ended the others. */
async function openSession(db: Db, { id, passwordHash }: { id: string; passwordHash: string }): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    const unchanged = await tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', id)
      .where('passwordHash', '=', passwordHash)
      .forShare()
      .executeTakeFirst();
    return unchanged && createSession(tx, id);
  });
}

export async function logOutUser(db: Db, who: Customer): Promise<void> {
  await endSession(db, who.token);
}

interface ProfileChange {
  name: string;
  email?: string | undefined;
  password?: string | undefined;
}

/**
 * Changes the session's own account; what is left out stays. A new password ends every other session.
 * The owner hears of a new password or address by mail. Throws 409 when the address is taken.
 */
export async function changeProfile(db: Db, who: Customer, { name, email, password }: ProfileChange): Promise<Session> {
  const passwordHash = password ? await hashPassword(password) : undefined;
  return orTaken(() =>
    db.transaction().execute(async (tx) => {
      const before = await tx.selectFrom('users').select('email').where('id', '=', who._id).forUpdate().executeTakeFirst();
      if (!before) throw new Problem(401, 'Please log in.');
      const newEmail = email || before.email;
      await tx
        .updateTable('users')
        .set({ name, email: newEmail, updatedAt: new Date().toISOString(), ...(passwordHash && { passwordHash }) })
        .where('id', '=', who._id)
        .execute();
      if (passwordHash) {
        await endSessions(tx, who._id, who.token);
        await endOtp(tx, who._id);
        await enqueue(tx, 'sendMail', passwordChangedMail({ name, email: before.email }));
      }
      await tellNewAddress(tx, who._id, name, before.email, newEmail);
      return { _id: who._id, name, email: newEmail, isAdmin: who.isAdmin, token: who.token };
    }),
  );
}

export const isSameEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** After a change of address: both addresses hear of it, and a reset code that went to the old one dies. Does nothing when they are the same. */
export async function tellNewAddress(tx: Db, userId: string, name: string, before: string, after: string): Promise<void> {
  if (isSameEmail(before, after)) return;
  await endOtp(tx, userId);
  for (const to of [before, after]) await enqueue(tx, 'sendMail', addressChangedMail(to, name, before, after));
}
