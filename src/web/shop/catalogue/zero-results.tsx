import { useEffect } from 'react';
import { Link } from 'react-router';
import { PopularSearches } from '#web/layout/popular-searches.tsx';
import { loadNewArrivals, selectNewArrivals } from '#web/state/product-list.slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { ProductGrid } from './product-grid.tsx';

interface ZeroResultsProps {
  term: string;
  suggestion: string | null;
  /** The list with every filter taken off, where any is in force. */
  unfiltered: string | undefined;
}

/** The nearest spelling, and the list without its filters. */
function NearResults({ suggestion, unfiltered }: Omit<ZeroResultsProps, 'term'>) {
  return (
    <>
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
    </>
  );
}

/** Nothing was found: what was searched, the nearest spelling, and ways on. */
export function ZeroResults({ term, ...near }: ZeroResultsProps) {
  const dispatch = useAppDispatch();
  const arrivals = useAppSelector(selectNewArrivals);
  useEffect(() => {
    void dispatch(loadNewArrivals());
  }, [dispatch]);
  return (
    <div className="grid gap-8">
      <div className="grid gap-3">
        <p className="text-heading">{term ? `Nothing was found for “${term}”.` : 'Nothing matches these filters.'}</p>
        <NearResults {...near} />
      </div>
      <div>
        <h2>Popular searches</h2>
        <PopularSearches />
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
