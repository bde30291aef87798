import { Problem } from '#contract/platform/problem.ts';
import type { Services } from '#server/context/services.ts';
import { reviewRequestMail } from '#server/mail/review-mails.ts';
import { selectDelivered } from '#server/orders/read.service.ts';
import { tellCustomer } from '#server/orders/transitions.service.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { newLinkToken, tokenHash } from '#server/platform/link-token.ts';

/** Whether the order is still delivered and its account exists and has not unsubscribed. */
async function mayAsk(tx: Tx, orderId: string): Promise<boolean> {
  const order = await selectDelivered(tx)
    .leftJoin('reviewMailStops', 'reviewMailStops.userId', 'orders.userId')
    .where('orders.id', '=', orderId)
    .where('orders.userId', 'is not', null)
    .where('reviewMailStops.userId', 'is', null)
    .executeTakeFirst();
  return order !== undefined;
}

/** Mails a request for reviews, once per order and never after unsubscribing. */
export async function askForReviews({ db, config }: Pick<Services, 'db' | 'config'>, { orderId }: { orderId: string }): Promise<void> {
  if (config.reviewMailDays === 0) return;
  await db.transaction().execute(async (tx) => {
    if (!(await mayAsk(tx, orderId))) return;
    const { token, hash } = newLinkToken();
    const asked = await tx
      .insertInto('reviewRequests')
      .values({ orderId, tokenHash: hash })
      .onConflict((conflict) => conflict.doNothing())
      .returning('orderId')
      .executeTakeFirst();
    if (asked) await tellCustomer(tx, orderId, (order) => reviewRequestMail(config, order, token));
  });
}

/** Unsubscribes the account of a mailed link. Idempotent. Throws 404 for an unknown token. */
export async function stopReviewMails(db: Db, token: string): Promise<void> {
  const request = await db
    .selectFrom('reviewRequests')
    .innerJoin('orders', 'orders.id', 'reviewRequests.orderId')
    .select('orders.userId')
    .where('tokenHash', '=', tokenHash(token))
    .executeTakeFirst();
  if (!request?.userId) throw new Problem(404, 'We do not recognise this link, or its account has been deleted.');
  await db
    .insertInto('reviewMailStops')
    .values({ userId: request.userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
