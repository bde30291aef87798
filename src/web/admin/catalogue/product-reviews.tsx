import { useState } from 'react';
import { shopDate } from '#contract/market/shop-time.ts';
import type { OfficeReview } from '#contract/reviews/reviews.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { PageSteps } from '#web/ui/page-steps.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Stars } from '#web/ui/stars.tsx';
import { ReviewActions } from './review-actions.tsx';

interface ProductReviewsProps {
  productId: string;
  /** A review was hidden, shown or answered: the product's history has a new entry. */
  onChange: () => void;
}

/** A product's reviews, hidden ones too. */
export function ProductReviews({ productId, onChange }: ProductReviewsProps) {
  const [pageNumber, setPageNumber] = useState(1);
  const {
    value: list,
    error,
    replace,
  } = useLoaded('GET /api/office/products/:id/reviews', { params: { id: productId }, query: { pageNumber } });
  const changed = (review: OfficeReview) => {
    if (list) replace({ ...list, reviews: list.reviews.map((entry) => (entry._id === review._id ? review : entry)) });
    onChange();
  };
  return (
    <section aria-labelledby="reviews" className="mt-8 grid max-w-prose gap-4 print:hidden">
      <h2 id="reviews">Reviews{list && list.total > 0 ? ` (${list.total})` : ''}</h2>
      {error && <Alert>{error}</Alert>}
      {list?.total === 0 && <p className="text-soft">No reviews yet.</p>}
      <ul className="grid gap-4">
        {list?.reviews.map((review) => (
          <li key={review._id} className="panel grid gap-3">
            <OfficeReviewText review={review} />
            <ReviewActions review={review} onChange={changed} />
          </li>
        ))}
      </ul>
      {list && <PageSteps label="Pages of reviews" page={pageNumber} pages={list.pages} onTurn={setPageNumber} />}
    </section>
  );
}

function OfficeReviewText({ review }: { review: OfficeReview }) {
  const { rating, text, images, author, customer, createdAt, helpful, hiddenReason } = review;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars rating={rating} />
        <span className="font-semibold">{customer}</span>
        <span className="text-sm text-soft">
          shown as {author}, <time dateTime={createdAt}>{shopDate(createdAt)}</time>, helpful to {helpful}
        </span>
      </p>
      {hiddenReason !== null && <Alert tone="note">Hidden: {hiddenReason}</Alert>}
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
