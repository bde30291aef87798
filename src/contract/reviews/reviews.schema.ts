import { z } from 'zod';
import { MAX_REVIEW_PICTURES, MAX_REVIEW_TEXT } from '#contract/platform/limits.ts';
import { oneOf, PageNumber, paging } from '#contract/platform/lists.schema.ts';
import { isAbsent } from '#contract/platform/lists.ts';
import { writtenText } from '#contract/platform/text.schema.ts';
import { REVIEW_SORTS } from './review-parameters.ts';

const MAX_REASON = 500;

export const Review = z.object({
  _id: z.string(),
  /** 1 to 5 stars. */
  rating: z.int(),
  /** May be empty. */
  text: z.string(),
  images: z.array(z.string()),
  /** First name and initial at most. */
  author: z.string(),
  /** The size and colour that the author bought, in words; empty if the piece has neither. */
  variant: z.string(),
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
  /** Number of reviews with one star, two, … five. */
  counts: z.array(z.int()),
});

/** A product's reviews from the customer's view. */
export const MyReview = z.object({
  /** Their own review, also a hidden one. */
  review: Review.extend({ hiddenReason: z.string().nullable().describe('Empty while it waits for approval by the shop') }).nullable(),
  /** They have received the piece and not reviewed it. */
  mayReview: z.boolean(),
  /** Reviews that they voted helpful. */
  helpful: z.array(z.string()),
});

const CHOOSE_STARS = 'Choose from 1 to 5 stars.';
const pictures = <S extends z.ZodType>(picture: S) =>
  z.preprocess(
    (value) => [value].flat().filter((part) => (typeof part === 'string' ? !isAbsent(part) : (part as { size: number } | undefined)?.size)),
    z.array(picture).max(MAX_REVIEW_PICTURES, `A review can have at most ${MAX_REVIEW_PICTURES} pictures.`),
  );

export const NewReviewForm = z.object({
  rating: z
    .string(CHOOSE_STARS)
    .regex(/^[1-5]$/, CHOOSE_STARS)
    .transform(Number),
  text: writtenText('Your review', MAX_REVIEW_TEXT).default(''),
  images: pictures(z.file('Pictures must be files.')),
});

/** A text among the pictures is the URL of one to keep. */
export const EditedReviewForm = NewReviewForm.extend({
  images: pictures(z.union([z.file(), z.string().max(300)], 'Pictures must be files.')),
});

export const VoteBody = z.object({ isHelpful: z.boolean('isHelpful must be true or false') });
export const Vote = z.object({ helpful: z.int(), isHelpful: z.boolean() });
export const StopMailsBody = z.object({ token: z.string('The link is not complete.').max(200, 'The link is not complete.') });

export const OfficeReview = Review.extend({
  /** The account's full name; the public one for staff who may not see customers. */
  customer: z.string(),
  /** Null for a visible review; empty for one that waits for approval. */
  hiddenReason: z.string().nullable(),
  /** Nobody has looked at it since it was written or changed. */
  isNew: z.boolean(),
  /** Changes with stars, text, pictures and author. */
  mark: z.string(),
  product: z.object({ _id: z.string(), name: z.string() }),
});
export const OfficeReviewList = z.object({ reviews: z.array(OfficeReview), ...paging });
export const ListOfficeReviewsQuery = z.object({ pageNumber: PageNumber });
/** The mark of the review as somebody has seen it. */
const SeenMark = z.string().max(100).optional();
export const HideReviewBody = z
  .object({
    mark: SeenMark,
    isHidden: z.boolean('isHidden must be true or false'),
    reason: z.string('The reason must be text.').trim().max(MAX_REASON, 'The reason can have at most 500 characters.').default(''),
  })
  .refine(({ isHidden, reason }) => !isHidden || reason !== '', { path: ['reason'], error: 'Say why the review is hidden.' });
export const ReplyBody = z.object({
  /** Empty removes the reply. */
  reply: writtenText('The answer', MAX_REVIEW_TEXT),
  mark: SeenMark,
});
