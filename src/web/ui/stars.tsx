const PATH = 'M12 2.6l2.9 5.9 6.5.9-4.7 4.6 1.1 6.5L12 17.4l-5.8 3.1 1.1-6.5L2.6 9.4l6.5-.9z';

/** Star n is full above n-0.5, half above n-1, else empty (specification §3). */
export function starKind(rating: number, n: number): 'full' | 'half' | 'empty' {
  if (rating > n - 0.5) return 'full';
  return rating > n - 1 ? 'half' : 'empty';
}

const fills = { full: 'fill-current', half: 'fill-current [clip-path:inset(0_50%_0_0)]', empty: 'hidden' };

/** Five stars with the figure in text; the stars themselves are decoration. */
export function Stars({ rating }: { rating: number }) {
  return (
    <span className="inline-flex items-center gap-1 text-sm">
      <span className="inline-flex text-star" aria-hidden="true">
        {[1, 2, 3, 4, 5].map((n) => {
          const kind = starKind(rating, n);
          return (
            <svg key={n} viewBox="0 0 24 24" className="size-4" data-star={kind} aria-hidden="true">
              <path d={PATH} className="fill-none stroke-current" strokeWidth="1.5" />
              <path d={PATH} className={fills[kind]} />
            </svg>
          );
        })}
      </span>
      <span>
        {rating.toFixed(1)}
        <span className="sr-only"> out of 5 stars</span>
      </span>
    </span>
  );
}
