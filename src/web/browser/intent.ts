import type { RouteObject } from 'react-router';

/** A pointer that rests so long on a link means it. */
const REST_MS = 80;

/** Loads what a link leads to at the first sign of interest: the pointer rests on it, the focus comes to it, a finger touches it. Never where data is saved. */
export function loadOnIntent(routesAhead: () => RouteObject[]): void {
  let routes: RouteObject[] | undefined;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const wanted = (event: Event) => {
    clearTimeout(resting);
    const link = (event.target as Element).closest?.<HTMLAnchorElement>('a[href]');
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (!link || link.target || link.origin !== location.origin || link.pathname === location.pathname || connection?.saveData) return;
    const load = () => {
      routes ??= routesAhead();
      const all = routes;
      void import('./load-ahead.ts').then(({ loadAhead }) => loadAhead(link.href, all));
    };
    if (event.type === 'pointerover') resting = setTimeout(load, REST_MS);
    else load();
  };
  for (const type of ['pointerover', 'focusin', 'touchstart']) document.addEventListener(type, wanted, { passive: true });
}
