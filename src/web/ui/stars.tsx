/** Star n is full above n-0.5, half above n-1, else empty (specification §3). */
export function starKind(rating: number, n: number): 'full' | 'half' | 'empty' {
  if (rating > n - 0.5) return 'full';
  return rating > n - 1 ? 'half' : 'empty';
}

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
      <span className={`inline-flex ${isFromSource ? 'stars-ours' : ''}`} aria-hidden="true">
        {[1, 2, 3, 4, 5].map((n) => (
          <i key={n} className="star" data-star={starKind(rating, n)} />
        ))}
      </span>
      {!bare && (rating > 0 ? rating.toFixed(1) : 'No reviews yet')}
      {rating > 0 && <span className="sr-only"> out of 5 stars</span>}
      {reviews > 0 && ` (${reviewsText(reviews)})`}
      {isFromSource && <span className="text-xs text-soft">{source}</span>}
    </span>
  );
}
