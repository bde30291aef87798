import { useContext, useMemo, useSyncExternalStore } from 'react';
import { UNSAFE_DataRouterContext, useLocation } from 'react-router';

/**
 * The search parameters of this page's newest address: of the one on its way, where one is, else of the one it has. What changes an address
 * starts from these, so that a second choice, made while the first still loads, keeps the first. They are read from the router itself and drawn
 * at once: React draws a new address when it finds the time, which a quick hand on a slow phone does not wait for.
 */
export function useLatestSearch(): URLSearchParams {
  const { pathname, search: shown } = useLocation();
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const latest = () => {
    const { navigation, location } = router?.state ?? {};
    return [navigation?.location, location].find((known) => known?.pathname === pathname)?.search ?? shown;
  };
  const search = useSyncExternalStore(router?.subscribe ?? nothingChanges, latest, latest);
  return useMemo(() => new URLSearchParams(search), [search]);
}

const nothingChanges = () => () => undefined;
