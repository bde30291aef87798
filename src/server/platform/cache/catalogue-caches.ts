import type pg from 'pg';
import type { Log } from '#server/platform/log.ts';
import { Semaphore } from '#server/platform/semaphore.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { CatalogueChange } from './catalogue-changes.ts';
import { FactsCache } from './facts-cache.ts';
import { CatalogueInvalidation } from './invalidation.ts';
import { PageCache } from './page-cache.ts';
import { Purger } from './purger.ts';

/** Limits on answers that are being made. Cached answers never wait. */
export interface Making {
  /** Lists and searches, which have endless URLs. */
  searches: Semaphore;
  /** All others. */
  pages: Semaphore;
}

/**
 * Opens a process's caches of the catalogue and their invalidation. `onChange` is called first, so that reads go to a database that has the change
 * and pages are made with the new settings; `isBlind` if changes cannot be read.
 */
export function openCatalogueCaches(
  pool: pg.Pool,
  log: Log,
  { pageCacheBytes, front, making }: Pick<Config, 'pageCacheBytes' | 'front' | 'making'>,
  onChange: (change: CatalogueChange, isBlind: boolean) => Promise<void> = async () => undefined,
): { cache: PageCache; facts: FactsCache; invalidation: CatalogueInvalidation; making: Making } {
  const purger = front?.purgeUrl ? new Purger(front.purgeUrl, front.purgeHeaders, log) : undefined;
  const facts = new FactsCache();
  const invalidation = new CatalogueInvalidation(pool, log, async (change, isBlind = false) => {
    await onChange(change, isBlind);
    facts.invalidate(change);
    cache.invalidate(change);
    // A blind process would purge everything at each attempt to read. It does so once, when it can read again.
    if (!isBlind) purger?.purge(change);
  });
  const cache = new PageCache(pageCacheBytes, front?.seconds, invalidation);
  const { searches, pages } = making;
  return {
    cache,
    facts,
    invalidation,
    making: { searches: new Semaphore(searches.atOnce, searches.waiting), pages: new Semaphore(pages.atOnce, pages.waiting) },
  };
}
