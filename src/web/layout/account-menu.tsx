import { User } from 'lucide';
import type { Session } from '#contract/accounts/users.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';

interface AccountMenuProps {
  user: Session | null;
  onLogout: () => void;
}

const ICON = <Icon of={User} />;

/** Loaded for logged-in visitors only. */
const AccountButton = lazyPart(async () => (await import('./account-button.tsx')).AccountButton, {
  fallback: <span className="icon-btn">{ICON}</span>,
});

/** The account icon: a link to the login, or a menu by role (specification §2). */
export function AccountMenu({ user, onLogout }: AccountMenuProps) {
  if (user) return <AccountButton user={user} onLogout={onLogout} />;
  return (
    <Link to="/login" className="icon-btn" aria-label="Log in">
      {ICON}
    </Link>
  );
}
