/**
 * Back closes an open overlay before it leaves the page. An overlay pushes a second history entry of its page, marked `isOverlay`, with the
 * router's key. Going back from it closes the overlay and is hidden from the router. An overlay closed in another way leaves its entry behind:
 * Back from that goes back once more. All other history events are the router's, such as its own step back to a form with unsaved changes.
 */
import { useEffectEvent, useLayoutEffect } from 'react';
import { type createBrowserRouter, useLocation } from 'react-router';

/** Closes the open overlay, if any. */
let closeOverlay: (() => void) | undefined;

/** A history entry: the router's key, and our mark. */
interface EntryState {
  key?: string;
  isOverlay?: true;
}
const stateOf = (state: unknown): EntryState => (typeof state === 'object' && state !== null ? state : {});

/** The current entry, which Back or Forward leaves. */
let current: EntryState = {};

/** Whether an entry is of the page that is shown or loading: a second Back may come during a navigation. */
function isShownPage(entry: EntryState, { state, createHref }: ReturnType<typeof createBrowserRouter>): boolean {
  const { key = 'default' } = entry;
  const shown = state.navigation.location ?? state.location;
  return key === shown.key && location.href === new URL(createHref(shown), location.origin).href;
}

/** Must run before the router is created, whose listener would otherwise come first. */
export function handleBackInOverlays(getRouter: () => ReturnType<typeof createBrowserRouter>): void {
  current = stateOf(history.state);
  window.addEventListener('popstate', (event) => {
    const previous = current;
    const entry = stateOf(event.state);
    current = entry;
    // Another page: the overlay closes, and the router loads it.
    if (!isShownPage(entry, getRouter())) return closeOverlay?.();
    const isFromOwnOverlay = previous.isOverlay && previous.key === entry.key;
    if (!entry.isOverlay && !isFromOwnOverlay) return;
    event.stopImmediatePropagation();
    // Forward does not reopen an overlay.
    if (entry.isOverlay) return;
    // Without an open overlay, it was closed in another way and had left this second entry.
    if (closeOverlay) closeOverlay();
    else history.back();
  });
}

/**
 * Lets Back close an overlay. If the URL changes while it is open (a filter was chosen in it), the new page gets a second entry too: Back
 * first closes the overlay, then undoes the filter.
 */
export function useCloseOnBack(isOpen: boolean, onClose: () => void): void {
  const { key } = useLocation();
  const closeNow = useEffectEvent(onClose);
  // Before painting, since the visitor may press Back at once.
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
