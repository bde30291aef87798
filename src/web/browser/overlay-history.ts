/**
 * Back closes an open overlay (menu, search, filters, enlarged picture) before it leaves the page.
 *
 * An overlay that opens pushes a second history entry of its page, marked `isOverlay`. The router does not know of it: address and key
 * are the page's own. Back then goes from the second entry to the first, and the listener here closes the overlay instead of letting
 * the router load the page again. An overlay that was closed in another way leaves its second entry behind; Back from that entry, which
 * changes nothing that can be seen, goes back once more. Any other arrival at the page that is shown is the router's own, such as its step
 * back to a form whose unsaved changes keep it from being left.
 */
import { useEffectEvent, useLayoutEffect } from 'react';
import { type createBrowserRouter, useLocation } from 'react-router';

/** Closes the overlay that is open; undefined while none is. */
let closeOverlay: (() => void) | undefined;

/** What a history entry holds: the router's key of the page, and our mark. */
interface EntryState {
  key?: string;
  isOverlay?: true;
}
const stateOf = (state: unknown): EntryState => (typeof state === 'object' && state !== null ? state : {});

/** The history entry that the browser was last seen on: the one that Back or Forward leaves. */
let current: EntryState = {};

/** Whether the entry that Back or Forward arrived at is of the page that the router shows, or is about to show: a second Back may be quicker. */
function isShownPage(entry: EntryState, { state, createHref }: ReturnType<typeof createBrowserRouter>): boolean {
  const { key = 'default' } = entry;
  const shown = state.navigation.location ?? state.location;
  return key === shown.key && location.href === new URL(createHref(shown), location.origin).href;
}

/** Starts listening. Must be called before the router is made, whose own listener would otherwise be called first. */
export function handleBackInOverlays(getRouter: () => ReturnType<typeof createBrowserRouter>): void {
  current = stateOf(history.state);
  window.addEventListener('popstate', (event) => {
    const left = current;
    const entry = stateOf(event.state);
    current = entry;
    // Another page: the router loads it, and no overlay stays open above it.
    if (!isShownPage(entry, getRouter())) return closeOverlay?.();
    const isFromOwnOverlay = left.isOverlay && left.key === entry.key;
    if (!entry.isOverlay && !isFromOwnOverlay) return;
    event.stopImmediatePropagation();
    // Forward to an overlay's entry does not open the overlay again.
    if (entry.isOverlay) return;
    if (closeOverlay) closeOverlay();
    else history.back();
  });
}

/**
 * Lets Back close an overlay. When the page's address changes while the overlay is open (a filter was chosen in it), the new page gets
 * a second entry too: Back first closes the overlay, then takes the filter back.
 */
export function useCloseOnBack(isOpen: boolean, onClose: () => void): void {
  const { key } = useLocation();
  const closeNow = useEffectEvent(onClose);
  // Before the screen is painted: whoever sees the overlay, or the new page behind it, may press Back at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is not read; a new page needs a second entry of its own.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const close = () => closeNow();
    closeOverlay = close;
    const state = stateOf(history.state);
    if (!state.isOverlay) history.pushState({ ...state, isOverlay: true }, '');
    current = { ...state, isOverlay: true };
    return () => {
      // Another overlay may have opened meanwhile.
      if (closeOverlay === close) closeOverlay = undefined;
    };
  }, [isOpen, key]);
}
