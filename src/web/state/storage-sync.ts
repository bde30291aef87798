import {
  CART_ITEMS_KEY,
  CART_SYNCED_KEY,
  RECENT_SEARCHES_KEY,
  readStored,
  readUserInfo,
  SHIPPING_METHOD_KEY,
  USER_INFO_KEY,
  WISHLIST_KEY,
  writeStored,
} from '#web/browser/browser-storage.ts';
import { business } from '#web/browser/business.ts';
import { deleteDraftsOfOthers } from '#web/browser/drafts.ts';
import { seenPieces } from '#web/browser/recently-seen.ts';
import type { KeptWishes, SyncedCart } from '#web/browser/wishes.ts';
import { cartRestored, itemRemoved, readStoredCart, storeCart } from './cart.slice.ts';
import type { AppStore, RootState } from './store.ts';
import { loggedOut, userReset } from './user.slice.ts';

/** Restores session and cart from local storage, which the server does not know. */
export function restoreFromStorage(store: AppStore): void {
  // The cart first: a login takes another account's lines out of it.
  store.dispatch(cartRestored(readStoredCart()));
  store.dispatch(userReset(readUserInfo() ?? null));
}

/** Pages without sync: the cart must not change during a checkout, and the office has no lists. */
export const isSyncedPage = (path: string): boolean => !/^\/(checkout|admin)(\/|$)/.test(path);

/** Deletes the wish list without its code; the event updates hearts on this page. */
function deleteWishes(): void {
  writeStored(WISHLIST_KEY, undefined);
  dispatchEvent(new StorageEvent('storage', { key: WISHLIST_KEY }));
}

/**
 * Removes the lists of another account, whose session expired here. Its cart's lines are those of its last sync: the others were added
 * without an account, and are the next one's.
 */
export function dropListsOfOthers(store: AppStore, user: string): void {
  const { synced } = Object(readStored(WISHLIST_KEY)) as Partial<KeptWishes>;
  if (!synced || synced.user === user) return;
  deleteWishes();
  const { user: owner, cart = [] } = Object(readStored(CART_SYNCED_KEY)) as Partial<SyncedCart>;
  if (owner === synced.user) for (const { _id } of cart) store.dispatch(itemRemoved(_id));
}

/** Writes changes to local storage, but nothing before the first restore. */
function writeChanges(store: AppStore, before: Pick<RootState, 'cart' | 'user'>, isFromOtherTab: boolean): void {
  const { cart, user } = store.getState();
  if (cart.isRestored && cart !== before.cart) storeCart(cart);
  if (!user.isRestored || user.userInfo === before.user.userInfo) return;
  // An expired session (with a notice) keeps its drafts: the same person will log in again.
  if (user.userInfo || !user.notice) deleteDraftsOfOthers(user.userInfo?._id);
  // The tab where it happened has changed local storage. Only that tab knows a logout from an expired session.
  if (isFromOtherTab) return;
  writeStored(USER_INFO_KEY, user.userInfo ?? undefined);
  if (user.userInfo) dropListsOfOthers(store, user.userInfo._id);
  if (user.userInfo || user.notice) return;
  // A logout deletes searches, seen pieces, the wish list, and what a business typed.
  writeStored(RECENT_SEARCHES_KEY, undefined);
  deleteWishes();
  seenPieces.write(undefined);
  business.write(undefined);
}

/** Applies another tab's changes. A null key means that all storage may have changed. */
function readOtherTab(store: AppStore, { key }: StorageEvent): void {
  if (key === CART_ITEMS_KEY || key === SHIPPING_METHOD_KEY || key === null) store.dispatch(cartRestored(readStoredCart()));
  if (key !== USER_INFO_KEY && key !== null) return;
  const userInfo = readUserInfo();
  store.dispatch(userInfo ? userReset(userInfo) : loggedOut());
}

/** Keeps store, local storage and other tabs in step. Returns its cleanup. */
export function syncWithStorage(store: AppStore): () => void {
  let known = store.getState();
  let isFromOtherTab = false;
  const unsubscribe = store.subscribe(() => {
    const before = known;
    known = store.getState();
    writeChanges(store, before, isFromOtherTab);
  });
  const onStorage = (event: StorageEvent) => {
    isFromOtherTab = true;
    readOtherTab(store, event);
    isFromOtherTab = false;
  };
  // A page restored from the back/forward cache has missed storage events.
  const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && window.dispatchEvent(new StorageEvent('storage'));
  window.addEventListener('storage', onStorage);
  window.addEventListener('pageshow', onPageShow);
  return () => {
    unsubscribe();
    window.removeEventListener('storage', onStorage);
    window.removeEventListener('pageshow', onPageShow);
  };
}
