import {
  CART_ITEMS_KEY,
  RECENT_SEARCHES_KEY,
  readUserInfo,
  SHIPPING_METHOD_KEY,
  USER_INFO_KEY,
  WISHLIST_KEY,
  writeStored,
} from '#web/browser/browser-storage.ts';
import { deleteDraftsOfOthers } from '#web/browser/drafts.ts';
import { seenPieces } from '#web/browser/recently-seen.ts';
import { cartRestored, readStoredCart, storeCart } from './cart.slice.ts';
import type { AppStore, RootState } from './store.ts';
import { loggedOut, userReset } from './user.slice.ts';

/** Restores session and cart from local storage, which the server does not know. */
export function restoreFromStorage(store: AppStore): void {
  store.dispatch(userReset(readUserInfo() ?? null));
  store.dispatch(cartRestored(readStoredCart()));
}

/** Writes changes to local storage, but nothing before the first restore. */
function writeChanges(before: Pick<RootState, 'cart' | 'user'>, { cart, user }: RootState): void {
  if (cart.isRestored && cart !== before.cart) storeCart(cart);
  if (!user.isRestored || user.userInfo === before.user.userInfo) return;
  writeStored(USER_INFO_KEY, user.userInfo ?? undefined);
  // An expired session (with a notice) keeps its drafts: the same person will log in again.
  if (user.userInfo || !user.notice) deleteDraftsOfOthers(user.userInfo?._id);
  if (user.userInfo || user.notice) return;
  // A logout deletes searches, seen pieces and the wish list; the event updates hearts on this page.
  writeStored(RECENT_SEARCHES_KEY, undefined);
  writeStored(WISHLIST_KEY, undefined);
  dispatchEvent(new StorageEvent('storage', { key: WISHLIST_KEY }));
  seenPieces.write(undefined);
}

/** Applies another tab's changes. A null key means that all storage was cleared. */
function readOtherTab(store: AppStore, { key }: StorageEvent): void {
  if (key === CART_ITEMS_KEY || key === SHIPPING_METHOD_KEY || key === null) store.dispatch(cartRestored(readStoredCart()));
  if (key !== USER_INFO_KEY && key !== null) return;
  const userInfo = readUserInfo();
  store.dispatch(userInfo ? userReset(userInfo) : loggedOut());
}

/** Keeps store, local storage and other tabs in step. Returns its cleanup. */
export function syncWithStorage(store: AppStore): () => void {
  let { cart, user } = store.getState();
  const unsubscribe = store.subscribe(() => {
    const now = store.getState();
    writeChanges({ cart, user }, now);
    ({ cart, user } = now);
  });
  const onStorage = (event: StorageEvent) => readOtherTab(store, event);
  // A page restored from the back/forward cache has missed storage events.
  const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && restoreFromStorage(store);
  window.addEventListener('storage', onStorage);
  window.addEventListener('pageshow', onPageShow);
  return () => {
    unsubscribe();
    window.removeEventListener('storage', onStorage);
    window.removeEventListener('pageshow', onPageShow);
  };
}
