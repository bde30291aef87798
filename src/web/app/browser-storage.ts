import type { Session } from '#contract/users.ts';

/** Keys of local storage (specification §3). */
export const USER_INFO_KEY = 'userInfo';
export const CART_ITEMS_KEY = 'cartItems';

/** Reads JSON that may be missing, damaged or refused (private windows); then undefined. */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps JSON, or takes the key out for undefined. A full or forbidden storage is no reason to fail: the page goes on in memory. */
export function writeStored(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // What cannot be kept lasts until the page is left.
  }
}

/** The stored session, or undefined when there is none or it is damaged. */
export function readUserInfo(): Session | undefined {
  if (typeof localStorage === 'undefined') return undefined;
  const stored = readStored(USER_INFO_KEY) as Partial<Session> | undefined;
  if (typeof stored !== 'object' || typeof stored?.token !== 'string' || typeof stored._id !== 'string') return undefined;
  return {
    _id: stored._id,
    name: String(stored.name ?? ''),
    email: String(stored.email ?? ''),
    isAdmin: stored.isAdmin === true,
    token: stored.token,
  };
}
