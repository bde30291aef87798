import { sql } from 'kysely';
import { pictureIds } from '#contract/catalogue/pictures.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { EditedReviewForm, NewReviewForm, Review } from '#contract/reviews/reviews.ts';
import { REVIEWS_SHOWN, type ShopSettings } from '#contract/settings/sections.schema.ts';
import { unsigned } from '#server/catalogue/hidden-review-pictures.ts';
import { queueWidths } from '#server/catalogue/pictures.jobs.ts';
import { type Customer, customerTransactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { picturesWithdrawn, productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { tellStaff } from '#server/staff-notices/notices.service.ts';
import { publicName } from './public-name.ts';
import { readMyReview, unknownReview } from './read.service.ts';
import { queueRemoval } from './removed-pictures.ts';
import { recountReviews, starsText } from './summary.ts';

/**
 * Links, web and email addresses: a review with one is hidden until staff have looked at it. Any ending may be an address, so a full stop without a space
 * after it counts, too.
 */
const ADDRESS = /https?:|www\.|[\p{L}\p{N}-][.。]\p{L}{2}/iu;
const hasAddress = (text: string) => ADDRESS.test(text.normalize('NFKC').replace(/\p{Cf}/gu, ''));

/** The visibility of a review with a new text: staff must look at it, and some reviews are hidden until then. `before` is null for a new review. */
function visibilityOf(
  { shown }: ShopSettings['reviews'],
  text: string,
  before: { hiddenAt: string | null; hiddenReason: string } | null,
): { isNew: true; hiddenAt: string | null; hiddenReason: string } {
  // Only staff give a reason, and what they have hidden stays hidden.
  if (before?.hiddenReason) return { isNew: true, hiddenAt: before.hiddenAt, hiddenReason: before.hiddenReason };
  const mustWait = shown === REVIEWS_SHOWN.afterLook || hasAddress(text);
  return { isNew: true, hiddenAt: mustWait ? new Date().toISOString() : null, hiddenReason: '' };
}

/** Throws 404 for an unknown product, and 409 if the customer may not review it or already has. */
export async function refuseReview(db: Db, who: Customer, productId: string): Promise<void> {
  const { review, mayReview } = await readMyReview(db, who, productId);
  if (review) throw new Problem(409, 'You have already reviewed this piece.');
  if (!mayReview) throw new Problem(409, 'You can review a piece once it has been delivered to you.');
}

/**
 * Stores new pictures, keeps URLs that the review already has, and writes the review with them, without duplicates. Throws the picture's Problem before it
 * stores any, and what `write` throws; new pictures are then removed, since those that belong to no review are public.
 */
async function withPictures(
  { db, pictures }: Pick<Services, 'db' | 'pictures'>,
  images: (File | string)[],
  ownImages: readonly string[],
  write: (stored: string[]) => Promise<void>,
): Promise<void> {
  const parts: (Buffer | string)[] = [];
  for (const image of images) {
    if (typeof image !== 'string') parts.push(await pictures.encode(Buffer.from(await image.arrayBuffer()), image.name || 'The picture'));
    // The author of a hidden review has signed URLs.
    else if (ownImages.includes(unsigned(image))) parts.push(unsigned(image));
  }
  const added: string[] = [];
  const urls = new Set<string>();
  try {
    for (const part of parts) {
      const url = typeof part === 'string' ? part : await pictures.keep(part);
      if (part !== url) added.push(url);
      urls.add(url);
    }
    await write([...urls]);
  } catch (error) {
    await queueRemoval(db, added);
    throw error;
  }
}

/** Creates a customer's review of a piece they have received, once per product. Throws 404, 409, and the pictures' Problems. */
export async function writeReview(
  { db, config, pictures, settings }: Pick<Services, 'db' | 'config' | 'pictures' | 'settings'>,
  who: Customer,
  productId: string,
  { rating, text, images }: NewReviewForm,
): Promise<Review> {
  const write = (stored: string[]) =>
    customerTransactionOf(db, who, async (tx) => {
      const { rows } = await sql<{ name: string }>`select name from products where id = ${productId} for update`.execute(tx);
      await refuseReview(tx, who, productId);
      // A review that replaces a hidden one stays hidden.
      const hiding = await tx
        .deleteFrom('reviewHidings')
        .where('productId', '=', productId)
        .where('userId', '=', who._id)
        .returning(['hiddenAt', 'hiddenReason'])
        .executeTakeFirst();
      await tx
        .insertInto('reviews')
        .values({
          id: newId(),
          productId,
          userId: who._id,
          author: publicName(who.name),
          rating,
          text,
          images: stored,
          ...visibilityOf(settings.current.reviews, text, hiding ?? null),
        })
        .execute();
      await recountReviews(tx, productId);
      const notice = `A review of ${rows[0]?.name} with ${starsText(rating)}`;
      await tellStaff(tx, { config }, { event: 'review', text: notice, path: '/admin/reviews' });
      await queueWidths(tx, stored);
      await productsChanged(tx, [productId]);
    });
  await withPictures({ db, pictures }, images, [], write);
  return readOwnReview(db, who, productId);
}

async function readOwnReview(db: Db, who: Customer, productId: string): Promise<Review> {
  const { review } = await readMyReview(db, who, productId);
  if (!review) throw unknownReview();
  return review;
}

/**
 * Edits the customer's own review: stars, text and pictures. One that staff have hidden stays hidden. Throws 404 for other authors, and the pictures'
 * Problems.
 */
export async function editReview(
  { db, pictures, settings }: Pick<Services, 'db' | 'pictures' | 'settings'>,
  who: Customer,
  id: string,
  { rating, text, images }: EditedReviewForm,
): Promise<Review> {
  const ownRow = await selectOwnRow(db, who, id).executeTakeFirstOrThrow(unknownReview);
  const write = (stored: string[]) =>
    customerTransactionOf(db, who, async (tx) => {
      const before = await selectOwnRow(tx, who, id).forUpdate().executeTakeFirstOrThrow(unknownReview);
      const visibility = visibilityOf(settings.current.reviews, text, before);
      await tx
        .updateTable('reviews')
        .set({ author: publicName(who.name), rating, text, images: stored, ...visibility })
        .where('id', '=', id)
        .execute();
      if (visibility.hiddenAt && !before.hiddenAt) await picturesWithdrawn(tx, pictureIds(before.images));
      await queueRemoval(
        tx,
        before.images.filter((image) => !stored.includes(image)),
      );
      await recountReviews(tx, ownRow.productId);
      await queueWidths(tx, stored);
      await productsChanged(tx, [ownRow.productId]);
    });
  await withPictures({ db, pictures }, images, ownRow.images, write);
  return readOwnReview(db, who, ownRow.productId);
}

/** Throws 404 for a review of somebody else. */
export async function refuseEdit(db: Db, who: Customer, id: string): Promise<void> {
  await selectOwnRow(db, who, id).executeTakeFirstOrThrow(unknownReview);
}

const selectOwnRow = (db: Db, who: Customer, id: string) =>
  db.selectFrom('reviews').select(['productId', 'images', 'hiddenAt', 'hiddenReason']).where('id', '=', id).where('userId', '=', who._id);

/** Deletes the customer's own review. Remembers the hiding of a hidden one. Throws 404 for other authors. */
export async function deleteReview(db: Db, who: Customer, id: string): Promise<void> {
  await customerTransactionOf(db, who, async (tx) => {
    const deleted = await tx
      .deleteFrom('reviews')
      .where('id', '=', id)
      .where('userId', '=', who._id)
      .returning(['productId', 'images', 'hiddenAt', 'hiddenReason'])
      .executeTakeFirstOrThrow(unknownReview);
    const { productId, images, hiddenAt, hiddenReason } = deleted;
    await queueRemoval(tx, images);
    // A review without a reason was not hidden by staff; it only waited for their look.
    if (hiddenAt && hiddenReason)
      await tx.insertInto('reviewHidings').values({ productId, userId: who._id, hiddenAt, hiddenReason }).execute();
    await recountReviews(tx, productId);
    await productsChanged(tx, [productId]);
  });
}
