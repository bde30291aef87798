import { z } from 'zod';
import { MAX_REVIEW_PICTURES, MAX_REVIEW_TEXT } from '#contract/platform/limits.ts';
import { oneOf, PageNumber, paging } from '#contract/platform/lists.schema.ts';
import { isAbsent } from '#contract/platform/lists.ts';
import { writtenText } from '#contract/platform/text.schema.ts';
import { REVIEW_SORTS } from './review-parameters.ts';

const MAX_REASON = 500;

/** A review as the shop shows it. */
export const Review = z.object({
  _id: z.string(),
  /** 1 to 5 stars. */
  rating: z.int(),
  /** May be empty: stars alone are a review too. */
  text: z.string(),
  images: z.array(z.string()),
  /** First name and initial at most. */
  author: z.string(),
  createdAt: z.string(),
  /** How many accounts found it helpful. */
  helpful: z.int(),
  /** The shop's answer; empty without one. */
  reply: z.string(),
  repliedAt: z.string().nullable(),
});

export const ListReviewsQuery = z.object({
  pageNumber: PageNumber,
  sortBy: oneOf(REVIEW_SORTS),
});

export const ReviewList = z.object({
  reviews: z.array(Review),
  ...paging,
  /** How many gave one star, two, … five. */
  counts: z.array(z.int()),
});

/** What the logged-in customer may do with the reviews of a product. */
export const MyReview = z.object({
  /** The own review, also while the shop hides it. */
  review: Review.extend({ hiddenReason: z.string().nullable() }).nullable(),
  /** The piece was delivered to this account, and the account has not reviewed it. */
  mayReview: z.boolean(),
  /** Reviews of this product that the account found helpful. */
  helpful: z.array(z.string()),
});

const CHOOSE_STARS = 'Choose from 1 to 5 stars.';
const pictures = <S extends z.ZodType>(picture: S) =>
  z.preprocess(
    (value) => [value].flat().filter((part) => (typeof part === 'string' ? !isAbsent(part) : (part as { size: number } | undefined)?.size)),
    z.array(picture).max(MAX_REVIEW_PICTURES, `A review can have at most ${MAX_REVIEW_PICTURES} pictures.`),
  );

/** A review as the form sends it, multipart. */
export const NewReviewForm = z.object({
  rating: z
    .string(CHOOSE_STARS)
    .regex(/^[1-5]$/, CHOOSE_STARS)
    .transform(Number),
  text: writtenText('Your review', MAX_REVIEW_TEXT).default(''),
  images: pictures(z.file('Pictures must be files.')),
});

/** The same for a review that is there already: a text among its pictures is the address of one that stays. */
export const EditedReviewForm = NewReviewForm.extend({
  images: pictures(z.union([z.file(), z.string().max(300)], 'Pictures must be files.')),
});

export const VoteBody = z.object({ isHelpful: z.boolean('isHelpful must be true or false') });
export const Vote = z.object({ helpful: z.int(), isHelpful: z.boolean() });
export const StopMailsBody = z.object({ token: z.string('The link is not complete.').max(200, 'The link is not complete.') });

/** A review as the back office shows it. */
export const OfficeReview = Review.extend({
  /** The account's full name. */
  customer: z.string(),
  /** Why the shop does not show it; null while it is shown. */
  hiddenReason: z.string().nullable(),
});
export const OfficeReviewList = z.object({ reviews: z.array(OfficeReview), ...paging });
export const ListOfficeReviewsQuery = z.object({ pageNumber: PageNumber });
export const HideReviewBody = z
  .object({
    isHidden: z.boolean('isHidden must be true or false'),
    reason: z.string('The reason must be text.').trim().max(MAX_REASON, 'The reason can have at most 500 characters.').default(''),
  })
  .refine(({ isHidden, reason }) => !isHidden || reason !== '', { path: ['reason'], error: 'Say why the review is hidden.' });
export const ReplyBody = z.object({
  /** Empty takes the answer back. */
  reply: writtenText('The answer', MAX_REVIEW_TEXT),
});
