import { pageNumberOf } from '#contract/platform/lists.ts';

/** Sorts of a product's reviews; the first is the default and left out of URLs. */
export const REVIEW_SORTS = ['newest', 'highest', 'lowest', 'helpful'] as const;
export type ReviewSort = (typeof REVIEW_SORTS)[number];

interface ReviewsWanted {
  pageNumber: number;
  sortBy: ReviewSort;
}

/** Parses `?reviewPage=2&reviewSort=lowest`. */
export function reviewsWanted(search: { get: (name: string) => string | null }): ReviewsWanted {
  const sort = search.get('reviewSort')?.toLowerCase();
  return { pageNumber: pageNumberOf(search.get('reviewPage')), sortBy: REVIEW_SORTS.find((name) => name === sort) ?? 'newest' };
}

/** Formats the query, without defaults. */
export function reviewParameters({ pageNumber, sortBy }: ReviewsWanted): string {
  return [pageNumber > 1 && `reviewPage=${pageNumber}`, sortBy !== 'newest' && `reviewSort=${sortBy}`].filter(Boolean).join('&');
}
