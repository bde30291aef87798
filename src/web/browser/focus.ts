import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Moves the focus to the heading of a new page, for keyboards and screen readers. */
export function useFocusOnNavigation(): void {
  const { pathname, search } = useLocation();
  // The cart's page shows wish lists, too.
  const page = pathname + (new URLSearchParams(search).has('wishlist') ? '?wishlist' : '');
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    if (focusHeading()) return;
    // A part whose code is not loaded yet will bring it.
    const focused = document.activeElement;
    const observer = new MutationObserver(() => {
      if (document.activeElement !== focused || focusHeading()) observer.disconnect();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [page]);
}

/** Returns whether there is a heading. */
function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (heading && !document.querySelector('dialog[open]')) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  return heading !== null;
}
