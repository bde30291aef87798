import type { ProofBody } from '#contract/accounts/second-factor.ts';
import { Problem } from '#contract/platform/problem.ts';
import { takeCode } from '#server/accounts/second-factor/codes.service.ts';
import type { Admin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { proveSession } from '#server/sessions/session.service.ts';
import { isPassword } from './password.ts';

const WRONG = 'This password is wrong. Please try again.';

/**
 * Re-authenticates an administrator for 10 minutes of this session: by code with a second factor, else by password. Throws 400 at the field
 * in question.
 */
export async function proveSessionOf({ db, config }: Pick<Services, 'db' | 'config'>, who: Admin, body: ProofBody): Promise<void> {
  if (!who.hasSecondFactor) {
    await checkPassword(db, who, body.password ?? '');
    return proveSession(db, who.token);
  }
  await db.transaction().execute(async (tx) => {
    const wrong = await takeCode(tx, { config }, who, body.code ?? '');
    if (wrong) throw new Problem(400, wrong, { code: wrong });
    await proveSession(tx, who.token);
  });
}

async function checkPassword(db: Services['db'], who: Admin, password: string): Promise<void> {
  const user = await db.selectFrom('users').select('passwordHash').where('id', '=', who._id).executeTakeFirst();
  if (!(await isPassword(user?.passwordHash, password))) throw new Problem(400, WRONG, { password: WRONG });
}
