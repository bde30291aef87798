import type { RouteObject, RouterContextProvider } from 'react-router';

/** A pointer that only passes over a link does not stay on it for so long. */
const HOVER_MS = 80;

/** The link of the shop that an event is about, if it leads to another page. */
function linkOf({ target }: Event): HTMLAnchorElement | undefined {
  const link = (target as Element).closest?.<HTMLAnchorElement>('a[href]');
  if (!link || link.target || link.origin !== location.origin || link.pathname === location.pathname) return undefined;
  return link;
}

/** Prefetches the page of a link as soon as somebody seems to want it: the pointer stays on it, it takes the focus, or a finger touches it. */
export function prefetchOnIntent(routes: RouteObject[], makeContext: () => RouterContextProvider): void {
  let context: RouterContextProvider | undefined;
  let hover: ReturnType<typeof setTimeout> | undefined;
  const onIntent = (event: Event) => {
    clearTimeout(hover);
    const link = linkOf(event);
    // Visitors who ask their browser to save data only load what they click.
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (!link || connection?.saveData) return;
    const prefetch = () => {
      context ??= makeContext();
      const given = context;
      void import('./prefetch.ts').then(({ prefetchPage }) => prefetchPage(link.href, routes, given));
    };
    if (event.type === 'pointerover') hover = setTimeout(prefetch, HOVER_MS);
    else prefetch();
  };
  for (const type of ['pointerover', 'focusin', 'touchstart']) document.addEventListener(type, onIntent, { passive: true });
}
