import type { CSSProperties } from 'react';

/** How many half stars are filled: star n is full above n-0.5, half above n-1, else empty (specification §3). */
export const halfStars = (rating: number): number => Math.ceil(rating * 2);

/** Five stars, or one: an element whose style sheet draws as many as fit (`.stars`). */
export const starsStyle = (halves: number) => ({ '--halves': halves }) as CSSProperties;

interface StarsProps {
  rating: number;
  reviews?: number;
  /** Where a rating without reviews is from: shown beside it, with grey stars. */
  source?: string;
  /** Omits the figure. */
  bare?: boolean;
}

export const reviewsText = (n: number): string => (n === 1 ? '1 review' : `${n} reviews`);

/** Five stars with the figure as text; the stars are decoration. */
export function Stars({ rating, reviews = 0, source, bare = false }: StarsProps) {
  const isFromSource = reviews === 0 && rating > 0 && source;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1 text-sm">
      <i className={`stars ${isFromSource ? 'stars-ours' : ''}`} style={starsStyle(halfStars(rating))} aria-hidden="true" />
      {!bare && (rating > 0 ? rating.toFixed(1) : 'No reviews yet')}
      {rating > 0 && <span className="sr-only"> out of 5 stars</span>}
      {reviews > 0 && ` (${reviewsText(reviews)})`}
      {isFromSource && <span className="text-xs text-soft">{source}</span>}
    </span>
  );
}
