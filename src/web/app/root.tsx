import { useEffect, useLayoutEffect } from 'react';
import { useStore } from 'react-redux';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import { ROOT_ID } from '#contract/page.ts';
import { useFocusOnNavigation } from '#web/browser/focus.ts';
import { Footer } from '#web/layout/footer.tsx';
import { Header } from '#web/layout/header.tsx';
import { LoadingOverlay } from '#web/layout/loading-overlay.tsx';
import { SkipLink } from '#web/layout/skip-link.tsx';
import { selectCartCount } from '#web/state/cart.slice.ts';
import { restoreFromStorage, syncWithStorage } from '#web/state/storage-sync.ts';
import { type AppStore, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { logOut, selectUserInfo } from '#web/state/user.slice.ts';
import { MailLink } from './mail-link.tsx';

/**
 * Restores the store from browser storage after hydration and before any click is handled. Then marks the page as ready, and repeats a click
 * or submit from before hydration.
 */
function useBrowserState() {
  const store = useStore() as AppStore;
  useLayoutEffect(() => {
    const stop = syncWithStorage(store);
    restoreFromStorage(store);
    return stop;
  }, [store]);
  useEffect(() => {
    document.documentElement.dataset.ready = '';
    const root = document.getElementById(ROOT_ID);
    if (root) window.code.takeOver(root);
  }, []);
}

/** Header, footer, scroll and focus around a page. */
export function Root() {
  useBrowserState();
  useFocusOnNavigation();
  const dispatch = useAppDispatch();
  const user = useAppSelector(selectUserInfo);
  const cartCount = useAppSelector(selectCartCount);
  const here = useLocation();
  const nextLocation = useNavigation().location;
  return (
    <>
      <SkipLink />
      <Header user={user} cartCount={cartCount} here={here} isLoading={nextLocation !== undefined} onLogout={() => dispatch(logOut())} />
      <Outlet />
      {nextLocation && nextLocation.pathname !== here.pathname && <LoadingOverlay path={nextLocation.pathname} />}
      {!here.pathname.startsWith('/admin/') && <Footer />}
      <MailLink />
      <ScrollRestoration />
    </>
  );
}
