import { useContext, useState } from 'react';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { OfficeContext } from '#web/admin/office/office-context.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Link } from '#web/ui/link.tsx';
import { PageSteps } from '#web/ui/page-steps.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { OfficeReviewItem } from './office-review.tsx';

/** New reviews of all products, those that have waited longest first. What was looked at stays until the page is turned or left. */
export function Component() {
  const { recount } = useContext(OfficeContext);
  const [pageNumber, setPageNumber] = useState(1);
  const { value: list, error, replace } = useLoaded('GET /api/office/reviews', { query: { pageNumber } });
  return (
    <AdminFrame title="Reviews" changes="change products">
      {error && <Alert>{error}</Alert>}
      {!list && !error && <Skeleton label="Loading the reviews" />}
      {list && (
        <div className="grid max-w-prose gap-4">
          {list.reviews.length === 0 && <p className="panel">No new reviews. All reviews of a product are below its form.</p>}
          <ul className="grid gap-4">
            {list.reviews.map((review) => (
              <OfficeReviewItem
                key={review._id}
                review={review}
                onChange={(changed) => {
                  replace({ ...list, reviews: list.reviews.map((entry) => (entry._id === changed._id ? changed : entry)) });
                  void recount();
                }}
              >
                <Link to={`/admin/editproduct/${review.product._id}#reviews`} className="link justify-self-start font-semibold">
                  {review.product.name}
                </Link>
              </OfficeReviewItem>
            ))}
          </ul>
          <PageSteps label="Pages of reviews" page={pageNumber} pages={list.pages} onTurn={setPageNumber} />
        </div>
      )}
    </AdminFrame>
  );
}
