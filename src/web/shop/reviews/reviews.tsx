import { useEffect, useState } from 'react';
import type { Session } from '#contract/accounts/users.ts';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { REVIEW_SORTS, type ReviewSort } from '#contract/reviews/review-parameters.ts';
import type { MyReview } from '#contract/reviews/reviews.ts';
import { selectProductDetail } from '#web/state/product-detail.slice.ts';
import { useAppSelector } from '#web/state/store.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';
import { FailedLoad } from '#web/ui/failed-load.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { Helpful } from './helpful.tsx';
import { OwnReview } from './own-review.tsx';
import { ReviewItem } from './review-list.tsx';
import { ReviewSummary } from './review-summary.tsx';
import { useReviews } from './use-reviews.ts';

const SORT_LABELS: Record<ReviewSort, string> = {
  newest: 'Newest',
  highest: 'Highest rating',
  lowest: 'Lowest rating',
  helpful: 'Most helpful',
};

/**
 * A product's reviews. The URL's page comes with the product, readable without scripts. The first render must match the server's, which knows
 * no visitor; `data-ready` marks the end of hydration.
 */
export function Reviews({ product }: { product: Pick<Product, '_id' | 'name' | 'rating'> }) {
  const { reviews } = useAppSelector(selectProductDetail);
  const userInfo = useAppSelector(selectUserInfo);
  const [isLive, setIsLive] = useState(false);
  useEffect(() => setIsLive(true), []);
  const user = isLive ? userInfo : null;
  if (!reviews) return null;
  return (
    <section data-ready={isLive ? '' : undefined} aria-labelledby="reviews" className="grid gap-6 border-t border-line pt-8">
      <h2 id="reviews" tabIndex={-1}>
        Reviews
      </h2>
      {user ? (
        <ForCustomer key={user._id} product={product} user={user} />
      ) : (
        <ReviewsShown product={product} user={null} mine={NO_REVIEW} />
      )}
    </section>
  );
}

interface PartProps {
  product: Pick<Product, '_id' | 'name' | 'rating'>;
  user: Session | null;
}

const NO_REVIEW: MyReview = { review: null, mayReview: false, helpful: [] };

function ForCustomer(props: PartProps) {
  const { value: mine, reload } = useLoaded('GET /api/products/:id/reviews/mine', { params: { id: props.product._id } });
  return <ReviewsShown {...props} mine={mine} reloadMine={() => void reload()} />;
}

interface ShownProps extends PartProps {
  /** Undefined until it is loaded. */
  mine: MyReview | undefined;
  reloadMine?: () => void;
}

function ReviewsShown({ product, user, mine, reloadMine }: ShownProps) {
  const { list, sortBy, pending, error, load, pageHref, sort } = useReviews(product._id);
  if (!list) return null;
  const total = list.counts.reduce((sum, n) => sum + n, 0);
  const reload = () => {
    load();
    reloadMine?.();
  };
  const isMine = (review: { _id: string }) => review._id === mine?.review?._id;
  const ownReview = <OwnReview product={product} user={user} mine={mine} isListed={list.reviews.some(isMine)} onChange={reload} />;
  if (total === 0)
    return (
      <>
        <p className="text-soft">No reviews yet.</p>
        {ownReview}
      </>
    );
  const mean = list.counts.reduce((sum, n, index) => sum + n * (index + 1), 0) / total;
  return (
    <div className="grid gap-8 lg:grid-cols-[20rem_1fr] lg:gap-16">
      <div className="grid content-start gap-6">
        <ReviewSummary rating={mean} counts={list.counts} />
        {ownReview}
      </div>
      <div className="grid content-start gap-6">
        {list.total > 1 && <Sort value={sortBy} onChange={sort} />}
        {error && <FailedLoad message={error} onRetry={load} />}
        <ul aria-label="Reviews" aria-busy={pending} className={`grid gap-6 ${pending ? 'opacity-60' : ''}`}>
          {list.reviews.map((review) => (
            <li key={review._id} className="border-b border-line pb-6 last:border-0 last:pb-0">
              <ReviewItem review={review}>
                {!isMine(review) && (
                  <Helpful
                    // Remounts when the loaded vote changes, which replaces the state of the button.
                    key={String(mine?.helpful.includes(review._id))}
                    product={product}
                    user={user}
                    review={review}
                    isHelpful={mine?.helpful.includes(review._id) ?? false}
                  />
                )}
              </ReviewItem>
            </li>
          ))}
        </ul>
        <Pagination label="Pages of reviews" page={list.page} pages={list.pages} href={pageHref} />
      </div>
    </div>
  );
}

function Sort({ value, onChange }: { value: ReviewSort; onChange: (sort: ReviewSort) => void }) {
  return (
    <p className="flex items-center gap-3 noscript:hidden">
      <label htmlFor="sort-reviews" className="text-sm">
        Sort reviews
      </label>
      <select id="sort-reviews" className="input w-auto" value={value} onChange={({ target }) => onChange(target.value as ReviewSort)}>
        {REVIEW_SORTS.map((name) => (
          <option key={name} value={name}>
            {SORT_LABELS[name]}
          </option>
        ))}
      </select>
    </p>
  );
}
