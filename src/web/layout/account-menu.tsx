import { User } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Session } from '#contract/users.ts';
import { useCloseOnBack } from '#web/browser/overlay-history.ts';
import { ADMIN_LINKS, CUSTOMER_LINKS } from './links.ts';

interface AccountMenuProps {
  user: Session | null;
  onLogout: () => void;
}

/** The account icon: signed out a link to the login, signed in a menu by role (specification §2). */
export function AccountMenu({ user, onLogout }: AccountMenuProps) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useCloseOnBack(open, () => setOpen(false));
  useEffect(() => {
    if (!open) return;
    const leave = ({ target }: Event) => !box.current?.contains(target as Node) && setOpen(false);
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [open]);
  if (!user) {
    return (
      <Link to="/login" className="icon-btn" aria-label="Log in">
        <User aria-hidden="true" />
      </Link>
    );
  }
  const close = () => [setOpen(false), button.current?.focus()];
  const entry = 'flex min-h-target w-full items-center px-4 text-left hover:bg-stage';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu wherever in it the focus is.
    <div ref={box} className="relative" onKeyDown={({ key }) => key === 'Escape' && open && close()}>
      <button
        ref={button}
        type="button"
        className="icon-btn"
        aria-label="Account"
        aria-expanded={open}
        aria-controls="account-menu"
        onClick={() => setOpen(!open)}
      >
        <User aria-hidden="true" />
      </button>
      <ul
        id="account-menu"
        hidden={!open}
        className="absolute right-0 z-30 mt-2 w-52 rounded-card border border-line bg-paper py-2 shadow-float"
      >
        <li className="truncate px-4 pb-2 text-sm text-soft">{user.name}</li>
        {(user.isAdmin ? ADMIN_LINKS : CUSTOMER_LINKS).map(({ label, to }) => (
          <li key={to}>
            <Link to={to} className={entry} onClick={() => setOpen(false)}>
              {label}
            </Link>
          </li>
        ))}
        <li>
          <button type="button" className={entry} onClick={() => [setOpen(false), onLogout()]}>
            Logout
          </button>
        </li>
      </ul>
    </div>
  );
}
