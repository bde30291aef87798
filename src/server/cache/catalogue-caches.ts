import type pg from 'pg';
import type { Log } from '#server/base/log.ts';
import { CatalogueInvalidation } from './invalidation.ts';
import { ListIndexCache } from './list-index-cache.ts';
import { PageCache } from './page-cache.ts';

/**
 * What a process remembers of the catalogue, and what makes it forget. `onChange` is called before anything is forgotten: what is made
 * from then on must be read from where the change is.
 */
export function openCatalogueCaches(
  pool: pg.Pool,
  log: Log,
  pageBytes: number,
  onChange: () => void = () => undefined,
): { cache: PageCache; listIndexes: ListIndexCache; invalidation: CatalogueInvalidation } {
  const cache = new PageCache(pageBytes);
  const listIndexes = new ListIndexCache();
  const invalidation = new CatalogueInvalidation(pool, log, (change) => {
    onChange();
    listIndexes.forget(change);
    cache.forget(change);
  });
  return { cache, listIndexes, invalidation };
}
