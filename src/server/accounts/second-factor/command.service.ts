import type { RecoveryCodes } from '#contract/accounts/second-factor.ts';
import { Problem } from '#contract/platform/problem.ts';
import { findAccount } from '#server/accounts/find-account.service.ts';
import { COMMAND_LINE } from '#server/context/audit.ts';
import type { Services } from '#server/context/services.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { qrText } from './qr-code.ts';
import { confirmPending, dropSecondFactor, lockAccount, storePending } from './second-factor.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;

/** Finds an account by address. Throws 404, and 409 for a customer if `mustBeAdmin`. */
async function readAccount(db: Db, email: string, { mustBeAdmin = false } = {}) {
  const user = await findAccount(db, email);
  if (!user) throw new Problem(404, `No account has the address ${email}.`);
  if (mustBeAdmin && !user.isAdmin) throw new Problem(409, `${email} is not an administrator.`);
  return user;
}

/** Sets up an administrator's second factor in the terminal: `ask` receives the QR code and the secret, and resolves to the app's code. */
export async function setUpByCommand(
  services: Needs,
  email: string,
  ask: (shown: { qr: string; secret: string }) => Promise<string>,
): Promise<RecoveryCodes> {
  const { db, config } = services;
  const user = await readAccount(db, email, { mustBeAdmin: true });
  const { secret, address } = await storePending(services, user);
  const code = await ask({ qr: qrText(address), secret: secret.replace(/.{4}(?=.)/g, '$& ') });
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, user._id);
    return confirmPending(tx, { config }, user, code, { actor: COMMAND_LINE });
  });
}

/** Removes an account's second factor, once its app and recovery codes are lost. Throws 409 for an account without a confirmed one. */
export async function removeByCommand({ db, config }: Needs, email: string): Promise<void> {
  const user = await readAccount(db, email);
  await db.transaction().execute(async (tx) => {
    await lockAccount(tx, user._id);
    if (!(await dropSecondFactor(tx, config, user, COMMAND_LINE))) throw new Problem(409, `${email} has no second factor.`);
  });
}
