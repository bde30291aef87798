import { createHash } from 'node:crypto';
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { Problem } from '#contract/platform/problem.ts';

/** argon2id (the library's default) with OWASP's parameters: 19 MiB, 2 passes, 1 lane. It runs on threads of its own. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The commonest passwords that are long enough to be chosen, about 18,000 in small letters: whoever guesses begins with these. */
const COMMON = new Set(dictionary['passwords-common'].filter(({ length }) => length >= 8).map((text) => text.toLowerCase()));
const TOO_COMMON = 'This is one of the most common passwords, so it is easy to guess. Please choose another.';

/**
 * The hash of a password that somebody chooses. Throws 400, at the field of that name, for one of the commonest, in any case of letters and any
 * Unicode form; whatever asks for a new password comes this way.
 */
export async function hashPassword(password: string, field = 'password'): Promise<string> {
  const normalised = password.normalize('NFKC');
  if (COMMON.has(normalised.toLowerCase())) throw new Problem(400, TOO_COMMON, { [field]: TOO_COMMON });
  return hash(normalised, PARAMETERS);
}

const nobodysHash = hashPassword('nobody has this password');

/** Whether a password is the one that was hashed. Takes as long when there is no hash, so that nobody learns which addresses are known. */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await nobodysHash), password.normalize('NFKC'));
  return matches && stored !== undefined;
}

/** The hash of a reset code, bound to its account. As costly as a password's, so that six digits cannot be guessed from a stolen table within their ten minutes. */
export function hashOtp(userId: string, otp: string): Promise<Buffer> {
  const salt = createHash('sha256').update(userId).digest().subarray(0, 16);
  return hashRaw(otp, { ...PARAMETERS, salt });
}
