import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { PageSkeleton } from '#web/parts/page-skeleton.tsx';
import { useAppSelector } from '#web/state/store.ts';
import { selectUser } from '#web/state/user.slice.ts';
import { toast } from '#web/ui/toast.ts';
import { OutletOf, ToLogin } from './guards.tsx';

/** The admin guard: visitors and customers go home (specification §2), customers with a toast. Only an ended session goes to the login and then back. */
export function RequireAdmin() {
  const { userInfo, isRestored, notice } = useAppSelector(selectUser);
  const isOther = userInfo?.isAdmin === false;
  useEffect(() => {
    if (isOther) toast.info('For administrators only.');
  }, [isOther]);
  if (!isRestored) return <PageSkeleton />;
  if (userInfo?.isAdmin) return <OutletOf owner={userInfo._id} />;
  return notice && !userInfo ? <ToLogin /> : <Navigate to="/" replace />;
}
