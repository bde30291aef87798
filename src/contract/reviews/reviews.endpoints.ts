import { endpoint } from '#contract/platform/endpoint.ts';
import { MAX_REVIEW_PICTURES } from '#contract/platform/limits.ts';
import { ById, Done } from '#contract/platform/lists.schema.ts';
import * as schema from './reviews.schema.ts';

export const listReviews = endpoint('GET /api/products/:id/reviews', {
  role: 'visitor',
  summary: 'List the reviews of a product, with the number of reviews for each number of stars',
  errors: [404],
  params: ById,
  query: schema.ListReviewsQuery,
  reply: schema.ReviewList,
});

export const readMyReview = endpoint('GET /api/products/:id/reviews/mine', {
  role: 'customer',
  summary: 'Read your own review of a product, whether you may write one, and which reviews you found helpful',
  errors: [404],
  params: ById,
  reply: schema.MyReview,
});

export const writeReview = endpoint('POST /api/products/:id/reviews', {
  role: 'customer',
  summary: 'Review a product that you have received, with pictures',
  errors: [404, 409, 429],
  multipart: true,
  // One too many passes, so that the form's own rule refuses it in words.
  maxFiles: MAX_REVIEW_PICTURES + 1,
  params: ById,
  body: schema.NewReviewForm,
  reply: schema.Review,
  status: 201,
});

export const editReview = endpoint('PUT /api/reviews/:id', {
  role: 'customer',
  summary: 'Change your own review; pictures sent as addresses stay',
  errors: [404, 429],
  multipart: true,
  // One too many passes, so that the form's own rule refuses it in words.
  maxFiles: MAX_REVIEW_PICTURES + 1,
  params: ById,
  body: schema.EditedReviewForm,
  reply: schema.Review,
});

export const deleteReview = endpoint('DELETE /api/reviews/:id', {
  role: 'customer',
  summary: 'Delete your own review',
  errors: [404],
  params: ById,
  reply: Done,
});

export const voteForReview = endpoint('PUT /api/reviews/:id/vote', {
  role: 'customer',
  summary: 'Mark a review as helpful, or undo that',
  errors: [404, 409, 429],
  params: ById,
  body: schema.VoteBody,
  reply: schema.Vote,
});

export const stopReviewMails = endpoint('POST /api/reviews/stop-mails', {
  role: 'visitor',
  summary: 'Stop the emails that ask for reviews, with the link in one of them',
  errors: [404],
  body: schema.StopMailsBody,
  reply: Done,
});

export const listOfficeReviews = endpoint('GET /api/office/products/:id/reviews', {
  right: 'see products',
  summary: 'List all reviews of a product, hidden ones too',
  errors: [404],
  params: ById,
  query: schema.ListOfficeReviewsQuery,
  reply: schema.OfficeReviewList,
});

export const listNewReviews = endpoint('GET /api/office/reviews', {
  right: 'see products',
  summary: 'List the reviews of all products that no one has checked, longest waiting first',
  query: schema.ListOfficeReviewsQuery,
  reply: schema.OfficeReviewList,
});

export const hideReview = endpoint('PUT /api/reviews/:id/hidden', {
  right: 'change products',
  summary: 'Hide a review with a reason, or show it; either marks it as checked',
  errors: [404, 409],
  params: ById,
  body: schema.HideReviewBody,
  reply: schema.OfficeReview,
});

export const replyToReview = endpoint('PUT /api/reviews/:id/reply', {
  right: 'change products',
  summary: 'Answer a review publicly, or remove the answer',
  errors: [404, 409],
  params: ById,
  body: schema.ReplyBody,
  reply: schema.OfficeReview,
});
