import { sql } from 'kysely';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { queueRemoval } from './removed-pictures.ts';
import { recountReviews } from './summary.ts';

export const NO_REVIEWS = { reviews: [], reviewVotes: [], reviewHidings: [], reviewMailsStoppedAt: null };

/** Deletes an account's reviews with their pictures, and its votes, before the account itself. */
export async function forgetReviews(tx: Tx, userId: string): Promise<void> {
  // Locks all rows in key order: two accounts that voted for each other cannot deadlock.
  await sql`
    select id from reviews where user_id = ${userId} or id in (select review_id from review_votes where user_id = ${userId})
    order by id for update`.execute(tx);
  await sql`
    update reviews set helpful = helpful - 1 where id in (select review_id from review_votes where user_id = ${userId})`.execute(tx);
  await tx.deleteFrom('reviewVotes').where('userId', '=', userId).execute();
  const written = await tx.deleteFrom('reviews').where('userId', '=', userId).returning(['productId', 'images']).execute();
  await queueRemoval(
    tx,
    written.flatMap(({ images }) => images),
  );
  const productIds = written.map((review) => review.productId).sort();
  for (const productId of productIds) await recountReviews(tx, productId);
  if (productIds.length > 0) await productsChanged(tx, productIds);
}

/** Exports an account's reviews and votes, the hidings of reviews that it has deleted, and when it unsubscribed from review requests. */
export async function exportReviews(db: Db, userId: string) {
  const reviews = await db
    .selectFrom('reviews')
    .select(['productId', 'author', 'rating', 'text', 'images', 'helpful', 'createdAt', 'hiddenAt', 'hiddenReason', 'reply', 'repliedAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
  const reviewVotes = await db
    .selectFrom('reviewVotes')
    .select(['reviewId', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();
  const reviewHidings = await db
    .selectFrom('reviewHidings')
    .select(['productId', 'hiddenAt', 'hiddenReason'])
    .where('userId', '=', userId)
    .orderBy('hiddenAt')
    .execute();
  const stop = await db.selectFrom('reviewMailStops').select('stoppedAt').where('userId', '=', userId).executeTakeFirst();
  return { reviews, reviewVotes, reviewHidings, reviewMailsStoppedAt: stop?.stoppedAt ?? null };
}
