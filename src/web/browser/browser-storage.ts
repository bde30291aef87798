import { useSyncExternalStore } from 'react';
import type { Session } from '#contract/accounts/users.ts';

/** Keys of local storage (specification §3). */
export const USER_INFO_KEY = 'userInfo';
export const CART_ITEMS_KEY = 'cartItems';
export const CART_DISCOUNT_KEY = 'cartDiscount';
export const BUSINESS_KEY = 'business';
export const DELIVERY_DAY_KEY = 'deliveryDay';
export const SHIPPING_METHOD_KEY = 'shippingMethod';
export const RECENT_SEARCHES_KEY = 'recentSearches';
export const RECENTLY_SEEN_KEY = 'recentlySeen';
export const WISHLIST_KEY = 'wishlist';
export const CART_SYNCED_KEY = 'cartSynced';
const DEVICE_KEY = 'device';
export const MEASUREMENTS_KEY = 'measurements';

/** `sessionStorage` belongs to one tab. */
type StorageName = 'localStorage' | 'sessionStorage';

/** Undefined for JSON that is missing, damaged or refused (private windows). */
export function readStored(key: string, storage: StorageName = 'localStorage'): unknown {
  try {
    return JSON.parse(globalThis[storage].getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores JSON; undefined removes the key. Best effort: the page works without storage. */
export function writeStored(key: string, value: unknown, storage: StorageName = 'localStorage'): void {
  try {
    if (value === undefined) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden.
  }
}

const noSubscription = () => () => {};

/** False on the server and in the first render, which must match. */
export const useIsBrowser = (): boolean =>
  useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  );

/** Whether there was a value at the last render; false on the server and in the first render. */
export const useIsStored = (key: string): boolean => useIsBrowser() && readStored(key) !== undefined;

/** Undefined if there is no session, or it is damaged. */
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
 * This browser's token: 256 random bits, kept over logouts. An account knows the browsers that it logged in on, so that others' wrong
 * passwords do not lock its owner out. It identifies nobody and grants nothing.
 */
export function deviceToken(): string {
  const stored = readStored(DEVICE_KEY);
  if (typeof stored === 'string' && /^[0-9a-f]{64}$/.test(stored)) return stored;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const token = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  writeStored(DEVICE_KEY, token);
  return token;
}
