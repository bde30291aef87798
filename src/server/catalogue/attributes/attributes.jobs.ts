import type { Services } from '#server/context/services.ts';
import { catalogueChanged } from '#server/platform/cache/catalogue-changes.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { deriveNext } from './derive.service.ts';

/** The longest that one job works; the next goes on, so that a stop waits for none and other jobs get their turn. */
const LONGEST_MS = 2_000;

/**
 * Brings products up to the rules by which this version of the shop derives attributes: after an upgrade, and what another version has written
 * since. Every minute there is normally nothing to do. Caches hear of it once, when the last product is done.
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
    return enqueue(db, 'deriveAttributes', {}, { key: 'derive attributes' });
  }
}
