import { sql } from 'kysely';
import { Problem } from '#contract/platform/problem.ts';
import type { Vote } from '#contract/reviews/reviews.ts';
import { type Customer, customerTransactionOf } from '#server/context/context.ts';
import { isKnownAccount } from '#server/orders/rules/ceilings.service.ts';
import { sold } from '#server/orders/rules/states.ts';
import { detailsChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { unknownReview } from './read.service.ts';

/** Sets or removes a "helpful" vote. Idempotent. Throws 404, and 409 for the user's own review and for accounts that have bought nothing. */
export async function voteForReview(db: Db, who: Customer, id: string, isHelpful: boolean): Promise<Vote> {
  return customerTransactionOf(db, who, async (tx) => {
    const review = await tx
      .selectFrom('reviews')
      .select(['userId', 'productId', 'helpful'])
      .where('id', '=', id)
      .where('hiddenAt', 'is', null)
      .forUpdate()
      .executeTakeFirstOrThrow(unknownReview);
    if (review.userId === who._id) throw new Problem(409, 'This is your own review.');
    // Keeps out accounts created only to vote.
    if (isHelpful && !(await isKnownAccount(tx, who._id)))
      throw new Problem(409, 'Only customers who have bought from us can say that a review was helpful.');
    const { numAffectedRows } = isHelpful
      ? await sql`insert into review_votes (review_id, user_id) values (${id}, ${who._id}) on conflict do nothing`.execute(tx)
      : await sql`delete from review_votes where review_id = ${id} and user_id = ${who._id}`.execute(tx);
    if (numAffectedRows === 0n) return { helpful: review.helpful, isHelpful };
    const helpful = review.helpful + (isHelpful ? 1 : -1);
    await tx.updateTable('reviews').set({ helpful }).where('id', '=', id).execute();
    await detailsChanged(tx, [review.productId, id]);
    return { helpful, isHelpful };
  });
}

/** Deletes the votes of accounts whose orders have all been cancelled since (a daily job): else buying and cancelling would give a vote for nothing. */
export async function removeVotesWithoutOrder(db: Db): Promise<void> {
  const withoutOrder = sql`review_votes where not exists (select from orders where orders.user_id = review_votes.user_id and ${sold})`;
  await db.transaction().execute(async (tx) => {
    // In key order and before the votes, as everywhere.
    await sql`select id from reviews where id in (select review_id from ${withoutOrder}) order by id for update`.execute(tx);
    const { rows } = await sql<{ id: string; productId: string }>`
      with removed as (delete from ${withoutOrder} returning review_id),
        counted as (select review_id, count(*)::int as votes from removed group by review_id)
      update reviews set helpful = helpful - votes from counted where id = review_id returning id, product_id`.execute(tx);
    if (rows.length > 0)
      await detailsChanged(
        tx,
        rows.flatMap(({ id, productId }) => [productId, id]),
      );
  });
}
