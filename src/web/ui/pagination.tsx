import { ChevronLeft, ChevronRight } from 'lucide';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from './link.tsx';

interface PaginationProps {
  page: number;
  pages: number;
  /** The URL of a page. */
  href: (page: number) => string;
  label?: string;
}

/** The pages around this one, the first and the last; undefined is a gap of at least two. */
export function pagesAround(page: number, pages: number): (number | undefined)[] {
  const near = [1, page - 1, page, page + 1, pages].filter((entry) => entry >= 1 && entry <= pages);
  const sorted = [...new Set(near)].sort((a, b) => a - b);
  return sorted.flatMap((entry, index) => {
    const missing = index === 0 ? 0 : entry - (sorted[index - 1] ?? 0) - 1;
    if (missing === 0) return [entry];
    return [missing === 1 ? entry - 1 : undefined, entry];
  });
}

export function Pagination({ page, pages, href, label = 'Pages' }: PaginationProps) {
  const stepClasses = 'icon-btn border border-line bg-paper';
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-center gap-2">
      {page > 1 && (
        <Link to={href(page - 1)} className={stepClasses} aria-label="Previous page">
          <Icon of={ChevronLeft} />
        </Link>
      )}
      {pagesAround(page, pages).map((entry, index) =>
        entry === undefined ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a gap has no name but its place.
          <span key={`gap-${index}`} aria-hidden="true">
            …
          </span>
        ) : (
          <Link
            key={entry}
            to={href(entry)}
            aria-label={`Page ${entry}`}
            aria-current={entry === page ? 'page' : undefined}
            className={entry === page ? 'icon-btn bg-accent font-semibold text-page hover:bg-accent' : stepClasses}
          >
            {entry}
          </Link>
        ),
      )}
      {page < pages && (
        <Link to={href(page + 1)} className={stepClasses} aria-label="Next page">
          <Icon of={ChevronRight} />
        </Link>
      )}
    </nav>
  );
}
