import {
  CART_ITEMS_KEY,
  RECENT_SEARCHES_KEY,
  readUserInfo,
  SHIPPING_METHOD_KEY,
  USER_INFO_KEY,
  writeStored,
} from '#web/browser/browser-storage.ts';
import { deleteDraftsOfOthers } from '#web/browser/drafts.ts';
import { seenPieces } from '#web/browser/recently-seen.ts';
import { cartRestored, readStoredCart, storeCart } from './cart.slice.ts';
import type { AppStore, RootState } from './store.ts';
import { loggedOut, userReset } from './user.slice.ts';

/** Fills the store from local storage: the session and the cart. The server's page knows neither. */
export function restoreFromStorage(store: AppStore): void {
  store.dispatch(userReset(readUserInfo() ?? null));
  store.dispatch(cartRestored(readStoredCart()));
}

/** Writes what has changed in the store to local storage. Before the first restore nothing is written: the store is still empty. */
function writeChanges(before: Pick<RootState, 'cart' | 'user'>, { cart, user }: RootState): void {
  const isCartChanged = cart.items !== before.cart.items || cart.shippingMethod !== before.cart.shippingMethod;
  if (cart.isRestored && isCartChanged) storeCart(cart);
  if (!user.isRestored || user.userInfo === before.user.userInfo) return;
  writeStored(USER_INFO_KEY, user.userInfo ?? undefined);
  // A session that has expired leaves a notice. Its drafts are kept, since the same person is asked to log in again.
  if (user.userInfo || !user.notice) deleteDraftsOfOthers(user.userInfo?._id);
  if (user.userInfo || user.notice) return;
  // Who has logged out leaves nothing of what they looked for to the next person.
  writeStored(RECENT_SEARCHES_KEY, undefined);
  seenPieces.write(undefined);
}

/** Takes over what another tab has written. A key of null means that the whole storage was cleared. */
function readOtherTab(store: AppStore, { key }: StorageEvent): void {
  if (key === CART_ITEMS_KEY || key === SHIPPING_METHOD_KEY || key === null) store.dispatch(cartRestored(readStoredCart()));
  if (key !== USER_INFO_KEY && key !== null) return;
  const userInfo = readUserInfo();
  store.dispatch(userInfo ? userReset(userInfo) : loggedOut());
}

/** Keeps local storage up to date with the store, and the store with other tabs. Returns a function that stops it. */
export function syncWithStorage(store: AppStore): () => void {
  let { cart, user } = store.getState();
  const unsubscribe = store.subscribe(() => {
    const now = store.getState();
    writeChanges({ cart, user }, now);
    ({ cart, user } = now);
  });
  const onStorage = (event: StorageEvent) => readOtherTab(store, event);
  // A page in the browser's back/forward cache is frozen: it has missed the storage events since then.
  const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && restoreFromStorage(store);
  window.addEventListener('storage', onStorage);
  window.addEventListener('pageshow', onPageShow);
  return () => {
    unsubscribe();
    window.removeEventListener('storage', onStorage);
    window.removeEventListener('pageshow', onPageShow);
  };
}
