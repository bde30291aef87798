import { sql } from 'kysely';
import { Problem } from '#contract/platform/problem.ts';
import type { EditedReviewForm, NewReviewForm, Review } from '#contract/reviews/reviews.ts';
import { queueWidths } from '#server/catalogue/pictures.jobs.ts';
import { unsigned } from '#server/catalogue/withheld-pictures.ts';
import { type Customer, customerTransactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { isId, newId } from '#server/platform/ids.ts';
import { readMyReview, unknownReview } from './read.service.ts';
import { countReviews } from './summary.ts';

/** Throws 404 for an unknown product, and 409 where the customer may not, or has done so already. */
async function refuseReview(db: Db, who: Customer, productId: string): Promise<void> {
  const { review, mayReview } = await readMyReview(db, who, productId);
  if (review) throw new Problem(409, 'You have reviewed this piece already.');
  if (!mayReview) throw new Problem(409, 'You can review a piece once it has been delivered to you.');
}

/** Keeps new pictures, and those addresses that are of the review already; each once. Throws what a picture is refused with. */
async function store(pictures: Services['pictures'], images: (File | string)[], own: readonly string[] = []): Promise<string[]> {
  const urls: string[] = [];
  for (const image of images) {
    if (typeof image !== 'string') urls.push(await pictures.add(Buffer.from(await image.arrayBuffer()), image.name || 'The picture'));
    else if (own.includes(unsigned(image))) urls.push(unsigned(image));
  }
  return [...new Set(urls)];
}

/** How an administrator has hidden the review that the author took back, if one was: the next one is hidden as that was. */
function takeHiding(tx: Tx, who: Customer, productId: string) {
  return tx
    .deleteFrom('reviewHidings')
    .where('productId', '=', productId)
    .where('userId', '=', who._id)
    .returning(['hiddenAt', 'hiddenReason'])
    .executeTakeFirst();
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
  const stored = await store(pictures, images);
  await customerTransactionOf(db, who, async (tx) => {
    await sql`select id from products where id = ${productId} for update`.execute(tx);
    await refuseReview(tx, who, productId);
    const hiding = await takeHiding(tx, who, productId);
    await tx
      .insertInto('reviews')
      .values({ id: newId(), productId, userId: who._id, rating, text, images: stored, ...hiding })
      .execute();
    await countReviews(tx, productId);
    await queueWidths(tx, stored);
    await productsChanged(tx, [productId]);
  });
  const { review } = await readMyReview(db, who, productId);
  if (!review) throw unknownReview();
  return review;
}

/**
 * Changes a review of one's own: stars, text and pictures. One that is hidden stays hidden. Throws 404 for anybody else's, and what a picture
 * is refused with.
 */
export async function editReview(
  { db, pictures }: Pick<Services, 'db' | 'pictures'>,
  who: Customer,
  id: string,
  { rating, text, images }: EditedReviewForm,
): Promise<Review> {
  const own = isId(id) ? await selectOwn(db, who, id).executeTakeFirst() : undefined;
  if (!own) throw unknownReview();
  const stored = await store(pictures, images, own.images);
  await customerTransactionOf(db, who, async (tx) => {
    await selectOwn(tx, who, id).forUpdate().executeTakeFirstOrThrow(unknownReview);
    await tx.updateTable('reviews').set({ rating, text, images: stored }).where('id', '=', id).execute();
    await countReviews(tx, own.productId);
    await queueWidths(tx, stored);
    await productsChanged(tx, [own.productId]);
  });
  const { review } = await readMyReview(db, who, own.productId);
  if (!review) throw unknownReview();
  return review;
}

const selectOwn = (db: Db, who: Customer, id: string) =>
  db.selectFrom('reviews').select(['productId', 'images']).where('id', '=', id).where('userId', '=', who._id);

/** Takes back a review of one's own. Of one that is hidden it is remembered that it was. Throws 404 for anybody else's. */
export async function deleteReview(db: Db, who: Customer, id: string): Promise<void> {
  if (!isId(id)) throw unknownReview();
  await customerTransactionOf(db, who, async (tx) => {
    const gone = await tx
      .deleteFrom('reviews')
      .where('id', '=', id)
      .where('userId', '=', who._id)
      .returning(['productId', 'hiddenAt', 'hiddenReason'])
      .executeTakeFirst();
    if (!gone) throw unknownReview();
    const { productId, hiddenAt, hiddenReason } = gone;
    if (hiddenAt) await tx.insertInto('reviewHidings').values({ productId, userId: who._id, hiddenAt, hiddenReason }).execute();
    await countReviews(tx, productId);
    await productsChanged(tx, [productId]);
  });
}
