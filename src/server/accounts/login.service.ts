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
  /** Second-factor code, if the account needs one. */
  code?: string | undefined;
  device?: string | undefined;
}

type Needs = Pick<Services, 'db' | 'config'>;

const WRONG = 'Invalid email or password';
const ENTER_CODE = 'Enter the 6-digit code of your authenticator app.';

/**
 * Logs in and remembers the browser. Unknown address and wrong password give the same 401 after the same time. With the right password, a
 * missing or wrong second-factor code gives 401 at the field `code`. `countCode` counts a code guess and may throw 429.
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
  // Outside the transaction, which a wrong code rolls back.
  if (code && (await hasSecondFactor(services.db, user._id))) await countCode();
  const token = await openSession(services, user, credentials);
  return { _id: user._id, name: user.name, email: user.email, isAdmin: user.isAdmin, token };
}

type Account = Pick<Session, '_id' | 'name' | 'email'> & { passwordHash: string };

/** Starts a session after re-checking password and second factor: a concurrent change has already ended the other sessions. */
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
