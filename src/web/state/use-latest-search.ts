import { useContext, useMemo, useSyncExternalStore } from 'react';
import { UNSAFE_DataRouterContext, useLocation } from 'react-router';

/**
 * The search parameters of the newest URL: that of a pending navigation, else the current one. Changes start from these, so that a second
 * choice made while the first loads keeps the first. Read from the router, since React may render a new URL late.
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
