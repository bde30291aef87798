import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/connect.ts';

export const starsText = (rating: number): string => (rating === 1 ? '1 star' : `${rating} stars`);

export const NO_STARS = [0, 0, 0, 0, 0];

/**
 * Updates a product's counts per star and its rating, the mean of the visible reviews. Without any, restores the rating from before the
 * first one. Locks the product.
 */
export async function recountReviews(tx: Tx, productId: string): Promise<void> {
  await sql`select id from products where id = ${productId} for update`.execute(tx);
  const { rows } = await sql<{ rating: number; n: number }>`
    select rating, count(*)::int as n from reviews where product_id = ${productId} and hidden_at is null group by rating`.execute(tx);
  if (rows.length === 0) return forgetSummary(tx, productId);
  const counts = NO_STARS.map((none, index) => rows.find(({ rating }) => rating === index + 1)?.n ?? none);
  const total = counts.reduce((sum, n) => sum + n, 0);
  const mean = counts.reduce((sum, n, index) => sum + n * (index + 1), 0) / total;
  await sql`
    insert into review_summaries (product_id, given_rating, counts) select id, rating, ${counts}::int[] from products where id = ${productId}
    on conflict (product_id) do update set counts = excluded.counts`.execute(tx);
  await tx.updateTable('products').set({ rating: mean }).where('id', '=', productId).execute();
}

async function forgetSummary(tx: Tx, productId: string): Promise<void> {
  const summary = await tx.deleteFrom('reviewSummaries').where('productId', '=', productId).returning('givenRating').executeTakeFirst();
  if (summary) await tx.updateTable('products').set({ rating: summary.givenRating }).where('id', '=', productId).execute();
}
