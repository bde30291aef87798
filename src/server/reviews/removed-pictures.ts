import { pictureIds } from '#contract/catalogue/pictures.ts';
import { catalogueJobs } from '#server/catalogue/jobs.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';

/** Queues the removal of pictures that a review no longer has: staff may have hidden them, or not looked at them yet. */
export async function queueRemoval(db: Db, images: readonly string[]): Promise<void> {
  if (images.length > 0) await enqueue(db, catalogueJobs.removePictures, { ids: pictureIds(images) });
}
