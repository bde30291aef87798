import type { Session } from '#contract/accounts/users.ts';
import { Problem } from '#contract/platform/problem.ts';
import { hasSecondFactor, takeCode } from '#server/accounts/second-factor/codes.service.ts';
import type { Services } from '#server/context/services.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { rememberDevice } from '#server/sessions/devices.service.ts';
import { createSession } from '#server/sessions/session.service.ts';
import { isPassword } from './password.ts';

interface Credentials {
  email: string;
  password: string;
  /** Of the second factor, where the account has one. */
  code?: string | undefined;
  device?: string | undefined;
}

type Needs = Pick<Services, 'db' | 'config'>;

const WRONG = 'Invalid email or password';
const ENTER_CODE = 'Enter the 6-digit code of your authenticator app.';

/**
 * Signs in, and remembers the browser. Throws 401 with the same words, after the same time, for an unknown address and a wrong password; and 401
 * at the field `code`, once the password is right, where the account has a second factor and its code is missing or wrong.
 * `countCode` counts a guess at the code, and may throw 429.
 */
export async function logInUser(services: Needs, credentials: Credentials, countCode: () => Promise<unknown>): Promise<Session> {
  const { email, password, code } = credentials;
  const user = await services.db
    .selectFrom('users')
    .select(['id as _id', 'name', 'email', 'isAdmin', 'passwordHash'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
  const matches = await isPassword(user?.passwordHash, password);
  if (!user || !matches) throw new Problem(401, WRONG);
  // Counted before the transaction, which a wrong code undoes.
  if (code && (await hasSecondFactor(services.db, user._id))) await countCode();
  const token = await openSession(services, user, credentials);
  return { _id: user._id, name: user.name, email: user.email, isAdmin: user.isAdmin, token };
}

type Account = Pick<Session, '_id' | 'name' | 'email'> & { passwordHash: string };

/** Starts a session unless the password was changed since it was checked: that change has already ended the others. The same holds of a second factor. */
async function openSession({ db, config }: Needs, user: Account, { code, device }: Credentials): Promise<string> {
  return db.transaction().execute(async (tx) => {
    if (!(await isUnchanged(tx, user))) throw new Problem(401, WRONG);
    if (await hasSecondFactor(tx, user._id)) {
      const wrong = code ? await takeCode(tx, { config }, user, code) : ENTER_CODE;
      if (wrong) throw new Problem(401, wrong, { code: wrong });
    }
    await rememberDevice(tx, user._id, device);
    return createSession(tx, user._id);
  });
}

async function isUnchanged(tx: Db, { _id, passwordHash }: Account): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', _id)
    .where('passwordHash', '=', passwordHash)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}
