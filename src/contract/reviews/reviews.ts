import type { z } from 'zod';
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
export type ReplyBody = z.infer<typeof schema.ReplyBody>;
