import { catalogueJobs } from '#server/catalogue/jobs.ts';
import type { Services } from '#server/context/services.ts';
import { catalogueChanged } from '#server/platform/cache/catalogue-changes.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { deriveNext } from './derive.service.ts';

/** The longest run of one job. It queues the next one, so that other jobs get their turn and a shutdown does not wait. */
const LONGEST_MS = 2_000;

/**
 * Derives outdated attributes by this version's rules: after an upgrade, or after writes of another version. Runs each minute, mostly with nothing to do.
 * Caches are invalidated once, after the last product.
 */
export async function deriveOutdated({ db, log }: Services): Promise<void> {
  const start = performance.now();
  for (let derived = 0; ; ) {
    const { done, isMore } = await deriveNext(db);
    derived += done;
    if (!isMore) {
      if (derived > 0) await catalogueChanged(db);
      return;
    }
    if (performance.now() - start < LONGEST_MS) continue;
    log.info({ products: derived }, 'attributes of products are being derived again');
    return enqueue(db, catalogueJobs.deriveAttributes, {}, { key: 'derive attributes' });
  }
}
