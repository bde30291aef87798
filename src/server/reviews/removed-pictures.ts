import { pictureIds } from '#contract/catalogue/pictures.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';

/** Queues the removal of pictures that a review no longer has: staff may have hidden them, or not looked at them yet. */
export async function queueRemoval(tx: Tx, images: readonly string[]): Promise<void> {
  if (images.length > 0) await enqueue(tx, 'removePictures', { ids: pictureIds(images) });
}
