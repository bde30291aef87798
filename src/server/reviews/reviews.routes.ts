import * as api from '#contract/reviews/reviews.endpoints.ts';
import { done, type Route, route } from '#server/platform/http/route.ts';
import { stopReviewMails } from './ask.jobs.ts';
import { hideReview, replyToReview } from './moderation.service.ts';
import { listNewReviews, listOfficeReviews, listReviews, readMyReview } from './read.service.ts';
import { voteForReview } from './votes.service.ts';
import { deleteReview, editReview, refuseEdit, refuseReview, writeReview } from './write.service.ts';

export const reviewRoutes: readonly Route[] = [
  route(api.listReviews, ({ params, query }, { readDb }) => listReviews(readDb, params.id, query), {
    cached: ({ params, query }) => ({ key: [params, query], dependsOn: ['named', 'products'] }),
  }),
  route(api.readMyReview, ({ params, who }, { db }) => readMyReview(db, who, params.id)),
  route(api.writeReview, ({ params, body, who }, ctx) => writeReview(ctx, who, params.id, body), {
    limit: 'review',
    beforeForm: ({ params, who }, { db }) => refuseReview(db, who, params.id),
  }),
  route(api.editReview, ({ params, body, who }, ctx) => editReview(ctx, who, params.id, body), {
    limit: 'review',
    beforeForm: ({ params, who }, { db }) => refuseEdit(db, who, params.id),
  }),
  route(api.deleteReview, ({ params, who }, { db }) => done(deleteReview(db, who, params.id), 'Your review was deleted.'), {
    takesTurn: true,
  }),
  route(api.voteForReview, ({ params, body, who }, { db }) => voteForReview(db, who, params.id, body.isHelpful), {
    limit: 'vote',
    takesTurn: true,
  }),
  route(api.stopReviewMails, ({ body }, { db }) => done(stopReviewMails(db, body.token), 'We will not ask you for reviews again.')),
  route(api.listOfficeReviews, ({ params, query, who }, { db }) => listOfficeReviews(db, who, params.id, query.pageNumber)),
  route(api.listNewReviews, ({ query, who }, { db }) => listNewReviews(db, who, query.pageNumber)),
  route(api.hideReview, ({ params, body, who }, { db }) => hideReview(db, who, params.id, body)),
  route(api.replyToReview, ({ params, body, who }, { db }) => replyToReview(db, who, params.id, body)),
];
