import { Fragment, useEffect, useRef } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { PageSkeleton } from '#web/parts/page-skeleton.tsx';
import type { LoginState } from '#web/shop/accounts/redirect.ts';
import { useAppSelector } from '#web/state/store.ts';
import { selectUser } from '#web/state/user.slice.ts';
import { toast } from '#web/ui/toast.ts';

/** Where the login guard sends a visitor: plain /login from an order page, else with the first segment of the page wanted (specification §2). */
export function loginPathFor(pathname: string): string {
  const segment = pathname.split('/')[1] ?? '';
  return segment === 'order' ? '/login' : `/login?redirect=${segment}`;
}

/** The page of one account: when another one logs in, in this tab or another, it starts afresh. */
function OutletOf({ owner }: { owner: string }) {
  return (
    <Fragment key={owner}>
      <Outlet />
    </Fragment>
  );
}

/** The login guard. On the server, and until the browser's storage is read, the visitor is unknown: a skeleton is shown. */
export function RequireUser() {
  const { userInfo, isRestored, notice } = useAppSelector(selectUser);
  const { pathname, search, hash } = useLocation();
  const hadUser = useRef(false);
  if (!isRestored) return <PageSkeleton />;
  if (userInfo) {
    hadUser.current = true;
    return <OutletOf owner={userInfo._id} />;
  }
  // The next to log in after a logout may be somebody else: only a visitor, or an account whose session has ended, comes back here.
  const isLogout = hadUser.current && !notice;
  const state: LoginState = isLogout ? {} : { wanted: pathname + search + hash };
  return <Navigate to={loginPathFor(pathname)} state={state} replace />;
}

/** The admin guard: anyone who is not an administrator is sent home; whose session has ended is told there. */
export function RequireAdmin() {
  const { userInfo, isRestored, notice } = useAppSelector(selectUser);
  useEffect(() => {
    if (!userInfo && notice) toast.error(notice);
  }, [userInfo, notice]);
  if (!isRestored) return <PageSkeleton />;
  return userInfo?.isAdmin ? <OutletOf owner={userInfo._id} /> : <Navigate to="/" replace />;
}
