import type pg from 'pg';
import type { Log } from '#server/platform/log.ts';
import { Semaphore } from '#server/platform/semaphore.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { FactsCache } from './facts-cache.ts';
import { CatalogueInvalidation } from './invalidation.ts';
import { PageCache } from './page-cache.ts';
import { Purger } from './purger.ts';

/** Bounds on answers that are being made, since each takes processor time and memory: what is in the cache never waits. */
export interface Making {
  /** Lists and searches, whose addresses have no end. */
  searches: Semaphore;
  /** All others. */
  pages: Semaphore;
}

/**
 * A process's caches of the catalogue, and what invalidates them. `onChange` is called before anything is invalidated, so that what is made
 * from then on is read from where the change is.
 */
export function openCatalogueCaches(
  pool: pg.Pool,
  log: Log,
  { pageCacheBytes, front, making }: Pick<Config, 'pageCacheBytes' | 'front' | 'making'>,
  onChange: () => void = () => undefined,
): { cache: PageCache; facts: FactsCache; invalidation: CatalogueInvalidation; making: Making } {
  const cache = new PageCache(pageCacheBytes, front?.seconds);
  const purger = front?.purgeUrl ? new Purger(front.purgeUrl, front.purgeHeaders, log) : undefined;
  const facts = new FactsCache();
  const invalidation = new CatalogueInvalidation(pool, log, (change, isBlind) => {
    onChange();
    facts.invalidate(change);
    cache.invalidate(change);
    // Without the database nothing changes either: what a cache in front has is still right, and all there is.
    if (!isBlind) purger?.purge(change);
  });
  const { searches, pages } = making;
  return {
    cache,
    facts,
    invalidation,
    making: { searches: new Semaphore(searches.atOnce, searches.waiting), pages: new Semaphore(pages.atOnce, pages.waiting) },
  };
}
