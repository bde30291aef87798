import { hash, verify } from '@node-rs/argon2';

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
