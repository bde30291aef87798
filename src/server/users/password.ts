import { createHash } from 'node:crypto';
import { hash, hashRaw, verify } from '@node-rs/argon2';

/** argon2id (the library's default) with OWASP's parameters: 19 MiB, 2 passes, 1 lane. It runs on threads of its own. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), PARAMETERS);
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
