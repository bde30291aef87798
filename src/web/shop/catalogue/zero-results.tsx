import { useEffect } from 'react';
import { Link } from 'react-router';
import { POPULAR_SEARCHES } from '#web/layout/links.ts';
import { loadNewArrivals, selectNewArrivals } from '#web/state/product-list.slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { ProductGrid } from './product-grid.tsx';

interface ZeroResultsProps {
  term: string;
  suggestion: string | null;
  /** The list with every filter taken off, where any is in force. */
  unfiltered: string | undefined;
}

/** Nothing was found: what was searched, the nearest spelling, and ways on. */
export function ZeroResults({ term, suggestion, unfiltered }: ZeroResultsProps) {
  const dispatch = useAppDispatch();
  const arrivals = useAppSelector(selectNewArrivals);
  useEffect(() => {
    void dispatch(loadNewArrivals());
  }, [dispatch]);
  return (
    <div className="grid gap-8">
      <div className="grid gap-3">
        <p className="text-heading">{term ? `Nothing was found for “${term}”.` : 'Nothing matches these filters.'}</p>
        {suggestion && (
          <p>
            Did you mean{' '}
            <Link className="link font-semibold" to={`/shop?search=${encodeURIComponent(suggestion)}`}>
              {suggestion}
            </Link>
            ?
          </p>
        )}
        {unfiltered && (
          <p>
            <Link className="link" to={unfiltered}>
              Clear all filters
            </Link>
          </p>
        )}
      </div>
      <div>
        <h2>Popular searches</h2>
        <ul className="mt-3 flex flex-wrap gap-3">
          {POPULAR_SEARCHES.map(({ label, to }) => (
            <li key={to}>
              <Link className="btn btn-secondary" to={to}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </div>
      {arrivals.length > 0 && (
        <section>
          <h2 className="mb-4">New arrivals</h2>
          <ProductGrid products={arrivals.slice(0, 4)} label="New arrivals" level={3} />
        </section>
      )}
    </div>
  );
}
