import { useEffect, useState } from 'react';
import type { Facets, ProductList } from '#contract/catalogue/catalogue.ts';
import { PopularSearches } from '#web/layout/popular-searches.tsx';
import { appliedFilters, type ListLink, withoutFilters } from '#web/shop/filters/applied-filters.ts';
import { linksWithoutOne } from '#web/shop/filters/fewer-filters.ts';
import { loadNewArrivals, selectNewArrivals } from '#web/state/product-list.slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { Link } from '#web/ui/link.tsx';
import { ProductGrid } from './product-grid.tsx';

export interface ZeroResultsProps {
  search: URLSearchParams;
  facets: Facets | null;
  list: Pick<ProductList, 'suggestion' | 'without' | 'notSold' | 'help'>;
}

interface NearResultsProps {
  suggestion: string | null;
  /** A link to the list without each of its filters. */
  links: ListLink[];
  /** The list without filters, if any apply. */
  unfiltered: string | undefined;
}

function NearResults({ suggestion, links, unfiltered }: NearResultsProps) {
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
      {links.length > 0 && (
        <ul aria-label="With fewer filters" className="grid justify-items-start gap-2">
          {links.map(({ text, href }) => (
            <li key={text}>
              <Link className="link" to={href} preventScrollReset>
                {text}
              </Link>
            </li>
          ))}
        </ul>
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

function nothingText(term: string, isFiltered: boolean, { notSold, help }: ZeroResultsProps['list']): string {
  if (!term) return 'Nothing matches these filters.';
  // The heading says what was not found.
  if (notSold || help.length > 0) return 'Or try one of these:';
  return `We couldn’t find “${term}”${isFiltered ? ' with these filters' : ''}. Try one of these:`;
}

/** An empty list: the search, the nearest spelling, and other lists. */
export function ZeroResults({ search, facets, list }: ZeroResultsProps) {
  const term = search.get('search') ?? '';
  const unfiltered = appliedFilters(search, facets).length > 0 ? withoutFilters(search) : undefined;
  const dispatch = useAppDispatch();
  const arrivals = useAppSelector(selectNewArrivals);
  const [isAsking, setIsAsking] = useState(true);
  useEffect(() => {
    void dispatch(loadNewArrivals()).then(() => setIsAsking(false));
  }, [dispatch]);
  if (!term && !unfiltered) return <p className="text-heading">There is nothing in the shop yet. Please come back soon.</p>;
  return (
    <div className="grid gap-8">
      <div className="grid gap-3">
        <p className="text-heading">{nothingText(term, unfiltered !== undefined, list)}</p>
        <NearResults suggestion={list.suggestion} links={linksWithoutOne(search, facets, list.without)} unfiltered={unfiltered} />
      </div>
      <div>
        <h2>Popular searches</h2>
        <PopularSearches />
      </div>
      {arrivals.length > 0 ? (
        <section>
          <h2 className="mb-4">New arrivals</h2>
          <ProductGrid products={arrivals.slice(0, 4)} label="New arrivals" level={3} />
        </section>
      ) : (
        isAsking && <div className="skeleton" />
      )}
    </div>
  );
}
