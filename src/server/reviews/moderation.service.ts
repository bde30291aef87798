import { pictureIds } from '#contract/catalogue/pictures.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { HideReviewBody, OfficeReview, ReplyBody } from '#contract/reviews/reviews.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import { detailsChanged, picturesWithdrawn, productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { markOf, readOfficeReview, unknownReview } from './read.service.ts';
import { recountReviews, starsText } from './summary.ts';

/** Throws 404, and 409 if its customer has changed it since staff saw it with this mark. */
async function lockReview(tx: Tx, id: string, mark: string | undefined) {
  const review = await tx
    .selectFrom('reviews')
    .select(['productId', 'rating', 'text', 'author', 'hiddenAt', 'hiddenReason', 'reply', 'images', 'isNew'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(unknownReview);
  if (mark !== undefined && mark !== markOf(review))
    throw new Problem(409, 'The customer has changed this review since. Reload the page to see it.');
  return review;
}

/**
 * Hides a review, with a reason, or shows it; either way it is no longer new. Hidden reviews do not count towards the rating. Throws 404
 * and 409.
 */
export async function hideReview(db: Db, who: Admin, id: string, { isHidden, reason, mark }: HideReviewBody): Promise<OfficeReview> {
  await transactionOf(db, who, async (tx) => {
    const review = await lockReview(tx, id, mark);
    // Hidden without a reason: staff have not decided yet.
    const isWaiting = review.hiddenAt !== null && review.hiddenReason === '';
    const isUnchanged = !isWaiting && (review.hiddenAt !== null) === isHidden;
    if (isUnchanged) {
      if (review.isNew) await tx.updateTable('reviews').set({ isNew: false }).where('id', '=', id).execute();
      return;
    }
    const hidden = isHidden ? { hiddenAt: new Date().toISOString(), hiddenReason: reason ?? '' } : { hiddenAt: null, hiddenReason: '' };
    await tx
      .updateTable('reviews')
      .set({ ...hidden, isNew: false })
      .where('id', '=', id)
      .execute();
    await recountReviews(tx, review.productId);
    const change = isHidden
      ? `Hid a review of ${starsText(review.rating)}: ${reason}`
      : `Showed a review of ${starsText(review.rating)}${isWaiting ? '' : ' again'}`;
    await recordChange(tx, who, 'product', review.productId, change);
    await productsChanged(tx, [review.productId]);
    if (isHidden) await picturesWithdrawn(tx, pictureIds(review.images));
  });
  return readOfficeReview(db, who, id);
}

/** Sets the shop's public reply; an empty one removes it. A reply to a visible review also marks it as looked at. Throws 404 and 409. */
export async function replyToReview(db: Db, who: Admin, id: string, { reply, mark }: ReplyBody): Promise<OfficeReview> {
  await transactionOf(db, who, async (tx) => {
    const review = await lockReview(tx, id, mark);
    if (review.reply === reply) return;
    const repliedAt = reply === '' ? null : new Date().toISOString();
    await tx
      .updateTable('reviews')
      .set({ reply, repliedAt, isNew: review.isNew && review.hiddenAt !== null })
      .where('id', '=', id)
      .execute();
    const verb = reply === '' ? 'Removed the answer to' : review.reply === '' ? 'Answered' : 'Changed the answer to';
    await recordChange(tx, who, 'product', review.productId, `${verb} a review of ${starsText(review.rating)}`);
    await detailsChanged(tx, [review.productId, id]);
  });
  return readOfficeReview(db, who, id);
}
