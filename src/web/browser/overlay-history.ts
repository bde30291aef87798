import { useEffect, useEffectEvent } from 'react';
import { type createBrowserRouter, useLocation } from 'react-router';

/** How the overlay that is open is closed. */
let close: (() => void) | undefined;

interface EntryState {
  /** The router's name of the page. */
  key?: string;
  /** A second entry of the same page, made for its overlay. */
  isOverlay?: true;
}

const stateOf = (state: unknown): EntryState => (typeof state === 'object' && state !== null ? state : {});

/**
 * Lets Back close an overlay before it leaves the page. An overlay that opens puts a second entry of its page into the history,
 * of which the router hears nothing. Back from it closes the overlay; when that is closed already, Back goes on to where it would
 * have led without that entry. To be called before the router is made: who listens first hears first.
 */
export function keepOverlayHistory(read: () => ReturnType<typeof createBrowserRouter>): void {
  window.addEventListener('popstate', (event) => {
    const router = read();
    const { key = 'default', isOverlay } = stateOf(event.state);
    const shown = router.state.location;
    const isShown = key === shown.key && location.href === new URL(router.createHref(shown), location.origin).href;
    if (!isShown) return close?.();
    event.stopImmediatePropagation();
    if (isOverlay) return;
    if (close) close();
    else history.back();
  });
}

/** Lets Back close what is open. A move within the page that leaves it open, such as a filter, is a step of its own. */
export function useCloseOnBack(isOpen: boolean, onClose: () => void): void {
  const { key } = useLocation();
  const closeNow = useEffectEvent(onClose);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is not read; a page that was moved to needs an entry of its own.
  useEffect(() => {
    if (!isOpen) return;
    const mine = () => closeNow();
    close = mine;
    const state = stateOf(history.state);
    if (!state.isOverlay) history.pushState({ ...state, isOverlay: true }, '');
    return () => {
      if (close === mine) close = undefined;
    };
  }, [isOpen, key]);
}
