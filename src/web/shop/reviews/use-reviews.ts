import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { variantIn, variantParameters } from '#contract/catalogue/variant.ts';
import { type ReviewSort, reviewParameters, reviewsWanted } from '#contract/reviews/review-parameters.ts';
import { loadReviews, selectProductDetail } from '#web/state/product-detail.slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { useAction } from '#web/state/use-action.ts';

const REVIEWS_HASH = '#reviews';

/** The review parameters of a URL, in a form to compare. */
const parametersOf = (search: string) => reviewParameters(reviewsWanted(new URLSearchParams(search)));

/** The reviews for the URL. The previous page stays until the next is loaded. */
export function useReviews(productId: string) {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { reviews, reviewsFor } = useAppSelector(selectProductDetail);
  const { run, pending, error } = useAction();
  const query = new URLSearchParams(search);
  const wanted = reviewsWanted(query);
  const load = () =>
    run('reviews', async () => {
      const result = await dispatch(loadReviews({ id: productId, search }));
      if ('error' in result) throw new Error(result.error.message);
    });
  const isShown = parametersOf(reviewsFor) === parametersOf(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that is asked for and not there; a failure waits for "Try again".
  useEffect(() => {
    if (!isShown) load();
  }, [isShown, reviewsFor, search]);
  const hrefOf = (pageNumber: number, sortBy = wanted.sortBy) => {
    const parameters = [variantParameters(variantIn(query)), reviewParameters({ pageNumber, sortBy })].filter(Boolean).join('&');
    return pathname + (parameters && `?${parameters}`);
  };
  return {
    list: reviews,
    sortBy: wanted.sortBy,
    pending: pending !== '',
    error,
    load,
    pageHref: (pageNumber: number) => hrefOf(pageNumber) + REVIEWS_HASH,
    sort: (sortBy: ReviewSort) => void navigate(hrefOf(1, sortBy), { preventScrollReset: true }),
  };
}
