import { CART_ITEMS_KEY, readUserInfo, SHIPPING_METHOD_KEY, USER_INFO_KEY, writeStored } from '#web/browser/browser-storage.ts';
import { forgetPrivate } from '#web/browser/private-memory.ts';
import { cartRestored, readStoredCart, storeCart } from './cart.slice.ts';
import type { AppStore } from './store.ts';
import { loggedOut, userReset } from './user.slice.ts';

/** Fills the store from the browser's storage: who visits, and what their cart holds. */
export function restore(store: AppStore): void {
  store.dispatch(userReset(readUserInfo() ?? null));
  store.dispatch(cartRestored(readStoredCart()));
}

/** Keeps the browser's storage in step with the store, and the store with other tabs. Returns how to stop. */
export function keepInStep(store: AppStore): () => void {
  let { cart, user } = store.getState();
  const unsubscribe = store.subscribe(() => {
    const now = store.getState();
    const isCartChanged = now.cart.items !== cart.items || now.cart.shippingMethod !== cart.shippingMethod;
    if (now.cart.isRestored && isCartChanged) storeCart(now.cart);
    if (now.user.isRestored && now.user.userInfo !== user.userInfo) {
      writeStored(USER_INFO_KEY, now.user.userInfo ?? undefined);
      // A session that ended by itself leaves a notice, and what was typed waits for the same person to log in again.
      if (now.user.userInfo || !now.user.notice) forgetPrivate(now.user.userInfo?._id);
    }
    ({ cart, user } = now);
  });
  const onStorage = ({ key }: StorageEvent) => {
    if (key === CART_ITEMS_KEY || key === SHIPPING_METHOD_KEY || key === null) store.dispatch(cartRestored(readStoredCart()));
    if (key === USER_INFO_KEY || key === null) {
      const userInfo = readUserInfo();
      store.dispatch(userInfo ? userReset(userInfo) : loggedOut());
    }
  };
  // A page that comes back from the browser's back/forward cache has missed what happened to the storage meanwhile.
  const onShow = ({ persisted }: PageTransitionEvent) => persisted && restore(store);
  window.addEventListener('storage', onStorage);
  window.addEventListener('pageshow', onShow);
  return () => {
    unsubscribe();
    window.removeEventListener('storage', onStorage);
    window.removeEventListener('pageshow', onShow);
  };
}
