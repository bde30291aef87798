import { matchRoutes, type RouteObject } from 'react-router';
import { FRESH_MS } from './http-call.ts';

/** Loads of pages that may be under way at a time; what is wanted beyond that is loaded at the click. */
const MOST_AT_ONCE = 2;

const loadedAt = new Map<string, number>();
let underWay = 0;

/**
 * Loads the code and the data of the page that a link leads to, once while they are fresh. `routes` are bound to a store of their
 * own, whose calls keep their replies for the click. A failure is nobody's business: the click asks again.
 */
export async function loadAhead(href: string, routes: RouteObject[]): Promise<void> {
  const now = Date.now();
  if (underWay >= MOST_AT_ONCE || now - (loadedAt.get(href) ?? 0) < FRESH_MS) return;
  for (const [other, at] of loadedAt) if (now - at >= FRESH_MS) loadedAt.delete(other);
  loadedAt.set(href, now);
  underWay += 1;
  try {
    const url = new URL(href);
    const match = matchRoutes(routes, url.pathname)?.at(-1);
    if (typeof match?.route.lazy !== 'function') return;
    const { loader } = await match.route.lazy();
    if (typeof loader === 'function') await loader({ params: match.params, request: new Request(url) } as never, undefined);
  } catch {
    loadedAt.delete(href);
  } finally {
    underWay -= 1;
  }
}
