import type { RouteObject, RouterContextProvider } from 'react-router';

/** Shorter hovers only pass over the link. */
const HOVER_MS = 80;

/** The event's link to another page of the shop. */
function linkOf({ target }: Event): HTMLAnchorElement | undefined {
  const link = (target as Element).closest?.<HTMLAnchorElement>('a[href]');
  if (!link || link.target || link.origin !== location.origin || link.pathname === location.pathname) return undefined;
  return link;
}

/** Prefetches a link's page on hover, focus or touch. */
export function prefetchOnIntent(routes: () => RouteObject[], makeContext: () => RouterContextProvider): void {
  let context: RouterContextProvider | undefined;
  let hover: ReturnType<typeof setTimeout> | undefined;
  const onIntent = (event: Event) => {
    clearTimeout(hover);
    const link = linkOf(event);
    // Respects the browser's data saver.
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (!link || connection?.saveData) return;
    const prefetch = () => {
      context ??= makeContext();
      const given = context;
      void import('./prefetch.ts').then(({ prefetchPage }) => prefetchPage(link.href, routes(), given));
    };
    if (event.type === 'pointerover') hover = setTimeout(prefetch, HOVER_MS);
    else prefetch();
  };
  for (const type of ['pointerover', 'focusin', 'touchstart']) document.addEventListener(type, onIntent, { passive: true });
}
