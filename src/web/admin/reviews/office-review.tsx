import type { ReactNode } from 'react';
import { shopDate } from '#contract/market/shop-time.ts';
import type { OfficeReview } from '#contract/reviews/reviews.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Stars } from '#web/ui/stars.tsx';
import { ReviewActions } from './review-actions.tsx';

interface OfficeReviewItemProps {
  review: OfficeReview;
  onChange: (review: OfficeReview) => void;
  /** Shown above the review. */
  children?: ReactNode;
}

/** A review as staff see it, with buttons to answer, keep, hide or show it. */
export function OfficeReviewItem({ review, onChange, children }: OfficeReviewItemProps) {
  return (
    <li className="panel grid gap-3">
      {children}
      <OfficeReviewText review={review} />
      <ReviewActions review={review} onChange={onChange} />
    </li>
  );
}

function OfficeReviewText({ review }: { review: OfficeReview }) {
  const { rating, text, images, author, customer, createdAt, helpful, hiddenReason, variant } = review;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars rating={rating} />
        <span className="font-semibold">{customer}</span>
        <span className="text-sm text-soft">
          shown as {author}, <time dateTime={createdAt}>{shopDate(createdAt)}</time>, helpful to {helpful}
        </span>
      </p>
      {hiddenReason !== null && (
        <Alert tone="note">
          {hiddenReason ? `Hidden: ${hiddenReason}` : 'Customers do not see it yet: it is waiting for your approval.'}
        </Alert>
      )}
      {variant && <p className="text-sm text-soft">Bought: {variant}</p>}
      {text && (
        <p dir="auto" className="whitespace-pre-line [overflow-wrap:anywhere]">
          {text}
        </p>
      )}
      {images.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {images.map((image, index) => (
            <li key={image} className="w-20">
              <a href={image} target="_blank" rel="noopener">
                <Picture
                  src={image}
                  alt={`Picture ${index + 1} by ${customer}, opens in a new tab`}
                  sizes="5rem"
                  className="rounded-soft"
                />
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
