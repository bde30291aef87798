import { useState } from 'react';
import type { OfficeReview } from '#contract/reviews/reviews.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { PageSteps } from '#web/ui/page-steps.tsx';
import { OfficeReviewItem } from './office-review.tsx';

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
  const replaceReview = (review: OfficeReview) => {
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
          <OfficeReviewItem key={review._id} review={review} onChange={replaceReview} />
        ))}
      </ul>
      {list && <PageSteps label="Pages of reviews" page={pageNumber} pages={list.pages} onTurn={setPageNumber} />}
    </section>
  );
}
