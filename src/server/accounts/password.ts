import { createHash } from 'node:crypto';
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { Problem } from '#contract/platform/problem.ts';

/** argon2id (the library's default) with OWASP's parameters: 19 MiB, 2 passes, 1 lane. Runs on its own threads. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** About 18,000 common passwords of 8 or more characters, lower case. */
const COMMON = new Set(dictionary['passwords-common'].filter(({ length }) => length >= 8).map((text) => text.toLowerCase()));
const TOO_COMMON = 'This is one of the most common passwords, so it is easy to guess. Please choose another.';

/** Hashes a newly chosen password: any of at least 8 characters (§13.1). The screens advise against the commonest. */
export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), PARAMETERS);

/** As `hashPassword`, for an administrator made by the command. Throws 400 for a common one, regardless of case and Unicode form. */
export function hashUncommonPassword(password: string): Promise<string> {
  if (COMMON.has(password.normalize('NFKC').toLowerCase())) throw new Problem(400, TOO_COMMON);
  return hashPassword(password);
}

const nobodysHash = hashPassword('nobody has this password');

/** Verifies a password. Takes as long without a hash, so timing does not reveal known addresses. */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await nobodysHash), password.normalize('NFKC'));
  return matches && stored !== undefined;
}

/**
 * Hashes a reset code, bound to its account. As costly as a password's hash: a stolen table cannot be searched for six digits within 10
 * minutes.
 */
export function hashOtp(userId: string, otp: string): Promise<Buffer> {
  const salt = createHash('sha256').update(userId).digest().subarray(0, 16);
  return hashRaw(otp, { ...PARAMETERS, salt });
}
