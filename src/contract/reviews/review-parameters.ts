import { pageNumberOf } from '#contract/platform/lists.ts';

/** The orders in which a product's reviews can be read; the first is the default and is left out of addresses. */
export const REVIEW_SORTS = ['newest', 'highest', 'lowest', 'helpful'] as const;
export type ReviewSort = (typeof REVIEW_SORTS)[number];

/** Which of a product's reviews its page shows. */
interface ReviewsWanted {
  pageNumber: number;
  sortBy: ReviewSort;
}

/** What a product page's address says of its reviews: `?reviewPage=2&reviewSort=lowest`. */
export function reviewsWanted(search: { get: (name: string) => string | null }): ReviewsWanted {
  const sort = search.get('reviewSort')?.toLowerCase();
  return { pageNumber: pageNumberOf(search.get('reviewPage')), sortBy: REVIEW_SORTS.find((name) => name === sort) ?? 'newest' };
}

/** The same as the text of an address, without its defaults. */
export function reviewParameters({ pageNumber, sortBy }: ReviewsWanted): string {
  return [pageNumber > 1 && `reviewPage=${pageNumber}`, sortBy !== 'newest' && `reviewSort=${sortBy}`].filter(Boolean).join('&');
}
