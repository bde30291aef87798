import { reviewsText, Stars } from '#web/ui/stars.tsx';

/** The mean and the number of each rating; `counts` begins with one star. */
export function ReviewSummary({ rating, counts }: { rating: number; counts: number[] }) {
  const total = counts.reduce((sum, n) => sum + n, 0);
  const most = Math.max(...counts);
  return (
    <div className="grid content-start gap-4">
      <p className="flex flex-wrap items-center gap-x-3">
        <span className="font-display text-title">{rating.toFixed(1)}</span>
        <span>
          <Stars rating={rating} bare />
          <span className="block text-sm text-soft">{reviewsText(total)}</span>
        </span>
      </p>
      <ul aria-label="Reviews by number of stars" className="grid max-w-sm gap-1 text-sm">
        {[5, 4, 3, 2, 1].map((stars) => {
          const n = counts[stars - 1] ?? 0;
          return (
            <li key={stars} className="grid grid-cols-[4rem_1fr_2.5rem] items-center gap-3">
              <span>{stars === 1 ? '1 star' : `${stars} stars`}</span>
              <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-line">
                <span className="block h-full bg-star" style={{ width: `${(100 * n) / most}%` }} />
              </span>
              <span className="text-right tabular-nums">{n}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
