import { useEffect } from 'react';
import { useStore } from 'react-redux';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import { selectCartCount } from './cart.slice.ts';
import { useFocusOnNavigation } from './focus.ts';
import { Footer } from './layout/footer.tsx';
import { Header } from './layout/header.tsx';
import { LoadingOverlay } from './layout/loading-overlay.tsx';
import { SkipLink } from './layout/skip-link.tsx';
import { keepInStep, restore } from './persistence.ts';
import { type AppStore, useAppDispatch, useAppSelector } from './store.ts';
import { logOut, selectUserInfo } from './user.slice.ts';

/** Fills the store from the browser once the server's page stands, and keeps both in step; then the page answers to clicks and says so. */
function useBrowserState() {
  const store = useStore() as AppStore;
  useEffect(() => {
    const stop = keepInStep(store);
    restore(store);
    document.documentElement.dataset.ready = '';
    return stop;
  }, [store]);
}

/** Everything around a page: header, footer, scroll and focus. */
export function Root() {
  useBrowserState();
  useFocusOnNavigation();
  const dispatch = useAppDispatch();
  const user = useAppSelector(selectUserInfo);
  const cartCount = useAppSelector(selectCartCount);
  const here = useLocation();
  const next = useNavigation().location;
  return (
    <>
      <SkipLink />
      <Header user={user} cartCount={cartCount} here={here} isLoading={next !== undefined} onLogout={() => dispatch(logOut())} />
      <Outlet />
      {next && next.pathname !== here.pathname && <LoadingOverlay path={next.pathname} />}
      <Footer />
      <ScrollRestoration />
    </>
  );
}
