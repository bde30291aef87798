import { matchRoutes, type RouteObject, type RouterContextProvider } from 'react-router';
import { PREFETCH_TTL_MS } from './http-call.ts';

/** More pages at a time are not prefetched. */
const MAX_CONCURRENT = 2;
/** When each URL was last prefetched. */
const startedAt = new Map<string, number>();
let running = 0;

/**
 * Prefetches the code and data of a page at most every ten seconds. `context` holds a store whose calls are `prefetchCall`, which keeps the
 * replies for the click. Never throws.
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
