import type pg from 'pg';
import type { Log } from '#server/base/log.ts';
import { FactsCache } from './facts-cache.ts';
import { CatalogueInvalidation } from './invalidation.ts';
import { ListIndexCache } from './list-index-cache.ts';
import { PageCache } from './page-cache.ts';

/**
 * A process's caches of the catalogue, and what invalidates them. `onChange` is called before anything is invalidated, so that what is made
 * from then on is read from where the change is.
 */
export function openCatalogueCaches(
  pool: pg.Pool,
  log: Log,
  pageBytes: number,
  onChange: () => void = () => undefined,
): { cache: PageCache; listIndexes: ListIndexCache; facts: FactsCache; invalidation: CatalogueInvalidation } {
  const cache = new PageCache(pageBytes);
  const listIndexes = new ListIndexCache();
  const facts = new FactsCache();
  const invalidation = new CatalogueInvalidation(pool, log, (change) => {
    onChange();
    listIndexes.invalidate(change);
    facts.invalidate(change);
    cache.invalidate(change);
  });
  return { cache, listIndexes, facts, invalidation };
}
