import { Fragment, useRef } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { PageSkeleton } from '#web/parts/page-skeleton.tsx';
import type { LoginState } from '#web/shop/accounts/redirect.ts';
import { useAppSelector } from '#web/state/store.ts';
import { selectUser } from '#web/state/user.slice.ts';

/** The login, with the first segment of the wanted path as its `redirect` unless that is an order's page (specification §2). */
export function loginPathFor(pathname: string): string {
  const segment = pathname.split('/')[1] ?? '';
  return segment === 'order' ? '/login' : `/login?redirect=${segment}`;
}

/** Remounts its page when another account logs in. */
export function OutletOf({ owner }: { owner: string }) {
  return (
    <Fragment key={owner}>
      <Outlet />
    </Fragment>
  );
}

/** Redirects to the login, which returns to this page unless `isForgotten`. */
export function ToLogin({ isForgotten }: { isForgotten?: boolean }) {
  const { pathname, search, hash } = useLocation();
  const state: LoginState = isForgotten ? {} : { wanted: pathname + search + hash };
  return <Navigate to={loginPathFor(pathname)} state={state} replace />;
}

/** The login guard. Until the browser's storage is read, the visitor is unknown: a skeleton is shown. */
export function RequireUser() {
  const { userInfo, isRestored, notice } = useAppSelector(selectUser);
  const hadUser = useRef(false);
  if (!isRestored) return <PageSkeleton />;
  if (userInfo) {
    hadUser.current = true;
    return <OutletOf owner={userInfo._id} />;
  }
  // A session that has ended leaves a notice. After a logout, the next person may be somebody else.
  const isLoggedOut = hadUser.current && !notice;
  return <ToLogin isForgotten={isLoggedOut} />;
}
