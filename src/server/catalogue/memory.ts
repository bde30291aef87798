import type pg from 'pg';
import { PageCache } from '#server/pages/page-cache.ts';
import type { Log, Services } from '#server/services.ts';
import { Outlines } from './outlines.ts';
import { CatalogueNews } from './watch.ts';

/**
 * What a process remembers of the catalogue, and the news that make it forget. `onChange` is called before anything is forgotten: what is made
 * from then on must be read from where the change is.
 */
export function rememberCatalogue(
  pool: pg.Pool,
  log: Log,
  pageBytes: number,
  onChange: () => void = () => undefined,
): Pick<Services, 'cache' | 'outlines' | 'news'> {
  const cache = new PageCache(pageBytes);
  const outlines = new Outlines();
  const news = new CatalogueNews(pool, log, (change) => {
    onChange();
    outlines.forget(change);
    cache.forget(change);
  });
  return { cache, outlines, news };
}
