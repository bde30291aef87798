import { User } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { Session } from '#contract/accounts/users.ts';

interface AccountMenuProps {
  user: Session | null;
  onLogout: () => void;
}

/** Who is not logged in needs no menu, and loads none. */
const AccountButton = lazy(async () => ({ default: (await import('./account-button.tsx')).AccountButton }));

const ICON = <User aria-hidden="true" />;

/** The account icon: signed out a link to the login, signed in a menu by role (specification §2). */
export function AccountMenu({ user, onLogout }: AccountMenuProps) {
  if (user)
    return (
      <Suspense fallback={<span className="icon-btn">{ICON}</span>}>
        <AccountButton user={user} onLogout={onLogout} />
      </Suspense>
    );
  return (
    <Link to="/login" className="icon-btn" aria-label="Log in">
      {ICON}
    </Link>
  );
}
