import { Menu, Search, ShoppingBag } from 'lucide';
import { useState } from 'react';
import type { Session } from '#contract/accounts/users.ts';
import { useCloseOnBack } from '#web/browser/overlay-history.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { AccountMenu } from './account-menu.tsx';
import { HeaderLinks } from './header-links.tsx';
import type { OpenOverlay } from './header-overlays.tsx';
import { scrollToTop, searchedFor } from './links.ts';
import { keepTyped } from './typed-early.ts';
import { Wordmark } from './wordmark.tsx';

/** Loaded on hover or focus. */
const HeaderOverlays = lazyPart(async () => (await import('./header-overlays.tsx')).HeaderOverlays);
const ABOUT_TO_OPEN = { onPointerEnter: HeaderOverlays.load, onFocus: HeaderOverlays.load, 'aria-haspopup': 'dialog' } as const;

interface HeaderProps {
  user: Session | null;
  /** Distinct lines in the cart. */
  cartCount: number;
  here: Pick<Location, 'pathname' | 'search'>;
  /** The next page is loading. */
  isLoading: boolean;
  onLogout: () => void;
}

function CartLink({ count }: { count: number }) {
  return (
    <Link to="/cart" className="icon-btn relative" onClick={scrollToTop} aria-label={`Cart, ${count} ${count === 1 ? 'item' : 'items'}`}>
      <Icon of={ShoppingBag} />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute right-0.5 top-0.5 flex min-w-5 items-center justify-center rounded-full bg-clay px-1 text-xs font-semibold text-paper"
        >
          {count}
        </span>
      )}
    </Link>
  );
}

function MainLinks({ here }: Pick<HeaderProps, 'here'>) {
  return (
    <nav aria-label="Main" className="hidden max-lg:noscript:order-last noscript:block lg:block">
      <ul className="flex flex-wrap gap-x-7">
        <HeaderLinks
          here={here}
          className="inline-block border-b-2 border-transparent py-2 transition-colors hover:border-edge aria-[current]:border-accent"
        />
      </ul>
    </nav>
  );
}

/** For browsers without scripts, which cannot open the search overlay. */
function PlainSearch({ text }: { text: string }) {
  return (
    <search className="hidden w-full pb-3 noscript:order-last noscript:block">
      <form action="/shop" className="ml-auto flex max-w-xl gap-2">
        <input
          name="search"
          aria-label="Search the shop"
          placeholder="Search the shop"
          maxLength={500}
          defaultValue={text}
          className="input min-w-0 grow"
        />
        <button type="submit" className="btn btn-secondary">
          Search
        </button>
      </form>
    </search>
  );
}

function LoadingLine({ isLoading }: Pick<HeaderProps, 'isLoading'>) {
  const look = isLoading ? 'opacity-100 motion-safe:animate-breathe' : 'opacity-0';
  return <div aria-hidden="true" className={`h-0.5 bg-clay transition-opacity delay-300 ${look}`} />;
}

/** Under 1024 pixels the links are in a drawer. */
export function Header({ user, cartCount, here, isLoading, onLogout }: HeaderProps) {
  const [overlay, setOverlay] = useState<OpenOverlay>();
  // Not undefined again: closed overlays stay mounted, to return the focus.
  const close = () => setOverlay('none');
  useCloseOnBack(overlay === 'menu' || overlay === 'search', close);
  // The office is as wide as the window, and its menu stands at the left edge.
  const width = here.pathname.startsWith('/admin/') ? 'w-full px-gutter lg:pr-6 lg:pl-5' : 'container-page';
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-page">
      <p className="bg-accent px-4 py-1.5 text-center text-sm text-page">Shipping All over UK</p>
      {/* In two rows where large text leaves no room for one. */}
      <div className={`${width} flex min-h-16 items-center justify-between gap-1 max-lg:flex-wrap noscript:flex-wrap`}>
        <div className="-ml-2.5 flex items-center gap-1 noscript:hidden lg:hidden">
          <IconButton label="Menu" {...ABOUT_TO_OPEN} onClick={() => setOverlay('menu')}>
            <Icon of={Menu} />
          </IconButton>
        </div>
        <Wordmark />
        <MainLinks here={here} />
        <div className="-mr-2.5 flex items-center max-lg:ml-auto">
          <button
            type="button"
            aria-label="Search"
            {...ABOUT_TO_OPEN}
            className="icon-btn gap-2 noscript:hidden lg:mr-2 lg:w-44 lg:justify-start lg:rounded-soft lg:border lg:border-edge lg:bg-paper lg:px-3 xl:w-64"
            onClick={() => {
              keepTyped();
              setOverlay('search');
            }}
          >
            <Icon of={Search} />
            <span className="hidden min-w-0 truncate text-soft lg:block">{searchedFor(here) || 'Search'}</span>
          </button>
          <AccountMenu user={user} onLogout={onLogout} />
          <CartLink count={cartCount} />
        </div>
        <PlainSearch text={searchedFor(here)} />
      </div>
      <LoadingLine isLoading={isLoading} />
      {overlay && <HeaderOverlays open={overlay} here={here} text={searchedFor(here)} onClose={close} />}
    </header>
  );
}
