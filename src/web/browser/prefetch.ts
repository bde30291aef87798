import { matchRoutes, type RouteObject, type RouterContextProvider } from 'react-router';
import { PREFETCH_TTL_MS } from './http-call.ts';

/** A page that is wanted while so many others are being prefetched is loaded when its link is clicked. */
const MAX_CONCURRENT = 2;
/** When each address was last prefetched, so that a pointer moving to and fro does not ask again. */
const startedAt = new Map<string, number>();
let running = 0;

/**
 * Prefetches the code and the data of the page at `href`, unless that was done within the last ten seconds. `context` must hold a store
 * whose calls are `prefetchCall`, which keeps their replies for the click. Never throws: after a failure the click loads the page.
 */
export async function prefetchPage(href: string, routes: RouteObject[], context: RouterContextProvider): Promise<void> {
  const now = Date.now();
  if (running >= MAX_CONCURRENT || now - (startedAt.get(href) ?? 0) < PREFETCH_TTL_MS) return;
  for (const [other, at] of startedAt) if (now - at >= PREFETCH_TTL_MS) startedAt.delete(other);
  startedAt.set(href, now);
  running += 1;
  try {
    const url = new URL(href);
    const match = matchRoutes(routes, url.pathname)?.at(-1);
    if (!match) return;
    const { loader } = typeof match.route.lazy === 'function' ? await match.route.lazy() : match.route;
    if (typeof loader === 'function') await loader({ params: match.params, request: new Request(url), context } as never);
  } catch {
    startedAt.delete(href);
  } finally {
    running -= 1;
  }
}
