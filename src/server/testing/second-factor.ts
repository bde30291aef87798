import type { RecoveryCodes, SetUp } from '#contract/accounts/second-factor.ts';
import { codeOf, stepAt } from '#server/accounts/second-factor/totp.ts';
import type { SignedIn } from './factories.ts';
import type { TestShop } from './harness.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** An authenticator app: the code of a secret as the shop has shown it, `later` steps of 30 seconds from now. */
export function appCode(secret: string, later = 0): string {
  const bits = [...secret.replaceAll(' ', '')].map((sign) => ALPHABET.indexOf(sign).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((group) => Number.parseInt(group, 2));
  return codeOf(Buffer.from(bytes), stepAt(Date.now()) + later);
}

/** Sets up a second factor for an administrator, as if long ago: no code of now has been used. */
export async function aSecondFactor(
  { app, db }: Pick<TestShop, 'app' | 'db'>,
  { headers }: Pick<SignedIn, 'headers'>,
): Promise<RecoveryCodes & { secret: string }> {
  const { secret } = (await app.inject({ method: 'POST', url: '/api/users/second-factor', headers })).json<SetUp>();
  const payload = { code: appCode(secret) };
  const reply = await app.inject({ method: 'POST', url: '/api/users/second-factor/confirm', headers, payload });
  await db.updateTable('secondFactors').set({ lastStep: 0 }).execute();
  return { ...reply.json<RecoveryCodes>(), secret };
}
