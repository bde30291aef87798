import { sql } from 'kysely';
import { Problem } from '#contract/base/problem.ts';
import type { NewReviewForm, Review } from '#contract/reviews.ts';
import { isId, newId } from '#server/base/ids.ts';
import { catalogueChanged } from '#server/cache/catalogue-changes.ts';
import { type Customer, customerTransactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import type { Db } from '#server/db/connect.ts';
import { queueWidths } from '#server/products/pictures.jobs.ts';
import { readMyReview, unknownReview } from './read.service.ts';
import { countReviews } from './summary.ts';

/** Throws 404 for an unknown product, and 409 where the customer may not, or has done so already. */
async function refuseReview(db: Db, who: Customer, productId: string): Promise<void> {
  const { review, mayReview } = await readMyReview(db, who, productId);
  if (review) throw new Problem(409, 'You have reviewed this piece already.');
  if (!mayReview) throw new Problem(409, 'You can review a piece once it has been delivered to you.');
}

/**
 * Writes a customer's review of a piece that they have received, once for each product. Throws 404, 409, and what a picture is refused with.
 */
export async function writeReview(
  { db, pictures }: Pick<Services, 'db' | 'pictures'>,
  who: Customer,
  productId: string,
  { rating, text, images }: NewReviewForm,
): Promise<Review> {
  // Before pictures are decoded, which costs the shop more than anything else here.
  await refuseReview(db, who, productId);
  const urls: string[] = [];
  for (const file of images) urls.push(await pictures.add(Buffer.from(await file.arrayBuffer()), file.name || 'The picture'));
  const stored = [...new Set(urls)];
  await customerTransactionOf(db, who, async (tx) => {
    await sql`select id from products where id = ${productId} for update`.execute(tx);
    await refuseReview(tx, who, productId);
    await tx.insertInto('reviews').values({ id: newId(), productId, userId: who._id, rating, text, images: stored }).execute();
    await countReviews(tx, productId);
    await queueWidths(tx, stored);
    await catalogueChanged(tx);
  });
  const { review } = await readMyReview(db, who, productId);
  if (!review) throw unknownReview();
  return review;
}

/** Takes back a review of one's own. Throws 404 for anybody else's. */
export async function deleteReview(db: Db, who: Customer, id: string): Promise<void> {
  if (!isId(id)) throw unknownReview();
  await customerTransactionOf(db, who, async (tx) => {
    const gone = await tx
      .deleteFrom('reviews')
      .where('id', '=', id)
      .where('userId', '=', who._id)
      .returning('productId')
      .executeTakeFirst();
    if (!gone) throw unknownReview();
    await countReviews(tx, gone.productId);
    await catalogueChanged(tx);
  });
}
