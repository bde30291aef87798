import type pg from 'pg';
import { PageCache } from '#server/pages/page-cache.ts';
import type { Log, Services } from '#server/services.ts';
import { Outlines } from './outlines.ts';
import type { CatalogueChange } from './version.service.ts';
import { CatalogueNews } from './watch.ts';

/** What a process remembers of the catalogue, and the news that make it forget. */
export function rememberCatalogue(pool: pg.Pool, log: Log): Pick<Services, 'cache' | 'outlines' | 'news'> {
  const cache = new PageCache();
  const outlines = new Outlines();
  return { cache, outlines, news: new CatalogueNews(pool, log, (change) => forget({ cache, outlines }, change)) };
}

/** Drops what a change may show in: first what pages are made from, then the pages. */
export function forget({ cache, outlines }: Pick<Services, 'cache' | 'outlines'>, change: CatalogueChange): void {
  outlines.forget(change);
  cache.forget(change);
}
