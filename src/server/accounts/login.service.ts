import type { ProofBody } from '#contract/accounts/second-factor.ts';
import type { LoginBody, Session } from '#contract/accounts/users.ts';
import { isProblem, Problem } from '#contract/platform/problem.ts';
import { hasSecondFactor, takeCode } from '#server/accounts/second-factor/codes.service.ts';
import { recordChange, recordFailedLogin } from '#server/context/audit.ts';
import type { Admin, Ctx } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { hasEmail } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { rememberDevice } from '#server/sessions/devices.service.ts';
import { createSession, proveSession } from '#server/sessions/session.service.ts';
import { hasAdministrator, NO_ADMINISTRATOR } from './administrators.service.ts';
import { isPassword } from './password.ts';

type Needs = Pick<Services, 'db' | 'config'>;

const WRONG = 'Invalid email or password';
const ENTER_CODE = 'Enter the 6-digit code from your authenticator app.';

/**
 * Logs in and remembers the browser. Unknown address and wrong password give the same 401 after the same time. With the right password, a
 * missing or wrong second-factor code gives 401 at the field `code`. `countCode` counts a code guess and may throw 429.
 */
export async function logInUser(
  services: Needs & Pick<Ctx, 'log' | 'ip'>,
  credentials: LoginBody,
  countCode: () => Promise<unknown>,
): Promise<Session> {
  const { email, password, code } = credentials;
  const user = await services.db
    .selectFrom('users')
    .select(['id as _id', 'name', 'email', 'isAdmin', 'passwordHash'])
    .where(hasEmail(email))
    .executeTakeFirst();
  const isRight = await isPassword(user?.passwordHash, password);
  if (!user || !isRight) {
    if (user?.isAdmin) recordFailure(services, user, 'wrong password');
    // Somebody may be trying to log in to a new shop: the terminal says what to do.
    if (!(await hasAdministrator(services.db))) services.log.warn(NO_ADMINISTRATOR);
    throw new Problem(401, WRONG);
  }
  // Outside the transaction, which a wrong code rolls back.
  if (code && (await hasSecondFactor(services.db, user._id))) await countCode();
  const token = await openSession(services, user, credentials).catch((error) => {
    if (user.isAdmin && code && isProblem(error)) recordFailure(services, user, 'wrong code of two-step login');
    throw error;
  });
  return { _id: user._id, name: user.name, email: user.email, isAdmin: user.isAdmin, token };
}

type Account = Pick<Session, '_id' | 'name' | 'email' | 'isAdmin'> & { passwordHash: string };

/** Records a failed staff login in the audit log. Not awaited: the response time would give away an administrator's address. */
function recordFailure({ db, log, ip }: Pick<Ctx, 'db' | 'log' | 'ip'>, { _id }: Pick<Account, '_id'>, why: string): void {
  recordFailedLogin(db, ip, _id, why).catch((error) => log.warn(error));
}

/** Starts a session after re-checking password and second factor: a concurrent change has already ended the other sessions. */
async function openSession({ db, config, ip }: Needs & Pick<Ctx, 'ip'>, user: Account, { code, device }: LoginBody): Promise<string> {
  return db.transaction().execute(async (tx) => {
    if (!(await isUnchanged(tx, user))) throw new Problem(401, WRONG);
    if (await hasSecondFactor(tx, user._id)) {
      const problem = code ? await takeCode(tx, { config }, user, code) : ENTER_CODE;
      if (problem) throw new Problem(401, problem, { code: problem });
    }
    await rememberDevice(tx, user._id, device);
    if (user.isAdmin) await recordChange(tx, { ...user, ip }, 'login', user._id, 'Logged in');
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

const WRONG_PASSWORD = 'This password is wrong. Please try again.';

/**
 * Re-authenticates an administrator for 10 minutes of this session: by code with a second factor, else by password. Throws 400 at the field
 * in question.
 */
export async function proveSessionOf({ db, config }: Needs, who: Admin, body: ProofBody): Promise<void> {
  const refuse = async (field: 'password' | 'code', text: string) => {
    await recordChange(db, who, 'login', who._id, `Wrong ${field} when it was asked for again`);
    throw new Problem(400, text, { [field]: text });
  };
  if (!who.hasSecondFactor) {
    const user = await db.selectFrom('users').select('passwordHash').where('id', '=', who._id).executeTakeFirst();
    if (!(await isPassword(user?.passwordHash, body.password ?? ''))) return refuse('password', WRONG_PASSWORD);
    return proveSession(db, who.token);
  }
  const problem = await db.transaction().execute(async (tx) => {
    const codeProblem = await takeCode(tx, { config }, who, body.code ?? '');
    if (!codeProblem) await proveSession(tx, who.token);
    return codeProblem;
  });
  if (problem) await refuse('code', problem);
}
