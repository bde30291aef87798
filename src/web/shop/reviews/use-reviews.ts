import { useState } from 'react';
import { listReviews, type ReviewList, type ReviewSort } from '#contract/reviews.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';

/** The page of a product's reviews that is shown: the one that came with the product at first. What was there stays until the next one is. */
export function useReviews(productId: string, first: ReviewList) {
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  const [list, setList] = useState(first);
  const [sortBy, setSortBy] = useState<ReviewSort>('newest');
  const show = (pageNumber: number, sort = sortBy) => {
    setSortBy(sort);
    run('reviews', async () =>
      setList(await dispatch(request(listReviews, { params: { id: productId }, query: { pageNumber, sortBy: sort } }))),
    );
  };
  return { list, sortBy, show, pending: pending !== '', error };
}
