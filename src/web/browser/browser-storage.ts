import { useSyncExternalStore } from 'react';
import type { Session } from '#contract/accounts/users.ts';

/** Keys of local storage (specification §3). */
export const USER_INFO_KEY = 'userInfo';
export const CART_ITEMS_KEY = 'cartItems';
/** The way to send the order that was chosen. */
export const SHIPPING_METHOD_KEY = 'shippingMethod';
/** What was searched for in this browser. */
export const RECENT_SEARCHES_KEY = 'recentSearches';
/** Pieces that were looked at in this browser. */
export const RECENTLY_SEEN_KEY = 'recentlySeen';
const DEVICE_KEY = 'device';
/** What the visitor measured at home (`shop/fit`). */
export const MEASUREMENTS_KEY = 'measurements';

/** `sessionStorage` belongs to one tab and ends with it. */
type StorageName = 'localStorage' | 'sessionStorage';

/** Reads JSON that may be missing, damaged or refused (private windows); then undefined. */
export function readStored(key: string, storage: StorageName = 'localStorage'): unknown {
  try {
    return JSON.parse(globalThis[storage].getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps JSON, or takes the key out for undefined. A full or forbidden storage is no reason to fail: the page goes on in memory. */
export function writeStored(key: string, value: unknown, storage: StorageName = 'localStorage'): void {
  try {
    if (value === undefined) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, JSON.stringify(value));
  } catch {
    // What cannot be kept lasts until the page is left.
  }
}

const never = () => () => {};

/** Whether there was a value when the page was last rendered; not on the server nor in the first render, whose page is the same for everybody. */
export const useIsStored = (key: string): boolean =>
  useSyncExternalStore(
    never,
    () => readStored(key) !== undefined,
    () => false,
  );

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

/**
 * This browser's own token: 256 random bits, made when they are first asked for and kept over logouts. An account knows the browsers on
 * which it was logged in, so that somebody else's wrong passwords do not keep its owner out. It names nobody and opens nothing by itself.
 */
export function deviceToken(): string {
  const stored = readStored(DEVICE_KEY);
  if (typeof stored === 'string' && /^[0-9a-f]{64}$/.test(stored)) return stored;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const token = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  writeStored(DEVICE_KEY, token);
  return token;
}
