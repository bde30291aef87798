import type { z } from 'zod';
import { endpoint, formEndpoint } from '#contract/platform/endpoint.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import type * as schema from './reviews.schema.ts';

export type Review = z.infer<typeof schema.Review>;
export type ReviewList = z.infer<typeof schema.ReviewList>;
export type ListReviewsQuery = z.infer<typeof schema.ListReviewsQuery>;
export type MyReview = z.infer<typeof schema.MyReview>;
export type NewReviewForm = z.infer<typeof schema.NewReviewForm>;
export type EditedReviewForm = z.infer<typeof schema.EditedReviewForm>;
export type Vote = z.infer<typeof schema.Vote>;
export type OfficeReview = z.infer<typeof schema.OfficeReview>;
export type OfficeReviewList = z.infer<typeof schema.OfficeReviewList>;
export type HideReviewBody = z.infer<typeof schema.HideReviewBody>;
type Id = { params: { id: string } };

export const listReviews = endpoint<Id & { query: { pageNumber?: number | string | undefined; sortBy?: string | undefined } }, ReviewList>(
  'GET',
  '/api/products/:id/reviews',
);
/** What the logged-in customer has written about a product, may write, and found helpful. */
export const readMyReview = endpoint<Id, MyReview>('GET', '/api/products/:id/reviews/mine');
export const writeReview = formEndpoint<Id & { body: unknown }, Review>('POST', '/api/products/:id/reviews');
/** One's own only. */
export const editReview = formEndpoint<Id & { body: unknown }, Review>('PUT', '/api/reviews/:id');
/** One's own only. */
export const deleteReview = endpoint<Id, Done>('DELETE', '/api/reviews/:id');
export const voteForReview = endpoint<Id & { body: { isHelpful: boolean } }, Vote>('PUT', '/api/reviews/:id/vote');
/** Ends the mails that ask for reviews, by the link in one of them. */
export const stopReviewMails = endpoint<{ body: { token: string } }, Done>('POST', '/api/reviews/stop-mails');

/** All reviews of a product, hidden ones too (administrators). */
export const listOfficeReviews = endpoint<Id & { query: { pageNumber?: number } }, OfficeReviewList>(
  'GET',
  '/api/office/products/:id/reviews',
);
export const hideReview = endpoint<Id & { body: { isHidden: boolean; reason?: string } }, OfficeReview>('PUT', '/api/reviews/:id/hidden');
/** Answers a review publicly; an empty answer takes it back (administrators). */
export const replyToReview = endpoint<Id & { body: { reply: string } }, OfficeReview>('PUT', '/api/reviews/:id/reply');
