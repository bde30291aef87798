import type pg from 'pg';
import type { Log } from '#server/base/log.ts';
import { CatalogueNews } from './invalidation.ts';
import { Outlines } from './list-index-cache.ts';
import { PageCache } from './page-cache.ts';

/**
 * What a process remembers of the catalogue, and the news that make it forget. `onChange` is called before anything is forgotten: what is made
 * from then on must be read from where the change is.
 */
export function rememberCatalogue(
  pool: pg.Pool,
  log: Log,
  pageBytes: number,
  onChange: () => void = () => undefined,
): { cache: PageCache; outlines: Outlines; news: CatalogueNews } {
  const cache = new PageCache(pageBytes);
  const outlines = new Outlines();
  const news = new CatalogueNews(pool, log, (change) => {
    onChange();
    outlines.forget(change);
    cache.forget(change);
  });
  return { cache, outlines, news };
}
