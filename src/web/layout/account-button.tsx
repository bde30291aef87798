import { User } from 'lucide';
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { useLocation } from 'react-router';
import type { Session } from '#contract/accounts/users.ts';
import { readStored, WISHLIST_KEY } from '#web/browser/browser-storage.ts';
import { useCloseOnBack } from '#web/browser/overlay-history.ts';
import type { KeptWishes } from '#web/browser/wishes.ts';
import { isSyncedPage } from '#web/state/storage-sync.ts';
import type { AppStore } from '#web/state/store.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { ADMIN_LINKS, CUSTOMER_LINKS } from './links.ts';

const ENTRY = 'flex min-h-target w-full items-center px-4 text-left hover:bg-stage';

interface MenuProps {
  user: Session;
  open: boolean;
  onClose: () => void;
  onLogout: () => void;
}

/** The specification's menu has no wish list (§2): it is named once something is on it. */
const hasWishes = () => ((Object(readStored(WISHLIST_KEY)) as Partial<KeptWishes>).wishes?.length ?? 0) > 0;

function Menu({ user, open, onClose, onLogout }: MenuProps) {
  return (
    <ul
      id="account-menu"
      hidden={!open}
      className="absolute right-0 z-30 mt-2 w-52 rounded-card border border-line bg-paper py-2 shadow-float"
    >
      <li className="truncate px-4 pb-2 text-sm text-soft">{user.name}</li>
      {(user.isAdmin ? ADMIN_LINKS : CUSTOMER_LINKS).map(({ label, to }) => (
        <li key={to}>
          <Link to={to} className={ENTRY} onClick={onClose}>
            {label}
          </Link>
        </li>
      ))}
      {hasWishes() && (
        <li>
          <Link to="/cart?wishlist" className={ENTRY} onClick={onClose}>
            Wish list
          </Link>
        </li>
      )}
      <li>
        <button
          type="button"
          className={ENTRY}
          onClick={() => {
            onClose();
            onLogout();
          }}
        >
          Logout
        </button>
      </li>
    </ul>
  );
}

/** Closes on a press or focus outside. */
function useCloseOutside(open: boolean, box: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!open) return;
    const leave = ({ target }: Event) => !box.current?.contains(target as Node) && close();
    for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, leave);
    return () => {
      for (const type of ['pointerdown', 'focusin']) document.removeEventListener(type, leave);
    };
  }, [open, box]);
}

/** Syncs wish list and cart with the account at a load and a login, on leaving the checkout, and after each change of the cart. */
function useSyncedLists(account: string): void {
  const store = useStore() as AppStore;
  const isSynced = isSyncedPage(useLocation().pathname);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account has other lists.
  useEffect(() => {
    if (!isSynced) return;
    const sync = () => {
      void import('#web/parts/lists-sync.ts').then(
        ({ syncLists }) => syncLists(store),
        () => undefined,
      );
    };
    sync();
    let { items } = store.getState().cart;
    return store.subscribe(() => {
      const { items: now } = store.getState().cart;
      if (now === items) return;
      items = now;
      sync();
    });
  }, [store, account, isSynced]);
}

export function AccountButton({ user, onLogout }: { user: Session; onLogout: () => void }) {
  useSyncedLists(user._id);
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  useCloseOnBack(open, close);
  useCloseOutside(open, box, close);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !open) return;
    close();
    button.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu wherever in it the focus is.
    <div ref={box} className="relative" onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className="icon-btn"
        aria-label="Account"
        aria-expanded={open}
        aria-controls="account-menu"
        onClick={() => setOpen(!open)}
      >
        <Icon of={User} />
      </button>
      <Menu user={user} open={open} onClose={close} onLogout={onLogout} />
    </div>
  );
}
