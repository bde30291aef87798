import { Done } from '#contract/platform/lists.schema.ts';
import * as schema from '#contract/reviews/reviews.schema.ts';
import * as contract from '#contract/reviews/reviews.ts';
import type { Ctx, Customer } from '#server/context/context.ts';
import { on, onAdmin, onCustomer, type Route } from '#server/platform/http/route.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { stopReviewMails } from './ask.jobs.ts';
import { hideReview, replyToReview } from './moderation.service.ts';
import { listOfficeReviews, listReviews, readMyReview } from './read.service.ts';
import { voteForReview } from './votes.service.ts';
import { deleteReview, editReview, writeReview } from './write.service.ts';

const byId = { params: schema.ReviewParams };
const attemptOf = ({ ip, config }: Ctx, { _id }: Customer) => ({ ip, account: _id, factor: config.rateLimitFactor });

export const reviewRoutes: readonly Route[] = [
  on(
    contract.listReviews,
    { ...byId, query: schema.ListReviewsQuery, reply: schema.ReviewList },
    ({ params, query }, { readDb }) => listReviews(readDb, params.id, query),
    { cached: ({ params, query }) => [params, query] },
  ),
  onCustomer(contract.readMyReview, { ...byId, reply: schema.MyReview }, ({ params }, who, { db }) => readMyReview(db, who, params.id)),
  onCustomer(
    contract.writeReview,
    { ...byId, body: schema.NewReviewForm, reply: schema.Review },
    async ({ params, body }, who, ctx) => {
      await limit(ctx.db, 'review', attemptOf(ctx, who));
      return writeReview(ctx, who, params.id, body);
    },
    { status: 201 },
  ),
  onCustomer(contract.editReview, { ...byId, body: schema.EditedReviewForm, reply: schema.Review }, async ({ params, body }, who, ctx) => {
    await limit(ctx.db, 'review', attemptOf(ctx, who));
    return editReview(ctx, who, params.id, body);
  }),
  onCustomer(contract.deleteReview, { ...byId, reply: Done }, async ({ params }, who, { db }) => {
    await deleteReview(db, who, params.id);
    return { message: 'Your review was deleted.' };
  }),
  onCustomer(contract.voteForReview, { ...byId, body: schema.VoteBody, reply: schema.Vote }, async ({ params, body }, who, ctx) => {
    await limit(ctx.db, 'vote', attemptOf(ctx, who));
    return voteForReview(ctx.db, who, params.id, body.isHelpful);
  }),
  on(contract.stopReviewMails, { body: schema.StopMailsBody, reply: Done }, async ({ body }, { db }) => {
    await stopReviewMails(db, body.token);
    return { message: 'We will not ask you for reviews again.' };
  }),
  onAdmin(
    contract.listOfficeReviews,
    { ...byId, query: schema.ListOfficeReviewsQuery, reply: schema.OfficeReviewList },
    ({ params, query }, who, { db }) => listOfficeReviews(db, who, params.id, query.pageNumber),
  ),
  onAdmin(contract.hideReview, { ...byId, body: schema.HideReviewBody, reply: schema.OfficeReview }, ({ params, body }, who, { db }) =>
    hideReview(db, who, params.id, body),
  ),
  onAdmin(contract.replyToReview, { ...byId, body: schema.ReplyBody, reply: schema.OfficeReview }, ({ params, body }, who, { db }) =>
    replyToReview(db, who, params.id, body.reply),
  ),
];
