import { Fragment, useEffect, useRef } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { PageSkeleton } from '#web/parts/page-skeleton.tsx';
import type { LoginState } from '#web/shop/accounts/redirect.ts';
import { useAppSelector } from '#web/state/store.ts';
import { selectUser } from '#web/state/user.slice.ts';
import { toast } from '#web/ui/toast.ts';

/** /login from an order page, else with the first segment of the wanted path (specification §2). */
export function loginPathFor(pathname: string): string {
  const segment = pathname.split('/')[1] ?? '';
  return segment === 'order' ? '/login' : `/login?redirect=${segment}`;
}

/** Remounts its page when another account logs in. */
function OutletOf({ owner }: { owner: string }) {
  return (
    <Fragment key={owner}>
      <Outlet />
    </Fragment>
  );
}

/** The login guard. Until the browser's storage is read, the visitor is unknown: a skeleton is shown. */
export function RequireUser() {
  const { userInfo, isRestored, notice } = useAppSelector(selectUser);
  const { pathname, search, hash } = useLocation();
  const hadUser = useRef(false);
  if (!isRestored) return <PageSkeleton />;
  if (userInfo) {
    hadUser.current = true;
    return <OutletOf owner={userInfo._id} />;
  }
  // Only visitors and ended sessions return here after the login: after a logout the next person may be somebody else.
  const isLogout = hadUser.current && !notice;
  const state: LoginState = isLogout ? {} : { wanted: pathname + search + hash };
  return <Navigate to={loginPathFor(pathname)} state={state} replace />;
}

/** The admin guard: others are sent home (specification §2), and accounts are told why; an ended session leads to the login, and back to the page. */
export function RequireAdmin() {
  const { userInfo, isRestored, notice } = useAppSelector(selectUser);
  const { pathname, search, hash } = useLocation();
  const isOther = userInfo?.isAdmin === false;
  useEffect(() => {
    if (isOther) toast.info('That page is for administrators.');
  }, [isOther]);
  if (!isRestored) return <PageSkeleton />;
  if (userInfo?.isAdmin) return <OutletOf owner={userInfo._id} />;
  if (!notice) return <Navigate to="/" replace />;
  const state: LoginState = { wanted: pathname + search + hash };
  return <Navigate to={loginPathFor(pathname)} state={state} replace />;
}
